// Reads CSS as emails carry it: tolerant of errors, bounded in depth and time, with values kept as text so that the
// copy each client edits stays cheap.

import {
  generate,
  parse,
  walk,
  type Atrule,
  type CssNode,
  type Declaration,
  type DeclarationList,
  type Rule,
  type StyleSheet,
} from 'css-tree';

/** Brackets nested deeper than this are an attack on the parser, not a style sheet. */
const DEPTH_MAX = 64;

/** Each syntax error costs css-tree time in proportion to the text; errors times characters stay below this. */
const ERROR_COST_MAX = 60_000_000;

/** Each level of nesting under an element name is read once more. */
const NESTING_MAX = 5;

/** What some clients react to, and the tree alone does not tell. Set at parse time, kept by copies. */
interface Annotated {
  commented?: boolean;
  afterComment?: boolean;
  tight?: boolean;
}

type Context = 'stylesheet' | 'declarationList' | 'rule' | 'atrule' | 'declaration';

/** A parsed style sheet; what can't be understood stays in it as `Raw` nodes, and an attack becomes an empty sheet. */
export function parseStyleSheet(text: string): StyleSheet {
  return parseBounded(text, 'stylesheet') as StyleSheet;
}

/** The declarations of a `style` attribute. */
export function parseDeclarations(text: string): DeclarationList {
  return parseBounded(text, 'declarationList') as DeclarationList;
}

/** The value of a declaration as CSS text, without `!important`. */
export function valueOf(declaration: Declaration): string {
  return declaration.value.type === 'Raw' ? declaration.value.value : generate(declaration.value);
}

export function setValue(declaration: Declaration, value: string): void {
  declaration.value = { type: 'Raw', value };
}

export function declarationOf(property: string, value: string, important = false): Declaration {
  return { type: 'Declaration', important, property, value: { type: 'Raw', value } };
}

/** The sender wrote a comment inside this rule. */
export function hasComment(rule: Rule): boolean {
  return (rule as Annotated).commented ?? false;
}

/** The sender wrote a comment right before this rule. */
export function followsComment(rule: Rule | Atrule): boolean {
  return (rule as Annotated).afterComment ?? false;
}

/** The sender wrote `red!important`, without a space. */
export function isTightImportant(declaration: Declaration): boolean {
  return (declaration as Annotated).tight ?? false;
}

const tooCostly = Symbol('too many errors');

function parseBounded(text: string, context: Context, level = 0): CssNode {
  let errorsLeft = Math.ceil(ERROR_COST_MAX / (text.length + 1));
  const onParseError = () => {
    if (--errorsLeft < 0) throw tooCostly;
  };
  const positions = /\/\*|[^\s]!\s*important/i.test(text);
  try {
    const options = { parseValue: false, parseCustomProperty: false, positions, context, onParseError };
    const ast = parse(depthOf(text) > DEPTH_MAX ? '' : text, options);
    if (positions) annotate(ast, text);
    if (level < NESTING_MAX && text.includes('{')) readNestedRules(ast, level);
    return ast;
  } catch (reason) {
    if (reason !== tooCostly) throw reason;
    return parse('', { context });
  }
}

function depthOf(css: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < css.length; i++) {
    const code = css.charCodeAt(i);
    if (code === 0x28 || code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (depth > 0 && (code === 0x29 || code === 0x5d || code === 0x7d)) depth--;
  }
  return deepest;
}

/** Notes comments and tight `!important` from the source positions, then forgets the positions. */
function annotate(ast: CssNode, text: string): void {
  const comments = [...text.matchAll(/\/\*/g)].map((match) => match.index);
  walk(ast, {
    enter(node: CssNode) {
      const { start, end } = node.loc
        ? { start: node.loc.start.offset, end: node.loc.end.offset }
        : { start: 0, end: 0 };
      if (node.type === 'Rule' || node.type === 'Atrule') {
        if (node.type === 'Rule' && hasBetween(comments, start, end)) (node as Annotated).commented = true;
        if (/\*\/\s*$/.test(text.slice(Math.max(0, start - 200), start))) (node as Annotated).afterComment = true;
      }
      if (node.type === 'Declaration' && node.important && /[^\s]!\s*\w*$/.test(text.slice(start, end)))
        (node as Annotated).tight = true;
      node.loc = undefined;
    },
  });
}

/** Whether one of the sorted offsets lies in the range. */
function hasBetween(offsets: number[], start: number, end: number): boolean {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < offsets.length && offsets[low]! < end;
}

/**
 * CSS nesting where the nested selector starts with an element name: css-tree gives up on it and keeps the text.
 * Cuts that text into declarations and rules and reads each.
 */
function readNestedRules(ast: CssNode, level: number): void {
  walk(ast, {
    visit: 'Block',
    enter(block) {
      block.children.forEach((node, item, list) => {
        if (node.type !== 'Raw' || !node.value.includes('{')) return;
        for (const piece of piecesOf(node.value)) {
          const context = piece.startsWith('@') ? 'atrule' : piece.includes('{') ? 'rule' : 'declaration';
          list.insertData(parsePiece(piece, context, level + 1), item);
        }
        list.remove(item);
      });
    },
  });
}

function parsePiece(text: string, context: Context, level: number): CssNode {
  try {
    return parseBounded(text, context, level);
  } catch (error) {
    // A piece on its own has nothing to fall back to: it stays text, as css-tree leaves what it can't read elsewhere.
    if (error instanceof Error && error.name === 'SyntaxError') return { type: 'Raw', value: text };
    throw error;
  }
}

/** The statements in a block's text: `a{…}`, `b:c`, `@media x{…}`. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"' || character === "'") {
      const close = text.indexOf(character, i + 1);
      i = close < 0 ? text.length : close;
    } else if (character === '{') depth++;
    else if (character === '}') depth--;
    if (depth <= 0 && (character === ';' || character === '}')) {
      pieces.push(text.slice(start, character === ';' ? i : i + 1));
      start = i + 1;
      depth = 0;
    }
  }
  pieces.push(text.slice(start));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '' && piece !== ';');
}

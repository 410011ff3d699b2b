// Reads CSS for its places: rules, declarations and at-rules with their offsets, by tokens and the blocks they open
// (CSS Syntax Level 3, §5). Linear in the length of the text, whatever is in it.

import { ident, tokenize, tokenTypes } from 'css-tree';

export interface CssDeclarationPlace {
  start: number;
  end: number;
  /** As written, escapes undone. */
  property: string;
  /** Without `!important`. */
  value: string;
  valueStart: number;
  /** False, or the keyword as written. */
  important: false | string;
  /** Offset of the `!`, -1 without one. */
  importantStart: number;
  /** `red!important`, without a space. */
  isTight: boolean;
}

export interface CssPrelude {
  text: string;
  start: number;
  /** Deepest nesting of brackets in it. */
  depth: number;
}

interface CssVisitor {
  /** A comment, anywhere. */
  comment?(start: number, end: number): void;
  /** A style rule's selectors. */
  rule(prelude: CssPrelude, at: CssPlace): void;
  /** A step of an animation: `from`, `50%`. */
  keyframe?(prelude: CssPrelude): void;
  declaration(declaration: CssDeclarationPlace, at: Pick<CssPlace, 'around'>): void;
  atRule(name: string, prelude: CssPrelude, at: CssPlace & { start: number; blockStart: number }): void;
}

export interface CssPlace {
  /** Names of the at-rules around, `rule` for a style rule, outermost first. */
  around: readonly string[];
  /** The statement comes right after a comment. */
  afterComment: boolean;
}

interface Scan {
  text: string;
  types: number[];
  /** Start of each token, and the end of the text. */
  starts: number[];
  visitor: CssVisitor;
  /**
   * Kinds of the open blocks: `sheet`, `rule`, `keyframes`, `descriptors`, or the name of an at-rule that holds rules.
   */
  blocks: string[];
  /** For each open block, what its statements have around them. */
  arounds: (readonly string[])[];
}

/**
 * How many names of enclosing blocks a visitor receives: real style sheets nest less deeply, and each name costs time.
 */
const AROUND_MAX = 32;

/** At-rules whose block holds rules (and, inside a style rule, declarations). */
const RULE_HOLDERS = new Set(['media', 'supports', 'layer', 'container', 'scope', 'document', 'starting-style']);

/** @param kind a whole style sheet, or the declarations of a `style` attribute. */
export function readCss(text: string, kind: 'sheet' | 'declarations', visitor: CssVisitor): void {
  const scan: Scan = {
    text,
    types: [],
    starts: [],
    visitor,
    blocks: [kind === 'sheet' ? 'sheet' : 'rule'],
    arounds: [[]],
  };
  tokenize(text, (type, start, end) => {
    scan.types.push(type);
    scan.starts.push(start);
    if (type === tokenTypes.Comment) visitor.comment?.(start, end);
  });
  scan.starts.push(text.length);
  let at = 0;
  while (at < scan.types.length) at = readStatement(scan, at);
}

/** Reads what starts at a token; answers the token after it. */
function readStatement(scan: Scan, at: number): number {
  const { types, blocks } = scan;
  const first = skipBlank(scan, at);
  const type = types[first];
  if (type === undefined) return first;
  if (type === tokenTypes.Semicolon) return first + 1;
  if (type === tokenTypes.RightCurlyBracket) {
    closeBlock(scan);
    return first + 1;
  }
  const afterComment = isAfterComment(scan, first);
  if (type === tokenTypes.AtKeyword) return readAtRule(scan, first, afterComment);
  const inSheet = blocks.at(-1) === 'sheet';
  const end = endOfPrelude(scan, first, inSheet);
  const opensBlock = types[end.at] === tokenTypes.LeftCurlyBracket;
  const isCustom = opensBlock && !inSheet && scan.text.startsWith('--', scan.starts[first]);
  if (isCustom) return readDeclaration(scan, first, endOfBlock(scan, end.at));
  if (!opensBlock) return inSheet ? end.at : readDeclaration(scan, first, end.at);
  return openRule(scan, { first, end, afterComment });
}

function openBlock(scan: Scan, kind: string): void {
  const around = scan.arounds.at(-1)!;
  scan.blocks.push(kind);
  scan.arounds.push(around.length < AROUND_MAX ? [...around, kind] : around);
}

function closeBlock({ blocks, arounds }: Scan): void {
  if (blocks.length === 1) return;
  blocks.pop();
  arounds.pop();
}

function openRule(
  scan: Scan,
  { first, end, afterComment }: { first: number; end: PreludeEnd; afterComment: boolean },
): number {
  const prelude = preludeOf(scan, first, end);
  const block = scan.blocks.at(-1);
  if (block === 'keyframes') scan.visitor.keyframe?.(prelude);
  else if (block !== 'descriptors') scan.visitor.rule(prelude, { around: scan.arounds.at(-1)!, afterComment });
  openBlock(scan, block === 'descriptors' ? 'descriptors' : 'rule');
  return end.at + 1;
}

function readAtRule(scan: Scan, first: number, afterComment: boolean): number {
  const { starts, text, types } = scan;
  const start = starts[first]!;
  const name = ident
    .decode(text.slice(start + 1, starts[first + 1]))
    .toLowerCase()
    .replace(/^-(?:webkit|moz|ms|o)-/, '');
  const end = endOfPrelude(scan, first + 1, false);
  const opensBlock = types[end.at] === tokenTypes.LeftCurlyBracket;
  const place = { around: scan.arounds.at(-1)!, afterComment, start, blockStart: opensBlock ? starts[end.at]! : -1 };
  scan.visitor.atRule(name, preludeOf(scan, first + 1, end), place);
  if (!opensBlock) return end.at;
  openBlock(scan, blockKind(name, scan.blocks));
  return end.at + 1;
}

function blockKind(name: string, around: readonly string[]): string {
  if (name === 'keyframes') return name;
  if (!RULE_HOLDERS.has(name) || around.at(-1) === 'descriptors') return 'descriptors';
  return name;
}

interface PreludeEnd {
  /** The token that ends it, or the number of tokens. */
  at: number;
  depth: number;
}

/** The next `;`, `{` or `}` outside brackets. Between rules a `;` is no end (CSS Syntax §5.4.3). */
function endOfPrelude({ types }: Scan, from: number, inSheet: boolean): PreludeEnd {
  let open = 0;
  let depth = 0;
  let at = from;
  for (; at < types.length; at++) {
    const type = types[at];
    if (type === tokenTypes.LeftCurlyBracket || type === tokenTypes.RightCurlyBracket) break;
    if (type === tokenTypes.Function || type === tokenTypes.LeftParenthesis || type === tokenTypes.LeftSquareBracket)
      depth = Math.max(depth, ++open);
    else if (type === tokenTypes.RightParenthesis || type === tokenTypes.RightSquareBracket)
      open = Math.max(0, open - 1);
    else if (type === tokenTypes.Semicolon && open === 0 && !inSheet) break;
  }
  return { at, depth };
}

function endOfBlock({ types }: Scan, from: number): number {
  let open = 0;
  for (let at = from; at < types.length; at++) {
    if (types[at] === tokenTypes.LeftCurlyBracket) open++;
    else if (types[at] === tokenTypes.RightCurlyBracket && --open === 0) return at + 1;
  }
  return types.length;
}

function preludeOf(scan: Scan, first: number, end: PreludeEnd): CssPrelude {
  const from = skipBlank(scan, first);
  const start = scan.starts[Math.min(from, end.at)]!;
  return { text: scan.text.slice(start, scan.starts[end.at]).trimEnd(), start, depth: end.depth };
}

/** The declaration between two tokens, if it is one. */
function readDeclaration(scan: Scan, first: number, end: number): number {
  const { types, starts, text, blocks } = scan;
  const isDescribed = blocks.at(-1) === 'descriptors' || blocks.at(-1) === 'keyframes';
  if (types[first] !== tokenTypes.Ident || isDescribed) return end;
  const colon = skipBlank(scan, first + 1);
  if (types[colon] !== tokenTypes.Colon || colon >= end) return end;
  const valueFirst = skipBlank(scan, colon + 1);
  const important = importantOf(scan, valueFirst, end);
  const valueStart = starts[Math.min(valueFirst, end)]!;
  const valueEnd = starts[important?.at ?? end]!;
  const value = text.slice(valueStart, valueEnd).trimEnd();
  scan.visitor.declaration(
    {
      start: starts[first]!,
      end: starts[end]!,
      property: ident.decode(text.slice(starts[first], starts[first + 1])),
      value,
      valueStart,
      important: important?.keyword ?? false,
      importantStart: important ? starts[important.at]! : -1,
      isTight: important !== undefined && !/\s/.test(text[starts[important.at]! - 1] ?? ' '),
    },
    { around: scan.arounds.at(-1)! },
  );
  return end;
}

/** A `!` and a word at the end of the value. */
function importantOf(scan: Scan, from: number, end: number): { at: number; keyword: string } | undefined {
  const { types, starts, text } = scan;
  let at = end - 1;
  while (at > from && isBlank(types[at])) at--;
  if (types[at] !== tokenTypes.Ident) return undefined;
  const keyword = text.slice(starts[at], starts[at + 1]);
  at--;
  while (at >= from && isBlank(types[at])) at--;
  return at >= from && text[starts[at]!] === '!' && types[at] === tokenTypes.Delim ? { at, keyword } : undefined;
}

function isBlank(type: number | undefined): boolean {
  return (
    type === tokenTypes.WhiteSpace || type === tokenTypes.Comment || type === tokenTypes.CDO || type === tokenTypes.CDC
  );
}

function skipBlank({ types }: Scan, from: number): number {
  let at = from;
  while (at < types.length && isBlank(types[at])) at++;
  return at;
}

function isAfterComment({ types }: Scan, at: number): boolean {
  let before = at - 1;
  while (types[before] === tokenTypes.WhiteSpace) before--;
  return types[before] === tokenTypes.Comment;
}

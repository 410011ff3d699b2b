import { generate, lexer, parse, walk, type CssNode, type Declaration } from 'css-tree';

/** One declaration of a rule or a style attribute. */
export interface CssDeclaration {
  /** Lower case, custom properties as written. */
  property: string;
  /** The value as written. */
  value: string;
  isImportant: boolean;
  /** False when browsers that know the property drop the value; a later one that is dropped overrides nothing. */
  isValid: boolean;
  /** The end of the value in the source, where more can be added. */
  valueEnd: number;
}

/** The declarations directly inside a block; what cannot be parsed is left out, as browsers do. */
export function declarationsOf(block: CssNode, source: string): CssDeclaration[] {
  if (block.type !== 'Block' && block.type !== 'DeclarationList') return [];
  return [...block.children].filter((node) => node.type === 'Declaration').map((node) => readDeclaration(node, source));
}

/** The declarations of a style attribute. */
export function parseStyleAttribute(style: string): CssDeclaration[] {
  if (style.trim() === '') return [];
  return declarationsOf(parse(style, { context: 'declarationList', positions: true, onParseError: () => {} }), style);
}

function readDeclaration(node: Declaration, source: string): CssDeclaration {
  const start = node.value.loc?.start.offset ?? 0;
  const end = node.value.loc?.end.offset ?? start;
  const property = node.property.startsWith('--') ? node.property : node.property.toLowerCase();
  const value = source.slice(start, end).trim();
  return {
    property,
    value,
    isImportant: node.important !== false,
    isValid: isValid(property, node.value),
    valueEnd: start + source.slice(start, end).trimEnd().length,
  };
}

/** Judging a value costs more than all the rest, and messages repeat the same few. */
const verdicts = new Map<string, boolean>();
const VERDICTS_MAX = 5_000;

function isValid(property: string, value: CssNode): boolean {
  if (value.type === 'Raw') return property.startsWith('--') || property.startsWith('mso-');
  const key = `${property}:${generate(value)}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const verdict = judge(property, value);
  if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
  if (key.length < 200) verdicts.set(key, verdict);
  return verdict;
}

function judge(property: string, value: CssNode): boolean {
  let isOpen = false;
  walk(value, (node) => {
    // What var() stands for is not known here.
    if (node.type === 'Function' && node.name.toLowerCase() === 'var') isOpen = true;
  });
  if (isOpen) return true;
  const { error } = lexer.matchProperty(property, value) as { error: Error | null };
  return error === null || error.name === 'SyntaxReferenceError';
}

/** Longhands that a shorthand sets although their names do not begin with it. */
const HIDDEN_LONGHANDS = new Map([
  ['font', ['line-height']],
  ['border', ['border-image']],
]);

/** True when setting one of the properties can change what the other set: the same, or shorthand and longhand. */
export function overlaps(a: string, b: string): boolean {
  return a === b || contains(a, b) || contains(b, a);
}

function contains(shorthand: string, longhand: string): boolean {
  return (
    longhand.startsWith(`${shorthand}-`) ||
    (HIDDEN_LONGHANDS.get(shorthand)?.includes(longhand) ?? false) ||
    shorthand === 'all'
  );
}

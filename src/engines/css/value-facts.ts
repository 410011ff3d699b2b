// What a declaration's value is made of, worked out once per text.

import { tokenize, tokenTypes } from 'css-tree';

export interface ValueFacts {
  text: string;
  /** `unit:vh`, `function:calc`, `is:initial` (the whole value), for look-ups. */
  tokens: readonly string[];
  /** Identifiers, lower case. Those inside functions count. */
  words: ReadonlySet<string>;
  /** Names of functions, lower case. */
  functions: readonly string[];
  /** Parts between top-level commas. */
  layers: number;
  /** Top-level parts between spaces, commas and slashes. */
  parts: readonly string[];
  hasSlash: boolean;
  hasUrl: boolean;
  /** A `url()` without quotes. */
  hasBareUrl: boolean;
  /** A negative number outside `calc()` and its kin. */
  hasNegative: boolean;
  hasPercentage: boolean;
  /** `rgb(0 128 0)` or `rgba(0 128 0 / 1)`: color functions without commas. */
  spacedColors: ReadonlySet<string>;
  /** `rgb(0, 128, 0, .5)`: color functions with four arguments. */
  fourArgumentColors: ReadonlySet<string>;
}

const mathFunctions = new Set(['calc', 'min', 'max', 'clamp']);
const NAMED_COLOR_FUNCTIONS = new Set(['rgb', 'rgba']);

interface OpenFunction {
  name: string;
  commas: number;
  slash: boolean;
}

/** The value's text without comments is read with css-tree's tokenizer, so strings and URLs don't confuse it. */
export function readValue(text: string): ValueFacts {
  const scan = {
    tokens: new Set<string>(),
    words: new Set<string>(),
    functions: [] as string[],
    layers: 1,
    parts: [] as string[],
    hasSlash: false,
    hasUrl: false,
    hasBareUrl: false,
    hasNegative: false,
    hasPercentage: false,
    spacedColors: new Set<string>(),
    fourArgumentColors: new Set<string>(),
    open: [] as OpenFunction[],
    partStart: -1,
  };
  tokenize(text, (type, start, end) => readToken(scan, { type, start, end }, text));
  endPart(scan, text, text.length);
  const whole = text.trim().toLowerCase();
  if (/^[a-z-]+$/.test(whole)) scan.tokens.add(`is:${whole}`);
  const { open: _open, partStart: _partStart, tokens, ...facts } = scan;
  return { text, tokens: [...tokens], ...facts };
}

type Scan = {
  tokens: Set<string>;
  words: Set<string>;
  functions: string[];
  layers: number;
  parts: string[];
  hasSlash: boolean;
  hasUrl: boolean;
  hasBareUrl: boolean;
  hasNegative: boolean;
  hasPercentage: boolean;
  spacedColors: Set<string>;
  fourArgumentColors: Set<string>;
  open: OpenFunction[];
  partStart: number;
};

function readToken(scan: Scan, at: { type: number; start: number; end: number }, text: string): void {
  const { type, start, end } = at;
  const top = scan.open.at(-1);
  const separator = !top && (type === tokenTypes.WhiteSpace || type === tokenTypes.Comma || isDelim(text, at, '/'));
  if (separator) endPart(scan, text, start);
  else if (type !== tokenTypes.Comment && scan.partStart < 0) scan.partStart = start;
  switch (type) {
    case tokenTypes.Ident:
      scan.words.add(text.slice(start, end).toLowerCase());
      break;
    case tokenTypes.Function: {
      const name = text.slice(start, end - 1).toLowerCase();
      scan.functions.push(name);
      scan.tokens.add(`function:${name}`);
      if (name === 'url') scan.hasUrl = true;
      scan.open.push({ name, commas: 0, slash: false });
      break;
    }
    case tokenTypes.Url:
    case tokenTypes.BadUrl:
      scan.hasUrl = scan.hasBareUrl = true;
      break;
    case tokenTypes.LeftParenthesis:
      scan.open.push({ name: '', commas: 0, slash: false });
      break;
    case tokenTypes.RightParenthesis:
      closeFunction(scan);
      break;
    case tokenTypes.Number:
    case tokenTypes.Dimension:
    case tokenTypes.Percentage:
      readNumber(scan, type, text.slice(start, end));
      break;
    case tokenTypes.Comma:
      if (top) top.commas++;
      else scan.layers++;
      break;
    case tokenTypes.Delim:
      if (!isDelim(text, at, '/')) break;
      if (top) top.slash = true;
      else scan.hasSlash = true;
      break;
    default:
  }
}

function isDelim(text: string, at: { type: number; start: number }, character: string): boolean {
  return at.type === tokenTypes.Delim && text[at.start] === character;
}

function endPart(scan: Scan, text: string, end: number): void {
  if (scan.partStart >= 0) scan.parts.push(text.slice(scan.partStart, end).toLowerCase());
  scan.partStart = -1;
}

function readNumber(scan: Scan, type: number, text: string): void {
  if (text.startsWith('-') && Number.parseFloat(text) < 0 && !scan.open.some(({ name }) => mathFunctions.has(name)))
    scan.hasNegative = true;
  if (type === tokenTypes.Percentage) {
    scan.hasPercentage = true;
    scan.tokens.add('unit:%');
  }
  if (type === tokenTypes.Dimension) scan.tokens.add(`unit:${/[a-z]+$/i.exec(text)?.[0].toLowerCase() ?? ''}`);
}

function closeFunction(scan: Scan): void {
  const closed = scan.open.pop();
  if (!closed || !NAMED_COLOR_FUNCTIONS.has(closed.name)) return;
  if (closed.commas === 0) scan.spacedColors.add(closed.name);
  if (closed.commas === 3 || closed.slash) scan.fourArgumentColors.add(closed.name);
}

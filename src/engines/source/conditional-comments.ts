// Microsoft's conditional comments, resolved on the source text before it is parsed: Word reads them while it reads
// the tags, so a condition may open an element in one comment and close it in another.
//
// Grammar: "About conditional comments", learn.microsoft.com/previous-versions/ms537512 (read 2026-11-21).
// Versions: `mso` is 12 (2007), 14 (2010), 15 (2013) or 16 (2016 and all later ones, which kept the number).
// What Word does with broken comments is documented nowhere; here it follows the state machine of the same syntax in
// Internet Explorer (common knowledge, unsourced): inside a true condition the text is ordinary HTML, inside a false
// one everything up to the matching `<![endif]` is skipped, to the end of the message when there is none.

import {
  collectLink,
  collectStyle,
  isOfficeBlock,
  officeMarkers,
  openTag,
  readOfficeBlock,
  type OfficeFacts,
} from './word-source.ts';

/** What the conditions are tested against: Word's version, or null for every client that doesn't read them. */
interface ConditionalReader {
  mso: number | null;
}

interface Scan {
  html: string;
  mso: number;
  out: string[];
  /** Everything before this offset is written or dropped. */
  from: number;
  facts: OfficeFacts;
  /** Opening marker's offset -> end of its block; built when the first false condition is met. */
  ends: Map<number, number> | undefined;
}

const HIDDEN_OPEN = /<!--\[if((?:\s|\(|!)[^\]<>]{0,400})\]>/iy;
const HIDDEN_CLOSE = /<!--\s{0,16}<!\[endif\][\s-]{0,16}>/iy;
const REVEALED_OPEN = /<!\[if((?:\s|\(|!)[^\]<>]{0,400})\]>/iy;
const CLOSE = /<!\[endif\](?:[\s-]{0,16}>)?/iy;
const MARKER = /<!(?:--)?\[if[\s(!]|<!\[endif\](?:[\s-]{0,16}>)?/gi;
const TAG_NAME = /<\/?([a-z][^\s/>]*)/iy;
const COMMENT_END = /--!?>/g;

/** Elements whose content is text to an HTML parser, so that markers inside them are no comments. */
const RAW_TEXT = new Map(
  ['style', 'script', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}[\\s/>]`, 'gi'),
  ]),
);

/**
 * The HTML that a reader of conditional comments sees. With `mso: null` the text comes back unchanged: to a browser a
 * hidden comment is a comment and a revealed marker a bogus comment, which the HTML parser already drops.
 *
 * With a version, markers vanish, false blocks vanish with their content, Office's own `<xml>` blocks vanish (their
 * numbers would show as text), self-closing `v:`/`o:`/`w:` tags get their end tag (an HTML parser ignores the slash),
 * the `style` of a `v:` tag becomes `vml-style` (it follows VML's rules, not those of CSS support tables), and
 * `<meta name="office-…">` markers are appended for what the Word plug-in must know: `office-pixels-per-inch` and
 * `office-web-font`. Time is linear in the length of the text.
 */
export function resolveConditionals(html: string, reader: ConditionalReader): string {
  if (reader.mso === null) return html;
  const facts: OfficeFacts = {
    pixelsPerInch: undefined,
    webFonts: new Map(),
    shapeDepth: 0,
    textboxDepth: 0,
    brokenConditions: 0,
  };
  const scan: Scan = { html, mso: reader.mso, out: [], from: 0, facts, ends: undefined };
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) at = readComment(scan, at);
    else if (html.startsWith('<![', at)) at = readMarker(scan, at);
    else at = readTag(scan, at);
  }
  scan.out.push(html.slice(scan.from), officeMarkers(facts));
  return scan.out.join('');
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Drops the source between `start` and `end`; answers `end`. */
function drop(scan: Scan, start: number, end: number): number {
  scan.out.push(scan.html.slice(scan.from, start));
  scan.from = end;
  return end;
}

function readComment(scan: Scan, at: number): number {
  const close = matchAt(HIDDEN_CLOSE, scan.html, at);
  if (close) return drop(scan, at, at + close[0].length);
  const open = matchAt(HIDDEN_OPEN, scan.html, at);
  if (open) return enter(scan, at, open);
  // `<!-->` and `<!--->` are whole comments.
  if (scan.html.startsWith('>', at + 4)) return at + 5;
  if (scan.html.startsWith('->', at + 4)) return at + 6;
  const end = matchAt(COMMENT_END, scan.html, at + 4);
  return end ? end.index + end[0].length : scan.html.length;
}

function readMarker(scan: Scan, at: number): number {
  const open = matchAt(REVEALED_OPEN, scan.html, at);
  if (open) return enter(scan, at, open);
  const close = matchAt(CLOSE, scan.html, at);
  return close ? drop(scan, at, at + close[0].length) : at + 3;
}

function enter(scan: Scan, at: number, open: RegExpExecArray): number {
  const inside = at + open[0].length;
  // A condition that a formatter broke into two lines is none (github.com/resend/react-email/pull/1839, 2024-12-24;
  // github.com/ues-io/uesio/issues/4557, 2025-02-04: with its end broken as well the rest of the message is gone).
  const isBroken = /[\r\n]/.test(open[1]!);
  if (isBroken) scan.facts.brokenConditions++;
  const isShown = !isBroken && isTrue(open[1]!, scan.mso);
  scan.ends ??= blockEnds(scan.html);
  if (isShown && !endsBadly(scan, at)) return drop(scan, at, inside);
  return drop(scan, at, scan.ends.get(at) ?? scan.html.length);
}

/**
 * An end such as `<![endif]/-->` is none, and the message is lost (github.com/shellscape/jsx-email/issues/403,
 * 2026-01-21). Counted as broken.
 */
function endsBadly(scan: Scan, at: number): boolean {
  const end = scan.ends!.get(at);
  if (end === undefined || scan.html[end - 1] !== ']') return false;
  if (!/^\s{0,16}\/\s{0,16}-{0,2}>/.test(scan.html.slice(end, end + 40))) return false;
  scan.facts.brokenConditions++;
  scan.ends!.set(at, scan.html.length);
  return true;
}

/** Where each block ends: at its own `<![endif]`; with too few of them at the next one; with none at the end. */
function blockEnds(html: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const closings: { at: number; end: number }[] = [];
  for (const marker of html.matchAll(MARKER)) {
    if (!/^<!\[e/i.test(marker[0])) open.push(marker.index);
    else {
      const end = marker.index + marker[0].length;
      closings.push({ at: marker.index, end });
      const start = open.pop();
      if (start !== undefined) ends.set(start, end);
    }
  }
  let next = 0;
  for (const start of open) {
    while (next < closings.length && closings[next]!.at < start) next++;
    ends.set(start, closings[next]?.end ?? html.length);
  }
  return ends;
}

function readTag(scan: Scan, at: number): number {
  const name = matchAt(TAG_NAME, scan.html, at)?.[1]!.toLowerCase();
  if (name === undefined) return at + 1;
  const isEnd = scan.html[at + 1] === '/';
  const end = tagEnd(scan.html, at + 1 + name.length);
  if (!isEnd && isOfficeBlock(name)) return drop(scan, at, readOfficeBlock(scan.html, { name, from: end }, scan.facts));
  const rewritten = openTag(scan.html.slice(at, end), name, scan.facts);
  if (rewritten !== undefined) {
    drop(scan, at, end);
    scan.out.push(rewritten);
  }
  if (isEnd) return end;
  if (name === 'link') collectLink(scan.html.slice(at, end), scan.facts);
  const closing = RAW_TEXT.get(name);
  if (!closing) return end;
  const stop = matchAt(closing, scan.html, end)?.index ?? scan.html.length;
  if (name === 'style') collectStyle(scan.html.slice(end, stop), scan.facts);
  return stop;
}

/** The offset after the tag's `>`; quotes count only where a value starts, as in the HTML standard's tokenizer. */
function tagEnd(html: string, from: number): number {
  for (let i = from; i < html.length; i++) {
    const char = html[i];
    if (char === '>') return i + 1;
    if (char !== '=') continue;
    while (/\s/.test(html[i + 1] ?? '')) i++;
    const quote = html[i + 1];
    if (quote !== '"' && quote !== "'") continue;
    const close = html.indexOf(quote, i + 2);
    if (close < 0) return html.length;
    i = close;
  }
  return html.length;
}

// ---- Expressions ----------------------------------------------------------------------------------------------

const TOKEN = /\s*(lte|gte|lt|gt|true|false|[a-z]+|\d+(?:\.\d+)?|[!&|()])\s*/iy;
const DEPTH_MAX = 32;

interface Words {
  tokens: string[];
  at: number;
  depth: number;
  broken: boolean;
}

/**
 * What Word knows of the features an expression can name. `vml` is on. Fields, lists and empty paragraphs
 * (`supportFields`, `supportLists`, …) are said to be unknown, though Word has them: the fallback text in their place
 * is drawn by Word itself when it saves a mail, and looks the same. `IE` is unknown to Word since 2007.
 */
function versionOf(feature: string, mso: number): number | undefined {
  if (feature === 'mso') return mso;
  return feature === 'vml' ? 1 : undefined;
}

/** Whether the text between `[if` and `]` holds for a version; an expression that can't be read is false. */
function isTrue(expression: string, mso: number): boolean {
  const tokens: string[] = [];
  let at = 0;
  while (at < expression.length) {
    const token = matchAt(TOKEN, expression, at);
    if (!token) return false;
    tokens.push(token[1]!.toLowerCase());
    at += token[0].length;
  }
  const words: Words = { tokens, at: 0, depth: 0, broken: false };
  const value = anyOf(words, mso);
  return value && !words.broken && words.at === tokens.length;
}

function anyOf(words: Words, mso: number): boolean {
  let value = allOf(words, mso);
  while (words.tokens[words.at] === '|') {
    words.at++;
    value = allOf(words, mso) || value;
  }
  return value;
}

function allOf(words: Words, mso: number): boolean {
  let value = term(words, mso);
  while (words.tokens[words.at] === '&') {
    words.at++;
    value = term(words, mso) && value;
  }
  return value;
}

function term(words: Words, mso: number): boolean {
  const token = words.tokens[words.at++];
  if (token === undefined || ++words.depth > DEPTH_MAX) return fail(words);
  let value: boolean;
  if (token === '!') value = !term(words, mso);
  else if (token === '(') {
    value = anyOf(words, mso);
    if (words.tokens[words.at++] !== ')') return fail(words);
  } else if (token === 'true' || token === 'false') value = token === 'true';
  else value = comparison(words, token, mso);
  words.depth--;
  return value;
}

function comparison(words: Words, first: string, mso: number): boolean {
  const operator = /^[lg]te?$/.test(first) ? first : undefined;
  const feature = operator ? words.tokens[words.at++] : first;
  if (feature === undefined || !/^[a-z]/.test(feature)) return fail(words);
  const number = /^\d/.test(words.tokens[words.at] ?? '') ? Number(words.tokens[words.at++]) : undefined;
  const version = versionOf(feature, mso);
  if (operator && number === undefined) return fail(words);
  if (version === undefined) return false;
  if (number === undefined) return true;
  switch (operator) {
    case 'lt':
      return version < number;
    case 'lte':
      return version <= number;
    case 'gt':
      return version > number;
    case 'gte':
      return version >= number;
    default:
      return version === number;
  }
}

function fail(words: Words): false {
  words.broken = true;
  return false;
}

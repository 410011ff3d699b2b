// How a message is cut into parts, where the MIME library is stricter than the standard or than what is sent.
import type { MailParser } from 'mailparser';
import { decodeWords } from './encoded-words.ts';

interface Structured {
  value: string | false;
  params: Record<string, string>;
}

interface Libmime {
  parseHeaderValue(value: string): Structured;
  decodeWords(value: string): string;
}

/** A part as the library's splitter keeps it. */
interface SplitNode {
  parentNode: SplitNode | false;
  _boundary: Buffer | false;
  _parentBoundary: Buffer | false;
  contentType: string | false;
  multipart: string | false;
  headers: false | { get(name: string): string[] };
  libmime: Libmime;
  parseHeaders(): void;
}

interface Splitter {
  node: SplitNode;
  inEpilogue: boolean;
  newNode(parent?: SplitNode | false): void;
  checkBoundary(line: Buffer): number | false;
}

/** What the library's splitter answers for a line: what the boundary ends, or false. */
const IS_OWN = { next: 1, close: 2 } as const;
const IS_PARENTS = { next: 3, close: 4 } as const;

const HYPHEN = 0x2d;

/**
 * Makes the parser find the parts of a message as mail clients do: blanks after a boundary are padding (RFC 2046
 * §5.1.1), the boundary of an outer multipart ends an inner one that nobody closed (§5.1.2), the parts of a digest are
 * messages (§5.1.5), a content type that is none is plain text (RFC 2045 §5.2).
 */
export function mendStructure(parser: MailParser): void {
  const { splitter } = parser as unknown as { splitter: Splitter };
  const boundaries = new Set<string>();
  const newNode = splitter.newNode.bind(splitter);
  splitter.newNode = (parent) => {
    newNode(parent);
    mendHeaders(splitter.node, boundaries);
  };
  mendHeaders(splitter.node, boundaries);
  splitter.checkBoundary = (line) => {
    const start = startOf(line);
    if (line[start] !== HYPHEN || line[start + 1] !== HYPHEN) return false;
    const text = line.toString('latin1', start + 2).trimEnd();
    const closed = text.endsWith('--') ? text.slice(0, -2) : undefined;
    // Most lines that begin so are no boundary of any part.
    if (!boundaries.has(text) && (closed === undefined || !boundaries.has(closed))) return false;
    return findBoundary(splitter, text, closed);
  };
}

/** The library hands a line over with the line end before it where it came in two pieces. */
function startOf(line: Buffer): number {
  if (line[0] === 0x0d) return line[1] === 0x0a ? 2 : 1;
  return line[0] === 0x0a ? 1 : 0;
}

/** Innermost first. A part inside the one whose boundary it is has ended with it. */
function findBoundary(splitter: Splitter, text: string, closed: string | undefined): number | false {
  const own = nameOf(splitter.node._boundary);
  if (own !== undefined && !splitter.inEpilogue) {
    if (own === text) return IS_OWN.next;
    if (own === closed) return IS_OWN.close;
  }
  for (let node: SplitNode | false = splitter.node; node; node = node.parentNode) {
    const parents = nameOf(node._parentBoundary);
    if (parents === undefined || (parents !== text && parents !== closed)) continue;
    splitter.node = node;
    return parents === text ? IS_PARENTS.next : IS_PARENTS.close;
  }
  return false;
}

function nameOf(boundary: Buffer | false): string | undefined {
  return boundary ? boundary.toString('latin1').trimEnd() : undefined;
}

function mendHeaders(node: SplitNode, boundaries: Set<string>): void {
  const { libmime } = node;
  const parseHeaderValue = libmime.parseHeaderValue.bind(libmime);
  libmime.parseHeaderValue = (value) => parseHeaderValue(withoutComments(withSemicolons(value)));
  libmime.decodeWords = decodeWords;
  const parseHeaders = node.parseHeaders.bind(node);
  node.parseHeaders = () => {
    if (node.headers) return;
    parseHeaders();
    const isTyped = fieldsNamed(node, 'content-type').length > 0;
    node.contentType = typeOf(node, isTyped);
    node.multipart = node.contentType.startsWith('multipart/') ? node.contentType.slice('multipart/'.length) : false;
    const boundary = nameOf(node._boundary);
    if (boundary !== undefined) boundaries.add(boundary);
  };
}

function fieldsNamed({ headers }: SplitNode, name: string): string[] {
  return headers ? headers.get(name) : [];
}

/** Top-level types whose parts are never text. */
const NO_TEXT = new Set(['image', 'audio', 'video', 'application', 'font', 'model', 'message', 'haptics', 'chemical']);

function typeOf({ contentType, parentNode, _boundary }: SplitNode, isTyped: boolean): string {
  if (!isTyped && parentNode && parentNode.multipart === 'digest') return 'message/rfc822';
  const type = (contentType || 'text/plain').replace(/\s*\/\s*/, '/');
  const [top = '', sub = ''] = type.split('/');
  if (top !== '' && sub !== '') return type;
  if (top === 'multipart' && _boundary) return 'multipart/mixed';
  if (top === 'html') return 'text/html';
  return NO_TEXT.has(top) ? 'application/octet-stream' : 'text/plain';
}

/** `text/html charset=utf-8`: the semicolon that is missing after the type. */
function withSemicolons(value: string): string {
  return value.replace(/^([\w.+-]{1,100}\/[\w.+-]{1,100})[ \t\r\n]+(?=[\w*-]{1,100}[ \t]*=)/, '$1; ');
}

/** `text/plain; charset=us-ascii (plain text)` without what stands in parentheses outside quotes (RFC 5322 §3.2.2). */
function withoutComments(value: string): string {
  if (!value.includes('(')) return value;
  let [kept, depth, isQuoted] = ['', 0, false];
  for (let index = 0; index < value.length; index++) {
    const character = value[index]!;
    if (character === '\\') {
      if (depth === 0) kept += value.slice(index, index + 2);
      index++;
      continue;
    }
    if (character === '"' && depth === 0) isQuoted = !isQuoted;
    if (!isQuoted && character === '(') depth++;
    else if (!isQuoted && character === ')' && depth > 0) depth--;
    else if (depth === 0) kept += character;
  }
  // A parenthesis that nothing closes is no comment: what follows it would be lost.
  return depth === 0 ? kept.trim() : value;
}

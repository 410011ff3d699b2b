// A message as it follows DATA (RFC 5321 §4.5.2): dots stuffed, every line ended by CRLF.

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;
const A_DOT = Buffer.from('.');
const LINE_WITH_DOT = Buffer.from('\n.');
export const END = Buffer.from('.\r\n');
const CRLF = Buffer.from('\r\n');
/** What is written before others have their turn. */
const SLICE_BYTES = 256 * 1024;

/** A lone CR or LF could end the message for the next server alone, so each becomes a line's end. */
function withWholeLines(slice: Buffer, text: string): Buffer {
  return isWhole(text) ? slice : Buffer.from(text.replaceAll(/\r\n|\r|\n/g, '\r\n'), 'latin1');
}

/** Looked at as text: a string's own search is many times faster than a buffer's for what is near. */
function isWhole(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) !== CR) return false;
    lines += 1;
  }
  // Each of them has its CR; one more stands alone.
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) lines -= 1;
  return lines === 0;
}

/** The slice in pieces, a dot before each line that begins with one. */
function stuffed(slice: Buffer): Buffer[] {
  const pieces: Buffer[] = slice[0] === DOT ? [A_DOT] : [];
  let from = 0;
  for (let at = slice.indexOf(LINE_WITH_DOT); at >= 0; at = slice.indexOf(LINE_WITH_DOT, at + 1)) {
    pieces.push(slice.subarray(from, at + 1), A_DOT);
    from = at + 1;
  }
  return [...pieces, slice.subarray(from)];
}

/**
 * The message in slices that begin lines, without the dot that ends it; the last ends its line. `isWire`: it has only
 * lines that end with CRLF and begin with something else than a dot.
 */
export function* wireData(raw: Buffer, isWire = false): Generator<Buffer[]> {
  for (let from = 0; from < raw.length;) {
    const found = raw.length - from <= SLICE_BYTES ? -1 : raw.indexOf(LF, from + SLICE_BYTES);
    const to = found < 0 ? raw.length : found + 1;
    const given = raw.subarray(from, to);
    const slice = isWire ? given : withWholeLines(given, given.toString('latin1'));
    const pieces = isWire ? [slice] : stuffed(slice);
    yield to === raw.length && slice.at(-1) !== LF ? [...pieces, CRLF] : pieces;
    from = to;
  }
}

// A whole message (`.mime`) whose texts and fields have holes: only what has one is written anew.
import { decodeBase64, decodeQuotedPrintable, decodeWords, LINE_LENGTH_MAX, readText } from '../mime/index.ts';
import { compileBody, encodeSegments, type BodyPiece } from './body.ts';
import type { CompiledMail, CompileOptions } from './compile.ts';
import { compileField, hasHole, type CompiledField } from './header.ts';
import { bodySegmentsOf, type TrackedSoFar } from './holes.ts';

interface WholeOptions extends Pick<CompileOptions, 'canonicalization' | 'tracking'> {
  /** Fields that copies go without; `Bcc` and `Return-Path` never leave. */
  without?: readonly string[];
  /** Written where the message has none. */
  date: Date;
  /** With angle brackets; the same. */
  messageId: string;
}

const NEVER = ['bcc', 'return-path'];
const DEPTH_MAX = 20;
const PARTS_MAX = 500;

/** What is replaced in the message's bytes. */
interface Replacement {
  from: number;
  to: number;
  pieces: BodyPiece[];
}

interface Walk {
  raw: Buffer;
  replaced: Replacement[];
  parts: number;
  tracking: TrackedSoFar | undefined;
}

/**
 * Compiles a message as it was given. Line breaks are made whole; texts with holes, and those with lines that SMTP does
 * not carry, are encoded anew; everything else stays byte for byte. What is signed or encrypted inside stays closed.
 */
export function compileWhole(given: Buffer, options: WholeOptions): CompiledMail {
  const raw = withLineEnds(given);
  const { fields, bodyStart } = readHeader(raw, 0, raw.length);
  const tracking = options.tracking && { ...options.tracking, links: 0 };
  const walk: Walk = { raw, replaced: [], parts: 0, tracking };
  const changed = readEntity(walk, { fields, from: bodyStart, to: raw.length, depth: 0 });
  const pieces: BodyPiece[] = [];
  let at = bodyStart;
  for (const { from, to, pieces: inserted } of walk.replaced.sort((one, other) => one.from - other.from)) {
    pieces.push(raw.subarray(at, from), ...inserted);
    at = to;
  }
  const left = new Set([...NEVER, ...(options.without ?? []).map((name) => name.toLowerCase())]);
  const kept = (changed ?? fields).filter(({ name }) => !left.has(name.toLowerCase()));
  const has = (name: string): boolean => kept.some((field) => field.name.toLowerCase() === name);
  return {
    fields: [
      ...kept.map(compiledField),
      ...(has('date') ? [] : [compileField('Date', options.date.toUTCString().replace('GMT', '+0000'))]),
      ...(has('message-id') ? [] : [compileField('Message-ID', options.messageId)]),
    ],
    body: compileBody([...pieces, raw.subarray(at)], options.canonicalization ?? 'simple'),
  };
}

/** Every line ends with CRLF: what else stands for a line's end could be one for the next server alone. */
function withLineEnds(given: Buffer): Buffer {
  const text = given.toString('latin1');
  return /[^\r]\n|^\n|\r(?!\n)/.test(text) ? Buffer.from(text.replaceAll(/\r\n|\r|\n/g, '\r\n'), 'latin1') : given;
}

interface Field {
  name: string;
  /** With its folds, without the last line's end. */
  value: string;
}

function readHeader(raw: Buffer, from: number, to: number): { fields: Field[]; bodyStart: number } {
  const isEmpty = raw[from] === 0x0d;
  const end = isEmpty ? from : raw.indexOf('\r\n\r\n', from);
  const headerEnd = end < 0 || end > to ? to : end;
  const fields = raw
    .toString('latin1', from, headerEnd)
    .split(/\r\n(?![ \t])/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? { name: line.slice(0, colon).trim(), value: line.slice(colon + 1) } : [];
    });
  return { fields, bodyStart: Math.min(to, headerEnd + (isEmpty ? 2 : 4)) };
}

function compiledField({ name, value }: Field): CompiledField {
  const readable = decodeWords(Buffer.from(value.replaceAll('\r\n', ''), 'latin1').toString('utf8')).trim();
  const isLong = value.split('\r\n').some(({ length }) => name.length + length + 1 > LINE_LENGTH_MAX);
  return isLong || hasHole(readable) ? compileField(name, readable) : { name, written: `${name}:${value}\r\n` };
}

const valueOfField = (fields: readonly Field[], name: string): string =>
  (fields.find((field) => field.name.toLowerCase() === name)?.value ?? '').replaceAll('\r\n', '').trim();

function parameterOf(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(value);
  return found?.[1] ?? found?.[2];
}

interface Entity {
  fields: Field[];
  from: number;
  to: number;
  depth: number;
}

/** Notes what is replaced inside; answers the entity's own fields where they change. */
function readEntity(walk: Walk, { fields, from, to, depth }: Entity): Field[] | undefined {
  if (++walk.parts > PARTS_MAX) return undefined;
  const type = valueOfField(fields, 'content-type') || 'text/plain';
  if (/^multipart\/(?:signed|encrypted)\b/i.test(type)) return undefined;
  const boundary = /^multipart\//i.test(type) ? parameterOf(type, 'boundary') : undefined;
  if (boundary !== undefined && depth < DEPTH_MAX) readParts(walk, { boundary, from, to, depth });
  if (!/^text\//i.test(type) || /^\s*attachment/i.test(valueOfField(fields, 'content-disposition'))) return undefined;
  return readTextPart(walk, { fields, from, to, type });
}

function readParts(
  walk: Walk,
  { boundary, from, to, depth }: { boundary: string; from: number; to: number; depth: number },
): void {
  const { raw } = walk;
  const delimiter = `\r\n--${boundary}`;
  let open = boundaryFrom(raw, delimiter, Math.max(0, from - 2));
  while (open >= 0 && open < to && walk.parts <= PARTS_MAX) {
    const lineEnd = raw.indexOf('\r\n', open + 2);
    if (lineEnd < 0 || raw.toString('latin1', open + delimiter.length, open + delimiter.length + 2) === '--') return;
    const next = boundaryFrom(raw, delimiter, lineEnd);
    const partEnd = next < 0 || next > to ? to : next;
    const partStart = Math.min(lineEnd + 2, partEnd);
    const { fields, bodyStart } = readHeader(raw, partStart, partEnd);
    const changed = readEntity(walk, { fields, from: bodyStart, to: partEnd, depth: depth + 1 });
    if (changed) {
      const header = `${changed.map(({ name, value }) => `${name}:${value}\r\n`).join('')}\r\n`;
      walk.replaced.push({ from: partStart, to: bodyStart, pieces: [Buffer.from(header, 'latin1')] });
    }
    open = next;
  }
}

/** A line that begins with a boundary may be that of another part, whose name is longer. */
function boundaryFrom(raw: Buffer, delimiter: string, from: number): number {
  let found = raw.indexOf(delimiter, from);
  while (
    found >= 0 &&
    !/^(?:--)?[ \t]*(?:\r|$)/.test(raw.toString('latin1', found + delimiter.length, found + delimiter.length + 80))
  )
    found = raw.indexOf(delimiter, found + delimiter.length);
  return found;
}

function readTextPart(
  walk: Walk,
  { fields, from, to, type }: { fields: Field[]; from: number; to: number; type: string },
): Field[] | undefined {
  const encoding = valueOfField(fields, 'content-transfer-encoding').toLowerCase();
  const bytes = walk.raw.subarray(from, to);
  const decoded = decodedPart(bytes, encoding);
  if (!decoded) return undefined;
  const isHtml = /^text\/(?:html|x-amp-html)\b/i.test(type);
  const { text } = readText(decoded, { charset: parameterOf(type, 'charset') ?? '', isHtml });
  const tracking = /^text\/(?:html|plain)\b/i.test(type) ? walk.tracking : undefined;
  const segments = bodySegmentsOf(text, { isHtml, tracking });
  const isSame = segments.every((segment) => typeof segment === 'string') && segments.join('') === text;
  const isFine = isSame && !hasLongLine(bytes);
  if (isFine) return undefined;
  walk.replaced.push({ from, to, pieces: encodeSegments(segments) });
  const others = fields.filter(({ name }) => !/^content-(?:type|transfer-encoding)$/i.test(name));
  const bare = type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;]+)/gi, '');
  return [
    ...others,
    { name: 'Content-Type', value: ` ${bare};\r\n charset=utf-8` },
    { name: 'Content-Transfer-Encoding', value: ' quoted-printable' },
  ];
}

function decodedPart(bytes: Buffer, encoding: string): Buffer | undefined {
  if (['', '7bit', '8bit', 'binary'].includes(encoding)) return bytes;
  const text = bytes.toString('latin1');
  const decoded =
    encoding === 'base64' ? decodeBase64(text) : encoding === 'quoted-printable' && decodeQuotedPrintable(text);
  return decoded && 'bytes' in decoded ? decoded.bytes : undefined;
}

function hasLongLine(bytes: Buffer): boolean {
  let from = 0;
  while (bytes.length - from > LINE_LENGTH_MAX) {
    const end = bytes.indexOf('\r\n', from);
    if ((end < 0 ? bytes.length : end) - from > LINE_LENGTH_MAX) return true;
    from = end + 2;
  }
  return false;
}

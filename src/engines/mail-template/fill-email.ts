// Merge data for a whole email: HTML, or the texts and header fields of a message, which stays the message that it is.
import { isAscii } from 'node:buffer';
import { decodeBytes, readText } from '../mime/index.ts';
import { fillMergeTags, type FilledTags, type MergeData } from './merge-data.ts';
import type { TemplateFault } from './render-template.ts';

interface EmailToFill {
  kind: 'html' | 'url' | 'mime';
  body: Buffer;
}

/** `missing`: tags without a value, as written, each once. */
type FilledEmail = { ok: true; body: Buffer; missing: string[] } | { ok: false; fault: TemplateFault };

/** Fields that readers see, or that act for them. */
const FILLED_FIELDS = /^(?:subject|from|to|cc|reply-to|sender|list-unsubscribe|list-help|x-.*)$/i;
const DEPTH_MAX = 20;
const PARTS_MAX = 500;

/** A template's fault, on its way out of the parts. */
class Faulty extends Error {
  readonly fault: TemplateFault;

  constructor(fault: TemplateFault) {
    super(fault.problem);
    this.fault = fault;
  }
}

interface Walk {
  data: MergeData;
  missing: Set<string>;
  parts: number;
}

/**
 * Fills HTML as HTML; of a message its texts, and the header fields that readers see. A fault in a template is a value.
 */
export async function fillEmail({ kind, body }: EmailToFill, data: MergeData): Promise<FilledEmail> {
  const walk: Walk = { data, missing: new Set(), parts: 0 };
  try {
    const filled =
      kind === 'mime'
        ? await fillPart(body, walk, { depth: 0, type: 'text/plain' })
        : Buffer.from(await fill(body.toString('utf8'), walk, 'html'));
    return { ok: true, body: filled, missing: [...walk.missing] };
  } catch (error) {
    if (error instanceof Faulty) return { ok: false, fault: error.fault };
    throw error;
  }
}

async function fill(text: string, { data, missing }: Walk, as: 'html' | 'text'): Promise<string> {
  const filled: FilledTags = await fillMergeTags(text, { data, as });
  if (!filled.ok) throw new Faulty(filled.fault);
  for (const tag of filled.missing) missing.add(tag);
  return filled.text;
}

interface Field {
  name: string;
  /** With its folds and its line end. */
  line: string;
}

function splitPart(raw: Buffer): { fields: Field[]; gap: string; body: Buffer } {
  const text = raw.toString('latin1');
  const end = /^\r?\n|\r?\n(\r?\n)/.exec(text);
  const headEnd = end ? end.index + end[0].length - (end[1] ?? end[0]).length : text.length;
  const gap = end ? (end[1] ?? end[0]) : '';
  const lines = text.slice(0, headEnd).match(/[^\n]*(?:\n|$)(?:[ \t][^\n]*(?:\n|$))*/g) ?? [];
  const fields = lines
    .filter((line) => line !== '')
    .map((line) => ({ name: (/^([^:\s]+)[ \t]*:/.exec(line)?.[1] ?? '').toLowerCase(), line }));
  return { fields, gap, body: raw.subarray(headEnd + gap.length) };
}

function valueOf(fields: readonly Field[], name: string): string {
  const line = fields.find((field) => field.name === name)?.line ?? '';
  return line
    .slice(line.indexOf(':') + 1)
    .replace(/\r?\n[ \t]*/g, ' ')
    .trim();
}

function parameterOf(value: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(value);
  return match ? (match[1] ?? match[2]) : undefined;
}

async function fillPart(
  raw: Buffer,
  walk: Walk,
  { depth, type: assumed }: { depth: number; type: string },
): Promise<Buffer> {
  walk.parts += 1;
  if (depth > DEPTH_MAX || walk.parts > PARTS_MAX) return raw;
  const { fields, gap, body } = splitPart(raw);
  const filled = depth === 0 ? await fillFields(fields, walk) : fields;
  const declared = valueOf(fields, 'content-type') || assumed;
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const boundary = parameterOf(declared, 'boundary');
  if (type.startsWith('multipart/') && boundary)
    return join(filled, gap, await fillParts(body, boundary, { walk, depth, type }));
  const isText = type === 'text/html' || type === 'text/plain' || type === 'text/x-amp-html';
  if (!isText || /^attachment\b/i.test(valueOf(fields, 'content-disposition'))) return join(filled, gap, body);
  return fillText({ fields: filled, gap, body }, walk, { type, charset: parameterOf(declared, 'charset') });
}

function join(fields: readonly Field[], gap: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(fields.map(({ line }) => line).join(''), 'latin1'),
    Buffer.from(gap, 'latin1'),
    body,
  ]);
}

async function fillParts(
  body: Buffer,
  boundary: string,
  { walk, depth, type }: { walk: Walk; depth: number; type: string },
): Promise<Buffer> {
  const text = body.toString('latin1');
  const escaped = boundary.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pieces = text.split(new RegExp(`((?:^|\\r?\\n)--${escaped}(?:--)?[ \\t]*(?:\\r?\\n|$))`));
  const assumed = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  let isOver = false;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 1) isOver ||= piece.trim().endsWith(`${boundary}--`);
    else if (index > 0 && !isOver)
      pieces[index] = (
        await fillPart(Buffer.from(piece, 'latin1'), walk, { depth: depth + 1, type: assumed })
      ).toString('latin1');
  }
  return Buffer.from(pieces.join(''), 'latin1');
}

type Part = { fields: readonly Field[]; gap: string; body: Buffer };

/** What changes is written anew, in UTF-8; a part without tags keeps its bytes. */
async function fillText(
  { fields, gap, body }: Part,
  walk: Walk,
  { type, charset }: { type: string; charset: string | undefined },
): Promise<Buffer> {
  const transferEncoding = valueOf(fields, 'content-transfer-encoding').toLowerCase() || '8bit';
  const isEncoded = transferEncoding === 'base64' || transferEncoding === 'quoted-printable';
  const decoded = isEncoded ? decodeBytes({ text: body.toString('latin1'), transferEncoding }) : { bytes: body };
  // What is no such encoding is for the checks to say.
  if ('why' in decoded) return join(fields, gap, body);
  const isHtml = type !== 'text/plain';
  const { text } = readText(decoded.bytes, { charset, isHtml });
  const filled = await fill(text, walk, isHtml ? 'html' : 'text');
  if (filled === text) return join(fields, gap, body);
  const eol = gap === '\n' ? '\n' : '\r\n';
  const kept = fields.filter(({ name }) => name !== 'content-type' && name !== 'content-transfer-encoding');
  const made = [`Content-Type: ${type}; charset=utf-8${eol}`, `Content-Transfer-Encoding: base64${eol}`].map(
    (line) => ({ name: '', line }),
  );
  const lines =
    Buffer.from(filled, 'utf8')
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return join([...withLineEnd(kept, eol), ...made], gap || eol, Buffer.from(lines.join(eol) + eol, 'latin1'));
}

/** The last field of a part without a body has no line end. */
function withLineEnd(fields: readonly Field[], eol: string): Field[] {
  return fields.map((field) => (field.line.endsWith('\n') ? field : { ...field, line: field.line + eol }));
}

async function fillFields(fields: readonly Field[], walk: Walk): Promise<Field[]> {
  return Promise.all(
    fields.map(async (field) => {
      if (!FILLED_FIELDS.test(field.name)) return field;
      const colon = field.line.indexOf(':');
      const end = /\r?\n$/.exec(field.line)?.[0] ?? '';
      const written = Buffer.from(field.line.slice(colon + 1, field.line.length - end.length), 'latin1').toString(
        'utf8',
      );
      const filled = await fill(written, walk, 'text');
      if (filled === written) return field;
      // A value with a line break would begin a field of its own.
      const value = filled.replace(/[\r\n\0]+/g, ' ').trim();
      return { ...field, line: `${field.line.slice(0, colon)}: ${inBytes(value, field.name)}${end}` };
    }),
  );
}

/** One character per byte. A subject is written in encoded words (RFC 2047); addresses as UTF-8 (RFC 6532). */
function inBytes(value: string, name: string): string {
  const bytes = Buffer.from(value, 'utf8');
  if (isAscii(bytes) || name !== 'subject') return bytes.toString('latin1');
  const words = value.match(/.{1,15}/gu) ?? [];
  return words.map((word) => `=?utf-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`).join(' ');
}

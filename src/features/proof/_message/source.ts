// What a test or an inspection is made from: HTML, a page at a URL, or a whole message; exactly one of them.
import type { Static } from 'typebox';
import {
  decodeBytes,
  decodeHtml,
  readText,
  type Decoded,
  type DecodedHtml,
  type EncodedHtml,
} from '../../../engines/mime/index.ts';
import type { Compute, RunOptions } from '../../../platform/compute/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readBase64 } from './base64.ts';
import { decodeRaw, decodeSource, fillSource, glanceAtMime, refuseLarge } from './computations.ts';
import { readData, templateFault } from './fields.ts';
import { HTML_BYTES_MAX, type SourceBody } from './contract.ts';
import { bufferOf } from './stored.ts';

export interface Source {
  kind: 'html' | 'url' | 'mime';
  url: string | null;
  /** HTML as UTF-8, or the raw message. */
  body: Buffer;
  messageBytes: number;
  /** The subject of a whole message. */
  subject: string | undefined;
  headers: Record<string, string>;
  /** Merge tags that the data had no value for; left out where no data was given. */
  unfilledTags?: string[];
  /** Given with it, such as the name of its file. */
  name?: string;
}

const SOURCES = ['html', 'url', 'mime'] as const;
const PAGE_TIMEOUT_MS = 10_000;
/** Text that is shorter is decoded at once. */
const DECODED_AT_ONCE = 50_000;

function sourceOfHtml(html: string, parts: { kind: 'html' | 'url'; url: string | null }): Source {
  if (html.trim() === '') throw invalid(parts.kind, 'is empty.');
  const body = Buffer.from(html, 'utf8');
  refuseLarge(parts.kind, body.length);
  return { ...parts, body, messageBytes: body.length, subject: undefined, headers: {} };
}

/** Text in the charset that programs work with needs no decoding, however long it is. */
async function decode(compute: Compute, given: EncodedHtml): Promise<DecodedHtml> {
  const isPlain = given.html.length <= DECODED_AT_ONCE || given.transferEncoding === '8bit';
  return isPlain ? decodeHtml(given) : compute.run(decodeSource, given, { urgency: 'answer' });
}

async function decodedHtml(
  { compute }: Pick<Outside, 'compute'>,
  html: string,
  body: Static<typeof SourceBody>,
): Promise<string> {
  const result = await decode(compute, {
    html,
    transferEncoding: body.transfer_encoding ?? '8bit',
    charset: body.charset ?? undefined,
  });
  if ('field' in result) throw invalid(result.field, `${result.why}.`);
  return result.html;
}

function decodeMime(compute: Compute, given: { text: string; transferEncoding: string }): Decoded | Promise<Decoded> {
  const { text, transferEncoding } = given;
  if (text.length <= DECODED_AT_ONCE || /^[78]bit$/.test(transferEncoding)) return decodeBytes(given);
  if (transferEncoding === 'quoted-printable') return compute.run(decodeRaw, given, { urgency: 'answer' });
  return readBase64(text);
}

/** A whole message as bytes. Throws `invalid_request` when nothing in it can be shown. */
export async function sourceOfMime(
  { compute }: Pick<Outside, 'compute'>,
  raw: Buffer,
  options: RunOptions = { urgency: 'answer' },
): Promise<Source> {
  const { subject, headers } = await compute.run(glanceAtMime, raw, options);
  return { kind: 'mime', url: null, body: raw, messageBytes: raw.length, subject, headers };
}

async function sourceOfUrl({ fetch }: Pick<Outside, 'fetch'>, url: string): Promise<Source> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid('url', 'must be an absolute http or https URL.');
  const page = await fetch.get(url, {
    sizeBytesMax: HTML_BYTES_MAX,
    timeoutMs: PAGE_TIMEOUT_MS,
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
    types: ['text/html', 'application/xhtml+xml', 'text/plain'],
  });
  if (page.status >= 400) throw new AppError('source_unreachable', `url answered with status ${page.status}.`);
  const charset = /charset=["']?([\w-]+)/i.exec(page.headers['content-type'] ?? '')?.[1];
  return sourceOfHtml(readText(page.body, { charset, isHtml: true }).text, { kind: 'url', url: page.url });
}

/**
 * Reads the one source of a request, and fills its merge tags where data is given. Throws `invalid_request` naming the
 * fields when there is none, or more than one.
 */
export async function readSource(
  outside: Pick<Outside, 'fetch' | 'compute'>,
  body: Static<typeof SourceBody>,
): Promise<Source> {
  const read = await readUnfilled(outside, body);
  const source = body.data ? await fill(outside, read, body.data) : read;
  return body.name ? { ...source, name: body.name } : source;
}

/**
 * HTML or a whole message with data in place of its merge tags. Throws `invalid_request` for a template that cannot be
 * filled.
 */
export async function fillBody(
  { compute }: Pick<Outside, 'compute'>,
  given: Pick<Source, 'kind' | 'body'>,
  data: unknown,
): Promise<{ body: Buffer; unfilledTags: string[] }> {
  const filled = await compute.run(fillSource, { ...given, data: readData(data) }, { urgency: 'answer' });
  if (!filled.ok) throw templateFault(given.kind, filled.fault);
  return { body: bufferOf(filled.body), unfilledTags: filled.missing };
}

async function fill(outside: Pick<Outside, 'compute'>, { kind, body, url }: Source, data: unknown): Promise<Source> {
  const { body: filled, unfilledTags } = await fillBody(outside, { kind, body }, data);
  if (kind === 'mime') return { ...(await sourceOfMime(outside, filled)), unfilledTags };
  return { ...sourceOfHtml(filled.toString('utf8'), { kind, url }), unfilledTags };
}

async function readUnfilled(
  outside: Pick<Outside, 'fetch' | 'compute'>,
  body: Static<typeof SourceBody>,
): Promise<Source> {
  const given = SOURCES.filter((name) => typeof body[name] === 'string');
  if (given.length !== 1)
    throw invalid(
      'html, url, mime:',
      `give exactly one of them${given.length ? `; ${given.join(' and ')} were given` : ''}.`,
    );
  if (typeof body.html === 'string')
    return sourceOfHtml(await decodedHtml(outside, body.html, body), { kind: 'html', url: null });
  if (typeof body.url === 'string') return sourceOfUrl(outside, body.url);
  const decoded = await decodeMime(outside.compute, {
    text: body.mime as string,
    transferEncoding: body.transfer_encoding ?? '8bit',
  });
  if ('why' in decoded) throw invalid('mime', `${decoded.why}.`);
  return sourceOfMime(outside, decoded.bytes);
}

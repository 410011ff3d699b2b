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
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { readBase64 } from './base64.ts';
import { decodeRaw, decodeSource, fillSource, glanceAtMime, refuseLarge } from './computations.ts';
import { readData, templateFault } from './fields.ts';
import { HTML_BYTES_MAX, type SourceBody } from './contract.ts';
import { bufferOf } from './stored.ts';
import { storedTemplates } from './stored-templates.ts';

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

const SOURCES = ['html', 'url', 'mime', 'template'] as const;
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

/** What reading a source takes where it may be a template of the account. */
export type TemplateDoors = Pick<Outside, 'fetch' | 'compute' | 'db' | 'ports'> & {
  principal: Pick<Context['principal'], 'accountId'>;
};

/**
 * The same where the source may be a template of the account, too; it says what the subject is where the template has
 * one. Throws `invalid_request` naming the fields.
 */
export async function readSourceOrTemplate(ctx: TemplateDoors, body: Static<typeof SourceBody>): Promise<Source> {
  const { template } = body;
  if (template === null || template === undefined) return readSource(ctx, body);
  admitOne(body);
  const { html, subject, missing } = await ctx.ports.get(storedTemplates).fill(ctx, ctx.principal.accountId, {
    name: template.name,
    version: template.version?.trim() || undefined,
    domain: template.domain?.trim() || undefined,
    variables: body.data ? readData(body.data) : {},
  });
  if (html.trim() === '') throw invalid('template', 'became an empty text with this data.');
  const source = { ...sourceOfHtml(html, { kind: 'html', url: null }), subject, unfilledTags: [...missing] };
  return { ...source, name: body.name || template.name };
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

function admitOne(body: Static<typeof SourceBody>): void {
  const given = SOURCES.filter((name) => body[name] !== null && body[name] !== undefined);
  if (given.length === 1) return;
  const names = given.includes('template') ? SOURCES.join(', ') : 'html, url, mime';
  throw invalid(`${names}:`, `give exactly one of them${given.length ? `; ${given.join(' and ')} were given` : ''}.`);
}

async function readUnfilled(
  outside: Pick<Outside, 'fetch' | 'compute'>,
  body: Static<typeof SourceBody>,
): Promise<Source> {
  admitOne(body);
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

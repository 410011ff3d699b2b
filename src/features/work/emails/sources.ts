// What a version is made from: pasted HTML or a message, a file, a page, a stored template, a message of the sandbox.
import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { readText } from '../../../engines/mime/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import {
  fillField,
  readLine,
  readSourceOrTemplate,
  readSubject,
  sourceOfMime,
  storable,
  type Source,
} from '../../proof/_message/index.ts';
import { readSandboxMessage } from '../../send/sandbox-inboxes/index.ts';
import type { ContentBody } from './contract.ts';
import type { Version } from './versions-store.ts';

type Body = Static<typeof ContentBody>;
export type SourceDoors = Pick<Context, 'fetch' | 'compute' | 'db' | 'blobs' | 'ports' | 'principal'>;

/** The content of a version, before it has a number. */
export interface Content extends Pick<
  Version,
  'kind' | 'url' | 'origin' | 'subject' | 'plainText' | 'sender' | 'sizeBytes' | 'fingerprint'
> {
  body: Buffer;
  /** What the email is called where nobody says. */
  name: string;
}

/** What a message begins with; HTML never does. */
const FIRST_FIELD = /^(?:From [^\n]*\n)?[\x21-\x39\x3b-\x7e]+:[ \t\r\n]/;
const MAIL_FILE = /\.(?:eml|mime|mht|mhtml)$/i;
const HTML_FILE = /\.x?html?$/i;
const LOOK_BYTES = 4096;

/** By its name, or by how it begins. */
function isMail(fileName: string, bytes: Buffer): boolean {
  if (MAIL_FILE.test(fileName)) return true;
  return !HTML_FILE.test(fileName) && FIRST_FIELD.test(bytes.toString('latin1', 0, LOOK_BYTES).trimStart());
}

async function sourceOfFile(ctx: SourceDoors, given: unknown): Promise<Source> {
  const { fileName, bytes } = fileOf('file', given);
  if (bytes.length === 0) throw invalid('file', 'is empty.');
  const name = fileName.slice(0, 200);
  if (isMail(fileName, bytes)) return { ...(await sourceOfMime(ctx, bytes)), name };
  return readSourceOrTemplate(ctx, { html: readText(bytes, { charset: undefined, isHtml: true }).text, name });
}

const FURTHER = ['file', 'sandbox'] as const;
const NAMED = ['html', 'mime', 'url', 'template', ...FURTHER] as const;
const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

async function read(ctx: SourceDoors, body: Body): Promise<{ source: Source; origin: Content['origin'] }> {
  const given = NAMED.filter((name) => isGiven(body[name]));
  if (given.length !== 1) {
    const too = given.length ? `; ${given.join(' and ')} were given` : '';
    throw invalid(`${NAMED.join(', ')}:`, `give exactly one of them${too}.`);
  }
  if (isGiven(body.data) && FURTHER.some((name) => isGiven(body[name])))
    throw invalid(
      'data',
      'goes with html, mime, url and template: files and messages of the sandbox stay as they are.',
    );
  if (isGiven(body.file)) return { source: await sourceOfFile(ctx, body.file), origin: 'file' };
  if (body.sandbox) {
    const raw = await readSandboxMessage(ctx, ctx.principal.accountId, body.sandbox);
    return { source: await sourceOfMime(ctx, raw), origin: 'sandbox' };
  }
  const origin = isGiven(body.url) ? 'url' : body.template ? 'template' : 'paste';
  return { source: await readSourceOrTemplate(ctx, body), origin };
}

const BESIDE_HTML = ['subject', 'from', 'text'] as const;

/** Throws `invalid_request` naming the field, `source_unreachable`, `not_found`, `too_large`. */
export async function readContent(ctx: SourceDoors, body: Body): Promise<Content> {
  const { source, origin } = await read(ctx, body);
  const { kind, url, body: bytes } = source;
  const strange = BESIDE_HTML.find((field) => kind === 'mime' && isGiven(body[field]));
  if (strange) throw invalid(strange, 'goes with HTML: a whole message has its own.');
  const subject = isGiven(body.subject) ? await readSubject(ctx, body.subject!, body) : (source.subject ?? '');
  const { from = null, text = null, data } = body;
  const sender = from === null ? null : await fillField(ctx, { field: 'from', text: readLine('from', from), data });
  const plainText = text === null ? null : await fillField(ctx, { field: 'text', text, data, isLine: false });
  const said = JSON.stringify([kind, url, subject, sender, plainText]);
  return {
    kind,
    url,
    origin,
    subject,
    sender,
    plainText,
    body: bytes,
    sizeBytes: bytes.length,
    fingerprint: createHash('sha256').update(said).update('\0').update(bytes).digest('hex'),
    name: storable({ ...source, subject }).name ?? '',
  };
}

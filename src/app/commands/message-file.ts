// The message that a command is given: a file or standard input, recognized by what it holds.
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf } from '../../platform/errors/index.ts';
import { UsageError } from './usage.ts';

const MESSAGE_KINDS = ['html', 'eml'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Reads `--type`. Throws {@link UsageError}. */
export function oneKind(given: string | undefined): MessageKind | undefined {
  const kind = MESSAGE_KINDS.find((name) => name === given);
  if (given !== undefined && kind === undefined)
    throw new UsageError(`--type must be one of ${MESSAGE_KINDS.join(', ')}; it is "${given}".`);
  return kind;
}

/** Stands for standard input where a file is named. */
export const STANDARD_INPUT = '-';

export interface MessageFile {
  kind: MessageKind;
  bytes: Buffer;
  /** The text of an HTML file, decoded as browsers do. Empty for a message. */
  html: string;
}

/** The path from here, with `/`; what lies elsewhere by its whole path. */
export function nameOfPath(path: string): string {
  const fromHere = relative(process.cwd(), resolve(path)).replaceAll('\\', '/');
  return fromHere.startsWith('../') || isAbsolute(fromHere) ? resolve(path).replaceAll('\\', '/') : fromHere;
}

const MIB = 1024 * 1024;
const MESSAGE_MIB_MAX = 50;
/** How much of a file is read to recognize its type. */
const LOOK_CHARS = 64 * 1024;
const HTML_NAMES = ['.html', '.htm', '.xhtml'];
const MAIL_NAMES = ['.eml', '.mime', '.mht', '.mhtml'];
const TEMPLATE_NAMES = [
  '.mustache',
  '.jinja',
  '.jinja2',
  '.j2',
  '.twig',
  '.ejs',
  '.erb',
  '.haml',
  '.pug',
  '.php',
  '.js',
  '.ts',
  '.mjs',
  '.svelte',
  '.astro',
  '.md',
  '.mdx',
];
const HEADER =
  /^(?:from|to|cc|subject|date|mime-version|content-type|received|return-path|delivered-to|message-id|reply-to|dkim-signature|x-[\w-]+):/im;
const TAG =
  /<(?:!doctype\s+html|(?:html|head|body|table|tbody|tr|td|div|p|a|img|span|h[1-6]|center|style|meta|title|br|hr|font|ul|ol|section|article|main|b|i|strong|em|button|pre|blockquote)(?=[\s>/]))/i;

/** Decodes as browsers do: by the byte order mark, as UTF-8 if valid, else by the charset that the source declares. */
export function decodeText(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a mark: every second byte of western UTF-16 is zero.
  if (bytes.length > 3 && bytes.length % 2 === 0 && first !== 0 && second === 0 && bytes[3] === 0)
    return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.length > 3 && bytes.length % 2 === 0 && first === 0 && second !== 0 && bytes[2] === 0)
    return new TextDecoder('utf-16be').decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes);
  // What browsers take a page for that does not say what it is in.
  const named =
    /<meta[^>]+charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1] ?? 'windows-1252';
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What a file is that is no email, and the way to one; undefined when nothing is known of it. */
function refusalOf(name: string, bytes: Buffer, text: string): string | undefined {
  const extension = extname(name).toLowerCase();
  const head = text.slice(0, LOOK_CHARS).replace(/^\s*(?:<\?xml[^>]*\?>|<!--[^]*?-->|\s)*/, '');
  const root = /^<([a-z][\w:-]*)/i.exec(head)?.[1]?.toLowerCase();
  if (extension === '.mjml' || root === 'mjml')
    return 'is MJML, which no email client shows. Name the .mjml file, which is compiled, or the HTML that it becomes.';
  if (extension === '.json' || (!HTML_NAMES.includes(extension) && isJson(text)))
    return 'is JSON, not an email. Name the HTML or the .eml file.';
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0' || extension === '.msg' || extension === '.oft')
    return 'is a message in Outlook’s own format. Save it as .eml (or open it and save its source) and name that.';
  if (extension === '.mbox' || (/^From \S+ /.test(text) && /\n\r?\nFrom \S+ .*\d{4}/.test(text)))
    return 'is a mailbox of several messages. Export one of them as .eml and name that.';
  if (TEMPLATE_NAMES.includes(extension))
    return 'is a source from which emails are made. Name the HTML that it makes; `--type html` takes it as it is.';
  if (root !== undefined && ['svg', 'rss', 'feed', 'urlset', 'plist', 'mxfile', 'project'].includes(root))
    return `is <${root}>, not an email. Name the HTML or the .eml file.`;
  return undefined;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text.slice(0, LOOK_CHARS));
}

function isMail(text: string): boolean {
  const block = text
    .replace(/^\s+/, '')
    .split(/\r?\n\r?\n/, 1)[0]!
    .replace(/^>?From .*\r?\n/, '');
  return /^[\x21-\x39\x3b-\x7e]+:/.test(block) && HEADER.test(block);
}

/** What the file is. Throws {@link UsageError} with the way out when it is no email. */
function kindOf(name: string, bytes: Buffer, text: string): MessageKind {
  const extension = extname(name).toLowerCase();
  const named: MessageKind | undefined = HTML_NAMES.includes(extension)
    ? 'html'
    : MAIL_NAMES.includes(extension)
      ? 'eml'
      : undefined;
  if (text.trim() === '') {
    if (named !== undefined) return named;
    throw new UsageError(`${name} is empty.`);
  }
  const refusal = refusalOf(name, bytes, text);
  if (refusal !== undefined) throw new UsageError(`${name} ${refusal}`);
  const hasMail = isMail(text);
  if (named !== 'html' && hasMail) return 'eml';
  if (isBinary(text))
    throw new UsageError(`${name} is binary, neither HTML nor a message. Name an .html or .eml file.`);
  const hasHtml = TAG.test(text.slice(0, LOOK_CHARS)) || (named === 'html' && /<[a-z!]/i.test(text));
  if (named === 'eml')
    throw new UsageError(
      `${name} is no message: it does not begin with header lines such as From and ` +
        `Subject.${hasHtml ? ' It looks like HTML: `--type html` takes it as that.' : ''}`,
    );
  if (hasHtml) return 'html';
  throw new UsageError(
    `${name} is neither HTML (it has no tag) nor a message (it does not begin with header lines such as From and ` +
      'Subject). ' +
      `${hasMail ? '`--type eml` takes it as a message.' : '`--type html` or `--type eml` takes it as one all the same.'}`,
  );
}

async function readBounded(name: string, stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MESSAGE_MIB_MAX * MIB) {
      stream.destroy();
      throw new UsageError(`${name} is larger than ${MESSAGE_MIB_MAX} MiB, the most that a message may have.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws {@link UsageError} for a file that is not there, or a folder. */
export async function findMessageFile(path: string): Promise<void> {
  if (path === STANDARD_INPUT) return;
  const facts = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  });
  if (facts.isDirectory())
    throw new UsageError(`${path} is a folder; name the files in it, such as ${join(path, '*.html')}.`);
}

/** Reads a file, or standard input for `-`. `type` says what it is when it can't be told. Throws {@link UsageError}. */
export async function readMessageFile(path: string, type?: MessageKind): Promise<MessageFile> {
  await findMessageFile(path);
  const name = path === STANDARD_INPUT ? 'Standard input' : path;
  const bytes = await readBounded(name, path === STANDARD_INPUT ? process.stdin : createReadStream(path)).catch(
    (error: unknown) => {
      throw error instanceof UsageError ? error : new UsageError(`${name} cannot be read: ${messageOf(error)}`);
    },
  );
  const text = decodeText(bytes);
  const kind = type ?? kindOf(name, bytes, text);
  if (kind === 'eml' && text.trim() !== '' && !isMail(bytes.toString('latin1')) && isMail(text)) {
    // Windows PowerShell writes so; header lines are bytes.
    return { kind, bytes: Buffer.from(text, 'utf8'), html: '' };
  }
  return { kind, bytes, html: kind === 'html' ? text : '' };
}

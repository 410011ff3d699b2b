// The source of an offline check: a file on this machine, or a page.
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { findAssets, textOf } from '../../engines/html/index.ts';
import { readText } from '../../engines/mime/index.ts';
import { loadMime, type LoadedSource } from '../../features/proof/_message/index.ts';
import type { Asset } from '../../platform/browser/index.ts';
import { computeHere } from '../../platform/compute/index.ts';
import type { GuardedFetch } from '../../platform/fetch/index.ts';
import type { MergeData } from '../../engines/mail-template/index.ts';
import { FOLDER_URL, pathBeside, readBeside } from './folder-files.ts';
import { readEmailFile } from './email-file.ts';
import { fillFile, fillSubject } from './merge-data.ts';
import { STANDARD_INPUT, type MessageKind } from './message-file.ts';
import { UsageError } from './usage.ts';

export interface LocalSource {
  loaded: LoadedSource;
  /** Whole paths of what it was made from, and of what it shows of its folder; empty for a page and for standard input. */
  files: string[];
  /** Folders in which any file may be part of it. */
  folders: string[];
  /** What the message shows of the folder that it lies in. */
  inFolder(): Promise<Map<string, Asset>>;
}

/** What an HTML file is called. */
export function titleOf(html: string): string {
  const [, written = ''] = /<title[^>]*>([^<]*)<\/title>/i.exec(html) ?? [];
  return textOf(written).trim();
}

async function assetBeside(folder: string, url: string): Promise<Asset | undefined> {
  const path = pathBeside(folder, url);
  const file = path === undefined ? undefined : await readBeside(folder, path);
  return file && { status: 200, contentType: file.type, body: file.body };
}

async function readPage(
  url: string,
  fetch: GuardedFetch,
  { subject, data }: Pick<SourceOptions, 'subject' | 'data'>,
): Promise<LocalSource> {
  const page = await fetch.get(url, { types: ['text/html', 'application/xhtml+xml', 'text/plain'] });
  if (page.status >= 400) throw new UsageError(`${url} answered with status ${page.status}.`);
  const charset = /charset=["']?([\w-]+)/i.exec(page.headers['content-type'] ?? '')?.[1];
  const { html } = await fillFile(
    url,
    { kind: 'html', bytes: page.body, html: readText(page.body, { charset, isHtml: true }).text },
    data,
  );
  return {
    loaded: {
      html,
      subject: subject ?? titleOf(html),
      headers: {},
      baseUrl: page.url,
      inline: new Map(),
      raw: undefined,
    },
    files: [],
    folders: [],
    inFolder: async () => new Map(),
  };
}

interface SourceOptions {
  subject?: string | undefined;
  type?: MessageKind | undefined;
  /** In place of merge tags. */
  data?: MergeData | undefined;
}

/**
 * Reads `mail.html`, `mail.eml`, `-` (standard input) or a URL. Throws {@link UsageError} when there is no such thing,
 * or no email in it.
 */
export async function readLocalSource(
  source: string,
  fetch: GuardedFetch,
  { subject: given, type, data }: SourceOptions,
): Promise<LocalSource> {
  const subject = await fillSubject(given, data);
  if (/^https?:\/\//i.test(source)) return readPage(source, fetch, { subject, data });
  const { kind, bytes, html, made } = await readEmailFile(source, { type, data });
  const own = source === STANDARD_INPUT ? [] : [resolve(source)];
  const from = { files: made?.files ?? own, folders: made?.folders ?? [] };
  if (kind === 'eml') {
    const loaded = await loadMime(computeHere, bytes);
    return { loaded: { ...loaded, subject: subject ?? loaded.subject }, ...from, inFolder: async () => new Map() };
  }
  if (html.trim() === '') throw new UsageError(`${source} holds no HTML.`);
  const folder = await realpath(dirname(source));
  const urls = [...new Set(findAssets(html, FOLDER_URL).map((asset) => asset.url))].filter((url) =>
    url.startsWith(FOLDER_URL),
  );
  return {
    files: [...from.files, ...urls.flatMap((url) => pathBeside(folder, url) ?? [])],
    folders: from.folders,
    loaded: {
      html,
      subject: subject ?? (titleOf(html) || (source === STANDARD_INPUT ? '' : basename(source))),
      headers: {},
      baseUrl: FOLDER_URL,
      isFolder: true,
      inline: new Map(),
      raw: undefined,
    },
    async inFolder() {
      const read = await Promise.all(urls.map(async (url) => [url, await assetBeside(folder, url)] as const));
      return new Map(read.filter((entry): entry is [string, Asset] => entry[1] !== undefined));
    },
  };
}

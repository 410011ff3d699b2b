// A test made ready for rendering: its parsed message and its assets, fetched once and shared by every client.
import { createHash } from 'node:crypto';
import { parseMessage, type ParsedMessage } from '../../engines/client-emulation/index.ts';
import { findAssets, findStyleAssets } from '../../engines/html/index.ts';
import { composeMime, parseMime } from '../../engines/mime/index.ts';
import type { Asset } from '../../platform/browser/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import { fetchAll } from '../../platform/fetch/index.ts';
import { assetKey, assetListKey, sourceKey } from './objects.ts';
import type { PreviewTest } from './store.ts';

export interface Prepared {
  message: ParsedMessage;
  html: string;
  /** By absolute URL without fragment. */
  assets: ReadonlyMap<string, Asset>;
  /** Changes when any asset does. */
  assetsDigest: string;
  /** The message as a mail client gets it. */
  raw(): Promise<Buffer>;
}

interface ListedAsset {
  url: string;
  digest: string;
  contentType: string;
  status: number;
}

const LIMITS = { concurrency: 12, countMax: 400, totalBytesMax: 60 * 1024 * 1024, sizeBytesMax: 15 * 1024 * 1024, timeoutMs: 12_000 };
/** Style sheets may import style sheets; deeper ones are not followed. */
const STYLE_ROUNDS = 2;
const KEPT_TESTS = 6;

const recent = new Map<string, Promise<Prepared>>();

function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 40);
}

/** An address that the browser asks for, for a part that a message carries itself. */
function inlineUrl(contentId: string): string {
  return `https://cid.mail.test/${encodeURIComponent(contentId)}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface Loaded {
  html: string;
  baseUrl: string | undefined;
  inline: Map<string, Asset>;
  raw: Buffer | undefined;
}

async function loadSource({ blobs }: Outside, test: PreviewTest): Promise<Loaded> {
  const body = await blobs.get(sourceKey(test));
  if (!body) throw new Error(`The source of preview test ${test.id} is missing.`);
  if (test.source !== 'mime') return { html: body.toString('utf8'), baseUrl: test.sourceUrl ?? undefined, inline: new Map(), raw: undefined };
  const mail = await parseMime(body);
  let html = mail.html ?? `<!doctype html><pre style="white-space:pre-wrap;font-family:inherit">${escapeHtml(mail.text ?? '')}</pre>`;
  const inline = new Map<string, Asset>();
  for (const part of mail.inline) {
    inline.set(inlineUrl(part.contentId), { status: 200, contentType: part.contentType, body: part.body });
    html = html.replaceAll(`cid:${part.contentId}`, inlineUrl(part.contentId));
  }
  return { html, baseUrl: undefined, inline, raw: body };
}

async function fetchAssets({ fetch }: Outside, loaded: Loaded, signal: AbortSignal): Promise<Map<string, Asset>> {
  const found = new Map(loaded.inline);
  let wanted = findAssets(loaded.html, loaded.baseUrl);
  for (let round = 0; wanted.length && round <= STYLE_ROUNDS; round += 1) {
    const urls = [...new Set(wanted.map((asset) => asset.url))].filter((url) => /^https?:/.test(url) && !found.has(url));
    const fetched = await fetchAll(urls, { fetch, ...LIMITS, signal });
    wanted = [];
    for (const [url, outcome] of fetched) {
      if ('error' in outcome) continue;
      found.set(url, outcome);
      if (outcome.contentType.startsWith('text/css')) wanted.push(...findStyleAssets(outcome.body.toString('utf8'), url));
    }
  }
  return found;
}

async function saveAssets({ blobs }: Outside, testId: string, assets: ReadonlyMap<string, Asset>): Promise<ListedAsset[]> {
  const listed = [...assets].map(([url, asset]) => ({ url, digest: digestOf(asset.body), contentType: asset.contentType, status: asset.status }));
  const distinct = new Map([...assets.values()].map((asset) => [digestOf(asset.body), asset]));
  await Promise.all([...distinct].map(([digest, asset]) => blobs.put(assetKey(testId, digest), asset.body, asset.contentType)));
  await blobs.put(assetListKey(testId), Buffer.from(JSON.stringify(listed)), 'application/json');
  return listed;
}

async function loadAssets({ blobs }: Outside, testId: string): Promise<Map<string, Asset> | undefined> {
  const list = await blobs.get(assetListKey(testId));
  if (!list) return undefined;
  const entries = await Promise.all(
    (JSON.parse(list.toString('utf8')) as ListedAsset[]).map(async ({ url, digest, contentType, status }) => {
      const body = await blobs.get(assetKey(testId, digest));
      return body && ([url, { status, contentType, body }] as const);
    }),
  );
  return new Map(entries.filter((entry) => entry !== undefined));
}

async function prepareNow(outside: Outside, test: PreviewTest, options: PrepareOptions): Promise<Prepared> {
  const loaded = await loadSource(outside, test);
  let assets = options.isFresh ? undefined : await loadAssets(outside, test.id);
  if (!assets) {
    assets = await fetchAssets(outside, loaded, options.signal);
    await saveAssets(outside, test.id, assets);
  }
  const inOrder = [...assets].sort(([a], [b]) => (a < b ? -1 : 1));
  const { html, baseUrl } = loaded;
  return {
    message: parseMessage(withBase(html, baseUrl), test.subject),
    html,
    assets,
    assetsDigest: digestOf(inOrder.map(([url, asset]) => `${url} ${asset.contentType} ${digestOf(asset.body)}`).join('\n')),
    raw: async () => loaded.raw ?? composeMime({ subject: test.subject, html, headers: test.headers }),
  };
}

/** Relative addresses of a page that was given by its URL are relative to that. */
function withBase(html: string, baseUrl: string | undefined): string {
  if (!baseUrl || /<base\s/i.test(html)) return html;
  const tag = `<base href="${baseUrl.replaceAll('"', '%22')}">`;
  const head = /<head[^>]*>/i.exec(html);
  return head ? html.slice(0, head.index + head[0].length) + tag + html.slice(head.index + head[0].length) : tag + html;
}

export interface PrepareOptions {
  /** Fetch the assets again. */
  isFresh: boolean;
  signal: AbortSignal;
}

/** Parses the message and fetches its assets, or takes both from where they were kept. */
export function preparedTest(outside: Outside, test: PreviewTest, options: PrepareOptions): Promise<Prepared> {
  const kept = recent.get(test.id);
  if (kept && !options.isFresh) return kept;
  const work = prepareNow(outside, test, options);
  recent.delete(test.id);
  recent.set(test.id, work);
  work.catch(() => recent.delete(test.id));
  for (const id of recent.keys()) {
    if (recent.size <= KEPT_TESTS) break;
    recent.delete(id);
  }
  return work;
}

/** Forgets what this process keeps of a test. */
export function forgetPrepared(testId: string): void {
  recent.delete(testId);
}

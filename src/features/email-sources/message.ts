// A source read into HTML, with what the message carries itself, and everything it shows fetched once.
import { findAssets, findStyleAssets, resolveCids } from '../../engines/html/index.ts';
import { parseMime } from '../../engines/mime/index.ts';
import type { Asset } from '../../platform/browser/index.ts';
import { checkAsset, fetchAll, type GuardedFetch } from '../../platform/fetch/index.ts';

/** HTML, with what the message carries itself. */
export interface LoadedSource {
  html: string;
  subject: string;
  headers: Record<string, string>;
  /** Relative addresses are relative to this. */
  baseUrl: string | undefined;
  /** Parts of the message, by the address that the browser asks for. */
  inline: ReadonlyMap<string, Asset>;
  raw: Buffer | undefined;
}

const LIMITS = { concurrency: 12, countMax: 400, totalBytesMax: 60 * 1024 * 1024, sizeBytesMax: 15 * 1024 * 1024, timeoutMs: 12_000 };
/** Style sheets may import style sheets; deeper ones are not followed. */
const STYLE_ROUNDS = 2;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An address that the browser asks for, for a part that a message carries itself. */
function inlineUrl(contentId: string): string {
  return `https://cid.mail.test/${encodeURIComponent(contentId)}`;
}

/** A part that may be shown: bombs and broken pictures stay away, as they do when fetched. */
async function carriedAsset(part: { contentType: string; body: Buffer }): Promise<Asset | undefined> {
  const checked = await checkAsset(part.body, part.contentType);
  return 'error' in checked ? undefined : { status: 200, ...checked };
}

/** A whole message: its HTML (or its text, shown as text), with `cid:` addresses pointing to its own parts. */
export async function loadMime(raw: Buffer): Promise<LoadedSource> {
  const mail = await parseMime(raw);
  const html = mail.html ?? `<!doctype html><pre style="white-space:pre-wrap;font-family:inherit">${escapeHtml(mail.text ?? '')}</pre>`;
  const carried = [...mail.inline.map((part) => ({ part, url: inlineUrl(part.contentId) })), ...mail.located.map((part) => ({ part, url: part.contentLocation }))];
  const inline = new Map<string, Asset>();
  for (const { part, url } of carried) {
    const asset = URL.canParse(url) ? await carriedAsset(part) : undefined;
    if (asset) inline.set(new URL(url).href, asset);
  }
  const known = new Set(mail.inline.map((part) => part.contentId));
  return { html: resolveCids(html, (id) => (known.has(id) ? inlineUrl(id) : undefined)), subject: mail.subject, headers: mail.headers, baseUrl: undefined, inline, raw };
}

/** Fetches everything the message shows, each address once, within one budget; what cannot be had is absent. */
export async function collectAssets(fetch: GuardedFetch, loaded: LoadedSource, signal: AbortSignal): Promise<Map<string, Asset>> {
  const found = new Map(loaded.inline);
  const asked = new Set(found.keys());
  let bytesLeft = LIMITS.totalBytesMax;
  let wanted = findAssets(loaded.html, loaded.baseUrl).map((asset) => asset.url);
  for (let round = 0; wanted.length && round <= STYLE_ROUNDS && bytesLeft > 0; round += 1) {
    const urls = [...new Set(wanted)].filter((url) => /^https?:/.test(url) && !asked.has(url)).slice(0, LIMITS.countMax - asked.size);
    for (const url of urls) asked.add(url);
    const fetched = await fetchAll(urls, { fetch, ...LIMITS, totalBytesMax: bytesLeft, signal });
    wanted = [];
    for (const [url, outcome] of fetched) {
      if ('error' in outcome) continue;
      found.set(url, outcome);
      bytesLeft -= outcome.body.length;
      if (outcome.contentType.startsWith('text/css')) wanted.push(...findStyleAssets(outcome.body.toString('utf8'), url).map((asset) => asset.url));
    }
  }
  return found;
}

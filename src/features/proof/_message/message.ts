// A source read into HTML, with what the message carries itself, and everything it shows fetched once.
import type { Asset } from '../../../platform/browser/index.ts';
import type { Compute, RunOptions } from '../../../platform/compute/index.ts';
import { checkAsset, fetchAll, type GuardedFetch } from '../../../platform/fetch/index.ts';
import { assetUrls, styleAssetUrls, unpackMime } from './computations.ts';

/** HTML, with what the message carries itself. */
export interface LoadedSource {
  html: string;
  subject: string;
  headers: Record<string, string>;
  /** Relative addresses are relative to this. */
  baseUrl: string | undefined;
  /** That is the folder that the message lies in as a file. */
  isFolder?: boolean;
  /** Parts of the message, by the address that the browser asks for. */
  inline: ReadonlyMap<string, Asset>;
  raw: Buffer | undefined;
}

const LIMITS = {
  concurrency: 12,
  countMax: 400,
  totalBytesMax: 60 * 1024 * 1024,
  sizeBytesMax: 15 * 1024 * 1024,
  timeoutMs: 12_000,
};
/** Style sheets may import style sheets; deeper ones are not followed. */
const STYLE_ROUNDS = 2;

/** A part that may be shown: bombs and broken pictures stay away, as they do when fetched. */
async function carriedAsset(part: { contentType: string; body: Buffer }): Promise<Asset | undefined> {
  const checked = await checkAsset(part.body, part.contentType);
  return 'error' in checked ? undefined : { status: 200, ...checked };
}

/** A whole message: its HTML (or its text, shown as text), with `cid:` addresses pointing to its own parts. */
export async function loadMime(compute: Compute, raw: Buffer, options: RunOptions = {}): Promise<LoadedSource> {
  const { html, subject, headers, carried } = await compute.run(unpackMime, raw, options);
  const inline = new Map<string, Asset>();
  for (const part of carried) {
    const asset = await carriedAsset(part);
    if (asset) inline.set(part.url, asset);
  }
  return { html, subject, headers, baseUrl: undefined, inline, raw };
}

/** Fetches everything the message shows, each address once, within one budget; what cannot be had is absent. */
export async function collectAssets(
  { fetch, compute }: { fetch: GuardedFetch; compute: Compute },
  loaded: LoadedSource,
  signal: AbortSignal,
): Promise<Map<string, Asset>> {
  const found = new Map(loaded.inline);
  const asked = new Set(found.keys());
  let bytesLeft = LIMITS.totalBytesMax;
  let wanted = await compute.run(assetUrls, { html: loaded.html, baseUrl: loaded.baseUrl }, { signal });
  for (let round = 0; wanted.length && round <= STYLE_ROUNDS && bytesLeft > 0; round += 1) {
    const urls = [...new Set(wanted)]
      .filter((url) => /^https?:/.test(url) && !asked.has(url))
      .slice(0, LIMITS.countMax - asked.size);
    for (const url of urls) asked.add(url);
    const fetched = await fetchAll(urls, { fetch, ...LIMITS, totalBytesMax: bytesLeft, signal });
    const sheets: { url: string; body: Buffer }[] = [];
    for (const [url, outcome] of fetched) {
      if ('error' in outcome) continue;
      found.set(url, outcome);
      bytesLeft -= outcome.body.length;
      if (outcome.contentType.startsWith('text/css')) sheets.push({ url, body: outcome.body });
    }
    wanted = sheets.length ? await compute.run(styleAssetUrls, sheets, { signal }) : [];
  }
  return found;
}

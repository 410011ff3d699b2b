// The prepared message of a test: made by the first job that needs it, kept with the test's objects, and for a while in
// memory.
import type { Asset } from '../../../platform/browser/index.ts';
import type { RunOptions } from '../../../platform/compute/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { collectAssets, loadMime, shownAsSent, type LoadedSource } from '../_message/index.ts';
import { composeMessage } from './emulations.ts';
import { digestsOf, prepareMessage, withBase, type Prepared } from './message.ts';
import { assetKey, assetListKey } from './objects.ts';
import { readSourceOf } from './sources.ts';
import type { PreviewTest } from './store.ts';

interface ListedAsset {
  url: string;
  digest: string;
  contentType: string;
  status: number;
}

const KEPT_TESTS = 6;
const recent = new Map<string, Promise<Prepared>>();

/** The HTML of a test as it was sent: what a browser asks for in place of `cid:` addresses stays in here. */
export async function htmlAsSent(outside: Pick<Outside, 'blobs' | 'compute'>, test: PreviewTest): Promise<string> {
  const body = await readSourceOf(outside, test);
  return test.source === 'mime' ? outside.compute.run(shownAsSent, body, { urgency: 'answer' }) : body.toString('utf8');
}

/** The stored source of a test, ready for a browser. */
async function loadSource(
  { blobs, compute }: Pick<Outside, 'blobs' | 'compute'>,
  test: PreviewTest,
  options: RunOptions = {},
): Promise<LoadedSource> {
  const body = await readSourceOf({ blobs }, test);
  const { subject, headers } = test;
  if (test.source === 'mime') return { ...(await loadMime(compute, body, options)), subject, headers };
  return {
    html: body.toString('utf8'),
    subject,
    headers,
    baseUrl: test.sourceUrl ?? undefined,
    inline: new Map(),
    raw: undefined,
  };
}

/** The message as a mail client gets it. Throws `damaged` when its source is gone. */
export async function rawMessageOf(outside: Pick<Outside, 'blobs' | 'compute'>, test: PreviewTest): Promise<Buffer> {
  if (test.source === 'mime') return readSourceOf(outside, test);
  const { html, subject, headers, baseUrl } = await loadSource(outside, test);
  const composed = { subject, html: withBase(html, baseUrl), headers };
  return Buffer.from(await outside.compute.run(composeMessage, composed, { urgency: 'answer' }));
}

async function saveAssets(
  { blobs }: Pick<Outside, 'blobs'>,
  testId: string,
  assets: ReadonlyMap<string, Asset>,
): Promise<void> {
  const digests = await digestsOf(assets.values());
  const digestOf = (asset: Asset): string => digests.get(asset) as string;
  const listed: ListedAsset[] = [...assets].map(([url, asset]) => ({
    url,
    digest: digestOf(asset),
    contentType: asset.contentType,
    status: asset.status,
  }));
  const distinct = new Map([...assets.values()].map((asset) => [digestOf(asset), asset]));
  await Promise.all(
    [...distinct].map(([digest, asset]) => blobs.put(assetKey(testId, digest), asset.body, asset.contentType)),
  );
  await blobs.put(assetListKey(testId), Buffer.from(JSON.stringify(listed)), 'application/json');
}

async function loadAssets({ blobs }: Pick<Outside, 'blobs'>, testId: string): Promise<Map<string, Asset> | undefined> {
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

async function prepareNow(
  outside: Pick<Outside, 'config' | 'blobs' | 'fetch' | 'compute'>,
  test: PreviewTest,
  options: PrepareOptions,
): Promise<Prepared> {
  const loaded = await loadSource(outside, test, { signal: options.signal });
  let assets = options.isFresh ? undefined : await loadAssets(outside, test.id);
  if (!assets) {
    assets = await collectAssets(outside, loaded, options.signal);
    await saveAssets(outside, test.id, assets);
  }
  return prepareMessage(outside, loaded, assets);
}

interface PrepareOptions {
  /** Fetch the assets again. */
  isFresh: boolean;
  signal: AbortSignal;
}

/** Parses the message and fetches its assets, or takes both from where they were kept. */
export function preparedTest(
  outside: Pick<Outside, 'config' | 'blobs' | 'fetch' | 'compute'>,
  test: PreviewTest,
  options: PrepareOptions,
): Promise<Prepared> {
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

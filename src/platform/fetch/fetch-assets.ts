// Fetches everything a message shows, once per URL and within one budget.
import type { FetchReason } from './fetch-error.ts';
import type { GuardedFetch } from './fetch.ts';
import { imageProblem, sniffImage } from './image-check.ts';

interface FetchedAsset {
  status: number;
  /** Lower case without parameters; the sniffed type for images, whatever the server said. */
  contentType: string;
  body: Buffer;
}

/** Why an asset is missing: the fetch failed, it would bring down a browser, or the budget was spent. */
type AssetFailure = FetchReason | 'image_too_large' | 'image_broken' | 'too_many' | 'total_too_large';

interface FetchAllOptions {
  fetch: GuardedFetch;
  /** Fetches at the same time. */
  concurrency: number;
  /** Distinct URLs; those after it are not fetched. */
  countMax: number;
  /** All bodies together. */
  totalBytesMax: number;
  /** One body, decompressed. */
  sizeBytesMax: number;
  /** For one asset. */
  timeoutMs: number;
  accept?: string;
  signal?: AbortSignal;
}

const ACCEPT = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,text/css;q=0.8,font/*;q=0.8,*/*;q=0.5';

/**
 * Every distinct URL of the list with what it answered or why it did not; in the order of the list. Any HTTP status is
 * an answer. Throws only the signal's reason.
 */
export async function fetchAll(
  urls: Iterable<string>,
  options: FetchAllOptions,
): Promise<Map<string, FetchedAsset | { error: AssetFailure }>> {
  const distinct = [...new Set(urls)];
  const found = new Map<string, FetchedAsset | { error: AssetFailure }>(
    distinct.map((url) => [url, { error: 'too_many' as const }]),
  );
  const waiting = distinct.slice(0, options.countMax).values();
  let totalBytes = 0;
  const work = async () => {
    for (const url of waiting) {
      options.signal?.throwIfAborted();
      const room = options.totalBytesMax - totalBytes;
      const asset = room > 0 ? await fetchOne(url, options) : { error: 'total_too_large' as const };
      const size = 'error' in asset ? 0 : asset.body.length;
      // Others may have used the room in the meantime.
      const fits = totalBytes + size <= options.totalBytesMax;
      if (fits) totalBytes += size;
      found.set(url, fits ? asset : { error: 'total_too_large' });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work));
  return found;
}

async function fetchOne(url: string, options: FetchAllOptions): Promise<FetchedAsset | { error: AssetFailure }> {
  const { fetch, sizeBytesMax, timeoutMs, accept = ACCEPT, signal } = options;
  const answer = await fetch.request(url, { sizeBytesMax, timeoutMs, accept, ...(signal ? { signal } : {}) });
  if (!answer.ok) {
    signal?.throwIfAborted();
    return { error: answer.reason };
  }
  const checked = await checkAsset(answer.body, answer.headers['content-type'] ?? '');
  return 'error' in checked ? checked : { status: answer.status, ...checked };
}

/**
 * An asset as it may be given to a browser, wherever its bytes came from (a server, a part of a message): its true
 * type, or why it must stay away. `declaredType` may carry parameters.
 */
export async function checkAsset(
  body: Buffer,
  declaredType: string,
): Promise<{ contentType: string; body: Buffer } | { error: 'image_too_large' | 'image_broken' }> {
  const declared = declaredType.split(';')[0]!.trim().toLowerCase();
  const sniffed = sniffImage(body);
  const problem = sniffed && (await imageProblem(body, sniffed));
  return problem ? { error: problem } : { contentType: sniffed ?? (declared || 'application/octet-stream'), body };
}

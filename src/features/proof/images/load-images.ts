// The bytes of images, wherever they come from: servers, parts of the message, `data:` addresses; within one budget.
import {
  decodeDataUrl,
  hasMergeTag,
  IMAGES_MAX,
  type ImageLoad,
  type SkipReason,
} from '../../../engines/images/index.ts';
import type { FetchReason, GuardedFetch } from '../../../platform/fetch/index.ts';
import type { CheckedMessage } from '../_message/index.ts';

/** An address as written, and what it comes to. */
interface WantedImage {
  url: string;
  /** Absolute http(s), `cid:` or `data:`; undefined for what nothing can load. */
  resolvedUrl: string | undefined;
}

/** The result of loading an address. Without bytes and without a failure it was not, or could not be, loaded. */
export interface LoadedImage {
  load?: ImageLoad;
  bytes?: Buffer;
  skipped?: SkipReason;
}

type Carried = Pick<CheckedMessage, 'kind' | 'inline' | 'located'>;

interface LoadOptions {
  fetch: GuardedFetch;
  /** The message the images belong to; undefined for a list of addresses. */
  message?: Carried | undefined;
  signal: AbortSignal;
}

export const IMAGE_BYTES_MAX = 15 * 1024 * 1024;
const LIMITS = {
  concurrency: 8,
  countMax: IMAGES_MAX,
  totalBytesMax: 80 * 1024 * 1024,
  timeoutMs: 12_000,
  allTimeoutMs: 75_000,
};
/**
 * What clients ask with. A server that negotiates would answer a longer list with formats that half of the clients do
 * not show, and the report would be about an image that nobody gets.
 */
export const IMAGE_ACCEPT = 'image/*,*/*;q=0.8';

/** Why there is no answer. Refused, unknown and dead hosts give equal words, so that nobody can map a network. */
const FAILURES: Record<FetchReason, string> = {
  invalid_url: 'its address is not a complete http or https address without user name and password.',
  refused: 'its host cannot be reached.',
  dns: 'its host cannot be reached.',
  connect: 'its host cannot be reached.',
  tls: 'its host offers no trusted TLS connection.',
  timeout: `it took longer than ${LIMITS.timeoutMs / 1000} seconds.`,
  protocol: 'the answer is not valid HTTP.',
  too_large: `it is larger than ${IMAGE_BYTES_MAX / 1024 / 1024} MiB.`,
  wrong_type: 'the answer is of another type.',
  too_many_redirects: 'it redirects too often.',
  redirect_loop: 'it redirects in a circle.',
  not_followed: 'it was not asked for.',
  aborted: 'the check was given up.',
};

const failed = (failure: string): LoadedImage => ({ load: { status: null, failure, redirects: 0 } });

/**
 * What the images of the list came to, in its order; the same address is loaded once. Throws only the signal's reason.
 */
export async function loadImages(
  wanted: readonly WantedImage[],
  { fetch, message, signal }: LoadOptions,
): Promise<LoadedImage[]> {
  const isUnknown = new Set(wanted.map(({ url }) => url).filter((url) => hasMergeTag(url)));
  const remote = wanted.flatMap(({ url, resolvedUrl }) =>
    isRemote(resolvedUrl) && !isUnknown.has(url) && !located(resolvedUrl, message) ? [resolvedUrl] : [],
  );
  const fetched = await fetchDistinct(remote, fetch, signal);
  return wanted.map(({ url, resolvedUrl }) => {
    if (isUnknown.has(url)) return { skipped: 'merge_tag' };
    if (resolvedUrl === undefined) return {};
    if (resolvedUrl.startsWith('cid:')) return carriedImage(resolvedUrl.slice(4), message);
    if (/^data:/i.test(resolvedUrl)) return writtenImage(resolvedUrl);
    return located(resolvedUrl, message) ?? fetched.get(resolvedUrl) ?? failed(FAILURES.invalid_url);
  });
}

function isRemote(resolvedUrl: string | undefined): resolvedUrl is string {
  return resolvedUrl !== undefined && /^https?:/i.test(resolvedUrl);
}

function writtenImage(url: string): LoadedImage {
  const decoded = decodeDataUrl(url);
  return decoded ? { bytes: decoded.bytes } : failed('its data: address cannot be read.');
}

/** A part by its Content-ID, which may be percent-encoded in the address (RFC 2392). */
function carriedImage(contentId: string, message: Carried | undefined): LoadedImage {
  if (message?.kind !== 'mime') return { skipped: 'part_not_given' };
  const plain = contentId.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const part = message.inline.find((one) => one.contentId === contentId || one.contentId === plain);
  return part
    ? { bytes: part.body, load: { status: 200, redirects: 0, isCarried: true, contentType: part.contentType } }
    : failed('the message has no part with this Content-ID.');
}

/** A part by its Content-Location (RFC 2557), which stands for the address itself. */
function located(url: string, message: Carried | undefined): LoadedImage | undefined {
  const part = message?.located.find(({ contentLocation }) => contentLocation === url);
  return (
    part && { bytes: part.body, load: { status: 200, redirects: 0, isCarried: true, contentType: part.contentType } }
  );
}

async function fetchDistinct(
  urls: readonly string[],
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<Map<string, LoadedImage>> {
  const distinct = [...new Set(urls)];
  const found = new Map<string, LoadedImage>(distinct.map((url) => [url, { skipped: 'too_many' as const }]));
  const waiting = distinct.slice(0, LIMITS.countMax).values();
  const deadline = performance.now() + LIMITS.allTimeoutMs;
  let bytesLeft = LIMITS.totalBytesMax;
  const work = async (): Promise<void> => {
    for (const url of waiting) {
      signal.throwIfAborted();
      const room = performance.now() < deadline && bytesLeft > 0;
      const loaded = room
        ? await fetchOne(url, fetch, signal)
        : { skipped: bytesLeft > 0 ? ('no_time' as const) : ('total_too_large' as const) };
      const size = loaded.bytes?.length ?? 0;
      found.set(url, size <= bytesLeft ? loaded : { skipped: 'total_too_large' });
      // What is too large takes no room: smaller ones after it may fit.
      if (size <= bytesLeft) bytesLeft -= size;
    }
  };
  await Promise.all(Array.from({ length: LIMITS.concurrency }, work));
  return found;
}

async function fetchOne(url: string, fetch: GuardedFetch, signal: AbortSignal): Promise<LoadedImage> {
  const answer = await fetch.request(url, {
    sizeBytesMax: IMAGE_BYTES_MAX,
    timeoutMs: LIMITS.timeoutMs,
    accept: IMAGE_ACCEPT,
    certificates: 'verified',
    signal,
  });
  const loadTimeMs = Math.round(answer.tookMs);
  if (!answer.ok) {
    signal.throwIfAborted();
    return {
      load: {
        status: null,
        failure: FAILURES[answer.reason],
        redirects: answer.hops.length,
        finalUrl: answer.url,
        loadTimeMs,
      },
    };
  }
  const { status, headers, hops, body } = answer;
  const load: ImageLoad = {
    status,
    redirects: hops.length - 1,
    finalUrl: answer.url,
    loadTimeMs,
    ...(headers['content-type'] !== undefined && { contentType: headers['content-type'] }),
  };
  // The body of an error is no image of the message, whatever it shows.
  return status >= 200 && status <= 299 ? { load, bytes: body } : { load };
}

// Which pictures a job makes in one go.
import type { Planned } from './shots.ts';

/** Pictures of a batch: a job is taken and ended once for them, and the test is read once. */
const BATCH_MAX = 8;
/** Of long pictures so many pixels: about a second, so that others have their turn. */
const BATCH_PIXELS_MAX = 24_000_000;

/** What a browser draws one after the other at the least cost: of one engine, images and width, scheme by scheme. */
type Order = Pick<Planned, 'key' | 'engine' | 'images' | 'look'>;

function compare(one: Order, other: Order): number {
  return (
    one.engine.localeCompare(other.engine) ||
    Number(one.images) - Number(other.images) ||
    one.look.width - other.look.width ||
    one.look.colorScheme.localeCompare(other.look.colorScheme) ||
    one.key.localeCompare(other.key)
  );
}

/**
 * Distinct pictures in batches. Few pictures are spread over the browsers; one batch has pictures of one engine, and
 * none with images beside one without.
 */
export function batchesOf(planned: readonly Order[], browsers: number): string[][] {
  const distinct = [...new Map(planned.map((one) => [one.key, one])).values()].sort(compare);
  const size = Math.min(BATCH_MAX, Math.max(1, Math.ceil(distinct.length / (2 * browsers))));
  const contexts = Map.groupBy(distinct, ({ engine, images }) => `${engine} ${images}`);
  return [...contexts.values()].flatMap((own) => {
    const keys = own.map(({ key }) => key);
    return Array.from({ length: Math.ceil(keys.length / size) }, (_, n) => keys.slice(n * size, (n + 1) * size));
  });
}

/** Long pictures in batches that take about as long as others, in the order given. */
export function longBatchesOf(pictures: readonly { key: string; pixels: number }[]): string[][] {
  const batches: string[][] = [];
  let left = 0;
  for (const { key, pixels } of pictures) {
    const last = batches.at(-1);
    if (last && last.length < BATCH_MAX && pixels <= left) last.push(key);
    else batches.push([key]);
    left = (batches.at(-1)?.length === 1 ? BATCH_PIXELS_MAX : left) - pixels;
  }
  return batches;
}

// Which pictures a job makes in one go.
import type { Planned } from './shots.ts';

/** Pictures of a batch: a job is taken and ended once for them, and the test is read once. */
const BATCH_MAX = 16;

/**
 * What a browser draws one after the other at the least cost: of one engine, images and doctype (where it changes, the
 * page goes to the document instead of taking its content), by width, scheme by scheme.
 */
type Order = Pick<Planned, 'key' | 'engine' | 'images' | 'doctype' | 'look'>;

function compare(one: Order, other: Order): number {
  return (
    one.engine.localeCompare(other.engine) ||
    Number(one.images) - Number(other.images) ||
    one.doctype.localeCompare(other.doctype) ||
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
  return [...contexts.values()].flatMap((own) =>
    inParts(
      own.map(({ key }) => key),
      size,
    ),
  );
}

/** Long pictures in batches, in the order given: a batch ends early when others wait for a browser. */
export function longBatchesOf(keys: readonly string[]): string[][] {
  return inParts(keys, BATCH_MAX);
}

function inParts(keys: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, n) => keys.slice(n * size, (n + 1) * size));
}

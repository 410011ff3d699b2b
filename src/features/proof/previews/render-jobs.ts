// Makes pictures in turn with those of all other messages: some of one test in one go, or one that failed there again.
import { Type } from 'typebox';
import { RenderError, type RenderFailure } from '../../../platform/browser/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { isPassing, messageOf } from '../../../platform/errors/index.ts';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { longBatchesOf } from './batches.ts';
import { GroupedSaves } from './grouped-saves.ts';
import { addWaste } from './overruns-store.ts';
import { wasteOf } from './overruns.ts';
import { byDoctype, drawPicture, makePicture, savePictures, type EndOfWork } from './pictures.ts';
import { listMissing, listPending, listWaitingFor, type DrawnPicture, type Pending } from './pictures-store.ts';
import { bounceFailed, bounceFailedPicture, renderSlowly } from './slow-jobs.ts';
import { countTry, findTestOfAnyone, type PreviewTest } from './store.ts';

/** Tries of a picture; then its clients bounce, with the reason of the last one. */
export const TRIES_MAX = 10;
/** An engine that gave no answer, or refused the document, does so again: ten tries would take half an hour. */
const FEW_TRIES_MAX = 4;
const FEW_TRIES: ReadonlySet<RenderFailure> = new Set<RenderFailure>(['timeout', 'load_failed']);
/** A picture that failed in a batch is begun again so long after. */
const AGAIN_SECONDS = 1;
/** After so long a batch looks whether other tests wait; if so it leaves the rest to a later one. */
const TURN_MS = 1_500;
/** So many pictures a batch has asked for at a time. */
const AHEAD_MAX = 2;
/** When so many pictures of a batch were too much for a browser, the others are made apart. */
const OVERRUNS_MAX = 2;

/** The contract's three minutes: a try that has run for so long is ended and queued again. Waiting does not count. */
export function tryLimitMs({ config }: Pick<Outside, 'config'>): number {
  return config.previews.requeueSeconds * 1000;
}

/**
 * Makes one picture that failed before. What takes too much of a browser goes to a lane of its own, and so do the other
 * pictures of that message.
 */
export const render = defineJob({
  name: 'previews.render',
  payload: Type.Object({
    testId: Type.String(),
    key: Type.String(),
    tries: Type.Optional(Type.Integer({ description: 'Tries that were made before this job' })),
  }),
  lane: 'render',
  partOf: ({ testId }) => testId,
  sameAs: ({ testId, key }) => `${testId} ${key}`,
  attempts: TRIES_MAX,
  timeoutMs: tryLimitMs,
  async run(outside, { testId, key, tries: before = 0 }, { signal, attempt }) {
    const { db } = outside;
    const test = await findTestOfAnyone(db, testId);
    const [pending] = test ? await listPending(db, testId, [key]) : [];
    if (!test || !pending) return;
    // A picture of this message took too much of a browser: all of its pictures are made apart.
    if (test.wastedMs > 0) return goSlowly(outside, test, { keys: [key] });
    const tries = before + attempt;
    if (tries > 1) await countTry(db, testId, await listWaitingFor(db, testId, key));
    try {
      await makePicture(outside, { test, ...pending, signal }, { effort: 'quick' });
    } catch (error) {
      if (error instanceof RenderError && error.isOfDocument)
        return goSlowly(outside, test, { keys: [key], failure: error });
      const isOver =
        tries >= TRIES_MAX ||
        (error instanceof ComputeError && error.isOverrun) ||
        (error instanceof RenderError && FEW_TRIES.has(error.reason) && tries >= FEW_TRIES_MAX);
      if (isOver && !isPassing(error)) throw new Hopeless(messageOf(error), { cause: error });
      throw error;
    }
  },
  gaveUp: (outside, { testId, key, tries = 0 }, failure) =>
    bounceFailedPicture(outside, { testId, key }, { ...failure, tries: failure.tries + tries }),
});

/** To the end of the queue of what is slow: after a try that the document made fail, or without one. */
async function goSlowly(
  { db, jobs }: Pick<Outside, 'db' | 'jobs'>,
  test: PreviewTest,
  { keys, failure }: { keys: readonly string[]; failure?: RenderError },
): Promise<void> {
  await db.tx(async (tx) => {
    if (failure) await addWaste(tx, test.id, wasteOf(failure));
    await jobs.enqueue(tx, renderSlowly, {
      payloads: keys.map((key) => ({ testId: test.id, key, tries: failure ? 1 : 0 })),
      account: test.accountId,
    });
    await queueRests({ jobs, tx }, test);
  });
  jobs.wake();
}

/** Once more, alone: what the first try made of the picture is nobody else's affair. */
async function goAlone(
  { db, jobs }: Pick<Outside, 'db' | 'jobs'>,
  test: PreviewTest,
  { keys, tries }: { keys: readonly string[]; tries: number },
): Promise<void> {
  const payloads = keys.map((key) => ({ testId: test.id, key, tries }));
  await db.tx(async (tx) => {
    await jobs.enqueue(tx, render, { payloads, account: test.accountId, startAfterSeconds: AGAIN_SECONDS });
    await queueRests({ jobs, tx }, test);
  });
  jobs.wake();
}

/**
 * Queues the whole pictures of which there are first screens, as soon as no other first screen is to come: not from
 * pictures that wait, nor from clients that are still being planned. Pictures that are made alone hold up nobody.
 * Resolves with whether clients in processing lack pictures.
 */
export async function queueRests(
  { jobs, tx }: Pick<Outside, 'jobs'> & { tx: Sql },
  { id: testId, accountId: account }: Pick<PreviewTest, 'id' | 'accountId'>,
  { isPlanned = false }: { isPlanned?: boolean } = {},
): Promise<boolean> {
  const missing = await listMissing(tx, testId);
  if (!missing.some(({ firstScreen }) => firstScreen)) return missing.length > 0;
  const parts = await jobs.listParts(tx, [testId]);
  if (!isPlanned && parts.some(({ name }) => name === 'previews.prepare')) return true;
  const isQueued = (key: string): boolean =>
    parts.some(({ name, payload }) => {
      const work = payload as { key?: string; keys?: string[]; extent?: string };
      return name === 'previews.render-batch'
        ? work.extent === 'whole' && !!work.keys?.includes(key)
        : work.key === key;
    });
  const toQueue = missing.filter(({ key }) => !isQueued(key));
  if (toQueue.some(({ firstScreen }) => !firstScreen)) return true;
  const long = toQueue.map(({ key }) => key);
  const payloads = longBatchesOf(long).map((keys) => ({ testId, keys, extent: 'whole' as const }));
  await jobs.enqueue(tx, renderBatch, { payloads, account });
  return true;
}

/**
 * Makes pictures of one test in their order, and saves them as they come. `first_screen` makes the top of long
 * ones, whose rest is queued behind. What is saved is not made again, whatever becomes of the batch: a picture that
 * fails goes on alone, and so do all that are left of a batch that failed as a whole.
 */
export const renderBatch = defineJob({
  name: 'previews.render-batch',
  payload: Type.Object({
    testId: Type.String(),
    keys: Type.Array(Type.String()),
    extent: Type.Enum(['first_screen', 'whole']),
  }),
  lane: 'render',
  partOf: ({ testId }) => testId,
  sameAs: ({ testId, keys, extent }) => `${testId} ${extent} ${keys.join(' ')}`,
  attempts: TRIES_MAX,
  timeoutMs: tryLimitMs,
  async run(outside, { testId, keys, extent }, { signal, attempt }) {
    const { db } = outside;
    const test = await findTestOfAnyone(db, testId);
    const pending = test ? await listPending(db, testId, keys) : [];
    if (!test || pending.length === 0) return;
    const left = pending.map(({ key }) => key);
    if (test.wastedMs > 0) return goSlowly(outside, test, { keys: left });
    if (attempt > 1) return goAlone(outside, test, { keys: left, tries: attempt - 1 });
    await withSaves(outside, test, (shared) => makeBatch(outside, { test, pending, extent, signal }, shared));
  },
  async gaveUp(outside, { testId, keys }, failure) {
    const clientIds = new Set<string>();
    for (const key of keys) for (const id of await listWaitingFor(outside.db, testId, key)) clientIds.add(id);
    await bounceFailed(outside, testId, { clientIds: [...clientIds], what: 'The picture could not be made', failure });
  },
});

type BatchDoors = Parameters<typeof makePicture>[0] & Pick<Outside, 'log'>;

interface Batch {
  test: PreviewTest;
  pending: readonly Pending[];
  extent: 'first_screen' | 'whole';
  signal: AbortSignal;
}

/** What became of the drawing of one picture. It never rejects, so that nobody has to wait for it at once. */
type Attempt = { key: string; made: Awaited<ReturnType<typeof drawPicture>> } | { key: string; error: unknown };

async function attempt(outside: BatchDoors, { test, signal, extent }: Batch, one: Pending): Promise<Attempt> {
  const drawing = { test, ...one, signal, extent: one.hasFirstScreen ? ('whole' as const) : extent };
  try {
    return { key: one.key, made: await drawPicture(outside, drawing, { effort: 'quick' }) };
  } catch (error) {
    return { key: one.key, error };
  }
}

/** What the batches of one test that run in this process save together. */
interface TestSaves {
  saves: GroupedSaves<DrawnPicture, EndOfWork>;
  isDeleted: boolean;
  batches: number;
}

const savesOf = new Map<string, TestSaves>();

/** Does the work of one batch with the saves of its test. */
async function withSaves(
  outside: BatchDoors,
  test: PreviewTest,
  work: (shared: TestSaves) => Promise<void>,
): Promise<void> {
  const fresh = (): TestSaves => {
    const made: TestSaves = {
      isDeleted: false,
      batches: 0,
      saves: new GroupedSaves(async (drawn, last) => {
        // Each save asks: what was stored since the last one goes with a deleted test, too.
        const isKept = await savePictures(outside, test, { drawn, last });
        made.isDeleted ||= !isKept;
      }),
    };
    return made;
  };
  const shared = savesOf.get(test.id) ?? fresh();
  savesOf.set(test.id, shared);
  shared.batches += 1;
  try {
    await work(shared);
  } finally {
    shared.batches -= 1;
    if (shared.batches === 0) savesOf.delete(test.id);
  }
}

/**
 * Some pictures are asked for ahead: browsers go on at once with the next one. The batch ends early when pictures were
 * too much for a browser, and after a while when other tests wait.
 */
async function makeBatch(outside: BatchDoors, batch: Batch, shared: TestSaves): Promise<void> {
  const { test, extent, signal } = batch;
  const pending = await byDoctype(outside, batch, batch.pending);
  const storing: Promise<void>[] = [];
  const ahead: Promise<Attempt>[] = [];
  let lookAt = Number.POSITIVE_INFINITY;
  let overruns = 0;
  let at = 0;
  let isOver = false;
  for (;;) {
    const asked = isOver ? [] : pending.slice(at, at + AHEAD_MAX - ahead.length);
    ahead.push(...asked.map((one) => attempt(outside, batch, one)));
    at += asked.length;
    const next = await ahead.shift();
    if (next === undefined) break;
    if ('error' in next) overruns += await goOnAfter(outside, { test, signal, ...next });
    else {
      const { drawn, stored } = next.made;
      // It is stored while the next one is drawn.
      const saved = stored.then(() => shared.saves.add(drawn));
      saved.catch(() => undefined);
      storing.push(saved);
    }
    // Waiting for the first picture does not count: a browser may have been busy with others all that time.
    if (lookAt === Number.POSITIVE_INFINITY) lookAt = performance.now() + TURN_MS;
    isOver ||= shared.isDeleted || overruns >= OVERRUNS_MAX;
    if (!isOver && at < pending.length && performance.now() > lookAt) {
      isOver = await outside.jobs.doOthersWait(outside.db, renderBatch, { testId: test.id, keys: [], extent });
      lookAt = performance.now() + TURN_MS;
    }
  }
  await Promise.all(storing);
  const left = shared.isDeleted ? [] : pending.slice(at).map(({ key }) => key);
  if (overruns >= OVERRUNS_MAX && left.length > 0) await goSlowly(outside, test, { keys: left.splice(0) });
  const keys = pending.map(({ key }) => key);
  await shared.saves.end({ keys, work: (tx) => endBatch(outside, tx, { test, extent, left }) });
}

/** What becomes of a picture that was not made. Returns 1 where it took too much. Throws what all others would meet. */
async function goOnAfter(
  outside: Pick<Outside, 'db' | 'clock' | 'jobs' | 'log'>,
  { test, key, error, signal }: { test: PreviewTest; key: string; error: unknown; signal: AbortSignal },
): Promise<0 | 1> {
  if (signal.aborted || isPassing(error)) throw error;
  outside.log.warn({ testId: test.id, key, err: error }, 'a picture of a batch was not made');
  if (error instanceof ComputeError && error.isOverrun) {
    await bounceFailedPicture(outside, { testId: test.id, key }, { reason: error.message, tries: 1 });
    return 0;
  }
  if (error instanceof RenderError && error.isOfDocument) {
    await goSlowly(outside, test, { keys: [key], failure: error });
    return 1;
  }
  await goAlone(outside, test, { keys: [key], tries: 1 });
  return 0;
}

/** Queues what a batch has left: pictures, and after first screens the rest of the long ones. */
async function endBatch(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { test, extent, left }: Pick<Batch, 'test' | 'extent'> & { left: string[] },
): Promise<boolean> {
  const payloads = left.length > 0 ? [{ testId: test.id, keys: left, extent }] : [];
  await jobs.enqueue(tx, renderBatch, { payloads, account: test.accountId });
  return extent === 'first_screen' ? queueRests({ jobs, tx }, test) : left.length > 0;
}

import { Type } from 'typebox';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import { RenderError, type RenderFailure } from '../../../platform/browser/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { releaseMessages } from '../_message/index.ts';
import { testPrefix } from './objects.ts';
import { addWaste } from './overruns-store.ts';
import { wasteOf } from './overruns.ts';
import { makePicture } from './pictures.ts';
import { findPending, listWaitingFor, replaceShots, type Shot } from './pictures-store.ts';
import type { Prepared } from './message.ts';
import { forgetPrepared, preparedTest } from './prepared.ts';
import { profileOf } from './profiles.ts';
import { planShot, shotOf } from './shots.ts';
import { bounceFailed, bounceFailedPicture, renderSlowly } from './slow-jobs.ts';
import {
  countTry,
  deleteTest,
  findTestOfAnyone,
  listExpired,
  listResults,
  listTestsInProcessing,
  listUnfinished,
  markBounced,
  takeLost,
  type PreviewTest,
} from './store.ts';
import { shotNames } from './view.ts';

/** Tries of a picture; then its clients bounce, with the reason of the last one. */
const TRIES_MAX = 10;
/** An engine that gave no answer, or refused the document, does so again: ten tries would take half an hour. */
const FEW_TRIES_MAX = 4;
const FEW_TRIES: ReadonlySet<RenderFailure> = new Set<RenderFailure>(['timeout', 'load_failed']);
const EXPIRED_AT_ONCE = 100;
/** What was queued a moment ago may not be visible yet. */
const SETTLED_MS = 8_000;
const LOOKED_AT_ONCE = 500;

/** The contract's three minutes: a try that has run for so long is ended and queued again. Waiting does not count. */
function tryLimitMs({ config }: Pick<Outside, 'config'>): number {
  return config.previews.requeueSeconds * 1000;
}

/** Providers refuse messages over their limit; RFC 5321 §4.5.3.1.7 and RFC 3463 X.3.4 give the code. */
async function bounceTooLarge(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  test: PreviewTest,
  clientIds: readonly string[],
): Promise<void> {
  const byLimit = Map.groupBy(clientIds, (id) => profileOf(id).messageBytesMax ?? Number.POSITIVE_INFINITY);
  for (const [limit, ids] of byLimit) {
    if (test.messageBytes <= limit) continue;
    await markBounced(db, test.id, {
      clientIds: ids,
      code: '552',
      message: `5.3.4 The message is ${test.messageBytes} bytes; this client's service accepts ${limit}.`,
      at: clock.now(),
    });
  }
}

interface Plan {
  shots: Shot[];
  notes: Record<string, string[]>;
  /** Clients whose picture of the message takes too much to work out, and why. */
  refused: Map<string, string>;
}

/** The pictures that the clients need. */
async function planShots(
  outside: Pick<Outside, 'config' | 'browser'>,
  plan: { test: PreviewTest; prepared: Prepared; clientIds: readonly string[]; signal: AbortSignal },
): Promise<Plan> {
  const { test, prepared, signal } = plan;
  const wanted = plan.clientIds
    .map(profileOf)
    .flatMap((profile) => shotNames(test, profile).map((shot) => ({ profile, shot })));
  await prepared.emulations.plan(wanted.map(shotOf), signal);
  const made: Plan = { shots: [], notes: {}, refused: new Map() };
  for (const { profile, shot } of wanted) {
    try {
      const { key, notes } = await planShot(outside, { prepared, profile, shot, signal });
      made.shots.push({ clientId: profile.id, shot, key });
      if (shot === 'default') made.notes[profile.id] = notes;
    } catch (error) {
      if (!(error instanceof ComputeError && error.isOverrun)) throw error;
      made.refused.set(profile.id, error.message);
    }
  }
  return { ...made, shots: made.shots.filter(({ clientId }) => !made.refused.has(clientId)) };
}

/** Reads the message and plans its pictures. A message that takes too much to be read has no pictures. */
async function planTest(
  outside: Pick<Outside, 'config' | 'db' | 'blobs' | 'fetch' | 'browser' | 'compute'>,
  {
    test,
    clientIds,
    isFresh,
    signal,
  }: { test: PreviewTest; clientIds: readonly string[]; isFresh: boolean; signal: AbortSignal },
): Promise<Plan> {
  try {
    const prepared = await preparedTest(outside, test, { isFresh, signal });
    if (!(await findTestOfAnyone(outside.db, test.id))) return { shots: [], notes: {}, refused: new Map() };
    return await planShots(outside, { test, prepared, clientIds, signal });
  } catch (error) {
    if (!(error instanceof ComputeError && error.isOverrun)) throw error;
    return { shots: [], notes: {}, refused: new Map(clientIds.map((clientId) => [clientId, error.message])) };
  }
}

/** Another try would take as much again. */
async function bounceRefused(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  test: PreviewTest,
  refused: Plan['refused'],
): Promise<void> {
  for (const [message, ids] of Map.groupBy(refused.keys(), (clientId) => refused.get(clientId) as string)) {
    await markBounced(db, test.id, { clientIds: ids, code: '552', message, at: clock.now() });
  }
}

/** True: the test was deleted, and what was written of it meanwhile is gone again. */
async function eraseDeleted({ db, blobs }: Pick<Outside, 'db' | 'blobs'>, testId: string): Promise<boolean> {
  if (await findTestOfAnyone(db, testId)) return false;
  forgetPrepared(testId);
  await blobs.deleteAll(testPrefix(testId));
  return true;
}

/** Fetches the assets, works out which distinct pictures the clients need, and queues those. */
export const prepare = defineJob({
  name: 'previews.prepare',
  payload: Type.Object({ testId: Type.String(), clientIds: Type.Array(Type.String()), isFresh: Type.Boolean() }),
  lane: 'net',
  partOf: ({ testId }) => testId,
  attempts: TRIES_MAX,
  timeoutMs: tryLimitMs,
  async run(outside, { testId, clientIds, isFresh }, { signal, attempt }) {
    const test = await findTestOfAnyone(outside.db, testId);
    if (!test) return;
    if (attempt > 1) await countTry(outside.db, testId, clientIds);
    await bounceTooLarge(outside, test, clientIds);
    const waiting = new Set(
      (await listResults(outside.db, test.accountId, testId))
        .filter((result) => result.status === 'processing')
        .map((result) => result.clientId),
    );
    const wanted = clientIds.filter((id) => waiting.has(id));
    if (!wanted.length) return;
    const plan = await planTest(outside, { test, clientIds: wanted, isFresh, signal });
    if (await eraseDeleted(outside, testId)) return;
    await bounceRefused(outside, test, plan.refused);
    await outside.db.tx(async (tx) => {
      const keys = await replaceShots(tx, testId, plan);
      await outside.jobs.enqueue(tx, render, {
        payloads: keys.map((key) => ({ testId, key })),
        account: test.accountId,
      });
    });
    outside.jobs.wake();
  },
  gaveUp: (outside, { testId, clientIds }, failure) =>
    bounceFailed(outside, testId, { clientIds, what: 'The message could not be prepared', failure }),
});

/**
 * Makes one picture, in turn with those of all other messages. What takes too much of a browser goes to a lane of its
 * own, and so do the other pictures of that message.
 */
export const render = defineJob({
  name: 'previews.render',
  payload: Type.Object({ testId: Type.String(), key: Type.String() }),
  lane: 'render',
  partOf: ({ testId }) => testId,
  sameAs: ({ testId, key }) => `${testId} ${key}`,
  attempts: TRIES_MAX,
  timeoutMs: tryLimitMs,
  async run(outside, { testId, key }, { signal, attempt }) {
    const { db } = outside;
    const [test, pending] = [await findTestOfAnyone(db, testId), await findPending(db, testId, key)];
    if (!test || !pending) return;
    // A picture of this message took too much of a browser: all of its pictures are made apart.
    if (test.wastedMs > 0) return goSlowly(outside, test, { key });
    if (attempt > 1) await countTry(db, testId, await listWaitingFor(db, testId, key));
    try {
      await makePicture(outside, { test, key, ...pending, signal }, { effort: 'quick' });
    } catch (error) {
      if (error instanceof ComputeError && error.isOverrun) throw new Hopeless(error.message, { cause: error });
      if (!(error instanceof RenderError)) throw error;
      if (attempt >= FEW_TRIES_MAX && FEW_TRIES.has(error.reason)) throw new Hopeless(error.message, { cause: error });
      if (!error.isOfDocument) throw error;
      await goSlowly(outside, test, { key, failure: error });
    }
  },
  gaveUp: bounceFailedPicture,
});

/** To the end of the queue of what is slow: after a try that the document made fail, or without one. */
async function goSlowly(
  { db, jobs }: Pick<Outside, 'db' | 'jobs'>,
  test: PreviewTest,
  { key, failure }: { key: string; failure?: RenderError },
): Promise<void> {
  await db.tx(async (tx) => {
    if (failure) await addWaste(tx, test.id, wasteOf(failure));
    await jobs.enqueue(tx, renderSlowly, {
      payloads: [{ testId: test.id, key, tries: failure ? 1 : 0 }],
      account: test.accountId,
    });
  });
  jobs.wake();
}

/** Where the last look ended; the next one goes on from there. */
let lookedUntil = '';

/** Queues again what is in processing without a job that would end it: whatever waits or runs is left alone. */
export const requeue = defineJob({
  name: 'previews.requeue',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 5,
  async run({ db, jobs, clock, log }) {
    const now = clock.now();
    const before = new Date(now.getTime() - SETTLED_MS);
    const ids = await listTestsInProcessing(db, { before, after: lookedUntil, limit: LOOKED_AT_ONCE });
    lookedUntil = ids.length < LOOKED_AT_ONCE ? '' : (ids.at(-1) as string);
    if (ids.length === 0) return;
    // Jobs first: one that ends in between has left its mark by then.
    const counted = Map.groupBy(await jobs.countParts(db, ids), ({ partOf }) => partOf);
    for (const unfinished of await listUnfinished(db, ids)) {
      const work = counted.get(unfinished.testId) ?? [];
      const pictures = work.reduce((sum, { jobs: count }) => sum + count, 0);
      if (
        work.some(({ name }) => name === prepare.name) ||
        (!unfinished.isUnplanned && pictures >= unfinished.pictures)
      )
        continue;
      const clientIds = await db.tx(async (tx) => {
        const lost = await takeLost(tx, unfinished.testId, { before, now });
        if (lost.length)
          await jobs.enqueue(tx, prepare, {
            payloads: [{ testId: unfinished.testId, clientIds: lost, isFresh: false }],
            account: unfinished.accountId,
          });
        return lost;
      });
      if (clientIds.length)
        log.warn(
          { testId: unfinished.testId, clientIds },
          'previews were in processing without a job and are queued again',
        );
    }
    jobs.wake();
  },
});

/** Deletes the objects of a deleted test, once more. */
export const erase = defineJob({
  name: 'previews.erase',
  payload: Type.Object({ testId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 10,
  timeoutMs: 60_000,
  async run(outside, { testId }) {
    forgetPrepared(testId);
    if (await findTestOfAnyone(outside.db, testId)) return;
    await outside.blobs.deleteAll(testPrefix(testId));
    await releaseMessages(outside, testPrefix(testId));
  },
});

/** Deletes tests whose retention has ended, rows and objects. */
export const expire = defineJob({
  name: 'previews.expire',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  async run({ db, jobs, clock }) {
    const expired = await listExpired(db, clock.now(), EXPIRED_AT_ONCE);
    for (const { id, accountId } of expired) {
      await db.tx(async (tx) => {
        if (await deleteTest(tx, accountId, id))
          await jobs.enqueue(tx, erase, { payloads: [{ testId: id }], account: accountId });
      });
    }
    if (expired.length) jobs.wake();
  },
});

import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { releaseMessages } from '../_message/index.ts';
import { batchesOf } from './batches.ts';
import { queueEnd } from './ends.ts';
import { testPrefix } from './objects.ts';
import { replaceShots, type Shot } from './pictures-store.ts';
import type { Prepared } from './message.ts';
import { forgetPrepared, preparedTest } from './prepared.ts';
import { profileIn, profileOf } from './profiles.ts';
import { queueRests, renderBatch, TRIES_MAX, tryLimitMs } from './render-jobs.ts';
import { planShot, shotOf, type Planned } from './shots.ts';
import { bounceFailed } from './slow-jobs.ts';
import {
  countTry,
  deleteTest,
  findTestOfAnyone,
  isProcessing,
  listExpired,
  listResults,
  listTestsInProcessing,
  listUnfinished,
  markBounced,
  takeLost,
  type PreviewTest,
} from './store.ts';
import { featuresOf, findFeatures, saveFeatures } from './undecided.ts';
import { shotNames } from './view.ts';

/** So many clients are worked out and queued before the others, so that the first picture does not wait for those. */
const FIRST_CLIENTS_MAX = 4;
const EXPIRED_AT_ONCE = 100;
/** What was queued a moment ago may not be visible yet. */
const SETTLED_MS = 8_000;
const LOOKED_AT_ONCE = 500;

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
  /** What those pictures are. */
  planned: Planned[];
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
    .map((clientId) => profileIn(test, clientId))
    .flatMap((profile) => shotNames(test, profile).map((shot) => ({ profile, shot })));
  await prepared.emulations.plan(wanted.map(shotOf), signal);
  const made: Plan = { shots: [], planned: [], notes: {}, refused: new Map() };
  for (const { profile, shot } of wanted) {
    try {
      const planned = await planShot(outside, { prepared, profile, shot, signal });
      made.shots.push({ clientId: profile.id, shot, key: planned.key });
      made.planned.push(planned);
      if (shot === 'default') made.notes[profile.id] = planned.notes;
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
    if (!(await findTestOfAnyone(outside.db, test.id)))
      return { shots: [], planned: [], notes: {}, refused: new Map() };
    return await planShots(outside, { test, prepared, clientIds, signal });
  } catch (error) {
    if (!(error instanceof ComputeError && error.isOverrun)) throw error;
    return {
      shots: [],
      planned: [],
      notes: {},
      refused: new Map(clientIds.map((clientId) => [clientId, error.message])),
    };
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

/** Some clients that differ as widely as they can, one of each width, and then the others. */
function firstAndOthers(clientIds: readonly string[]): string[][] {
  const widths = [...new Map(clientIds.map((id) => [profileOf(id).viewport.width, id] as const).reverse()).values()];
  const first = new Set(widths.reverse().slice(0, FIRST_CLIENTS_MAX));
  return [[...first], clientIds.filter((id) => !first.has(id))].filter((part) => part.length > 0);
}

/** Works out what some clients show, and queues the pictures that are not queued yet. False: there is no such test. */
async function queuePictures(
  outside: Pick<Outside, 'config' | 'db' | 'blobs' | 'fetch' | 'browser' | 'compute' | 'clock' | 'jobs'>,
  part: Parameters<typeof planTest>[1] & { queued: Set<string>; isLast: boolean; noted: Promise<void> },
): Promise<boolean> {
  const { config, db, clock, jobs } = outside;
  const { test, queued } = part;
  const plan = await planTest(outside, part);
  if (await eraseDeleted(outside, test.id)) return false;
  await bounceRefused(outside, test, plan.refused);
  if (part.isLast) await part.noted;
  await db.tx(async (tx) => {
    const keys = await replaceShots(tx, test.id, { ...plan, queued, at: clock.now() });
    for (const key of keys) queued.add(key);
    const wanted = plan.planned.filter(({ key }) => keys.has(key));
    await jobs.enqueue(tx, renderBatch, {
      payloads: batchesOf(wanted, config.render.browsers).map((batch) => ({
        testId: test.id,
        keys: batch,
        extent: 'first_screen' as const,
      })),
      account: test.accountId,
    });
    if (part.isLast) await queueRests({ jobs, tx }, test, { isPlanned: true });
  });
  jobs.wake();
  return true;
}

/** Beside working out the first pictures, and done before the last are there: so results are whole when all are. */
async function noteFeatures(
  outside: Pick<Outside, 'config' | 'db' | 'blobs' | 'fetch' | 'compute'>,
  test: PreviewTest,
  signal: AbortSignal,
): Promise<void> {
  if (await findFeatures(outside.db, test.accountId, test.id)) return;
  const { html } = await preparedTest(outside, test, { isFresh: false, signal });
  const features = await featuresOf(outside, html, signal);
  if (features) await saveFeatures(outside.db, test.id, features);
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
    const queued = new Set<string>();
    const noted = noteFeatures(outside, test, signal);
    noted.catch(() => {}); // It is awaited with the last part, unless the test goes first.
    const parts = firstAndOthers(clientIds.filter((id) => waiting.has(id)));
    for (const [n, part] of parts.entries()) {
      const isThere = await queuePictures(outside, {
        test,
        clientIds: part,
        isFresh: isFresh && n === 0,
        isLast: n === parts.length - 1,
        noted,
        signal,
        queued,
      });
      if (!isThere) return;
    }
    // Where clients bounced here, the last picture of the others may have been made before.
    if (!(await isProcessing(outside.db, testId))) await queueEnd(outside, outside.db, test);
  },
  gaveUp: (outside, { testId, clientIds }, failure) =>
    bounceFailed(outside, testId, { clientIds, what: 'The message could not be prepared', failure }),
});

/** The pictures that a job of a test makes. */
function keysOf(payload: unknown): string[] {
  const { key, keys } = payload as { key?: string; keys?: string[] };
  return keys ?? (key === undefined ? [] : [key]);
}

/** Whether the end of this job queues more of its test: pictures, or the rest of those that have a first screen. */
function isFollowed({ name, payload }: { name: string; payload: unknown }): boolean {
  return (
    name === prepare.name || (name === renderBatch.name && (payload as { extent?: string }).extent === 'first_screen')
  );
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
    const parts = Map.groupBy(await jobs.listParts(db, ids), ({ partOf }) => partOf);
    for (const unfinished of await listUnfinished(db, ids)) {
      const work = parts.get(unfinished.testId) ?? [];
      const queued = new Set(work.flatMap(({ payload }) => keysOf(payload)));
      const isWhole = !unfinished.isUnplanned && unfinished.keys.every((key) => queued.has(key));
      if (isWhole || work.some(isFollowed)) continue;
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

import { Type } from 'typebox';
import { defineJob, type Outside } from '../../platform/feature/index.ts';
import { thumbnailsOf } from '../../platform/browser/index.ts';
import { pictureKey, testPrefix } from './objects.ts';
import { findPending, replaceShots, savePicture, type Shot } from './pictures-store.ts';
import type { Prepared } from './message.ts';
import { forgetPrepared, preparedTest } from './prepared.ts';
import { profileOf } from './profiles.ts';
import { shotRequest, type ShotRequest } from './shots.ts';
import { deleteTest, findTestOfAnyone, listExpired, listResults, markBounced, takeStuck, type PreviewTest } from './store.ts';
import { shotNames } from './view.ts';

/** After so many rounds of three minutes a picture is given up, and says so. */
const ATTEMPTS_MAX = 10;
const EXPIRED_AT_ONCE = 100;

/** Providers refuse messages over their limit; RFC 5321 §4.5.3.1.7 and RFC 3463 X.3.4 give the code. */
async function bounceTooLarge({ db, clock }: Outside, test: PreviewTest, clientIds: readonly string[]): Promise<void> {
  const byLimit = Map.groupBy(clientIds, (id) => profileOf(id).messageBytesMax ?? Number.POSITIVE_INFINITY);
  for (const [limit, ids] of byLimit) {
    if (test.messageBytes <= limit) continue;
    await markBounced(db, test.id, { clientIds: ids, code: '552', message: `5.3.4 The message is ${test.messageBytes} bytes; this client's service accepts ${limit}.`, at: clock.now() });
  }
}

/** The pictures that the clients need. Yields between clients, since emulation is plain computing. */
async function planShots(outside: Outside, plan: { test: PreviewTest; prepared: Prepared; clientIds: readonly string[] }) {
  const shots: Shot[] = [];
  const notes: Record<string, string[]> = {};
  for (const clientId of plan.clientIds) {
    const profile = profileOf(clientId);
    for (const shot of shotNames(plan.test, profile)) {
      const planned = shotRequest(outside, { scope: plan.test.id, prepared: plan.prepared, profile, shot, raw: undefined });
      shots.push({ clientId, shot, key: planned.key });
      if (shot === 'default') notes[clientId] = planned.notes;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { shots, notes };
}

/** True: the test was deleted, and what was written of it meanwhile is gone again. */
async function eraseDeleted({ db, blobs }: Outside, testId: string): Promise<boolean> {
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
  attempts: 10,
  timeoutMs: 90_000,
  async run(outside, { testId, clientIds, isFresh }, { signal }) {
    const test = await findTestOfAnyone(outside.db, testId);
    if (!test) return;
    await bounceTooLarge(outside, test, clientIds);
    const waiting = new Set((await listResults(outside.db, testId)).filter((result) => result.status === 'processing').map((result) => result.clientId));
    const wanted = clientIds.filter((id) => waiting.has(id));
    if (!wanted.length) return;
    const prepared = await preparedTest(outside, test, { isFresh, signal });
    if (await eraseDeleted(outside, testId)) return;
    const plan = await planShots(outside, { test, prepared, clientIds: wanted });
    await outside.db.tx(async (tx) => {
      const keys = await replaceShots(tx, testId, plan);
      await outside.jobs.enqueue(tx, render, { payloads: keys.map((key) => ({ testId, key })) });
    });
    outside.jobs.wake();
  },
});

/** The request behind a key. What this process kept may be older than what another one fetched. */
async function requestFor(outside: Outside, wanted: { test: PreviewTest; key: string; clientId: string; shot: string; signal: AbortSignal }): Promise<ShotRequest> {
  const { test, key, clientId, shot, signal } = wanted;
  const attempt = async (): Promise<ShotRequest> => {
    const prepared = await preparedTest(outside, test, { isFresh: false, signal });
    const profile = profileOf(clientId);
    const raw = profile.engine === 'thunderbird' ? await prepared.raw() : undefined;
    return shotRequest(outside, { scope: test.id, prepared, profile, shot, raw });
  };
  const kept = await attempt();
  if (kept.key === key) return kept;
  forgetPrepared(test.id);
  return attempt();
}

/** Makes one picture and its thumbnails, stores them, and completes the clients that waited for it. */
export const render = defineJob({
  name: 'previews.render',
  payload: Type.Object({ testId: Type.String(), key: Type.String() }),
  lane: 'render',
  attempts: 10,
  timeoutMs: 90_000,
  async run(outside, { testId, key }, { signal }) {
    const { db, blobs, browser, clock } = outside;
    const [test, pending] = [await findTestOfAnyone(db, testId), await findPending(db, testId, key)];
    if (!test || !pending) return;
    const { engine, request } = await requestFor(outside, { test, key, ...pending, signal });
    const made = await browser.pick(engine, request.colorScheme).render(request, signal);
    const { thumbnail, fullThumbnail } = await thumbnailsOf(made.png);
    await Promise.all([
      blobs.put(pictureKey(testId, key, 'picture'), made.png, 'image/png'),
      blobs.put(pictureKey(testId, key, 'thumbnail'), thumbnail, 'image/jpeg'),
      blobs.put(pictureKey(testId, key, 'full-thumbnail'), fullThumbnail, 'image/jpeg'),
    ]);
    const picture = { width: made.width, height: made.height, contentHeight: made.contentHeight, isCut: made.isCut, bytes: made.png.length, engine: made.engine.name, engineVersion: made.engine.version };
    const isKept = await db.tx((tx) => savePicture(tx, testId, { key, picture, at: clock.now() }));
    if (!isKept) await blobs.deleteAll(testPrefix(testId));
  },
});

/** Queues again what has been in processing for more than three minutes. */
export const requeue = defineJob({
  name: 'previews.requeue',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 15,
  async run({ db, jobs, clock, config, log }) {
    const now = clock.now();
    const before = new Date(now.getTime() - config.previews.requeueSeconds * 1000);
    const stuck = await db.tx(async (tx) => {
      const taken = await takeStuck(tx, { before, now });
      for (const [testId, rows] of Map.groupBy(taken, (row) => row.testId)) {
        const clientIds = rows.filter((row) => row.attempts <= ATTEMPTS_MAX).map((row) => row.clientId);
        const hopeless = rows.filter((row) => row.attempts > ATTEMPTS_MAX).map((row) => row.clientId);
        if (clientIds.length) await jobs.enqueue(tx, prepare, { payloads: [{ testId, clientIds, isFresh: false }] });
        if (hopeless.length) await markBounced(tx, testId, { clientIds: hopeless, code: '554', message: `The picture could not be made in ${ATTEMPTS_MAX} attempts.`, at: now });
      }
      return taken;
    });
    if (!stuck.length) return;
    log.warn({ results: stuck.length }, 'previews were in processing for too long and are queued again');
    jobs.wake();
  },
});

/** Deletes the objects of a deleted test, once more. */
export const erase = defineJob({
  name: 'previews.erase',
  payload: Type.Object({ testId: Type.String() }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 60_000,
  async run({ db, blobs }, { testId }) {
    forgetPrepared(testId);
    if (!(await findTestOfAnyone(db, testId))) await blobs.deleteAll(testPrefix(testId));
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
        if (await deleteTest(tx, accountId, id)) await jobs.enqueue(tx, erase, { payloads: [{ testId: id }] });
      });
    }
    if (expired.length) jobs.wake();
  },
});

// Renders and stores the picture of a key, and completes the clients that wait for it.
import { judgePicture } from '../../../engines/picture-faults/index.ts';
import type { RenderRequest } from '../../../platform/browser/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { queueEnd } from './ends.ts';
import { firstScreenKey, pictureKey, testPrefix } from './objects.ts';
import { completeClients, saveDrawn, type DrawnPicture, type Pending } from './pictures-store.ts';
import { forgetPrepared, preparedTest } from './prepared.ts';
import { profileIn } from './profiles.ts';
import { planShot, shotRequest, type ShotRequest } from './shots.ts';
import { isProcessing, type PreviewTest } from './store.ts';

interface WantedPicture extends Pending {
  test: PreviewTest;
  signal: AbortSignal;
  /** Default: `whole`. */
  extent?: RenderRequest['extent'];
}

type DrawingDoors = Pick<Outside, 'config' | 'blobs' | 'fetch' | 'browser' | 'compute'>;

/**
 * The same pictures, those of one doctype side by side: where it changes, a page has to go to the document. Whoever draws
 * them hears what hinders.
 */
export async function byDoctype(
  outside: Pick<Outside, 'config' | 'blobs' | 'fetch' | 'browser' | 'compute'>,
  { test, signal }: Pick<WantedPicture, 'test' | 'signal'>,
  pictures: readonly Pending[],
): Promise<readonly Pending[]> {
  const doctypeOfShot = async ({ clientId, shot }: Pending): Promise<string> => {
    const prepared = await preparedTest(outside, test, { isFresh: false, signal });
    return (await planShot(outside, { prepared, profile: profileIn(test, clientId), shot, signal })).doctype;
  };
  const known = await Promise.all(pictures.map((one) => doctypeOfShot(one).catch(() => '')));
  const doctypes = new Map(pictures.map((one, n) => [one, known[n] as string]));
  return pictures.toSorted((one, other) => (doctypes.get(one) as string).localeCompare(doctypes.get(other) as string));
}

/** The request behind a key. What this process kept may be older than what another one fetched. */
export async function requestFor(
  outside: Pick<Outside, 'config' | 'blobs' | 'fetch' | 'browser' | 'compute'>,
  { test, key, clientId, shot, signal }: WantedPicture,
): Promise<ShotRequest> {
  const attempt = async (): Promise<ShotRequest> => {
    const prepared = await preparedTest(outside, test, { isFresh: false, signal });
    const profile = profileIn(test, clientId);
    const raw = profile.engine === 'thunderbird' ? await prepared.raw() : undefined;
    return shotRequest(outside, { scope: test.id, prepared, profile, shot, raw, signal });
  };
  const kept = await attempt();
  if (kept.key === key) return kept;
  forgetPrepared(test.id);
  return attempt();
}

/**
 * Draws one picture, or its first screen where that is asked for and the picture is long. It is being stored when this
 * resolves. Throws `RenderError`; nothing is stored then.
 */
export async function drawPicture(
  outside: DrawingDoors,
  wanted: WantedPicture,
  effort: Pick<RenderRequest, 'effort' | 'cpuMsMax'>,
): Promise<{ drawn: DrawnPicture; stored: Promise<void> }> {
  const { blobs, browser } = outside;
  const { test, key, signal, extent = 'whole' } = wanted;
  const planned = await requestFor(outside, wanted);
  const { engine, request, facts } = planned;
  const made = await browser.pick(engine, request.colorScheme).render({ ...request, ...effort, extent }, signal);
  const { png, width, height, contentHeight, isCut, isWhole, layout } = made;
  const object = isWhole ? pictureKey(test.id, key, 'picture') : firstScreenKey(test.id, key);
  // An engine that turned out not to start since the picture was queued: what is known of its stand-in goes with it.
  const isAsQueued = planned.key === key && made.engine.name === engine;
  const notes = isAsQueued ? undefined : (await requestFor(outside, wanted)).notes;
  const drawn: DrawnPicture = {
    key,
    ...(notes && { notes }),
    ...(isWhole && { findings: judgePicture({ ...facts, layout }), isMeasured: layout?.isComplete === true }),
    isWhole,
    width,
    height,
    contentHeight,
    isCut,
    bytes: png.length,
    engine: made.engine.name,
    engineVersion: made.engine.version,
  };
  return { drawn, stored: blobs.put(object, png, 'image/png') };
}

type SavingDoors = Pick<Outside, 'db' | 'blobs' | 'jobs' | 'clock'>;

/** The end of some work on a test. */
export interface EndOfWork {
  /** The pictures that it was about. */
  keys: readonly string[];
  /** Done in the transaction that ends it. Resolves with true while the test is known to lack pictures. */
  work: (tx: Sql) => Promise<boolean>;
}

type Saved = 'deleted' | 'more to come' | 'all made';

/**
 * Saves what was drawn and stored, and what `last` does with it where this is the end of some work. False when the test
 * was deleted: nothing of it stays.
 */
export async function savePictures(
  { db, blobs, jobs, clock }: SavingDoors,
  test: Pick<PreviewTest, 'id' | 'accountId'>,
  { drawn, last }: { drawn: readonly DrawnPicture[]; last?: EndOfWork | undefined },
): Promise<boolean> {
  const { id: testId } = test;
  const save = (on: Sql): Promise<boolean> => saveDrawn(on, testId, { drawn, at: clock.now() });
  const saveWith = async (tx: Sql, { keys, work }: EndOfWork): Promise<Saved> => {
    if (!(await save(tx))) return 'deleted';
    await completeClients(tx, testId, { keys, at: clock.now() });
    if ((await work(tx)) || (await isProcessing(tx, testId))) return 'more to come';
    await queueEnd({ jobs }, tx, test);
    return 'all made';
  };
  const saved = last ? await db.tx((tx) => saveWith(tx, last)) : (await save(db)) ? 'more to come' : 'deleted';
  if (saved === 'all made') jobs.wake();
  if (saved !== 'deleted') return true;
  forgetPrepared(testId);
  await blobs.deleteAll(testPrefix(testId));
  return false;
}

/** Makes one picture. Throws `RenderError`; nothing is stored then. */
export async function makePicture(
  outside: DrawingDoors & SavingDoors,
  wanted: WantedPicture,
  effort: Pick<RenderRequest, 'effort' | 'cpuMsMax'>,
): Promise<void> {
  const { drawn, stored } = await drawPicture(outside, wanted, effort);
  await stored;
  await savePictures(outside, wanted.test, { drawn: [drawn], last: { keys: [drawn.key], work: async () => false } });
}

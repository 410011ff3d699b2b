// Renders and stores the picture of a key, and completes the clients that wait for it.
import type { RenderRequest } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { compareLooks } from './look-jobs.ts';
import { pictureKey, testPrefix } from './objects.ts';
import { savePicture } from './pictures-store.ts';
import { forgetPrepared, preparedTest } from './prepared.ts';
import { profileOf } from './profiles.ts';
import { shotRequest, type ShotRequest } from './shots.ts';
import { isProcessing, type PreviewTest } from './store.ts';

interface WantedPicture {
  test: PreviewTest;
  key: string;
  /** One of the screenshots that the picture is for. */
  clientId: string;
  shot: string;
  signal: AbortSignal;
}

/** The request behind a key. What this process kept may be older than what another one fetched. */
async function requestFor(
  outside: Pick<Outside, 'config' | 'blobs' | 'fetch' | 'browser' | 'compute'>,
  { test, key, clientId, shot, signal }: WantedPicture,
): Promise<ShotRequest> {
  const attempt = async (): Promise<ShotRequest> => {
    const prepared = await preparedTest(outside, test, { isFresh: false, signal });
    const profile = profileOf(clientId);
    const raw = profile.engine === 'thunderbird' ? await prepared.raw() : undefined;
    return shotRequest(outside, { scope: test.id, prepared, profile, shot, raw, signal });
  };
  const kept = await attempt();
  if (kept.key === key) return kept;
  forgetPrepared(test.id);
  return attempt();
}

/** Makes one picture. Throws `RenderError`; nothing is stored then. */
export async function makePicture(
  outside: Pick<Outside, 'config' | 'db' | 'blobs' | 'fetch' | 'browser' | 'compute' | 'clock' | 'jobs'>,
  wanted: WantedPicture,
  effort: Pick<RenderRequest, 'effort' | 'cpuMsMax'>,
): Promise<void> {
  const { db, blobs, browser, clock, jobs } = outside;
  const {
    test: { id: testId, accountId },
    key,
    signal,
  } = wanted;
  const { engine, request } = await requestFor(outside, wanted);
  const made = await browser.pick(engine, request.colorScheme).render({ ...request, ...effort }, signal);
  await blobs.put(pictureKey(testId, key, 'picture'), made.png, 'image/png');
  const picture = {
    width: made.width,
    height: made.height,
    contentHeight: made.contentHeight,
    isCut: made.isCut,
    bytes: made.png.length,
    engine: made.engine.name,
    engineVersion: made.engine.version,
  };
  const isKept = await db.tx(async (tx) => {
    if (!(await savePicture(tx, testId, { key, picture, at: clock.now() }))) return false;
    if (!(await isProcessing(tx, testId)))
      await jobs.enqueue(tx, compareLooks, { payloads: [{ testId }], account: accountId });
    return true;
  });
  if (!isKept) await blobs.deleteAll(testPrefix(testId));
  jobs.wake();
}

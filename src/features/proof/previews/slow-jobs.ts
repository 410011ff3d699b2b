// Pictures that took too much of a browser: once more, one at a time, behind everything else, or the reason why not.
import { Type } from 'typebox';
import { RenderError } from '../../../platform/browser/index.ts';
import { defineJob, Hopeless, type JobFailure, type Outside } from '../../../platform/feature/index.ts';
import { queueEnd } from './ends.ts';
import { addWaste, findOverruns } from './overruns-store.ts';
import { patienceMs, reasonOf, wasteOf } from './overruns.ts';
import { makePicture } from './pictures.ts';
import { listPending, listWaitingFor } from './pictures-store.ts';
import { countTry, findTestOfAnyone, markBounced } from './store.ts';

const TRIES_MAX = 10;

/** SMTP's word for a failure that has no better one (RFC 5321 §4.2.3). */
export async function bounceFailed(
  { db, clock, jobs }: Pick<Outside, 'db' | 'clock' | 'jobs'>,
  testId: string,
  failed: { clientIds: readonly string[]; what: string; failure: JobFailure },
): Promise<void> {
  const {
    clientIds,
    what,
    failure: { reason, tries },
  } = failed;
  const inTries = tries > 1 ? ` in ${tries} tries` : '';
  const message = `${what}${inTries}: ${reason}`;
  await markBounced(db, testId, { clientIds, code: '554', message, at: clock.now() });
  const test = await findTestOfAnyone(db, testId);
  // It may have been the last one that others waited for.
  if (test) await queueEnd({ jobs }, db, test);
}

/**
 * The last try of a picture whose document took too much in the first one, or of a message of which another picture
 * did.
 */
export const renderSlowly = defineJob({
  name: 'previews.render-slowly',
  payload: Type.Object({
    testId: Type.String(),
    key: Type.String(),
    tries: Type.Integer({ description: 'Tries that the document made fail' }),
  }),
  lane: 'slow',
  partOf: ({ testId }) => testId,
  sameAs: ({ testId, key }) => `${testId} ${key}`,
  attempts: TRIES_MAX,
  // The contract's three minutes, from when the picture is begun: in this lane none waits for a browser behind others.
  timeoutMs: ({ config }) => config.previews.requeueSeconds * 1000,
  async run(outside, { testId, key, tries }, { signal, attempt }) {
    const { db, config } = outside;
    const [test, [pending], overruns] = [
      await findTestOfAnyone(db, testId),
      await listPending(db, testId, [key]),
      await findOverruns(db, testId),
    ];
    if (!test || !pending || !overruns) return;
    if (tries + attempt > 1) await countTry(db, testId, await listWaitingFor(db, testId, key));
    const pictureMs = config.render.secondsMax * 1000;
    const cpuMsMax = patienceMs(overruns, pictureMs);
    try {
      await makePicture(outside, { test, ...pending, signal }, { effort: 'patient', cpuMsMax });
    } catch (error) {
      if (!(error instanceof RenderError && error.isOfDocument)) throw error;
      await addWaste(db, testId, wasteOf(error));
      throw new Hopeless(reasonOf(error, { wastedMs: overruns.wastedMs, isShortened: cpuMsMax < pictureMs }));
    }
  },
  gaveUp: (outside, { testId, key, tries }, failure) =>
    bounceFailedPicture(outside, { testId, key }, { ...failure, tries: tries + failure.tries }),
});

/** Every client that waits for the picture bounces, with the reason. */
export async function bounceFailedPicture(
  outside: Pick<Outside, 'db' | 'clock' | 'jobs'>,
  { testId, key }: { testId: string; key: string },
  failure: JobFailure,
): Promise<void> {
  await bounceFailed(outside, testId, {
    clientIds: await listWaitingFor(outside.db, testId, key),
    what: 'The picture could not be made',
    failure,
  });
}

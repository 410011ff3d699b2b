// Pictures of phones with the pixels of their screens, a screenful at a time: drawn when somebody first looks, then kept.
// The picture of the whole message keeps one pixel for each CSS pixel.
import { Type } from 'typebox';
import { RenderError } from '../../../platform/browser/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import { sharpKey, testPrefix } from './objects.ts';
import { requestFor } from './pictures.ts';
import { profileOf } from './profiles.ts';
import { TRIES_MAX, tryLimitMs } from './render-jobs.ts';
import { beginSharp, endSharp, findSharp, forgetSharp, type SharpPlace } from './sharp-store.ts';
import { findTestOfAnyone, type PreviewTest } from './store.ts';
import { partHeightOf, sharpPartsOf } from './view.ts';

const CHANGED = 'The engine or the message has changed since the screenshot was made; retake it first.';

/**
 * Draws one part. What the document makes fail is not tried again: the whole picture is there. What was given up for
 * another reason, such as a machine that had no time for it, is drawn when somebody asks again.
 */
export const renderSharp = defineJob({
  name: 'previews.render-sharp',
  payload: Type.Object({
    testId: Type.String(),
    clientId: Type.String(),
    shot: Type.String(),
    // Not `key`: what waits for the whole picture goes by that.
    picture: Type.String(),
    pixelRatio: Type.Number(),
    part: Type.Integer(),
  }),
  lane: 'render',
  partOf: ({ testId }) => testId,
  sameAs: ({ testId, picture, pixelRatio, part }) => `${testId} ${picture} ${pixelRatio} ${part}`,
  attempts: TRIES_MAX,
  timeoutMs: tryLimitMs,
  async run(outside, { testId, clientId, shot, picture: key, pixelRatio, part }, { signal }) {
    const { db, blobs, browser } = outside;
    const test = await findTestOfAnyone(db, testId);
    if (!test) return;
    const place = { testId, key, pixelRatio, part };
    const fail = (reason: string) => endSharp(db, place, { status: 'failed', reason });
    try {
      const planned = await requestFor(outside, { test, key, clientId, shot, hasFirstScreen: false, signal });
      if (planned.key !== key) return void (await fail(CHANGED));
      const { engine, request } = planned;
      const height = partHeightOf(profileOf(clientId), shot);
      const made = await browser.pick(engine, request.colorScheme).render(
        {
          ...request,
          pixelRatio,
          part: { top: (part - 1) * height, height },
          // What a browser has decoded for a ratio of 1 is not for this one.
          ...(request.assetsKey !== undefined && { assetsKey: `${request.assetsKey} at ${pixelRatio}` }),
          effort: 'quick',
        },
        signal,
      );
      await blobs.put(sharpKey(place), made.png, 'image/png');
      const isKept = await endSharp(db, place, { status: 'done', contentHeight: made.contentHeight });
      if (!isKept && !(await findTestOfAnyone(db, testId))) await blobs.deleteAll(testPrefix(testId));
    } catch (error) {
      if (!isOfMessage(error)) throw error;
      await fail(error.message);
    }
  },
  gaveUp: ({ db }, { testId, picture: key, pixelRatio, part }) => forgetSharp(db, { testId, key, pixelRatio, part }),
});

/** The message itself is why: it would end the same way each time. */
function isOfMessage(error: unknown): error is Error {
  return (error instanceof RenderError && error.isOfDocument) || (error instanceof ComputeError && error.isOverrun);
}

interface WantedPart {
  test: Pick<PreviewTest, 'id' | 'accountId'>;
  key: string;
  clientId: string;
  shot: string;
  /** Of the whole picture, in its pixels. */
  height: number;
  part: number;
}

const notReady = (): AppError =>
  new AppError('too_early', 'This part is being drawn.', { headers: { 'retry-after': '1' } });

/**
 * A part as it is kept; the first who asks has it drawn. Throws `not_found`, `too_early` while it is being drawn, or
 * `conflict` with the reason why there is none.
 */
export async function sharpPart(
  { db, blobs, jobs }: Pick<Outside, 'db' | 'blobs' | 'jobs'>,
  { test, key, clientId, shot, height, part }: WantedPart,
): Promise<{ body: Buffer; contentHeight: number; pixelRatio: number }> {
  const parts = sharpPartsOf(profileOf(clientId), { shot, height });
  if (!parts || part < 1 || part > parts.parts) throw notFound('sharp part', `${shot}.sharp-${part}.png`);
  const { pixelRatio } = parts;
  const place: SharpPlace = { testId: test.id, key, pixelRatio, part };
  const found = await findSharp(db, place);
  if (found?.status === 'failed')
    throw new AppError('conflict', `This part could not be drawn with the pixels of the screen: ${found.reason}`);
  if (found?.status === 'done' && found.contentHeight !== null) {
    const body = await blobs.get(sharpKey(place));
    if (body && isWholePicture(body, 'png')) return { body, contentHeight: found.contentHeight, pixelRatio };
  }
  const isBegun = await db.tx(async (tx) => {
    if (!(await beginSharp(tx, place, { again: found?.status === 'done' }))) return false;
    const payload = { testId: test.id, clientId, shot, picture: key, pixelRatio, part };
    await jobs.enqueue(tx, renderSharp, { payloads: [payload], account: test.accountId });
    return true;
  });
  if (isBegun) jobs.wake();
  throw notReady();
}

// Pictures of phones with the pixels of their screens, a screenful at a time: drawn when somebody first looks, then kept.
// The picture of the whole message keeps one pixel for each CSS pixel.
import { Type } from 'typebox';
import { RenderError } from '../../../platform/browser/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import { sharpKey, testPrefix } from './objects.ts';
import { requestFor } from './pictures.ts';
import { profileOf } from './profiles.ts';
import { shotOf } from './shots.ts';
import { beginSharp, endSharp, findSharp, type SharpPlace } from './sharp-store.ts';
import { findTestOfAnyone, type PreviewTest } from './store.ts';
import { sharpPartsOf } from './view.ts';

const TRIES_MAX = 4;
const TRY_MS = 60_000;

/** Draws one part. What the document makes fail is not tried again: the whole picture is there. */
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
  timeoutMs: () => TRY_MS,
  async run(outside, { testId, clientId, shot, picture: key, pixelRatio, part }, { signal }) {
    const test = await findTestOfAnyone(outside.db, testId);
    if (!test) return;
    const { blobs } = outside;
    const planned = await requestFor(outside, { test, key, clientId, shot, hasFirstScreen: false, signal });
    if (planned.key !== key)
      throw new Hopeless('The engine or the message has changed since the screenshot was made; retake it first.');
    const height = shotOf({ profile: profileOf(clientId), shot }).profile.viewport.height;
    const { engine, request } = planned;
    try {
      const made = await outside.browser.pick(engine, request.colorScheme).render(
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
      const place = { testId, key, pixelRatio, part };
      await blobs.put(sharpKey(place), made.png, 'image/png');
      const isKept = await endSharp(outside.db, place, { status: 'done', contentHeight: made.contentHeight });
      if (!isKept && !(await findTestOfAnyone(outside.db, testId))) await blobs.deleteAll(testPrefix(testId));
    } catch (error) {
      if (error instanceof RenderError && (error.isOfDocument || error.reason === 'not_drawn'))
        throw new Hopeless(error.message, { cause: error });
      throw error;
    }
  },
  gaveUp: async ({ db }, { testId, picture: key, pixelRatio, part }, { reason }) =>
    void (await endSharp(db, { testId, key, pixelRatio, part }, { status: 'failed', reason })),
});

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

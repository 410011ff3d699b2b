import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { fileOf, HttpReply } from '../../../platform/http/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { decide, getCapture, removeCapture, requireOperator, uploadCapture } from './actions.ts';
import * as contracts from './contract.ts';
import { pictureKey } from './objects.ts';
import { listCaptures } from './store.ts';
import { captureView } from './view.ts';

async function pictureReply(
  ctx: Pick<Context, 'db' | 'blobs' | 'principal'>,
  { capture_id: id, picture }: { capture_id: string; picture: contracts.PictureName },
): Promise<HttpReply> {
  const capture = await getCapture(ctx, id);
  if (picture !== 'captured' && !capture.comparison) {
    if (capture.comparisonProblem !== null) throw new AppError('conflict', capture.comparisonProblem);
    throw new AppError('too_early', 'The capture was not compared yet.', { headers: { 'retry-after': '2' } });
  }
  const stored = await ctx.blobs.stream(pictureKey(capture, picture));
  if (!stored) throw new AppError('damaged', `The ${picture} picture of this capture is missing.`);
  return new HttpReply(stored.body, { 'content-type': 'image/png', 'content-length': String(stored.sizeBytes) });
}

export const endpoints = [
  endpoint(contracts.createCapture, async (ctx, { body }) => {
    const { picture, ...stated } = body;
    const { bytes } = fileOf('picture', picture);
    return captureView(await uploadCapture(ctx, { ...stated, bytes }), ctx.baseUrl);
  }),
  endpoint(contracts.listCaptures, async (ctx, { query }) => {
    const { accounts, ...wanted } = query;
    if (accounts === 'all') await requireOperator(ctx);
    const owner = accounts === 'all' ? 'all' : ctx.principal.accountId;
    const { items, total } = await listCaptures(ctx.db, owner, wanted);
    return {
      ...countedPaging(ctx.baseUrl + contracts.PATH, query, total),
      items: items.map((capture) => captureView(capture, ctx.baseUrl)),
    };
  }),
  endpoint(contracts.getCapture, async (ctx, { params }) =>
    captureView(await getCapture(ctx, params.capture_id), ctx.baseUrl),
  ),
  endpoint(contracts.getPicture, (ctx, { params }) => pictureReply(ctx, params)),
  endpoint(contracts.deleteCapture, async (ctx, { params }) => {
    await removeCapture(ctx, params.capture_id);
    return { success: true };
  }),
  endpoint(contracts.acceptCapture, async (ctx, { params, body }) =>
    captureView(await decide(ctx, params.capture_id, { state: 'accepted', ...body }), ctx.baseUrl),
  ),
  endpoint(contracts.rejectCapture, async (ctx, { params, body }) =>
    captureView(await decide(ctx, params.capture_id, { state: 'rejected', ...body }), ctx.baseUrl),
  ),
];

import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import * as contracts from './contract.ts';
import { decideByHand, getBatch } from './decide.ts';
import { getSettings, putSettings } from './settings.ts';
import { listBatches, OPEN } from './store.ts';
import { batchView, settingsView } from './view.ts';

const people = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`);

export const endpoints = [
  endpoint(contracts.getBreaker, async (ctx, { params }) => settingsView(await getSettings(ctx, params.name))),
  endpoint(contracts.putBreaker, async (ctx, { params, body }) => {
    const { mode, sample, bounced_max: bouncedMax, deferred_max: deferredMax } = body;
    return settingsView(await putSettings(ctx, params.name, { mode, sample, bouncedMax, deferredMax }));
  }),
  endpoint(contracts.listBatches, async (ctx, { query: { limit, skip, state, domain } }) => {
    const states = state === 'waiting' ? OPEN : state && [state];
    const page = { states, domain: domain?.toLowerCase(), limit, skip };
    const { items, total } = await listBatches(ctx.db, ctx.principal.accountId, page);
    const conditions = { limit, skip, ...(state && { state }), ...(domain !== undefined && { domain }) };
    return { ...countedPaging(ctx.baseUrl + contracts.BATCHES_PATH, conditions, total), items: items.map(batchView) };
  }),
  endpoint(contracts.getBatch, async (ctx, { params }) => batchView(await getBatch(ctx, params.batch_id))),
  endpoint(contracts.releaseBatch, async (ctx, { params }) => {
    const recipients = await decideByHand(ctx, params.batch_id, 'released');
    return { message: `Released for ${people(recipients)}.`, recipients };
  }),
  endpoint(contracts.dropBatch, async (ctx, { params }) => {
    const recipients = await decideByHand(ctx, params.batch_id, 'dropped');
    return { message: `Dropped for ${people(recipients)}.`, recipients };
  }),
];

import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { cancel, listQueue, showQueue, tryNow } from './actions.ts';
import * as contracts from './contract.ts';

const people = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`);

export const endpoints = [
  endpoint(contracts.getQueue, (ctx, { query }) => showQueue(ctx, query)),
  endpoint(contracts.listQueued, async (ctx, { query }) => {
    const { items, total, isBound } = await listQueue(ctx, query);
    const { paging } = countedPaging(`${ctx.baseUrl}/v1/galley/queue/deliveries`, { ...query }, total);
    return { meta: { count: total, is_bound: isBound }, paging, items };
  }),
  endpoint(contracts.cancelMessage, async (ctx, { params }) => {
    const canceled = await cancel(ctx, params.storage_key);
    const message = canceled > 0 ? `Canceled for ${people(canceled)}.` : 'Nothing of this message was waiting.';
    return { message, canceled };
  }),
  endpoint(contracts.tryMessage, async (ctx, { params }) => {
    const moved = await tryNow(ctx, params.storage_key);
    const message =
      moved > 0 ? `Tried now for ${people(moved)}.` : 'Nothing of this message was waiting for another attempt.';
    return { message, moved };
  }),
];

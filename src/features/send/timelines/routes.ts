import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { showTimeline } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [
  endpoint(contracts.getTimeline, async (ctx, { params, query }) => {
    const { message, gate, archive, total, isBound, items } = await showTimeline(ctx, params.message, query);
    const path = `${ctx.baseUrl}/v1/galley/messages/${encodeURIComponent(params.message)}/timeline`;
    const { paging } = countedPaging(path, { ...query }, total);
    return { message, gate, archive, meta: { count: total, is_bound: isBound }, paging, items };
  }),
];

import { endpoint } from '../../../platform/feature/index.ts';
import * as contracts from './contract.ts';
import * as limits from './message-limits.ts';

const DONE = { success: true };

export const endpoints = [
  endpoint(contracts.getMessageLimit, (ctx) => limits.getOwnLimit(ctx)),
  endpoint(contracts.putMessageLimit, async (ctx, { query }) => {
    await limits.setOwnLimit(ctx, query.limit);
    return DONE;
  }),
  endpoint(contracts.deleteMessageLimit, async (ctx) => {
    await limits.deleteOwnLimit(ctx);
    return DONE;
  }),
  endpoint(contracts.enableAccount, async (ctx) => {
    await limits.liftOwnLimits(ctx);
    return DONE;
  }),
  endpoint(contracts.getSubaccountLimit, (ctx, { params }) => limits.getLimitOf(ctx, params.subaccount_id)),
  endpoint(contracts.putSubaccountLimit, async (ctx, { params, query }) => {
    await limits.setLimitOf(ctx, params.subaccount_id, query.limit);
    return DONE;
  }),
  endpoint(contracts.deleteSubaccountLimit, async (ctx, { params }) => {
    await limits.deleteLimitOf(ctx, params.subaccount_id);
    return DONE;
  }),
];

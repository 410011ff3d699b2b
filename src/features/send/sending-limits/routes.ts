import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { deleteLimit, putLimit } from './actions.ts';
import * as contracts from './contract.ts';
import { listLimits, listUses, type Limit } from './store.ts';
import { windowAt } from './windows.ts';

function limitView(limit: Limit, { used, now }: { used: number; now: Date }) {
  const { id, scope, name, period, maxMessages: max } = limit;
  return { id, scope, name, period, max, used, resets_at: windowAt(limit, now).endsAt.toISOString() };
}

const keysOf = (limits: readonly Limit[], now: Date) =>
  limits.map((limit) => ({ limitId: limit.id, startsAt: windowAt(limit, now).startsAt }));

export const endpoints = [
  endpoint(contracts.listLimits, async ({ db, clock, principal, baseUrl, mailer }, { query }) => {
    const now = clock.now();
    const { items, total } = await listLimits(db, principal.accountId, query);
    const uses = await listUses(db, principal.accountId, keysOf(items, now));
    return {
      ...countedPaging(baseUrl + contracts.LIMITS_PATH, { ...query }, total),
      items: items.map((limit) => limitView(limit, { used: uses.get(limit.id) ?? 0, now })),
      providers: [...mailer.providers],
    };
  }),
  endpoint(contracts.putLimit, async (ctx, { body: { name = '', ...body } }) => {
    const limit = await putLimit(ctx, { ...body, name });
    const now = ctx.clock.now();
    const uses = await listUses(ctx.db, ctx.principal.accountId, keysOf([limit], now));
    return limitView(limit, { used: uses.get(limit.id) ?? 0, now });
  }),
  endpoint(contracts.deleteLimit, async (ctx, { params }) => {
    await deleteLimit(ctx, params.limit_id);
    return { message: 'Sending limit deleted' };
  }),
];

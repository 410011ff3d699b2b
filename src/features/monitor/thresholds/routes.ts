import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import * as limits from '../../account/limits/index.ts';
import type { Limit, LimitSettings, UseUnder } from '../../account/limits/index.ts';
import * as contracts from './contract.ts';
import { addLimit, getLimit, metricLimit, metricName, periodText, removeLimit, replaceLimit } from './limits.ts';
import * as ofMetrics from './metric-contract.ts';
import { sendEndpoints } from './send-routes.ts';

type Reader = Pick<Context, 'db' | 'principal'>;

/** Shows limits of the account that asks. */
async function limitViews({ db, principal }: Reader, found: readonly Limit[]) {
  const own = await findAccount(db, principal.accountId);
  return found.map((limit) => {
    const [only, ...others] = limit.includes ?? [];
    const isForOne = only !== undefined && others.length === 0 && only !== limit.accountId;
    const subaccount = own?.parentId ? limit.accountId : isForOne ? only : '';
    return {
      id: limit.id,
      parent_account_id: subaccount === '' ? '' : (own?.parentId ?? limit.accountId),
      subaccount_id: subaccount,
      account_group: '',
      name: limit.name,
      created_at: limit.createdAt.toISOString(),
      updated_at: limit.updatedAt.toISOString(),
      last_checked: '',
      description: limit.description,
      ...(limit.alertChannels && { alert_channels: limit.alertChannels }),
      filters: limit.filters,
      metric: limit.metric,
      comparator: limit.comparator,
      limit: String(limit.maxUses),
      dimension: limit.dimension,
      period: periodText(limit.period),
    };
  });
}

const limitView = async (ctx: Reader, limit: Limit) => (await limitViews(ctx, [limit]))[0]!;

const list = async (ctx: Reader, { query }: { query: { limit: number; skip: number } }) => {
  const { items, total } = await limits.listLimits(ctx.db, ctx.principal.accountId, query);
  return { items: await limitViews(ctx, items), total };
};

const useView = ({ clock }: Pick<Context, 'clock'>, use: UseUnder) => ({
  name: use.name,
  metric: use.metric,
  limit: String(use.maxUses),
  used: use.used,
  resets_at: limits.windowOf(clock.now(), use.period).until.toISOString(),
  account_id: use.accountId,
  account_name: use.accountName,
});

const settingsView = (settings: LimitSettings) => ({
  alert_channels: settings.alertChannels,
  warning_perc_one: settings.firstWarning,
  warning_perc_two: settings.secondWarning,
  created_at: settings.createdAt.toISOString(),
  updated_at: settings.updatedAt.toISOString(),
});

async function saveSettings(
  { db, clock, principal }: Pick<Context, 'db' | 'clock' | 'principal'>,
  { body }: { body: Parameters<typeof readSettings>[0] },
) {
  const now = clock.now();
  const row = { ...readSettings(body), createdAt: now, updatedAt: now };
  return settingsView(await limits.saveLimitSettings(db, principal.accountId, row));
}

function readSettings(body: {
  alert_channels: LimitSettings['alertChannels'];
  warning_perc_one: number;
  warning_perc_two: number;
}) {
  const { alert_channels: channels, warning_perc_one: firstWarning, warning_perc_two: secondWarning } = body;
  return { alertChannels: [...new Set(channels)], firstWarning, secondWarning };
}

export const endpoints = [
  ...sendEndpoints,
  endpoint(contracts.listLimits, list),
  endpoint(contracts.createLimit, async (ctx, { body }) => limitView(ctx, await addLimit(ctx, body))),
  endpoint(contracts.getLimit, async (ctx, { params }) => limitView(ctx, await getLimit(ctx, params.name))),
  endpoint(contracts.updateLimit, async (ctx, { params, body }) => {
    await replaceLimit(ctx, params.name, body);
    return { message: 'Limit threshold has been updated' };
  }),
  endpoint(contracts.deleteLimit, async (ctx, { params }) => {
    await removeLimit(ctx, params.name);
    return { message: 'Limit threshold has been deleted' };
  }),
  endpoint(contracts.listUses, async (ctx, { query }) => {
    const now = ctx.clock.now();
    const { items, total } = await limits.listUsesUnder(ctx.db, ctx.principal.accountId, { ...query, now });
    return { items: items.map((use) => useView(ctx, use)), total };
  }),
  endpoint(ofMetrics.listMetricLimits, list),
  endpoint(ofMetrics.createMetricLimit, async (ctx, { body }) =>
    limitView(ctx, await addLimit(ctx, await metricLimit(ctx, body))),
  ),
  endpoint(ofMetrics.getMetricLimit, async (ctx, { params, query }) =>
    limitView(ctx, await getLimit(ctx, await metricName(ctx, { ...params, ...query }))),
  ),
  endpoint(ofMetrics.updateMetricLimit, async (ctx, { params, body }) => {
    const asked = await metricLimit(ctx, { ...body, ...params });
    return limitView(ctx, await replaceLimit(ctx, asked.name, asked));
  }),
  endpoint(ofMetrics.deleteMetricLimit, async (ctx, { params, query }) => {
    await removeLimit(ctx, await metricName(ctx, { ...params, ...query }));
    return { message: 'Limit threshold has been deleted' };
  }),
  endpoint(ofMetrics.getLimitSettings, async ({ db, principal }) => {
    const found = await limits.findLimitSettings(db, principal.accountId);
    if (!found) throw new AppError('not_found', 'Nothing is set for all limits of this account.');
    return settingsView(found);
  }),
  endpoint(ofMetrics.createLimitSettings, saveSettings),
  endpoint(ofMetrics.updateLimitSettings, saveSettings),
];

import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import { addSendAlert, getSendAlert, removeSendAlert, replaceSendAlert } from './send-alerts.ts';
import * as contracts from './send-contract.ts';
import * as store from './send-store.ts';
import type { SendAlert } from './send-store.ts';

type Reader = Pick<Context, 'db' | 'principal'>;

/** The account that asks, where it is a subaccount. */
async function ownerOf({ db, principal }: Reader) {
  const parent = (await findAccount(db, principal.accountId))?.parentId ?? '';
  return { parent_account_id: parent, subaccount_id: parent === '' ? '' : principal.accountId };
}

function view(alert: SendAlert, owner: Awaited<ReturnType<typeof ownerOf>>) {
  return {
    id: alert.id,
    ...owner,
    account_group: '',
    name: alert.name,
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
    last_checked: alert.lastChecked?.toISOString() ?? '',
    values_crossed: alert.valuesCrossed,
    description: alert.description,
    alert_channels: alert.alertChannels ?? ['email' as const, 'slack' as const, 'webhook' as const],
    filters: alert.filters,
    metric: alert.metric,
    comparator: alert.comparator,
    limit: alert.bound,
    dimension: alert.dimension,
    period: alert.period,
  };
}

type Listed = Awaited<ReturnType<typeof store.listHits>>['items'][number];

function hitView(hit: Listed, owner: Awaited<ReturnType<typeof ownerOf>>) {
  const isOfPart = hit.dimension === 'subaccount' && hit.dimensionValue !== hit.accountId;
  return {
    id: hit.id,
    name: hit.name,
    created_at: hit.createdAt.toISOString(),
    updated_at: hit.updatedAt.toISOString(),
    triggered: hit.triggered,
    expires_at: hit.expiresAt.toISOString(),
    latest_value: hit.latestValue,
    metric: hit.metric,
    comparator: hit.comparator,
    limit: hit.bound,
    ...(isOfPart ? { parent_account_id: hit.accountId, subaccount_id: hit.dimensionValue } : owner),
    dimension: hit.dimension,
    dimension_value: hit.dimensionValue,
  };
}

/** Of alerts on sending and their hits. */
export const sendEndpoints = [
  endpoint(contracts.listSendAlerts, async (ctx, { query }) => {
    const { items, total } = await store.listSendAlerts(ctx.db, ctx.principal.accountId, query);
    const owner = await ownerOf(ctx);
    return { items: items.map((alert) => view(alert, owner)), total };
  }),
  endpoint(contracts.createSendAlert, async (ctx, { body }) => view(await addSendAlert(ctx, body), await ownerOf(ctx))),
  endpoint(contracts.getSendAlert, async (ctx, { params }) =>
    view(await getSendAlert(ctx, params.name), await ownerOf(ctx)),
  ),
  endpoint(contracts.updateSendAlert, async (ctx, { params, body }) => {
    await replaceSendAlert(ctx, params.name, body);
    return { message: 'Send alert has been updated' };
  }),
  endpoint(contracts.deleteSendAlert, async (ctx, { params }) => {
    await removeSendAlert(ctx, params.name);
    return { message: 'Send alert has been deleted' };
  }),
  endpoint(contracts.listHits, async (ctx, { query }) => {
    const now = ctx.clock.now();
    const { items, total } = await store.listHits(ctx.db, ctx.principal.accountId, { ...query, now });
    const owner = await ownerOf(ctx);
    return { items: items.map((hit) => hitView(hit, owner)), total };
  }),
];

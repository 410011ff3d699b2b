import { AppError } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { capitalPaging } from '../../../platform/paging/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { assignableDomains, previewDomain } from './actions.ts';
import * as contracts from './contract.ts';
import * as domains from './domain-contract.ts';
import { askForAll, enrollDomain, removeDomain } from './enrollment.ts';
import { listMoves } from './history-store.ts';
import { enrollAll } from './jobs.ts';
import { readBand } from './names.ts';
import { overridePool, removeOverride } from './override.ts';
import { changePool, deletePools, setPools, showPools, textsOf } from './pools.ts';
import { listEnrolled } from './store.ts';
import { domainView, moveView, poolName } from './view.ts';

const success = { message: 'success' };
const started = { message: 'started' };

/** A call without a body has none. */
const bodyOf = <Body extends object>(body: Body | undefined | null): Partial<Body> => body ?? {};

const poolEndpoints = [
  endpoint(contracts.enrollDomain, async (ctx, { params, query, body }) => {
    await enrollDomain(ctx, params.name, { ...bodyOf(body), ...query });
    return success;
  }),
  endpoint(contracts.removeDomain, async (ctx, { params, query, body }) => {
    await removeDomain(ctx, params.name, { ...bodyOf(body), ...query });
    return success;
  }),
  endpoint(contracts.listAssignable, async (ctx, { query }) => {
    const { subaccount_id: subaccountId, domain: pattern } = query;
    const items = await assignableDomains(ctx, { subaccountId, pattern });
    return { items: items.map(({ accountId, id, name }) => ({ account_id: accountId, id, name })) };
  }),
  endpoint(contracts.enrollAll, async (ctx, { query }) => {
    const all = await askForAll(ctx, query.include_subaccounts);
    await ctx.jobs.enqueue(ctx.db, enrollAll, { payloads: [all], account: all.ownerId });
    ctx.jobs.wake();
    return started;
  }),
  endpoint(contracts.listPools, (ctx) => showPools(ctx)),
  endpoint(contracts.setPools, async (ctx, { body }) => {
    await setPools(ctx, body);
    return success;
  }),
  endpoint(contracts.deletePools, async (ctx) => {
    await deletePools(ctx);
    return success;
  }),
  endpoint(contracts.addPoolIp, async (ctx, { params }) => {
    await changePool(ctx, params.pool_name, { add: [params.ip], remove: [], field: 'ip' });
    return success;
  }),
  endpoint(contracts.updatePool, async (ctx, { params, body }) => {
    const [add, remove] = [textsOf(body.add_ip), textsOf(body.remove_ip)];
    await changePool(ctx, params.pool_name, { add, remove, field: 'add_ip' });
    return success;
  }),
];

const ANY_TIME = { before: undefined, after: undefined, to: undefined, from: undefined };

const domainEndpoints = [
  endpoint(domains.listDomains, async (ctx, { query }) => {
    const { limit, skip, account, pool, sort_by: sortBy, sort_order: order } = query;
    const { items, total } = await listEnrolled(ctx.db, ctx.principal.accountId, {
      limit,
      skip,
      account,
      sortBy,
      band: readBand('pool', pool),
      isAscending: order === 'ascending',
    });
    const paging = capitalPaging(`${ctx.baseUrl}/v1/dynamic_pools/domains`, query, total);
    return { items: items.map(domainView), total_items: total, paging };
  }),
  endpoint(domains.previewDomain, async (ctx, { params }) => {
    const { verdict, band, isOverride } = await previewDomain(ctx, params.name);
    return {
      ...success,
      pool: poolName(verdict.band),
      bounce_rate: verdict.bounceRate,
      complaint_rate: verdict.complaintRate,
      processed_count: verdict.processedCount,
      reason: verdict.reason,
      current_pool: band && poolName(band),
      override: isOverride,
    };
  }),
  endpoint(domains.domainHistory, async (ctx, { params, query }) => {
    const { name } = params;
    const filter = { ...ANY_TIME, isOfParts: true, domain: name };
    const { items, total } = await listMoves(ctx.db, ctx.principal.accountId, { ...filter, ...query });
    const shown = items.map(moveView);
    const [newest] =
      query.skip === 0
        ? shown
        : (await listMoves(ctx.db, ctx.principal.accountId, { ...filter, limit: 1, skip: 0 })).items.map(moveView);
    if (!newest) throw new AppError('not_found', `The domain ${name} was never in a dynamic pool.`);
    const paging = capitalPaging(
      `${ctx.baseUrl}/v1/dynamic_pools/domains/${encodeURIComponent(name)}/history`,
      query,
      total,
    );
    return { ...newest, items: shown, total_items: total, paging };
  }),
  endpoint(domains.accountHistory, async (ctx, { query }) => {
    const { Limit, include_subaccounts: isOfParts, domain, moved_to: to, moved_from: from, ...page } = query;
    const limit = Limit ?? page.limit;
    const { items, total } = await listMoves(ctx.db, ctx.principal.accountId, {
      limit,
      skip: page.skip,
      isOfParts,
      domain,
      before: readTime('before', page.before),
      after: readTime('after', page.after),
      to: readBand('moved_to', to),
      from: readBand('moved_from', from),
    });
    const { Limit: _, ...conditions } = query;
    const paging = capitalPaging(`${ctx.baseUrl}/v1/dynamic_pools/history`, { ...conditions, limit }, total);
    return { items: items.map(moveView), total_items: total, paging };
  }),
  endpoint(domains.overrideDomain, async (ctx, { params, body }) => {
    await overridePool(ctx, params.name, body.pool);
    return success;
  }),
  endpoint(domains.removeOverride, async (ctx, { params }) => {
    await removeOverride(ctx, params.name);
    return success;
  }),
];

export const endpoints = [...poolEndpoints, ...domainEndpoints];

import { planTo, PUBLISHED_SCHEDULE, STAGE_MS } from '../../../engines/ip-warmup/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging, pivotPaging } from '../../../platform/paging/index.ts';
import { changePlan, getWarming, getWarmup, startWarmup, stopWarmup, verdictsOf } from './actions.ts';
import * as contracts from './contract.ts';
import { listDecisions, listWarming, listWarmups } from './store.ts';
import { decisionView, detailsView, itemView, planView } from './view.ts';

const HISTORY_MAX = 100;
const DECISIONS_MAX = 400;

export const endpoints = [
  endpoint(contracts.listIpWarmups, async (ctx, { query }) => {
    const { db, clock, principal, baseUrl } = ctx;
    const { address: pivot, ...at } = query;
    const page = { ...at, pivot };
    const found = await listWarming(db, principal.accountId, page);
    const shown = found.map(({ ip }) => ip);
    const { first, next } = pivotPaging(`${baseUrl}/v3/ip_warmups`, { name: 'address', page, shown });
    const now = clock.now();
    return { items: found.map((warmup) => itemView(warmup, now)), paging: { first, next } };
  }),
  endpoint(contracts.getIpWarmup, async (ctx, { params }) => {
    const warmup = await getWarming(ctx, params.addr);
    const decisions = await listDecisions(ctx.db, ctx.principal.accountId, { ip: warmup.ip, limit: HISTORY_MAX });
    return { details: detailsView(warmup, { decisions, now: ctx.clock.now() }) };
  }),
  endpoint(contracts.startIpWarmup, async (ctx, { params, body }) => {
    await startWarmup(ctx, params.addr, { stages: body.stages, target: body.target_volume });
    return { message: 'success' };
  }),
  endpoint(contracts.stopIpWarmup, async (ctx, { params }) => {
    await stopWarmup(ctx, params.addr);
    return { message: 'success' };
  }),
  endpoint(contracts.listWarmupPlans, async (ctx, { query }) => {
    const { items, total } = await listWarmups(ctx.db, ctx.principal.accountId, query);
    const now = ctx.clock.now();
    const verdicts = await verdictsOf(
      ctx,
      items.map(({ ip }) => ip),
    );
    return {
      ...countedPaging(`${ctx.baseUrl}/v1/galley/ip_warmups`, query, total),
      items: items.map((warmup) => planView(warmup, { verdicts: verdicts.get(warmup.ip) ?? [], now })),
    };
  }),
  endpoint(contracts.listWarmupDecisions, async (ctx, { params }) => {
    const { ip } = await getWarmup(ctx, params.addr);
    const found = await listDecisions(ctx.db, ctx.principal.accountId, { ip, limit: DECISIONS_MAX });
    return { items: found.map(decisionView) };
  }),
  endpoint(contracts.changeWarmupPlan, async (ctx, { params, body }) => {
    const now = ctx.clock.now();
    const warmup = await changePlan(ctx, params.addr, { stages: body.stages, now });
    const verdicts = (await verdictsOf(ctx, [warmup.ip])).get(warmup.ip) ?? [];
    return planView(warmup, { verdicts, now });
  }),
  endpoint(contracts.proposeWarmupPlan, async ({ clock }, { query }) => {
    const stages = planTo(query.target_volume);
    const { name, publisher, url, readOn } = PUBLISHED_SCHEDULE;
    return {
      stages,
      earliest_at: new Date(clock.now().getTime() + stages.length * STAGE_MS).toISOString(),
      source: { name, publisher, url, read_on: readOn },
    };
  }),
];

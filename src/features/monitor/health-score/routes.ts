import { COMPONENTS } from '../../../engines/sending-health/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { groupedHealth, totalHealth } from './actions.ts';
import { chosen, ordered } from './choice.ts';
import * as contracts from './contract.ts';
import { healthView, placementView } from './view.ts';

export const endpoints = [
  endpoint(contracts.getTotal, async (ctx, { query }) => {
    const { health, placement, delivered, window, isBound } = await totalHealth(ctx, query);
    const range = { start: window.from.toISOString(), end: window.to.toISOString() };
    const score = healthView(health, delivered);
    return { ...score, placement: placementView(placement), ...range, is_bound: isBound };
  }),
  endpoint(contracts.listGroups, async (ctx, { query }) => {
    const { group, sort, skip, limit } = query;
    const { groups, isBound } = await groupedHealth(ctx, { ...query, minimumSent: query.minimum_sent });
    const terms = [query.term ?? [], query['term[]'] ?? []].flat();
    const found = ordered(chosen(groups, { group, terms, query: query.query }), sort);
    return {
      ...countedPaging(`${ctx.baseUrl}/v1/health-score/grouped`, query, found.length),
      items: found.slice(skip, skip + limit).map((one) => ({
        group_key: one.key,
        ...(one.accountId !== undefined && { account_id: one.accountId }),
        ...healthView(one, one.delivered),
      })),
      is_bound: isBound,
    };
  }),
  endpoint(contracts.getFormula, async () => ({
    formula: 'score = 100 − Σ weight × min(1, max(0, (rate − starts_at) / (full_at − starts_at)))',
    components: COMPONENTS.map(({ name, about, weight, startsAt, fullAt, limit, sources }) => ({
      name,
      about,
      weight,
      starts_at: startsAt,
      full_at: fullAt,
      limit,
      sources: sources.map(({ asOf, ...source }) => ({ ...source, as_of: asOf })),
    })),
  })),
];

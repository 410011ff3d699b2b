import { endpoint } from '../../../platform/feature/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { aggregateOfDomain, domainStats, filterIn, groupedBy, statsByDomain, statsOf } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [
  endpoint(contracts.getAccountStats, (ctx, { query }) => statsOf(ctx, query, { where: [] })),
  endpoint(contracts.getDomainStats, async (ctx, { params, query }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.domain);
    return domainStats(ctx, name, query);
  }),
  endpoint(contracts.listDomainStats, (ctx, { query }) => statsByDomain(ctx, query)),
  endpoint(contracts.listFilteredStats, (ctx, { query: { filter, group, ...asked } }) => {
    const { query, isTotal } = groupedBy(asked, group);
    return statsOf(ctx, query, { where: filterIn(filter), isTotal });
  }),
  endpoint(contracts.AGGREGATES.providers, async (ctx, { params }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.domain);
    return { providers: await aggregateOfDomain(ctx, 'recipient_provider', name) };
  }),
  endpoint(contracts.AGGREGATES.devices, async (ctx, { params }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.domain);
    return { devices: await aggregateOfDomain(ctx, 'device', name) };
  }),
  endpoint(contracts.AGGREGATES.countries, async (ctx, { params }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.domain);
    return { countries: await aggregateOfDomain(ctx, 'country', name) };
  }),
];

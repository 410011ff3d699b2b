import { endpoint } from '../../../platform/feature/index.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import * as hbl from './hbl-contract.ts';
import { listTargets } from './store.ts';
import { assetView, domainEventView, domainView, hblEventView, hblView, listedOf } from './views.ts';
import { getDomainTarget } from './watch.ts';
import { invalid } from '../../../platform/errors/index.ts';

const DOMAINS_MAX = 10_000;
const ALL_KINDS = ['ip4', 'ip6', 'domain', 'email'] as const;

const needsType = (entity: string | undefined, type: string | undefined): void => {
  if (entity !== undefined && type === undefined) throw invalid('hbl_type', 'is required where entity is given.');
};

const domainEndpoints = [
  endpoint(contracts.listMonitoredDomains, async (ctx, { query }) => {
    const accounts = await actions.accountsOf(ctx, query.include_subaccounts);
    const targets = await listTargets(ctx.db, accounts, { kinds: ['domain'], limit: DOMAINS_MAX });
    const domains = await actions.withListings(ctx, targets);
    return { domains: domains.map(({ target, listings }) => domainView(ctx, target, listings)) };
  }),
  endpoint(contracts.listDomainEvents, async (ctx, { query }) => {
    const { include_subaccounts: isIncluding, event_id: pivot, page, limit } = query;
    const { events, paging } = await actions.pageOfEvents(ctx, await actions.accountsOf(ctx, isIncluding), {
      filter: { kinds: ['domain'] },
      page: { page, limit, pivot },
      path: '/v1/monitoring/domains/events',
      ...(isIncluding && { conditions: { include_subaccounts: true } }),
    });
    return { events: events.map(domainEventView), paging };
  }),
  endpoint(contracts.listBlocklistsOfDomain, async (ctx, { params }) => {
    const target = await getDomainTarget(ctx.db, ctx.principal.accountId, params.domain);
    const [domain] = await actions.withListings(ctx, [target]);
    return { blocklists: listedOf(ctx, domain!.listings) };
  }),
  endpoint(contracts.listEventsOfDomain, async (ctx, { params, query }) => {
    const { event_id: pivot, page, limit } = query;
    const { name } = await getDomainTarget(ctx.db, ctx.principal.accountId, params.domain);
    const { events, paging } = await actions.pageOfEvents(ctx, [ctx.principal.accountId], {
      filter: { kinds: ['domain'], name },
      page: { page, limit, pivot },
      path: `/v1/monitoring/domains/${name}/events`,
    });
    return { events: events.map(domainEventView), paging };
  }),
];

const hblEndpoints = [
  endpoint(hbl.listHbls, async (ctx, { query }) => {
    const { include_subaccounts: isIncluding, entity_id: pivot, page, limit, domain, hbl_type: type, entity } = query;
    needsType(entity, type);
    const { items, paging } = await actions.pageOfWatched(ctx, await actions.accountsOf(ctx, isIncluding), {
      filter: { kinds: ['email'], parent: domain?.toLowerCase(), name: entity?.toLowerCase() },
      page: { page, limit, pivot },
      path: '/v1/monitoring/hbls',
      name: 'entity_id',
      conditions: { domain, hbl_type: type, entity, ...(isIncluding && { include_subaccounts: true }) },
    });
    return { items: items.map(({ target, listings }) => hblView(ctx, target, listings)), paging };
  }),
  endpoint(hbl.addHbl, (ctx, { body }) => actions.addHbl(ctx, ctx.principal.accountId, body)),
  endpoint(hbl.deleteHbl, (ctx, { body }) => actions.deleteHbl(ctx, ctx.principal.accountId, body)),
  endpoint(hbl.listHblEvents, async (ctx, { query }) => {
    const { include_subaccounts: isIncluding, event_id: pivot, page, limit, domain, hbl_type: type, entity } = query;
    needsType(entity, type);
    const days = actions.readDays(ctx.clock.now(), query);
    const { events, paging } = await actions.pageOfEvents(ctx, await actions.accountsOf(ctx, isIncluding), {
      filter: { kinds: ['email'], parent: domain?.toLowerCase(), name: entity?.toLowerCase(), ...days },
      page: { page, limit, pivot },
      path: '/v1/monitoring/hbls/events',
      conditions: {
        domain,
        hbl_type: type,
        entity,
        start: query.start,
        end: query.end,
        ...(isIncluding && { include_subaccounts: true }),
      },
    });
    return { events: events.map(hblEventView), paging };
  }),
];

export const endpoints = [
  ...domainEndpoints,
  ...hblEndpoints,
  endpoint(contracts.listBlocklists, (ctx) => actions.showCatalog(ctx)),
  endpoint(contracts.listAssets, async (ctx, { query }) => {
    const { asset_id: pivot, page, limit } = query;
    const { items, paging } = await actions.pageOfWatched(ctx, [ctx.principal.accountId], {
      filter: { kinds: ALL_KINDS },
      page: { page, limit, pivot },
      path: '/v1/galley/blocklists/assets',
      name: 'asset_id',
    });
    return { items: items.map(({ target, listings }) => assetView(ctx, target, listings)), paging };
  }),
  endpoint(contracts.checkNow, (ctx, { body }) => actions.checkNow(ctx, ctx.principal.accountId, body.asset)),
  endpoint(contracts.noteListing, (ctx, { params, body }) =>
    actions.noteListing(ctx, ctx.principal.accountId, {
      id: params.id,
      requested: body.delist_requested,
      comment: body.comment,
    }),
  ),
];

import { readIp, type Asset } from '../../../engines/blocklists/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { pivotPaging } from '../../../platform/paging/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { admitWatched, askedLists, listingsOf, pageOfEvents, unwatch, watch } from '../blocklists/index.ts';
import * as contracts from './contract.ts';
import * as store from './store.ts';

const KINDS = ['ip4', 'ip6'] as const;
/** As many as an account may watch by any setting. */
const LISTED_MAX = 100_000;

async function views(doors: Pick<Outside, 'db' | 'config'>, accountId: string, ips: readonly store.MonitoredIp[]) {
  const name = ips.length === 1 ? ips[0]!.ip : undefined;
  const listings = await listingsOf(doors, [accountId], {
    kinds: KINDS,
    limit: LISTED_MAX,
    ...(name !== undefined && { name }),
  });
  return ips.map(({ ip, ipPool, description }) => {
    const listed = listings.get(ip) ?? [];
    return {
      ip,
      ip_pool: ipPool,
      description,
      state: listed.length ? ('listed' as const) : ('healthy' as const),
      listed,
    };
  });
}

/** Throws `invalid_request`. */
function readAddress(given: unknown): Asset {
  if (given === undefined || given === '') throw invalid('ip', 'is required, such as 192.0.2.1.');
  const asset = typeof given === 'string' ? readIp(given) : undefined;
  if (!asset)
    throw invalid(
      'ip',
      `"${String(given).slice(0, 60)}" is not a public IP address; give one such as 192.0.2.1 or 2001:db8::1. ` +
        'Addresses of private networks are on no list.',
    );
  return asset;
}

/** Throws `not_found`. */
async function getIp({ db, principal }: Pick<Context, 'db' | 'principal'>, given: string): Promise<store.MonitoredIp> {
  const asset = readIp(given);
  const found = asset && (await store.findIp(db, principal.accountId, asset.name));
  if (!found) throw new AppError('not_found', `The IP address ${given} is not monitored.`);
  return found;
}

const ipEndpoints = [
  endpoint(contracts.listIps, async (ctx, { query }) => {
    const { page, limit, ip: given } = query;
    const wanted = { page, limit, pivot: given };
    const ips = await store.listIps(ctx.db, ctx.principal.accountId, wanted);
    const paging = pivotPaging(`${ctx.baseUrl}/v1/optimize/ip_addresses`, {
      name: 'ip',
      page: wanted,
      shown: ips.map(({ ip }) => ip),
    });
    return { items: await views(ctx, ctx.principal.accountId, ips), paging };
  }),
  endpoint(contracts.addIp, async (ctx, { body }) => {
    const { accountId } = ctx.principal;
    const { kind, name: ip } = readAddress(body.ip);
    await admitWatched(ctx, accountId);
    const row = {
      accountId,
      ip,
      ipPool: body.ip_pool ?? '',
      description: body.description ?? '',
      createdAt: ctx.clock.now(),
    };
    await ctx.db.tx(async (tx) => {
      if (!(await store.insertIp(tx, row))) throw invalid('ip', `${ip} is monitored already.`);
      await watch(ctx, tx, { accountId, kind, name: ip });
    });
    ctx.jobs.wake();
    const [view] = await views(ctx, accountId, [row]);
    return view!;
  }),
  endpoint(contracts.getIp, async (ctx, { params }) => {
    const [view] = await views(ctx, ctx.principal.accountId, [await getIp(ctx, params.ip)]);
    return view!;
  }),
  endpoint(contracts.updateIp, async (ctx, { params, body }) => {
    const found = await getIp(ctx, params.ip);
    const change = {
      ...(body.ip_pool !== undefined && { ipPool: body.ip_pool }),
      ...(body.description !== undefined && { description: body.description }),
    };
    if (Object.keys(change).length > 0) await store.saveIp(ctx.db, found, change);
    const [view] = await views(ctx, ctx.principal.accountId, [{ ...found, ...change }]);
    return view!;
  }),
  endpoint(contracts.deleteIp, async (ctx, { params }) => {
    const { accountId, ip } = await getIp(ctx, params.ip);
    await ctx.db.tx(async (tx) => {
      await store.deleteIp(tx, accountId, ip);
      await unwatch({ db: tx }, accountId, { kind: readAddress(ip).kind, name: ip });
    });
    return { message: `${ip} has been removed from monitoring` };
  }),
];

export const endpoints = [
  ...ipEndpoints,
  endpoint(contracts.listIpEvents, async (ctx, { query }) => {
    const { page, limit, event_id: pivot, ip, blocklist, event, timerangeStart, timerangeEnd } = query;
    const filter = {
      kinds: KINDS,
      name: ip === undefined ? undefined : readAddress(ip).name,
      zone: blocklist?.toLowerCase(),
      event: event === undefined ? undefined : event === 'ip_listed' ? ('listed' as const) : ('delisted' as const),
      from: readTime('timerangeStart', timerangeStart),
      to: readTime('timerangeEnd', timerangeEnd),
    };
    const { events, paging } = await pageOfEvents(ctx, [ctx.principal.accountId], {
      filter,
      page: { page, limit, pivot },
      path: '/v1/blocklist-monitoring/events',
      conditions: { ip, blocklist, event, timerangeStart, timerangeEnd },
    });
    const pools = await store.poolsOf(ctx.db, ctx.principal.accountId, [...new Set(events.map(({ name }) => name))]);
    return {
      items: events.map((row) => ({
        id: String(row.id),
        ip: row.name,
        ip_pool: pools.get(row.name) ?? '',
        timestamp: row.at.toISOString(),
        event: `ip_${row.event}` as const,
        blocklist: row.zone,
        name: row.listName,
        reason: row.reason,
      })),
      paging,
    };
  }),
  endpoint(contracts.listIpBlocklists, async (ctx) => ({
    items: askedLists(ctx)
      .filter(({ kinds, purpose }) => purpose !== 'allow' && KINDS.some((kind) => kinds.includes(kind)))
      .map(({ zone, name }) => ({ blocklist: zone, name })),
  })),
];

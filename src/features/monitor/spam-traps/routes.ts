import { TYPOS_DATE } from '../../../engines/typo-domains/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { countedPaging, skipPaging } from '../../../platform/paging/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import { COUNT_FIELDS, daysOf, groupsOf, sortedBy, sumOf, type Day } from './days.ts';
import { feedEndpoints } from './feeds-routes.ts';
import { findTypos } from './findings.ts';
import { findRecycled } from './refusals.ts';
import * as store from './store.ts';
import { hitView, recycledView, trapView, watchView } from './view.ts';

type Several = string | string[] | undefined;
const listed = (given: Several): string[] => (given === undefined ? [] : [given].flat());

function pageOf<Item>(items: readonly Item[], { skip, limit }: { skip: number; limit: number }): Item[] {
  return items.slice(skip, skip + limit);
}

/** `v2` names dimensions in its own words. */
const DIMENSIONS: Readonly<Record<string, store.HitDimension>> = {
  timestamp: 'day',
  domain_name: 'domain',
  ip: 'ip',
  sender: 'sender',
  from: 'from',
  tags: 'tags',
  subaccount: 'subaccount',
};

function sortOf(sort: string | undefined, dimension: string): { field: string; isDescending: boolean } {
  const [field = '', direction = 'asc', ...rest] = (sort ?? dimension).split(':');
  const fields: string[] = [dimension, ...COUNT_FIELDS];
  if (!fields.includes(field) || !['asc', 'desc'].includes(direction) || rest.length > 0)
    throw invalid('sort', `must be one of ${fields.join(', ')}, with :asc or :desc.`);
  return { field, isDescending: direction === 'desc' };
}

/** Hits that a query asks for. Throws `invalid_request` when they are too many to tell apart. */
async function countsOf(
  { db }: Pick<Context, 'db'>,
  ...asked: [store.HitFilter, Parameters<typeof store.countHits>[2]]
) {
  const { counts, isBound } = await store.countHits(db, ...asked);
  if (isBound) throw invalid('start', 'spans too many groups to tell apart; ask for a shorter time, or filter.');
  return counts;
}

async function accountsOf({ db, principal }: Pick<Context, 'db' | 'principal'>, isWithParts: boolean) {
  const own = [principal.accountId];
  return isWithParts ? [...own, ...(await listSubaccountIds(db, principal.accountId))] : own;
}

export const endpoints = [
  ...feedEndpoints,
  endpoint(contracts.countTraps, async (ctx, { query }) => {
    const { groupby, sortby } = query;
    const filter = {
      accountIds: [ctx.principal.accountId],
      ...actions.wholeDays(query, ctx.clock.now()),
      domains: listed(query.domain),
      subjects: listed(query.subject),
      ips: listed(query.ip),
      froms: listed(query.from),
    };
    const counts = await countsOf(ctx, filter, { by: groupby ?? 'none', isDaily: true });
    const days = daysOf(counts);
    const items: (Day | Record<string, Day[]>)[] = groupby
      ? groupsOf(counts, sortby === 'totals' ? 'totals' : 'name').map(({ key, days: found }) => ({ [key]: found }))
      : sortby === 'totals'
        ? days.toSorted((one, other) => other.total - one.total)
        : days;
    return { items: pageOf(items, query), paging: skipPaging(`${ctx.baseUrl}/v1/spamtraps`, query, items.length) };
  }),
  endpoint(contracts.countTrapsV2, async (ctx, { query }) => {
    const { dimension } = query;
    const sort = sortOf(query.sort, dimension);
    const filter = {
      accountIds: await accountsOf(ctx, query.include_subaccounts),
      domains: listed(query.domain),
      ...actions.rangeOf(query, { now: ctx.clock.now(), days: 7 }),
      senders: listed(query.sender),
      ips: listed(query.ip),
      froms: listed(query.from),
    };
    const counts = await countsOf(ctx, filter, { by: DIMENSIONS[dimension] as store.HitDimension });
    const values = [...Map.groupBy(counts, ({ key }) => key)].map(([value, found]) => ({
      dimension: dimension as string,
      value,
      ...sumOf(found),
    }));
    const items = sortedBy(values, sort);
    return { items: pageOf(items, query), paging: skipPaging(`${ctx.baseUrl}/v2/spamtraps`, query, items.length) };
  }),
  endpoint(contracts.addTrap, async (ctx, { body }) =>
    trapView(await actions.addTrap(ctx, ctx.principal.accountId, body)),
  ),
  endpoint(contracts.listTraps, async ({ db, principal, baseUrl }, { query }) => {
    const { items, total } = await store.listTraps(db, principal.accountId, query);
    return { ...countedPaging(`${baseUrl}/v1/spamtraps/traps`, query, total), items: items.map(trapView) };
  }),
  endpoint(contracts.removeTrap, async (ctx, { params }) => {
    await actions.removeTrap(ctx, ctx.principal.accountId, params.trap_id);
    return { message: 'The spam trap has been removed.' };
  }),
  endpoint(contracts.listHits, async ({ db, clock, principal, baseUrl }, { query }) => {
    const range = actions.rangeOf(query, { now: clock.now(), days: 30 });
    const { items, total } = await store.listHits(db, principal.accountId, { ...range, page: query });
    return { ...countedPaging(`${baseUrl}/v1/spamtraps/hits`, query, total), items: items.map(hitView) };
  }),
  endpoint(contracts.listFindings, async ({ db, events, clock, principal }, { query }) => {
    const range = actions.rangeOf(query, { now: clock.now(), days: 30 });
    const { findings, isBound } = await findTypos({ events }, { accountId: principal.accountId, ...range });
    const again = await findRecycled({ db }, principal.accountId, range);
    return {
      findings: findings.map(({ lastAt, ...finding }) => ({ ...finding, last_at: lastAt.toISOString() })),
      recycled: again.recycled.map(recycledView),
      watched: again.watched ? watchView(again.watched) : null,
      list_date: TYPOS_DATE,
      is_bound: isBound || again.isBound,
    };
  }),
  endpoint(contracts.getMessage, async (ctx, { params }) => {
    const message = await actions.readMessage(ctx, ctx.principal.accountId, params.hit_id);
    return new HttpReply(message, {
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="spam-trap-${params.hit_id}.eml"`,
      'x-content-type-options': 'nosniff',
    });
  }),
  endpoint(contracts.uploadHits, async (ctx, { body }) => {
    const { file } = body as { file?: unknown };
    const found = await actions.importReport(ctx, ctx.principal.accountId, file);
    return { message: `${found.rows} hits of the report are kept.`, ...found };
  }),
];

import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { EventPredicate } from '../../../platform/event-log/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { readToken, tokensAround, type TokenList } from '../../../platform/paging/index.ts';
import { findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import { DAY_MS, mailDate, readTime } from '../../../platform/times/index.ts';
import { predicateOf, readEvents } from '../events/index.ts';
import type { queryLogs as contract } from './contract.ts';
import { accountsIn, selectionIn } from './filter.ts';
import { EVENTS, METRIC_EVENTS } from './kinds.ts';
import { logView } from './view.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'events' | 'principal' | 'baseUrl'>;
type Body = Static<NonNullable<typeof contract.body>>;

const HOUR_MS = 3_600_000;
const UNITS: Record<string, number> = { h: HOUR_MS, d: DAY_MS, m: 30 * DAY_MS };

/** When a query begins and ends; what moves on with the clock stays where it was for the pages that follow. */
interface Range {
  start: string;
  /** None: up to now, whenever that is. */
  end: string | null;
}

function rangeOf({ start, end, duration }: Body, now: Date): Range {
  const until = readTime('end', end) ?? now;
  const [, count = '1', unit = 'd'] = /^(\d+)([hdm])$/.exec(duration ?? '') ?? [];
  const ago = new Date(until.getTime() - Number(count) * (UNITS[unit] as number));
  const from = (duration ? undefined : readTime('start', start)) ?? ago;
  if (from > until) throw invalid('start', 'must not be later than end.');
  return { start: from.toISOString(), end: end ? until.toISOString() : null };
}

/** What was asked for but for the place: a token of another query is refused. */
function listOf(
  { principal }: Doors,
  { pagination, start: _s, end: _e, duration: _d, include_totals: _t, ...said }: Body,
) {
  const sort = pagination?.sort ?? 'timestamp:desc';
  const hash = createHash('sha256')
    .update(JSON.stringify([sort, said]))
    .digest('base64url');
  return { accountId: principal.accountId, list: `logs ${hash}`, field: 'pagination.token' } satisfies TokenList;
}

async function accountsOf({ db, principal }: Doors, body: Body): Promise<string[]> {
  const own = [principal.accountId];
  const all = body.include_subaccounts ? [...own, ...(await listSubaccountIds(db, principal.accountId))] : own;
  return accountsIn(body.filter?.AND ?? [], all);
}

/** Kinds: those of either list. Undefined: all. */
function kindsOf({ events, metric_events: metrics }: Body): EventPredicate | undefined {
  if (!events?.length && !metrics?.length) return undefined;
  return {
    any: [...(events ?? []).map((name) => EVENTS[name]), ...(metrics ?? []).map((name) => METRIC_EVENTS[name])],
  };
}

/** How many there are, of all kinds and of each. */
async function totalsOf({ events }: Pick<Doors, 'events'>, query: Parameters<Doors['events']['count']>[0]) {
  const [total, kinds] = [await events.count(query), await events.aggregate(query)];
  const metrics: Record<string, number> = {};
  const add = (name: string, count: number): void => void (metrics[name] = (metrics[name] ?? 0) + count);
  for (const { event, severity, count } of kinds) {
    add(`${event}_count`, count);
    if (severity !== null) add(`${severity}_failed_count`, count);
  }
  return {
    total: { total: total.count, total_is_bound: total.isBound },
    aggregates: { all: total.count, metrics },
  };
}

/** A page of logs. Throws `invalid_request` naming the field. */
export async function queryLogs(doors: Doors, body: Body) {
  const now = doors.clock.now();
  const list = listOf(doors, body);
  const token = body.pagination?.token;
  const { place, conditions: range } = token
    ? readToken<Range>(doors.secrets, list, token)
    : { place: { page: 'first' as const }, conditions: rangeOf(body, now) };
  const [from, to] = [new Date(range.start), range.end === null ? now : new Date(range.end)];
  const accountIds = await accountsOf(doors, body);
  const asked = await predicateOf(doors, selectionIn(body.filter?.AND ?? []), { accountIds, before: to });
  const kinds = kindsOf(body);
  const query = { accountIds, from, to, where: { all: [...(kinds ? [kinds] : []), asked] } };
  const isAscending = body.pagination?.sort === 'timestamp:asc';
  const { events, messages, shown } = await readEvents(doors, place, {
    ...query,
    order: isAscending ? 'ascending' : 'descending',
    limit: body.pagination?.limit ?? 100,
  });
  const { principal, baseUrl, config } = doors;
  const parentId = (await findAccount(doors.db, principal.accountId))?.parentId ?? null;
  const placeOf = (accountId: string) => ({
    baseUrl,
    region: config.region,
    parentId: accountId === principal.accountId ? parentId : principal.accountId,
  });
  const totals = body.include_totals ? await totalsOf(doors, query) : undefined;
  return {
    start: mailDate(from),
    end: mailDate(to),
    items: events.map((event) => logView(event, messages.get(event.messageId ?? ''), placeOf(event.accountId))),
    pagination: { ...tokensAround(doors.secrets, list, { place, shown, conditions: range }), ...totals?.total },
    ...(totals && { aggregates: totals.aggregates }),
  };
}

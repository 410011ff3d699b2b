// Events counted in groups, a day at a statement.
import { anyOf, sql, type Db, type RawBuilder } from '../db/index.ts';
import { DAY_MS } from '../times/index.ts';
import { EVENT_KINDS, nameOfEvent, nameOfSeverity } from './kinds.ts';
import { conditionOf } from './predicates.ts';
import { FOLLOWS_DAYS, type Tally, type TallyDimension, type TallyQuery, type TallyRow } from './types.ts';

/** More are not told apart. */
const GROUPS_MAX = 20_000;
const FAILED = EVENT_KINDS.indexOf('failed');
const DELIVERED = EVENT_KINDS.indexOf('delivered');

type Row = Record<TallyDimension, string> & {
  event: number;
  severity: number | null;
  reason: string | null;
  code: number | null;
  enhancedCode: string | null;
  bounceType: string | null;
  isMatch: boolean;
  count: number;
};

const NOTHING = sql`''`;
const inEnvelope = (about: RawBuilder<unknown>, field: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(${about} -> 'envelope' ->> ${field}, '')`;

/** What the envelope of the delivery said, for what followed; an index finds it by the recipient. */
const ofDelivery = (field: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when events.message_id is null then '' else coalesce((
    select ${inEnvelope(sql.ref('before.about'), field)}
    from events before
    where before.account_id = events.account_id and before.recipient = events.recipient
      and before.at <= events.at and before.at > events.at - ${`${FOLLOWS_DAYS} days`}::interval
      and before.event = ${DELIVERED} and before.message_id = events.message_id
    order by before.at desc
    limit 1
  ), '') end
`;

/** A field of the envelope: of the event where it has an address, else of the delivery. */
const envelopeField = (field: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when events.about -> 'envelope' ? 'sending-ip' then ${inEnvelope(sql.ref('events.about'), field)}
    when events.event = ${EVENT_KINDS.indexOf('accepted')} then ''
    else ${ofDelivery(field)} end
`;

const sendingIp = envelopeField(sql`'sending-ip'`);
const ipPool = envelopeField(sql`'i-ip-pool-id'`);

/** The dimensions as columns; what is not asked for is the same for all. */
function columnsOf(by: readonly TallyDimension[]): RawBuilder<unknown> {
  const asked = (name: TallyDimension, column: RawBuilder<unknown>): RawBuilder<unknown> =>
    by.includes(name) ? column : NOTHING;
  return sql`
    ${asked('account', sql.ref('events.account_id'))} as account,
    ${asked('domain', sql.ref('events.domain'))} as domain,
    ${asked('provider', sql.ref('events.provider'))} as provider
  `;
}

/** Whether what the receiver said matches. */
const matching = ({ replyPattern }: TallyQuery): RawBuilder<unknown> =>
  replyPattern === undefined
    ? sql`false`
    : sql`event = ${FAILED} and coalesce(about -> 'delivery-status' ->> 'message' ~* ${replyPattern}, false)`;

interface Day {
  query: TallyQuery;
  from: Date;
  to: Date;
  max: number;
}

const conditionsOf = ({ query, from, to }: Day): RawBuilder<unknown> => sql`
  account_id = ${anyOf(query.accountIds)} and at >= ${from} and at < ${to}
  and ${query.where ? conditionOf(query.where) : sql`true`}
`;

/** What an index alone answers: all but those that failed. */
const plainOf = (day: Day): RawBuilder<Row> => sql<Row>`
  select account, domain, provider, '' as sending_ip, '' as ip_pool, event, severity, null::text as reason,
    null::int as code, null::text as enhanced_code, null::text as bounce_type, false as is_match, count(*)::int as count
  from (
    select ${columnsOf(day.query.by)}, event, severity
    from events
    where ${conditionsOf(day)} and event <> ${FAILED}
    limit ${day.max}
  ) found
  group by account, domain, provider, event, severity
  limit ${GROUPS_MAX}
`;

/** What stands in rows: an index says which, then they are read. */
const readOf = (day: Day, { isByIp, isByPool }: { isByIp: boolean; isByPool: boolean }): RawBuilder<Row> => sql<Row>`
  with page as materialized (
    select at, id
    from events
    where ${conditionsOf(day)} and ${isByIp || isByPool ? sql`true` : sql`event = ${FAILED}`}
    limit ${day.max}
  )
  select account, domain, provider, sending_ip, ip_pool, event, severity, reason, code, enhanced_code, bounce_type,
    is_match, count(*)::int as count
  from (
    select ${columnsOf(day.query.by)}, ${isByIp ? sendingIp : NOTHING} as sending_ip,
      ${isByPool ? ipPool : NOTHING} as ip_pool, event, severity,
      case when event = ${FAILED} then reason end as reason,
      case when event = ${FAILED} then code end as code,
      case when event = ${FAILED} then about -> 'delivery-status' ->> 'enhanced-code' end as enhanced_code,
      case when event = ${FAILED} then about -> 'delivery-status' ->> 'bounce-type' end as bounce_type,
      ${matching(day.query)} as is_match
    from page
    join events on events.at = page.at and events.id = page.id
  ) found
  group by account, domain, provider, sending_ip, ip_pool, event, severity, reason, code, enhanced_code, bounce_type,
    is_match
  limit ${GROUPS_MAX}
`;

function shown(row: Row, by: readonly TallyDimension[], day: string): TallyRow {
  const { event, severity, reason, code, enhancedCode, bounceType, isMatch, count } = row;
  const group = Object.fromEntries(by.map((name) => [name, name === 'day' ? day : row[name]]));
  return {
    group,
    event: nameOfEvent(event),
    severity: nameOfSeverity(severity),
    reason,
    code,
    enhancedCode,
    bounceType,
    isMatch,
    count,
  };
}

/** Rows of the same group and kind become one. */
function joined(rows: readonly TallyRow[]): TallyRow[] {
  const found = new Map<string, TallyRow>();
  for (const { count, ...row } of rows) {
    const key = JSON.stringify(row);
    const before = found.get(key)?.count ?? 0;
    found.set(key, { ...row, count: before + count });
  }
  return [...found.values()];
}

/** Counts a day at a statement, each up to `max` events. */
export async function tally(db: Db, query: TallyQuery, max: number): Promise<Tally> {
  const { by, from, to } = query;
  const isByIp = by.includes('sendingIp');
  const isByPool = by.includes('ipPool');
  const rows: TallyRow[] = [];
  let isBound = false;
  for (let start = from.getTime(); start < to.getTime();) {
    const next = (Math.floor(start / DAY_MS) + 1) * DAY_MS;
    const day = { query, from: new Date(start), to: new Date(Math.min(next, to.getTime())), max };
    const read = await db.rows(readOf(day, { isByIp, isByPool }));
    const plain = isByIp || isByPool ? [] : await db.rows(plainOf(day));
    for (const part of [read, plain])
      isBound ||= part.length >= GROUPS_MAX || part.reduce((sum, { count }) => sum + count, 0) >= max;
    const date = day.from.toISOString().slice(0, 10);
    rows.push(...[...read, ...plain].map((row) => shown(row, by, date)));
    start = next;
  }
  return { rows: joined(rows), isBound };
}

// Events counted in groups, as ClickHouse answers it: by one statement.
import { EVENT_KINDS, nameOfEvent, nameOfSeverity } from '../kinds.ts';
import { FOLLOWS_DAYS, type Tally, type TallyDimension, type TallyQuery, type TallyRow } from '../types.ts';
import { matching } from './read.ts';
import type { ClickHouse } from './server.ts';
import { ch, moment, plain, text, texts, whole, type Fragment } from './statements.ts';
import { daysAfter } from '../../times/index.ts';

/** More are not told apart. */
const GROUPS_MAX = 100_000;
const FAILED = EVENT_KINDS.indexOf('failed');
const DELIVERED = EVENT_KINDS.indexOf('delivered');
const ACCEPTED = EVENT_KINDS.indexOf('accepted');

/** Named otherwise than columns: a name would stand for itself in what follows it. */
interface Row extends Pick<TallyRow, 'enhancedCode' | 'bounceType'> {
  account: string;
  day: string;
  ofDomain: string;
  ofProvider: string;
  sendingIp: string;
  ipPool: string;
  kind: number;
  degree: number | null;
  why: string | null;
  number: number | null;
  /** A condition is a number. */
  isMatch: 0 | 1 | boolean;
  count: string;
}

const ABOUT = plain(`ifNull(events.about, '')`);
const inEnvelope = (about: Fragment, field: string): Fragment =>
  ch`JSONExtractString(${about}, 'envelope', ${text(field)})`;
const ofReply = (field: string): Fragment =>
  ch`if(events.event = ${whole(FAILED)},
    JSONExtract(${ABOUT}, 'delivery-status', ${text(field)}, 'Nullable(String)'), null)`;

/** A field of the envelope: of the event where it has an address, else of the delivery before it. */
const ofEnvelope = (field: string): Fragment => ch`
  multiIf(JSONHas(${ABOUT}, 'envelope', 'sending-ip'), ${inEnvelope(ABOUT, field)},
    events.event = ${whole(ACCEPTED)}, '',
    delivery.at > events.at - toIntervalDay(${plain(String(FOLLOWS_DAYS))}),
      ${inEnvelope(plain('delivery.about'), field)}, '')`;

const COLUMNS: Readonly<Record<TallyDimension, Fragment>> = {
  account: plain('events.account_id'),
  day: plain('toString(toDate(events.at))'),
  domain: plain('events.domain'),
  provider: plain('events.provider'),
  sendingIp: ofEnvelope('sending-ip'),
  ipPool: ofEnvelope('i-ip-pool-id'),
};

/** The last delivery of the same message to the same recipient before each event. */
const deliveries = ({ accountIds, from, to }: TallyQuery): Fragment => ch`
  asof left join (
    select at, account_id, recipient, message_id, ifNull(about, '') as about
    from events
    where account_id in ${texts(accountIds)} and at >= ${moment(daysAfter(from, -FOLLOWS_DAYS))} and at < ${moment(to)}
      and event = ${whole(DELIVERED)} and message_id is not null
  ) delivery on delivery.account_id = events.account_id and delivery.recipient = events.recipient
    and delivery.message_id = events.message_id and delivery.at <= events.at`;

/** A pattern of PostgreSQL's: the ends of words are written otherwise here. */
const patternOf = (pattern: string): string => `(?i)(?:${pattern.replaceAll(/\\[mMy]/g, String.raw`\b`)})`;

const matched = ({ replyPattern }: TallyQuery): Fragment =>
  replyPattern === undefined
    ? plain('false')
    : ch`events.event = ${whole(FAILED)} and
        match(JSONExtractString(${ABOUT}, 'delivery-status', 'message'), ${text(patternOf(replyPattern))})`;

function shown(row: Row, by: readonly TallyDimension[]): TallyRow {
  const { kind, degree, why, number, enhancedCode, bounceType, isMatch, count } = row;
  const groups = { ...row, domain: row.ofDomain, provider: row.ofProvider };
  return {
    group: Object.fromEntries(by.map((name) => [name, groups[name]])),
    event: nameOfEvent(kind),
    severity: nameOfSeverity(degree),
    reason: why,
    code: number,
    enhancedCode,
    bounceType,
    isMatch: Boolean(isMatch),
    count: Number(count),
  };
}

/** Counts in groups; not bound but by the number of groups, and by the time of a statement. */
export async function tally(server: ClickHouse, query: TallyQuery): Promise<Tally> {
  const { by, accountIds } = query;
  if (accountIds.length === 0) return { rows: [], isBound: false };
  const asked = (name: TallyDimension): Fragment => (by.includes(name) ? COLUMNS[name] : plain(`''`));
  const found = await server.rows<Row>(ch`
    select ${asked('account')} as "account", ${asked('day')} as "day", ${asked('domain')} as "ofDomain",
      ${asked('provider')} as "ofProvider", ${asked('sendingIp')} as "sendingIp", ${asked('ipPool')} as "ipPool",
      events.event as "kind", events.severity as "degree",
      if(events.event = ${whole(FAILED)}, events.reason, null) as "why",
      if(events.event = ${whole(FAILED)}, events.code, null) as "number",
      ${ofReply('enhanced-code')} as "enhancedCode", ${ofReply('bounce-type')} as "bounceType",
      ${matched(query)} as "isMatch", count() as "count"
    from events
    ${by.includes('sendingIp') || by.includes('ipPool') ? deliveries(query) : plain('')}
    where ${matching(query)}
    group by all
    limit ${whole(GROUPS_MAX)}`);
  return { rows: found.map((row) => shown(row, by)), isBound: found.length >= GROUPS_MAX };
}

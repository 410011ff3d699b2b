// Pages, events by their places, and counts, as ClickHouse answers them.
import { nameOfEvent, nameOfSeverity, type EventKind, type Severity } from '../kinds.ts';
import type { EventFilter, LoggedEvent, PageQuery, Position } from '../types.ts';
import { conditionOf } from './predicates.ts';
import type { ClickHouse } from './server.ts';
import { ch, joined, moment, plain, texts, whole, type Fragment } from './statements.ts';

/** What is asked of the rows. */
export const matching = ({ accountIds, from, to, where }: EventFilter): Fragment => ch`
  events.account_id in ${texts(accountIds)} and events.at >= ${moment(from)} and events.at < ${moment(to)}
  and ${where ? conditionOf(where) : plain('true')}`;

const COLUMNS = plain(`toUnixTimestamp64Milli(events.at) as moment, events.id as id, events.account_id as "accountId",
  events.event as event, events.severity as severity, events.reason as reason, events.domain as domain,
  events.recipient as recipient, events.recipient_domain as "recipientDomain", events.provider as provider,
  events.message_id as "messageId", events.position as position, events.attempt as attempt, events.code as code,
  events.about as about`);

type Row = Omit<LoggedEvent, 'at' | 'event' | 'severity' | 'about'> & {
  moment: string;
  event: number;
  severity: number | null;
  about: string | null;
};

function eventOf({ moment: at, event, severity, about, ...row }: Row): LoggedEvent {
  return {
    ...row,
    at: new Date(Number(at)),
    event: nameOfEvent(event),
    severity: nameOfSeverity(severity),
    about: about === null ? null : (JSON.parse(about) as LoggedEvent['about']),
  };
}

function behind(order: PageQuery['order'], after: Position | undefined): Fragment {
  if (!after) return plain('true');
  const place = ch`(${moment(after.at)}, ${whole(after.id)})`;
  return order === 'descending' ? ch`(events.at, events.id) < ${place}` : ch`(events.at, events.id) > ${place}`;
}

/** The events of a page. */
export async function readPage(server: ClickHouse, query: PageQuery): Promise<LoggedEvent[]> {
  const { order, after, limit } = query;
  if (query.accountIds.length === 0) return [];
  const direction = order === 'descending' ? 'events.at desc, events.id desc' : 'events.at, events.id';
  const found = await server.rows<Row>(ch`
    select ${COLUMNS}
    from events
    where ${matching(query)} and ${behind(order, after)}
    order by ${plain(direction)}
    limit ${whole(limit)}`);
  return found.map(eventOf);
}

/** These events of an account, as far as they are there. */
export async function readPlaces(
  server: ClickHouse,
  accountId: string,
  places: readonly Position[],
): Promise<LoggedEvent[]> {
  if (places.length === 0) return [];
  const listed = places.map(({ at, id }) => ch`(${moment(at)}, ${whole(id)})`);
  const found = await server.rows<Row>(ch`
    select ${COLUMNS}
    from events
    where events.account_id in ${texts([accountId])} and (events.at, events.id) in (${joined(listed, ', ')})`);
  return found.map(eventOf);
}

/** How many there are of each kind, counted up to `max`. */
export async function countKinds(
  server: ClickHouse,
  filter: EventFilter,
  max: number,
): Promise<{ event: EventKind; severity: Severity | null; count: number }[]> {
  if (filter.accountIds.length === 0) return [];
  const found = await server.rows<{ event: number; severity: number | null; count: string }>(ch`
    select event, severity, count() as count
    from (select event, severity from events where ${matching(filter)} limit ${whole(max)}) found
    group by event, severity`);
  return found.map(({ event, severity, count }) => ({
    event: nameOfEvent(event),
    severity: nameOfSeverity(severity),
    count: Number(count),
  }));
}

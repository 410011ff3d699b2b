// Events that are in no sum yet: taken once each, with what sums tell apart.
import { sql, type Sql } from '../db/index.ts';
import { EVENT_KINDS, nameOfEvent, nameOfSeverity, type EventKind } from './kinds.ts';
import { FOLLOWS_DAYS, type UncountedEvent } from './types.ts';

/** Rows of writes that are looked at; one holds a thousand events at most. */
const WRITES_AT_ONCE = 500;
/** More of a reply says nothing new. */
const REPLY_LENGTH_MAX = 1000;

const places = (kinds: readonly EventKind[]): number[] => kinds.map((kind) => EVENT_KINDS.indexOf(kind));
const DELIVERED = EVENT_KINDS.indexOf('delivered');
const FAILED = EVENT_KINDS.indexOf('failed');
/** What follows a delivery, and says nothing of its way itself. */
const FOLLOWING = places(['opened', 'clicked', 'unsubscribed', 'complained']);

type Row = Omit<UncountedEvent, 'event' | 'severity'> & { event: number; severity: number | null };

/** As {@link EventLog.takeUncounted}. */
export async function takeUncounted(tx: Sql, about: number): Promise<UncountedEvent[]> {
  const rows = await tx.rows(sql<Row>`
    with next as (
      select id from uncounted_events
      where id in (
        select id
        from (
          select id, sum(size) over (order by id) - size as before
          from (select id, size from uncounted_events order by id limit ${WRITES_AT_ONCE}) oldest
        ) counted
        where before < ${about}
      )
      order by id
      for update skip locked
    ), taken as (
      delete from uncounted_events where id in (select id from next) returning ats, ids
    ), place as materialized (
      select unnest(ats) as at, unnest(ids) as id from taken
    )
    select events.at, events.id, events.account_id, events.event, events.severity, events.reason, events.domain,
      events.recipient, events.recipient_domain, events.message_id, events.attempt, events.code,
      coalesce(nullif(events.provider, ''), delivery.provider, '') as provider,
      coalesce(events.about -> 'envelope' ->> 'sending-ip', delivery.envelope ->> 'sending-ip', '') as sending_ip,
      coalesce(events.about -> 'envelope' ->> 'i-ip-pool-id', delivery.envelope ->> 'i-ip-pool-id', '') as ip_pool,
      coalesce(events.about -> 'geolocation' ->> 'country', '') as country,
      coalesce(events.about -> 'client-info' ->> 'device-type', '') as device,
      coalesce(events.about -> 'client-info' ->> 'bot', '') as bot,
      coalesce(events.about ->> 'is-delayed-bounce' = 'true', false) as is_delayed_bounce,
      coalesce(events.about ->> 'is-callback' = 'true', false) as is_callback,
      case when events.event = ${FAILED} then events.about -> 'delivery-status' ->> 'enhanced-code' end as enhanced_code,
      case when events.event = ${FAILED}
        then left(events.about -> 'delivery-status' ->> 'message', ${REPLY_LENGTH_MAX}) end as reply
    from place
    join events on events.at = place.at and events.id = place.id
    left join lateral (
      select before.provider, before.about -> 'envelope' as envelope
      from events before
      where (events.event = any(${FOLLOWING}::int[]) or events.about ->> 'is-delayed-bounce' = 'true')
        and before.account_id = events.account_id and before.recipient = events.recipient
        and before.at <= events.at and before.at > events.at - ${`${FOLLOWS_DAYS} days`}::interval
        and before.event = ${DELIVERED} and before.message_id = events.message_id
      order by before.at desc
      limit 1
    ) delivery on true
  `);
  return rows.map((row) => ({
    ...row,
    event: nameOfEvent(row.event),
    severity: nameOfSeverity(row.severity),
  }));
}

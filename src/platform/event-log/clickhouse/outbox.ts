// What waits to be sent to ClickHouse: a row for each statement that wrote events, in its transaction. Rows become a
// batch, which is the same at every try and has a token by which the server knows that it has it: so whatever ends in
// between, each event arrives once.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock/index.ts';
import { unhurriedly } from '../../db/connections.ts';
import { sql, type Db, type Sql } from '../../db/index.ts';
import { unavailable } from '../../errors/index.ts';
import type { ClickHouse } from './server.ts';

/** Events of a batch, about. */
const BATCH = 10_000;
/** Rows that are looked at for one; each holds a thousand events at most. */
const WRITES_AT_ONCE = 5000;
/** A process that has not sent its batch by then is taken for dead. */
const TAKEN_SECONDS = 40;
/** Who deletes waits so long for what was written before. */
const WAIT_MS = 30_000;
const LOOK_MS = 200;

interface Batch {
  batch: string;
}

/** A batch that nobody sends: one that was begun, else a new one. */
async function take(db: Db, now: Date): Promise<Batch | undefined> {
  const until = new Date(now.getTime() + TAKEN_SECONDS * 1000);
  return db.tx(async (tx) => {
    await tx.lock('batches of events');
    const begun = await tx.first(sql<Batch>`
      update unsent_events set taken_until = ${until}
      where batch = (
        select batch
        from unsent_events
        where batch is not null and taken_until <= ${now}
        order by taken_until
        limit 1
      )
      returning batch
    `);
    return begun ?? (await begin(tx, until));
  });
}

const begin = (tx: Sql, until: Date): Promise<Batch | undefined> =>
  tx.first(sql<Batch>`
    with one as materialized (select gen_random_uuid() as batch)
    update unsent_events set batch = (select batch from one), taken_until = ${until}
    where id in (
      select id
      from (
        select id, sum(size) over (order by id) - size as before
        from (select id, size from unsent_events where batch is null order by id limit ${WRITES_AT_ONCE}) oldest
      ) counted
      where before < ${BATCH}
    )
    returning batch
  `);

/** The events of a batch, each as the JSON of its columns; those that were deleted meanwhile are missing. */
const eventsOf = (db: Db, { batch }: Batch): Promise<{ line: string }[]> =>
  db.rows(sql<{ line: string }>`
    with place as materialized (
      select unnest(ats) as at, unnest(ids) as id from unsent_events where batch = ${batch}::uuid
    )
    select to_jsonb(events)::text as line
    from place
    join events on events.at = place.at and events.id = place.id
    order by events.at, events.id
  `);

/** Sends a batch. Answers how many events it had; 0: nothing waits that nobody sends. */
export async function sendBatch({ db, clock, server }: { db: Db; clock: Clock; server: ClickHouse }): Promise<number> {
  await beginWithAll(db);
  const batch = await take(db, clock.now());
  if (!batch) return 0;
  try {
    const events = await eventsOf(db, batch);
    if (events.length > 0)
      await server.insert(
        events.map(({ line }) => line),
        batch.batch,
      );
    await db.run(sql`delete from unsent_events where batch = ${batch.batch}::uuid`);
    return Math.max(1, events.length);
  } catch (error) {
    // Anybody may try again at once.
    await db.run(sql`update unsent_events set taken_until = ${clock.now()} where batch = ${batch.batch}::uuid`);
    throw error;
  }
}

/** Once: what was written before there was a ClickHouse waits, too. */
async function beginWithAll(db: Db): Promise<void> {
  if (await db.first(sql`select 1 from event_sending`)) return;
  await unhurriedly(() =>
    db.tx(async (tx) => {
      await tx.lock('batches of events');
      if (await tx.first(sql`select 1 from event_sending`)) return;
      await tx.run(sql`
        insert into unsent_events (size, ats, ids, written_at)
        select count(*), array_agg(at order by at, id), array_agg(id order by at, id), min(at)
        from (
          select at, id, (row_number() over (order by at, id) - 1) / 1000 as part
          from events
          where id not in (select unnest(ids) from unsent_events)
        ) before
        group by part
        order by part
      `);
      await tx.run(sql`insert into event_sending (began) values (true)`);
    }),
  );
}

/** When the oldest of what waits was written; null: nothing waits. */
export async function writtenSince(db: Db): Promise<Date | null> {
  const [row] = await db.rows(sql<{ since: Date | null }>`select min(written_at) as since from unsent_events`);
  return row?.since ?? null;
}

/** The time of the first event that waits; null: none does. */
export async function firstUnsent(db: Db): Promise<Date | null> {
  const [row] = await db.rows(sql<{ first: Date | null }>`
    select min(at) as first from (select unnest(ats) as at from unsent_events) waiting
  `);
  return row?.first ?? null;
}

/** Waits until all that waits now is sent: what is deleted then does not come back. */
export async function waitForSent(db: Db): Promise<void> {
  const [row] = await db.rows(sql<{ last: string | null }>`select max(id) as last from unsent_events`);
  const last = row?.last ?? null;
  if (last === null) return;
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await pause(LOOK_MS))
    if (!(await db.first(sql`select 1 from unsent_events where id <= ${last}::bigint limit 1`))) return;
  throw unavailable('events', 'events wait to be sent there');
}

// Taking deliveries from the queue. What is due is ready; a row that waits for its time is made ready when it comes, so
// that whoever looks for work never walks over what is later.
import { changedRows, sql, type Db, type Row, type Sql } from '../../../platform/db/index.ts';

type Delivery = Row<'deliveries'>;

interface Claiming {
  worker: string;
  now: Date;
  takenUntil: Date;
}

/** Deliveries of one domain of an account in one lane, by what their calls named to send from. */
export type Stream = Pick<Delivery, 'accountId' | 'domain' | 'lane' | 'route'>;
/** Those of a stream that are for one destination. */
type WaitingSpot = Stream & Pick<Delivery, 'destination'>;

const READY_AT_ONCE = 5000;

// Compared as a whole, and in the order of the index `deliveries_live`: one by one, an index that begins alike looks as
// good to a planner whose counts are old, and walks over everything that waits for a domain.
const KEY = sql`(deliveries.account_id, deliveries.domain, deliveries.lane, deliveries.route,
  deliveries.destination)`;
const WANTED = sql`(wanted.account_id, wanted.domain, wanted.lane, wanted.route, wanted.destination)`;

/** Those whose time has come. Answers how many. */
export function promoteDue(db: Sql, now: Date): Promise<number> {
  return changedRows(
    db.ofAnyone
      .with('due', (query) =>
        query
          .selectFrom('deliveries')
          .select('id')
          .where('isReady', '=', false)
          .where('isTaken', '=', false)
          .where('isHeld', '=', false)
          .where('isStopped', '=', false)
          .where('dueAt', '<=', now)
          .orderBy('dueAt')
          .limit(READY_AT_ONCE)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('deliveries')
      .from('due')
      .set({ isReady: true })
      .whereRef('deliveries.id', '=', 'due.id'),
  );
}

const readyOf = (mode: Delivery['mode']) => sql<boolean>`is_ready and not is_taken and mode = ${sql.lit(mode)}`;
const captured = readyOf('capture');
const live = readyOf('live');

/** Accounts with captured deliveries, one look into the index for each (a loose index scan). */
async function listAccounts(db: Sql): Promise<string[]> {
  const found = await db.ofAnyone
    .withRecursive('waiting', (query) =>
      query
        .selectFrom('deliveries')
        .select(({ fn }) => fn.min<string | null>('accountId').as('accountId'))
        .where(captured)
        .unionAll((next) =>
          next
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom('deliveries')
                .select(({ fn }) => fn.min<string | null>('deliveries.accountId').as('accountId'))
                .where(captured)
                .whereRef('deliveries.accountId', '>', 'waiting.accountId')
                .as('accountId'),
            )
            .where('waiting.accountId', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .select('waiting.accountId')
    .execute();
  return found.flatMap(({ accountId }) => accountId ?? []);
}

/** Marks the rows that `due` names as taken. */
const taking = ({ worker, now, takenUntil }: Claiming) => ({
  isTaken: true,
  takenBy: worker,
  takenUntil,
  attempts: sql<number>`deliveries.attempts + 1`,
  firstAt: sql<Date>`coalesce(deliveries.first_at, ${now}::timestamptz)`,
});

/** In one batch; the others come next time, in an order that nobody chose. */
const ACCOUNTS_AT_ONCE = 50;

/**
 * Takes captured deliveries that are ready, of every account that has some the same number, those that wait longest
 * first. Several processes take different ones.
 */
export async function claimDeliveries(db: Db, claiming: Claiming & { limit: number }): Promise<Delivery[]> {
  const accounts = await listAccounts(db);
  if (accounts.length === 0) return [];
  const start = Math.floor(Math.random() * accounts.length);
  const turn = [...accounts.slice(start), ...accounts.slice(0, start)].slice(0, ACCOUNTS_AT_ONCE);
  const limit = Math.max(1, Math.floor(claiming.limit / turn.length));
  const turns = sql<{ accountId: string }>`unnest(${turn}::text[])`.as<'turn'>(sql`turn(account_id)`);
  return db.ofAnyone
    .with('due', (query) =>
      query
        .selectFrom(turns)
        .innerJoinLateral(
          (row) =>
            row
              .selectFrom('deliveries')
              .select('deliveries.id')
              .where(captured)
              .whereRef('deliveries.accountId', '=', 'turn.accountId')
              .where('dueAt', '<=', claiming.now)
              .orderBy('dueAt')
              .orderBy('deliveries.id')
              .limit(limit)
              .forUpdate()
              .skipLocked()
              .as('one'),
          (join) => join.onTrue(),
        )
        .select('one.id'),
    )
    .updateTable('deliveries')
    .from('due')
    .set(taking(claiming))
    .whereRef('deliveries.id', '=', 'due.id')
    .returningAll('deliveries')
    .execute();
}

/** Streams of live deliveries that are ready, in their order, one look into the index for each. */
export function listStreams(
  db: Sql,
  { after = { accountId: '', domain: '', lane: 0, route: '' }, limit }: { after?: Stream | undefined; limit: number },
): Promise<Stream[]> {
  return db.ofAnyone
    .withRecursive('stream', (query) =>
      query
        .selectFrom((from) =>
          from
            .selectFrom('deliveries')
            .select(['accountId', 'domain', 'lane', 'route'])
            .where(live)
            .where(
              sql<boolean>`(account_id, domain, lane, route)
                > (${after.accountId}, ${after.domain}, ${after.lane}::smallint, ${after.route})`,
            )
            .orderBy('accountId')
            .orderBy('domain')
            .orderBy('lane')
            .orderBy('route')
            .limit(1)
            .as('first'),
        )
        .select(['first.accountId', 'first.domain', 'first.lane', 'first.route', sql<number>`1`.as('step')])
        .unionAll((next) =>
          next
            .selectFrom('stream')
            .innerJoinLateral(
              (row) =>
                row
                  .selectFrom('deliveries')
                  .select(['deliveries.accountId', 'deliveries.domain', 'deliveries.lane', 'deliveries.route'])
                  .where(live)
                  .where(
                    sql<boolean>`(deliveries.account_id, deliveries.domain, deliveries.lane, deliveries.route)
                      > (stream.account_id, stream.domain, stream.lane, stream.route)`,
                  )
                  .orderBy('deliveries.accountId')
                  .orderBy('deliveries.domain')
                  .orderBy('deliveries.lane')
                  .orderBy('deliveries.route')
                  .limit(1)
                  .as('next'),
              (join) => join.onTrue(),
            )
            .select([
              'next.accountId',
              'next.domain',
              'next.lane',
              'next.route',
              sql<number>`stream.step + 1`.as('step'),
            ])
            .where(sql<boolean>`stream.step < ${limit}`),
        ),
    )
    .selectFrom('stream')
    .select(['stream.accountId', 'stream.domain', 'stream.lane', 'stream.route'])
    .execute();
}

/** Where to look for destinations, as rows. */
function seedsOf(streams: readonly (Stream & { after: string })[]) {
  const list = <Value>(of: (stream: Stream & { after: string }) => Value): Value[] => streams.map(of);
  return sql<Stream & { destination: string }>`unnest(
    ${list(({ accountId }) => accountId)}::text[], ${list(({ domain }) => domain)}::text[],
    ${list(({ lane }) => lane)}::smallint[], ${list(({ route }) => route)}::text[],
    ${list(({ after }) => after)}::text[])`.as<'seed'>(sql`seed(account_id, domain, lane, route, destination)`);
}

/** Of each stream, the next so many destinations after the one that is named. */
export function listSpots(
  db: Sql,
  streams: readonly (Stream & { after: string })[],
  perStream: number,
): Promise<WaitingSpot[]> {
  if (streams.length === 0) return Promise.resolve([]);
  const seeds = seedsOf(streams);
  return db.ofAnyone
    .withRecursive('spot', (query) =>
      query
        .selectFrom(seeds)
        .select(['seed.accountId', 'seed.domain', 'seed.lane', 'seed.route', 'seed.destination'])
        .select(sql<number>`0`.as('step'))
        .unionAll((next) =>
          next
            .selectFrom('spot')
            .innerJoinLateral(
              (row) =>
                row
                  .selectFrom('deliveries')
                  .select('deliveries.destination')
                  .select(['deliveries.accountId', 'deliveries.domain', 'deliveries.lane', 'deliveries.route'])
                  .where(live)
                  .where(sql<boolean>`${KEY} > (spot.account_id, spot.domain, spot.lane, spot.route, spot.destination)`)
                  .orderBy('deliveries.accountId')
                  .orderBy('deliveries.domain')
                  .orderBy('deliveries.lane')
                  .orderBy('deliveries.route')
                  .orderBy('deliveries.destination')
                  .limit(1)
                  .as('next'),
              (join) =>
                join
                  .onRef('next.accountId', '=', 'spot.accountId')
                  .onRef('next.domain', '=', 'spot.domain')
                  .onRef('next.lane', '=', 'spot.lane')
                  .onRef('next.route', '=', 'spot.route'),
            )
            .select([
              'spot.accountId',
              'spot.domain',
              'spot.lane',
              'spot.route',
              'next.destination',
              sql<number>`spot.step + 1`.as('step'),
            ])
            .where(sql<boolean>`spot.step < ${perStream}`),
        ),
    )
    .selectFrom('spot')
    .select(['spot.accountId', 'spot.domain', 'spot.lane', 'spot.route', 'spot.destination'])
    .where(sql<boolean>`spot.step > 0`)
    .orderBy(sql`spot.step`)
    .execute();
}

/** Takes so many of each spot, those that wait longest first. */
export function claimSpots(
  db: Sql,
  spots: readonly (WaitingSpot & { count: number })[],
  claiming: Claiming,
): Promise<Delivery[]> {
  if (spots.length === 0) return Promise.resolve([]);
  const list = <Value>(of: (spot: WaitingSpot & { count: number }) => Value): Value[] => spots.map(of);
  const wanted = sql<WaitingSpot & { count: number }>`unnest(
    ${list(({ accountId }) => accountId)}::text[], ${list(({ domain }) => domain)}::text[],
    ${list(({ lane }) => lane)}::smallint[], ${list(({ route }) => route)}::text[],
    ${list(({ destination }) => destination)}::text[], ${list(({ count }) => count)}::integer[])`.as<'wanted'>(
    sql`wanted(account_id, domain, lane, route, destination, count)`,
  );
  return db.ofAnyone
    .with('due', (query) =>
      query
        .selectFrom(wanted)
        .innerJoinLateral(
          (row) =>
            row
              .selectFrom('deliveries')
              .select('deliveries.id')
              .where(live)
              .where(sql<boolean>`${KEY} >= ${WANTED} and ${KEY} <= ${WANTED}`)
              .orderBy('deliveries.accountId')
              .orderBy('deliveries.domain')
              .orderBy('deliveries.lane')
              .orderBy('deliveries.route')
              .orderBy('deliveries.destination')
              .orderBy('dueAt')
              .orderBy('deliveries.id')
              .limit(sql<number>`wanted.count`)
              .forUpdate()
              .skipLocked()
              .as('one'),
          (join) => join.onTrue(),
        )
        .select('one.id'),
    )
    .updateTable('deliveries')
    .from('due')
    .set(taking(claiming))
    .whereRef('deliveries.id', '=', 'due.id')
    .returningAll('deliveries')
    .execute();
}

// The queue of deliveries: what waits, and how what was taken is given back or goes.
import { changedRows, jsonb, sayOnce, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { LastAttempt } from './store.ts';

export type Delivery = Row<'deliveries'>;

interface NewDelivery {
  position: number;
  recipient: string;
  destination: string;
  variables: Record<string, unknown> | null;
  dueAt: Date;
  /** Whether that has come. */
  isReady: boolean;
  isStopped: boolean;
  giveUpAt: Date;
}

/** What all deliveries of a message have in common. */
type SharedByAll = Pick<Delivery, 'messageId' | 'accountId' | 'domain' | 'mode' | 'lane' | 'route' | 'isHeld'>;

export async function insertDeliveries(
  tx: Sql,
  shared: SharedByAll,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  // One parameter: as twelve for each, a thousand rows take longer to be read as SQL than to be kept.
  const { once, rows: different } = sayOnce(deliveries.map(columnsOf), ALIKE);
  const own = COLUMNS.filter(([name]) => !once.has(name)).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  const rows = sql<NewDelivery>`jsonb_to_recordset(${jsonb(different)}::jsonb)`.as<'one'>(sql`one(${sql.join(own)})`);
  const perRecipient = COLUMNS.map(([name, type]) =>
    (once.has(name) ? sql`${once.get(name) ?? null}::${sql.raw(type)}` : sql.id('one', name)).as(name),
  );
  const { messageId, accountId, domain, mode, lane, route, isHeld } = shared;
  await tx.ofAnyone
    .insertInto('deliveries')
    .columns(['messageId', 'accountId', 'domain', 'mode', 'lane', 'route', 'isHeld', ...PER_RECIPIENT])
    .expression((query) =>
      query
        .selectFrom(rows)
        .select([
          sql`${messageId}::bigint`.as('messageId'),
          sql`${accountId}::text`.as('accountId'),
          sql`${domain}::text`.as('domain'),
          sql`${mode}::text`.as('mode'),
          sql`${lane}::smallint`.as('lane'),
          sql`${route}::text`.as('route'),
          sql`${isHeld}::boolean`.as('isHeld'),
          ...perRecipient,
        ]),
    )
    .execute();
}

const PER_RECIPIENT = [
  'position',
  'recipient',
  'destination',
  'variables',
  'dueAt',
  'isReady',
  'isStopped',
  'giveUpAt',
] as const satisfies (keyof NewDelivery)[];

/** As the statement has them, in the same order. */
const COLUMNS = [
  ['position', 'integer'],
  ['recipient', 'text'],
  ['destination', 'text'],
  ['variables', 'jsonb'],
  ['due_at', 'timestamptz'],
  ['is_ready', 'boolean'],
  ['is_stopped', 'boolean'],
  ['give_up_at', 'timestamptz'],
] as const;
/** Mostly the same for all recipients of a message. */
const ALIKE = ['due_at', 'is_ready', 'is_stopped', 'give_up_at'];

function columnsOf({ dueAt, isReady, isStopped, giveUpAt, ...named }: NewDelivery): Record<string, unknown> {
  return { ...named, due_at: dueAt, is_ready: isReady, is_stopped: isStopped, give_up_at: giveUpAt };
}

/** Deliveries whose process did not say in time how they ended wait again. Answers how many. */
export function releaseLost(db: Sql, now: Date): Promise<number> {
  return changedRows(
    db.ofAnyone
      .updateTable('deliveries')
      .set({ isTaken: false, takenBy: null, takenUntil: null })
      .where('isTaken', '=', true)
      .where('takenUntil', '<', now),
  );
}

/** Those that a process still holds are held longer. */
export async function renewClaims(db: Sql, worker: string, takenUntil: Date): Promise<void> {
  await db.ofAnyone
    .updateTable('deliveries')
    .set({ takenUntil })
    .where('isTaken', '=', true)
    .where('takenBy', '=', worker)
    .execute();
}

/** One of so many rows: a single value, however many they are. */
const oneOf = (ids: readonly string[]) => sql<boolean>`deliveries.id = any(${ids}::bigint[])`;

/** As if it had not been tried. */
const UNTRIED = {
  isTaken: false,
  takenBy: null,
  takenUntil: null,
  attempts: sql<number>`deliveries.attempts - 1`,
  firstAt: sql<Date | null>`case when deliveries.attempts > 1 then deliveries.first_at end`,
};

/** Gives back what a process holds, as if it had not been tried. */
export async function releaseClaims(db: Sql, worker: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.ofAnyone.updateTable('deliveries').set(UNTRIED).where(oneOf(ids)).where('takenBy', '=', worker).execute();
}

/** Gives back what was not tried and is to wait until then; `last` says why. */
export async function holdDeliveries(
  tx: Sql,
  worker: string,
  rows: readonly (Wait & { giveUpAt: Date })[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.ofAnyone
    .updateTable('deliveries')
    .from(holdsOf(rows))
    .set((row) => ({
      ...UNTRIED,
      isReady: false,
      dueAt: row.ref('again.dueAt'),
      giveUpAt: row.ref('again.giveUpAt'),
      last: row.ref('again.last'),
    }))
    .whereRef('deliveries.id', '=', 'again.id')
    .where('takenBy', '=', worker)
    .execute();
}

interface Wait {
  id: string;
  dueAt: Date;
  last: LastAttempt;
}

const waitsOf = (rows: readonly Wait[]) =>
  sql<Wait>`unnest(
  ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ dueAt }) => dueAt)}::timestamptz[],
  ${rows.map(({ last }) => JSON.stringify(last))}::jsonb[])`.as<'again'>(sql`again(id, due_at, last)`);

const holdsOf = (rows: readonly (Wait & { giveUpAt: Date })[]) =>
  sql<Wait & { giveUpAt: Date }>`unnest(
  ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ dueAt }) => dueAt)}::timestamptz[],
  ${rows.map(({ giveUpAt }) => giveUpAt)}::timestamptz[],
  ${rows.map(({ last }) => JSON.stringify(last))}::jsonb[])`.as<'again'>(sql`again(id, due_at, give_up_at, last)`);

/** The rows go; answers the ids of those that this process still held: for them the events are written. */
export async function settleDeliveries(tx: Sql, worker: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const settled = await tx.ofAnyone
    .deleteFrom('deliveries')
    .where(oneOf(ids))
    .where('takenBy', '=', worker)
    .returning('id')
    .execute();
  return settled.map(({ id }) => id);
}

/** Those that wait again; answers the ids of those that this process still held. */
export async function deferDeliveries(tx: Sql, worker: string, rows: readonly Wait[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const deferred = await tx.ofAnyone
    .updateTable('deliveries')
    .from(waitsOf(rows))
    .set((row) => ({
      isTaken: false,
      isReady: false,
      takenBy: null,
      takenUntil: null,
      dueAt: row.ref('again.dueAt'),
      last: row.ref('again.last'),
    }))
    .whereRef('deliveries.id', '=', 'again.id')
    .where('takenBy', '=', worker)
    .returning('deliveries.id')
    .execute();
  return deferred.map(({ id }) => id);
}

/** What a process holds, such as one that is gone. */
export function listTaken(db: Sql, worker: string, limit: number): Promise<Delivery[]> {
  return db.ofAnyone
    .selectFrom('deliveries')
    .selectAll()
    .where('isTaken', '=', true)
    .where('takenBy', '=', worker)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes what waits for a domain; what is being delivered at this moment goes on. */
export async function clearWaiting(db: Sql, accountId: string, domain: string): Promise<void> {
  await db.of(accountId).deleteFrom('deliveries').where('domain', '=', domain).where('isTaken', '=', false).execute();
}

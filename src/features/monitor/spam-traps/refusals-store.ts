import { changedRows, sql, type RawBuilder, type Row, type Sql } from '../../../platform/db/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';

export type Refused = Omit<Row<'refusedRecipients'>, 'accountId'>;
export type RefusalCursor = Omit<Row<'refusalCursors'>, 'accountId'>;

/** What it is measured on. */
export interface Watched {
  since: Date;
  until: Date;
  addresses: number;
  domains: number;
  isFull: boolean;
}

/** So long after its first refusal an address that accepts may be a recycled trap: twelve months is the field's usage. */
export const ADDRESS_DAYS = 365;
/** So long after its name was gone a domain may be somebody else's: for 30 days its owner alone can restore it (ICANN). */
export const DOMAIN_DAYS = 30;
/** Refused addresses and domains that are noted of an account. */
export const REFUSED_MAX = 50_000;
/** A refusal that comes back so late is of the mail that was accepted first. */
export const RETURN_DAYS = 10;

/** It was refused for so long before it accepted that somebody else may have it. */
export function isLong({ kind, firstRefusedAt, acceptedAt }: Refused): boolean {
  return (
    acceptedAt !== null && daysAfter(firstRefusedAt, kind === 'address' ? ADDRESS_DAYS : DOMAIN_DAYS) <= acceptedAt
  );
}

const wasLong: RawBuilder<boolean> = sql`accepted_at >= first_refused_at
  + make_interval(days => case kind when 'address' then ${ADDRESS_DAYS}::int else ${DOMAIN_DAYS}::int end)`;

export function findCursor(db: Sql, accountId: string): Promise<RefusalCursor | undefined> {
  return db.of(accountId).selectFrom('refusalCursors').select(['since', 'at', 'eventId', 'isFull']).executeTakeFirst();
}

/** Begins; one that there is already stays. */
export async function beginCursor(db: Sql, accountId: string, since: Date): Promise<void> {
  await db
    .of(accountId)
    .insert('refusalCursors', { since, at: since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Moves on; false when another process has moved it meanwhile. */
export async function moveCursor(
  tx: Sql,
  accountId: string,
  { from, to }: { from: RefusalCursor; to: Pick<RefusalCursor, 'at' | 'eventId' | 'isFull'> },
): Promise<boolean> {
  const moved = tx
    .of(accountId)
    .updateTable('refusalCursors')
    .set(to)
    .where('at', '=', from.at)
    .where('eventId', '=', from.eventId);
  return (await changedRows(moved)) > 0;
}

/** Those of these addresses and domains that are noted. */
export async function findRefused(tx: Sql, accountId: string, values: readonly string[]): Promise<Refused[]> {
  if (values.length === 0) return [];
  return tx
    .of(accountId)
    .selectFrom('refusedRecipients')
    .select(['kind', 'value', 'firstRefusedAt', 'lastRefusedAt', 'refusals', 'acceptedAt'])
    .where('value', 'in', [...values])
    .execute();
}

export async function countRefused(db: Sql, accountId: string): Promise<{ addresses: number; domains: number }> {
  const rows = await db
    .of(accountId)
    .selectFrom('refusedRecipients')
    .select(['kind', ({ fn }) => fn.countAll<string>().as('count')])
    .where('acceptedAt', 'is', null)
    .groupBy('kind')
    .execute();
  const of = (kind: Refused['kind']): number => Number(rows.find((row) => row.kind === kind)?.count ?? 0);
  return { addresses: of('address'), domains: of('domain') };
}

/** With those that accepted. */
export async function countAll(tx: Sql, accountId: string): Promise<number> {
  const { count } = await tx
    .of(accountId)
    .selectFrom('refusedRecipients')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function saveRefused(tx: Sql, accountId: string, rows: readonly Refused[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .of(accountId)
    .insert('refusedRecipients', [...rows])
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'kind', 'value']).doUpdateSet(({ ref }) => ({
        firstRefusedAt: ref('excluded.firstRefusedAt'),
        lastRefusedAt: ref('excluded.lastRefusedAt'),
        refusals: ref('excluded.refusals'),
        acceptedAt: ref('excluded.acceptedAt'),
      })),
    )
    .execute();
}

/** Those that accepted again in a time, the newest first. */
export function listAccepted(
  db: Sql,
  accountId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<Refused[]> {
  return db
    .of(accountId)
    .selectFrom('refusedRecipients')
    .select(['kind', 'value', 'firstRefusedAt', 'lastRefusedAt', 'refusals', 'acceptedAt'])
    .where('acceptedAt', '>=', from)
    .where('acceptedAt', '<', to)
    .where(wasLong)
    .orderBy('acceptedAt', 'desc')
    .orderBy('value')
    .limit(limit)
    .execute();
}

/** Days that a refusal is remembered, when nobody writes to the recipient any more, and that a finding is. */
const OPEN_DAYS = 1100;
const FOUND_DAYS = 400;

/** Deletes what says nothing any more, at most so many; answers how many. */
export function deleteOldRefused(tx: Sql, now: Date, limit: number): Promise<number> {
  const old = tx.ofAnyone
    .selectFrom('refusedRecipients')
    .select(sql<string>`ctid`.as('place'))
    .where(({ and, or, eb }) =>
      or([
        and([eb('lastRefusedAt', '<', daysAfter(now, -OPEN_DAYS)), eb('acceptedAt', 'is', null)]),
        eb('acceptedAt', '<', daysAfter(now, -FOUND_DAYS)),
        and([eb('acceptedAt', '<', daysAfter(now, -RETURN_DAYS)), sql<boolean>`not (${wasLong})`]),
      ]),
    )
    .limit(limit);
  return changedRows(tx.ofAnyone.deleteFrom('refusedRecipients').where(sql<string>`ctid`, 'in', old));
}

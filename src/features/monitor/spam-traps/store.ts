import { anyOf, changedRows, sql, type RawBuilder, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export type SpamTrap = Row<'spamTraps'>;
type Hit = Row<'spamTrapHits'>;
export type TrapType = SpamTrap['type'];
type NewHit = Omit<Hit, 'id' | 'accountId'>;

export interface HitFilter {
  accountIds: readonly string[];
  from: Date;
  to: Date;
  domains?: readonly string[];
  subjects?: readonly string[];
  ips?: readonly string[];
  froms?: readonly string[];
  senders?: readonly string[];
}

/** What hits are grouped by. */
export type HitDimension = 'day' | 'domain' | 'subject' | 'ip' | 'from' | 'sender' | 'tags' | 'subaccount' | 'none';

export interface HitCount {
  key: string;
  /** Empty where days are not told apart. */
  day: string;
  type: TrapType;
  hits: number;
}

/** False: the value is a trap already. */
export async function insertTrap(
  db: Sql,
  accountId: string,
  trap: Omit<SpamTrap, 'accountId' | 'foreignHits' | 'foreignAt'>,
): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('spamTraps', trap)
    .onConflict((conflict) => conflict.column('value').doNothing());
  return (await changedRows(inserted)) > 0;
}

/** One that there is. */
export function getTrap(db: Sql, accountId: string, id: string): Promise<SpamTrap> {
  return db.of(accountId).selectFrom('spamTraps').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function listTraps(db: Sql, accountId: string, page: SkipPage): Promise<Paged<SpamTrap>> {
  return readSkipPage(
    db.of(accountId).selectFrom('spamTraps').selectAll().orderBy('createdAt', 'desc').orderBy('id'),
    page,
  );
}

export async function deleteTrap(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('spamTraps').where('id', '=', id))) > 0;
}

/** The trap that takes mail for an address: by itself, or else by its domain. */
export function findTrapAt(db: Sql, address: string): Promise<SpamTrap | undefined> {
  const value = address.toLowerCase();
  const domain = value.slice(value.lastIndexOf('@') + 1);
  return db.ofAnyone
    .selectFrom('spamTraps')
    .selectAll()
    .where('value', 'in', [value, domain])
    .orderBy(sql`position('@' in value)`, 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function countForeign(db: Sql, trapId: string, at: Date): Promise<void> {
  await db.ofAnyone
    .updateTable('spamTraps')
    .set((row) => ({ foreignHits: sql<number>`least(${row.ref('foreignHits')} + 1, 2000000000)`, foreignAt: at }))
    .where('id', '=', trapId)
    .execute();
}

/** Whether the service can see any hit of these accounts: a trap is set up, or a report was imported. */
export async function isWatched(db: Sql, accountIds: readonly string[]): Promise<boolean> {
  const trap = await db.ofAnyone.selectFrom('spamTraps').select('id').limit(1).executeTakeFirst();
  if (trap) return true;
  const hit = db.ofAnyone
    .selectFrom('spamTrapHits')
    .select('id')
    .where(sql<boolean>`account_id = ${anyOf(accountIds)}`)
    .limit(1);
  return (await hit.executeTakeFirst()) !== undefined;
}

export type SavedHit = Pick<Hit, 'at' | 'domain' | 'hits' | 'type'>;

/** Writes hits; one that was told before has what is told now. Answers those that are new. */
export async function saveHits(tx: Sql, accountId: string, hits: readonly NewHit[]): Promise<SavedHit[]> {
  if (hits.length === 0) return [];
  const saved = await tx
    .of(accountId)
    .insert('spamTrapHits', hits as never)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'fingerprint']).doUpdateSet((row) => ({ hits: row.ref('excluded.hits') })),
    )
    .returning(['at', 'domain', 'hits', 'type', sql<boolean>`xmax = 0`.as('isNew')])
    .execute();
  return saved.filter(({ isNew }) => isNew);
}

const COLUMNS: Readonly<Record<HitDimension, RawBuilder<string>>> = {
  none: sql`''`,
  day: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  domain: sql.ref('domain'),
  subject: sql.ref('subject'),
  ip: sql.ref('ip'),
  from: sql.ref('headerFrom'),
  sender: sql.ref('sender'),
  subaccount: sql.ref('accountId'),
  tags: sql`unnest(tags)`,
};

const among = (column: RawBuilder<unknown>, values: readonly string[] | undefined): RawBuilder<boolean> =>
  values?.length ? sql`lower(${column}) = ${anyOf(values.map((value) => value.toLowerCase()))}` : sql`true`;

const matching = ({ accountIds, from, to, ...filter }: HitFilter): RawBuilder<boolean> => sql`
  account_id = ${anyOf(accountIds)} and at >= ${from} and at < ${to}
  and ${among(sql`domain`, filter.domains)} and ${among(sql`subject`, filter.subjects)}
  and ${among(sql`ip`, filter.ips)} and ${among(sql`header_from`, filter.froms)}
  and ${among(sql`sender`, filter.senders)}
`;

/** More are not told apart. */
const COUNTS_MAX = 50_000;

/**
 * Hits by type in each group, and by day where that is asked for; of tags, a hit counts for each. `isBound`: there are
 * more than {@link COUNTS_MAX} of these, and the rest is not counted.
 */
export async function countHits(
  db: Sql,
  filter: HitFilter,
  { by, isDaily = false }: { by: HitDimension; isDaily?: boolean },
): Promise<{ counts: HitCount[]; isBound: boolean }> {
  const day = isDaily ? COLUMNS.day : COLUMNS.none;
  const counts = await db.ofAnyone
    .selectFrom('spamTrapHits')
    .select([COLUMNS[by].as('key'), day.as('day'), 'type', sql<number>`sum(hits)::int`.as('hits')])
    .where(matching(filter))
    .groupBy([sql`1`, sql`2`, 'type'])
    .orderBy(sql`2`)
    .orderBy(sql`1`)
    .orderBy('type')
    .limit(COUNTS_MAX + 1)
    .execute();
  return { counts: counts.slice(0, COUNTS_MAX), isBound: counts.length > COUNTS_MAX };
}

export type ShownHit = Omit<Hit, 'fingerprint'>;

/** Newest first. */
export function listHits(
  db: Sql,
  accountId: string,
  { from, to, page }: { from: Date; to: Date; page: SkipPage },
): Promise<Paged<Hit>> {
  return readSkipPage(
    db
      .of(accountId)
      .selectFrom('spamTrapHits')
      .selectAll()
      .where('at', '>=', from)
      .where('at', '<', to)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc'),
    page,
  );
}

export function findHit(db: Sql, accountId: string, id: string): Promise<Hit | undefined> {
  return db.of(accountId).selectFrom('spamTrapHits').selectAll().where('id', '=', id).executeTakeFirst();
}

const FORGOTTEN_AT_ONCE = 1000;

/** Of an account, the places of messages beyond the newest so many. */
export async function forgetMessages(tx: Sql, accountId: string, kept: number): Promise<string[]> {
  const old = tx
    .of(accountId)
    .selectFrom('spamTrapHits')
    .select(['id', 'messageKey'])
    .where('messageKey', 'is not', null)
    .orderBy('id', 'desc');
  const found = await pageOf(old, { skip: kept, limit: FORGOTTEN_AT_ONCE }).execute();
  if (found.length === 0) return [];
  await tx
    .of(accountId)
    .updateTable('spamTrapHits')
    .set({ messageKey: null })
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  return found.flatMap(({ messageKey }) => messageKey ?? []);
}

/** Deletes hits before a time, at most so many, and answers where their messages were. */
export async function deleteHits(tx: Sql, before: Date, limit: number): Promise<(string | null)[]> {
  const old = tx.ofAnyone.selectFrom('spamTrapHits').select('id').where('at', '<', before).limit(limit);
  const gone = await tx.ofAnyone.deleteFrom('spamTrapHits').where('id', 'in', old).returning('messageKey').execute();
  return gone.map(({ messageKey }) => messageKey);
}

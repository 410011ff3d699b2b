import { jsonb, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readCursorPage, type CursorPage, type Paged } from '../../../platform/paging/index.ts';
import type { Seed } from '../../proof/_seeds/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'seedLists.providerFilter': string[];
    'seedLists.sendingDomains': string[];
    'seedLists.seeds': Seed[];
  }
}

/**
 * `kid` is 24 hexadecimal digits. `seedsMax` is per provider, 0: no limit; `seedsPerReceiver` is at each local receiver.
 */
export type SeedList = Row<'seedLists'>;

export async function countLists(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('seedLists')
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertList(db: Sql, made: SeedList): Promise<void> {
  await db.ofAnyone.insertInto('seedLists').values(made).execute();
}

/** By its address or its id. */
export function findList(db: Sql, accountId: string, address: string): Promise<SeedList | undefined> {
  return db
    .of(accountId)
    .selectFrom('seedLists')
    .selectAll()
    .where((list) => list.or([list('targetEmail', '=', address.toLowerCase()), list('kid', '=', address)]))
    .executeTakeFirst();
}

/** The list that an address of incoming mail belongs to, whoever's it is. */
export function findListWithSeed(db: Sql, email: string): Promise<SeedList | undefined> {
  return db.ofAnyone
    .selectFrom('seedLists')
    .selectAll()
    .where('seeds', '@>', sql<Seed[]>`${jsonb([{ email }])}::jsonb`)
    .limit(1)
    .executeTakeFirst();
}

/** For mail that comes in, whosesoever the list is. */
export async function hasTarget(db: Sql, email: string): Promise<boolean> {
  const found = await db.ofAnyone
    .selectFrom('seedLists')
    .select('kid')
    .where('targetEmail', '=', email)
    .executeTakeFirst();
  return found !== undefined;
}

export function listLists(
  db: Sql,
  accountId: string,
  {
    name,
    before,
    after,
    page,
  }: { name?: string | undefined; before: Date | undefined; after: Date | undefined; page: CursorPage },
): Promise<Paged<SeedList>> {
  const own = db.of(accountId).selectFrom('seedLists');
  let wanted = own.selectAll();
  if (name) wanted = wanted.where('name', '=', name);
  if (before) wanted = wanted.where('createdAt', '<', before);
  if (after) wanted = wanted.where('createdAt', '>=', after);
  const sorts = { created_at: 'createdAt', updated_at: 'updatedAt', name: 'name' } as const;
  return readCursorPage({ own, wanted, id: 'kid', sorts }, page);
}

export function updateList(db: Sql, list: SeedList): Promise<SeedList | undefined> {
  return db
    .of(list.accountId)
    .updateTable('seedLists')
    .set({
      name: list.name,
      seedFilter: list.seedFilter,
      providerFilter: list.providerFilter,
      sendingDomains: list.sendingDomains,
      seeds: list.seeds,
      previousMailingList: list.previousMailingList,
      version: list.version,
      regenAt: list.regenAt,
      updatedAt: list.updatedAt,
    })
    .where('kid', '=', list.kid)
    .returningAll()
    .executeTakeFirst();
}

/** By its address or its id. Answers its id, or undefined where there is none. */
export async function deleteList(db: Sql, accountId: string, address: string): Promise<string | undefined> {
  const deleted = await db
    .of(accountId)
    .deleteFrom('seedLists')
    .where((list) => list.or([list('targetEmail', '=', address.toLowerCase()), list('kid', '=', address)]))
    .returning('kid')
    .executeTakeFirst();
  return deleted?.kid;
}

export async function listNames(db: Sql, accountId: string): Promise<string[]> {
  const lists = db.of(accountId).selectFrom('seedLists').select('name').distinct().orderBy('name').limit(1000);
  return (await lists.execute()).map(({ name }) => name);
}

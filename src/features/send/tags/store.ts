import { anyOf, changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';

export type TagRow = Row<'tags'>;

/** A page of a domain's tags, by name. */
export function listTags(
  db: Sql,
  accountId: string,
  { domain, prefix, page }: { domain: string; prefix: string; page: PivotPage },
): Promise<TagRow[]> {
  const wanted = db
    .of(accountId)
    .selectFrom('tags')
    .selectAll()
    .where('domain', '=', domain)
    .$if(prefix !== '', (rows) => rows.where(sql<boolean>`starts_with(tag, ${prefix})`));
  return readPivotPage(wanted, { name: 'tag', column: 'tag' }, page);
}

export function findTag(
  db: Sql,
  accountId: string,
  { domain, tag }: { domain: string; tag: string },
): Promise<TagRow | undefined> {
  const own = db.of(accountId).selectFrom('tags').selectAll();
  return own.where('domain', '=', domain).where('tag', '=', tag).executeTakeFirst();
}

/** Of one domain, or of all; answers how many there were. */
export async function describeTag(
  db: Sql,
  accountId: string,
  { domain, tag, description }: { domain?: string; tag: string; description: string },
): Promise<number> {
  const own = db.of(accountId).updateTable('tags').set({ description }).where('tag', '=', tag);
  return changedRows(domain === undefined ? own : own.where('domain', '=', domain));
}

/** Of one domain, or of all, with its figures; answers how many there were. */
export async function deleteTag(
  tx: Sql,
  accountId: string,
  { domain, tag }: { domain?: string; tag: string },
): Promise<number> {
  const own = tx.of(accountId).deleteFrom('tags').where('tag', '=', tag);
  return changedRows(domain === undefined ? own : own.where('domain', '=', domain));
}

export async function countTags(db: Sql, accountId: string, domain?: string): Promise<number> {
  const own = db.of(accountId).selectFrom('tags').select(rowCount.as('count'));
  const counted = domain === undefined ? own : own.where('domain', '=', domain);
  return (await counted.executeTakeFirstOrThrow()).count;
}

export interface AccountTag extends Pick<TagRow, 'accountId' | 'tag' | 'name' | 'description'> {
  firstSeen: Date;
  lastSeen: Date;
}

/** The tags of accounts, of all their domains. `part`: of the tag, in lower case. */
export function listTagsOf(db: Sql, accountIds: readonly string[], part: string): Promise<AccountTag[]> {
  return db.ofAnyone
    .selectFrom('tags')
    .select(['accountId', 'tag'])
    .select(({ fn }) => [
      fn.min('name').as('name'),
      fn.max('description').as('description'),
      fn.min('firstSeen').as('firstSeen'),
      fn.max('lastSeen').as('lastSeen'),
    ])
    .where('accountId', '=', anyOf(accountIds))
    .where(sql<boolean>`strpos(tag, ${part}) > 0`)
    .groupBy(['accountId', 'tag'])
    .execute();
}

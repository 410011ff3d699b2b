import { sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';
import type { RecordCheck, SendingDomain } from './store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'dkimKeys.checked': RecordCheck | null;
  }
}

/** `privateKey` is sealed; `record` is the TXT record to publish. */
export type StoredKey = Row<'dkimKeys'>;

/** False when the domain has a key under this selector already. */
export async function insertKey(db: Sql, key: StoredKey): Promise<boolean> {
  const inserted = await db.ofAnyone
    .insertInto('dkimKeys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The keys of a domain, the oldest first. */
export function listKeys(db: Sql, { id, accountId }: Pick<SendingDomain, 'id' | 'accountId'>): Promise<StoredKey[]> {
  return db
    .of(accountId)
    .selectFrom('dkimKeys')
    .selectAll()
    .where('domainId', '=', id)
    .orderBy('createdAt')
    .orderBy('selector')
    .execute();
}

/** The domain whose keys sign for this one: itself, unless it leaves that to another of the account. */
export async function findAuthority(db: Sql, domain: SendingDomain): Promise<SendingDomain> {
  if (domain.authorityId === null) return domain;
  const authority = db.of(domain.accountId).selectFrom('sendingDomains').selectAll();
  return (await authority.where('id', '=', domain.authorityId).executeTakeFirst()) ?? domain;
}

interface KeyFilter extends PivotPage {
  domain: string | undefined;
  selector: string | undefined;
}

/** A page of the keys of all domains of an account. */
export function listKeysOfAll(db: Sql, accountId: string, { domain, selector, ...page }: KeyFilter) {
  const own = db
    .of(accountId)
    .selectFrom('sendingDomains')
    .select('sendingDomains.id')
    .$if(domain !== undefined, (all) => all.where('name', '=', domain!));
  const keys = db
    .of(accountId)
    .selectFrom('dkimKeys')
    .selectAll()
    .where('domainId', 'in', own)
    .$if(selector !== undefined, (all) => all.where('selector', 'in', [selector!, selector!.toLowerCase()]));
  return readPivotPage(keys, { name: 'key', column: 'id' }, page);
}

/** Domains by their ids. */
export async function domainsOfKeys(
  db: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<SendingDomain, 'id' | 'name' | 'settings'>>> {
  const domains = db.of(accountId).selectFrom('sendingDomains').select(['id', 'name', 'settings']);
  const found = await domains.where('id', 'in', [...ids, '']).execute();
  return new Map(found.map((domain) => [domain.id, domain]));
}

/** Keys of any account that the operator publishes, by domain. */
export function listOperatorKeys(db: Sql, selectors: readonly string[], limit: number) {
  return db.ofAnyone
    .selectFrom('dkimKeys')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'dkimKeys.domainId')
    .select(['sendingDomains.id as domainId', 'dkimKeys.selector', 'dkimKeys.record'])
    .where(sql<boolean>`settings ->> 'isAutomatic' = 'true'`)
    .where('dkimKeys.selector', 'in', [...selectors])
    .orderBy('sendingDomains.id')
    .orderBy('dkimKeys.selector')
    .limit(limit)
    .execute();
}

/** Changes a key; undefined when it is gone. */
export function saveKey(
  db: Sql,
  accountId: string,
  { id, change }: { id: string; change: Partial<Omit<StoredKey, 'id' | 'domainId' | 'record' | 'createdAt'>> },
): Promise<StoredKey | undefined> {
  return db.of(accountId).updateTable('dkimKeys').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deleteKey(db: Sql, accountId: string, id: string): Promise<void> {
  await db.of(accountId).deleteFrom('dkimKeys').where('id', '=', id).execute();
}

/** Names whose keys a domain signs with from now on; null: its own. */
export async function saveAuthority(
  db: Sql,
  { id, accountId }: Pick<SendingDomain, 'id' | 'accountId'>,
  { authorityId, at }: { authorityId: string | null; at: Date },
): Promise<void> {
  const domains = db.of(accountId).updateTable('sendingDomains').set({ authorityId, updatedAt: at });
  await domains.where('id', '=', id).execute();
}

/** The domains of an account above this name, the nearest first. */
export async function listParents(db: Sql, accountId: string, name: string): Promise<SendingDomain[]> {
  const labels = name.split('.');
  const names = labels.slice(1).map((_, place) => labels.slice(place + 1).join('.'));
  const domains = db
    .of(accountId)
    .selectFrom('sendingDomains')
    .selectAll()
    .where('name', 'in', [...names, '']);
  const found = await domains.where('type', '=', 'custom').execute();
  return found.toSorted((a, b) => b.name.length - a.name.length);
}

/** Those that signed with the keys of a domain that is deleted are to be verified again, with keys of their own. */
export async function releaseDependents(
  tx: Sql,
  { id, accountId }: Pick<SendingDomain, 'id' | 'accountId'>,
  at: Date,
): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('sendingDomains')
    .set({ authorityId: null, state: 'unverified', updatedAt: at })
    .where('authorityId', '=', id)
    .where('state', '=', 'active')
    .execute();
}

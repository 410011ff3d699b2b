import { anyOf, changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readCursorPage, type CursorPage, type Paged } from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'auditEntries.kind': 'change' | 'sign_in';
    'auditEntries.outcome': 'success' | 'failure';
    'auditEntries.actorKind': 'key' | 'user' | 'operator' | 'unknown';
    'auditEntries.resource': Record<string, string>;
    'auditEntries.fields': string[];
  }
}

export type AuditEntry = Row<'auditEntries'>;

export interface AuditFilter {
  /** The account, and those of its subaccounts that are asked for. */
  accountIds: readonly string[];
  from?: Date | undefined;
  to?: Date | undefined;
  kind?: AuditEntry['kind'] | undefined;
  /** Texts that are contained, in any case. */
  who?: string | undefined;
  operation?: string | undefined;
  path?: string | undefined;
  text?: string | undefined;
}

/** Adds entries; one that is there already stays as it is. */
export async function insertEntries(db: Sql, entries: readonly AuditEntry[]): Promise<void> {
  await db.ofAnyone
    .insertInto('auditEntries')
    .values([...entries])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Texts in which each kind of search looks, in lower case. */
const WHO = sql<string>`lower(concat_ws(' ', actor_name, actor_id, requestor, session_id))`;
const ANYWHERE = sql<string>`lower(concat_ws(' ', method, path, operation, actor_name, actor_id, requestor,
  requestor_client, address, user_agent, request_id, resource::text, fields::text))`;
const OPERATION = sql<string>`lower(operation)`;
const PATH = sql<string>`lower(method || ' ' || path)`;

function ownEntries(db: Sql, accountIds: readonly string[]) {
  const [first, ...more] = accountIds;
  if (first !== undefined && more.length === 0) return db.of(first).selectFrom('auditEntries');
  return db.ofAnyone.selectFrom('auditEntries').where('accountId', '=', anyOf(accountIds));
}

function matching(db: Sql, { accountIds, from, to, kind, who, operation, path, text }: AuditFilter) {
  let wanted = ownEntries(db, accountIds);
  if (from) wanted = wanted.where('at', '>=', from);
  if (to) wanted = wanted.where('at', '<=', to);
  if (kind) wanted = wanted.where('kind', '=', kind);
  for (const [where, words] of [
    [WHO, who],
    [OPERATION, operation],
    [PATH, path],
    [ANYWHERE, text],
  ] as const)
    if (words) wanted = wanted.where(sql<boolean>`position(${words.toLowerCase()}::text in ${where}) > 0`);
  return wanted;
}

export function listEntries(db: Sql, filter: AuditFilter, page: CursorPage): Promise<Paged<AuditEntry>> {
  return readCursorPage(
    {
      own: ownEntries(db, filter.accountIds),
      wanted: matching(db, filter).selectAll(),
      id: 'id',
      sorts: { at: 'at' },
    },
    page,
  );
}

/** How many there are, counted no further than to `max`. */
export async function countEntries(db: Sql, filter: AuditFilter, max: number): Promise<number> {
  return (await matching(db, filter).select('id').limit(max).execute()).length;
}

/** The next entries after one, oldest first; from the oldest on without one. */
export function listEntriesAfter(
  db: Sql,
  filter: AuditFilter,
  { after, limit }: { after: Pick<AuditEntry, 'at' | 'id'> | undefined; limit: number },
): Promise<AuditEntry[]> {
  let wanted = matching(db, filter).selectAll();
  if (after) wanted = wanted.where(sql<boolean>`(at, id) > (${after.at}, ${after.id})`);
  return wanted.orderBy('at').orderBy('id').limit(limit).execute();
}

export function deleteOldEntries(tx: Sql, before: Date, limit: number): Promise<number> {
  const old = tx.ofAnyone.selectFrom('auditEntries').select('id').where('at', '<', before).orderBy('at').limit(limit);
  return changedRows(tx.ofAnyone.deleteFrom('auditEntries').where('id', 'in', old));
}

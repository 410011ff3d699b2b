// How accounts reach the tools of providers.
import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

/** What may be shown of a connection. */
export interface ConnectionSettings {
  name: string;
  /** Of links, the host alone. */
  asks: string;
  identity: string;
  baseUrl: string;
  tokenUrl: string;
  /** When the access ends, where that is known. ISO 8601. */
  endsAt: string | null;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'postmasterConnections.settings': ConnectionSettings;
  }
}

export type Connection = Row<'postmasterConnections'>;
export type NewConnection = Omit<Connection, 'accountId'>;

export function listConnections(db: Sql, accountId: string): Promise<Connection[]> {
  return db
    .of(accountId)
    .selectFrom('postmasterConnections')
    .selectAll('postmasterConnections')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export function findConnection(db: Sql, accountId: string, id: string): Promise<Connection | undefined> {
  return db
    .of(accountId)
    .selectFrom('postmasterConnections')
    .selectAll('postmasterConnections')
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertConnection(tx: Sql, accountId: string, row: NewConnection): Promise<void> {
  await tx.of(accountId).insert('postmasterConnections', row).execute();
}

export async function deleteConnection(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('postmasterConnections').where('id', '=', id))) > 0;
}

type Changes = Partial<
  Pick<
    Connection,
    'state' | 'problem' | 'days' | 'resumeAfter' | 'checkedAt' | 'succeededAt' | 'dueAt' | 'sealedCredentials'
  >
>;

/** Answers whether the connection is still there. */
export async function updateConnection(
  db: Sql,
  { accountId, id }: Pick<Connection, 'accountId' | 'id'>,
  changes: Changes,
): Promise<boolean> {
  const change = db.of(accountId).updateTable('postmasterConnections').set(changes).where('id', '=', id);
  return (await changedRows(change)) > 0;
}

/** Takes connections of anyone that are due, and puts them off: whoever dies with one leaves it to the next. */
export async function takeDue(tx: Sql, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  const due = await tx.ofAnyone
    .selectFrom('postmasterConnections')
    .select(['id', 'accountId'])
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx.ofAnyone.updateTable('postmasterConnections').set({ dueAt: until }).where('id', 'in', ids).execute();
  return due;
}

import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { TRIGGERS } from './contract.ts';
import type { CheckName } from './messages-store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sandboxInboxes.checks': CheckName[];
    'sandboxInboxes.forwardTo': string[];
    'sandboxInboxes.tagRules': TagRule[];
    'sandboxInboxes.chaos': Chaos;
  }
}

/** What finds messages, and the tags that it gives them. */
export interface TagRule {
  match: string;
  tags: string[];
}

/** What an inbox refuses on purpose: the code of the reply, and how often, in percent. */
export type Chaos = Partial<Record<(typeof TRIGGERS)[number], { errorCode: number; probability: number }>>;

export type SandboxInbox = Row<'sandboxInboxes'>;

/** False when the account has one of that name. */
export async function insertInbox(db: Sql, { accountId, ...inbox }: SandboxInbox): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('sandboxInboxes', inbox)
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doNothing());
  return (await changedRows(inserted)) > 0;
}

/** By its id or its name; no name has the form of an id. */
export function findInbox(db: Sql, accountId: string, spec: string): Promise<SandboxInbox | undefined> {
  return db
    .of(accountId)
    .selectFrom('sandboxInboxes')
    .selectAll()
    .where((row) => row.or([row('id', '=', spec), row('name', '=', spec)]))
    .executeTakeFirst();
}

/** The same, which nobody else changes until the transaction ends. */
export function lockInbox(tx: Sql, accountId: string, id: string): Promise<SandboxInbox | undefined> {
  return tx.of(accountId).selectFrom('sandboxInboxes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** What an inbox refuses on purpose; undefined: it is gone. */
export function findChaos(
  db: Sql,
  accountId: string,
  id: string,
): Promise<Pick<SandboxInbox, 'name' | 'chaos'> | undefined> {
  return db
    .of(accountId)
    .selectFrom('sandboxInboxes')
    .select(['name', 'chaos'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countInboxes(db: Sql, accountId: string): Promise<number> {
  const { total } = await db
    .of(accountId)
    .selectFrom('sandboxInboxes')
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A page of an account's inboxes, newest first. */
export function listInboxes(db: Sql, accountId: string, page: SkipPage): Promise<Paged<SandboxInbox>> {
  const all = db.of(accountId).selectFrom('sandboxInboxes').selectAll();
  return readSkipPage(all.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page);
}

export async function saveInbox(
  db: Sql,
  { id, accountId }: Pick<SandboxInbox, 'id' | 'accountId'>,
  change: Partial<Omit<SandboxInbox, 'id' | 'accountId'>>,
): Promise<SandboxInbox | undefined> {
  return db
    .of(accountId)
    .updateTable('sandboxInboxes')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Its messages go with it. False: there is none. */
export async function deleteInbox(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('sandboxInboxes').where('id', '=', id))) > 0;
}

/** Whose login it is: the login says it, whoever asks. */
export function findByLogin(db: Sql, smtpUser: string): Promise<SandboxInbox | undefined> {
  return db.ofAnyone.selectFrom('sandboxInboxes').selectAll().where('smtpUser', '=', smtpUser).executeTakeFirst();
}

/** How far inboxes are that are watched in this process; those that are gone are not among them. */
export async function listRevisions(db: Sql, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.ofAnyone
    .selectFrom('sandboxInboxes')
    .select(['id', 'revision'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Inboxes whose account is closed, once their last message has gone. */
export async function deleteOfClosed(db: Sql): Promise<void> {
  await db.ofAnyone
    .deleteFrom('sandboxInboxes')
    .where('messageCount', '=', 0)
    .where('accountId', 'in', (from) =>
      from.selectFrom('accounts').select('accounts.id').where('status', '=', 'closed'),
    )
    .execute();
}

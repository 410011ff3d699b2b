// Copies for archives: what waits, and how it went.
import { sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'archiveCopies.attempts': Attempt[];
  }
}

export type ArchiveCopy = Row<'archiveCopies'>;

/** Answers its id. */
export async function insertCopy(
  tx: Sql,
  accountId: string,
  row: Omit<NewRow<'archiveCopies'>, 'accountId'>,
): Promise<string> {
  const { id } = await tx.of(accountId).insert('archiveCopies', row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Those of any account that are due, the longest of each account first: one with many keeps nobody else's away. */
export function listDue(db: Sql, now: Date, limit: number): Promise<Pick<ArchiveCopy, 'id' | 'accountId'>[]> {
  const due = db.ofAnyone
    .selectFrom('archiveCopies')
    .select(['id', 'accountId', 'dueAt'])
    .select(sql<string>`row_number() over (partition by account_id order by due_at)`.as('place'))
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now);
  const ordered = db.ofAnyone.selectFrom(due.as('due')).select(['id', 'accountId']).orderBy('place').orderBy('dueAt');
  return ordered.limit(limit).execute();
}

/** Takes one that is due until a moment: whoever comes before that finds nothing. */
export function claimCopy(
  db: Sql,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<ArchiveCopy | undefined> {
  return db.ofAnyone
    .updateTable('archiveCopies')
    .set({ dueAt: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

export async function settleCopy(
  db: Sql,
  { accountId, id }: Pick<ArchiveCopy, 'accountId' | 'id'>,
  { state, attempts, dueAt }: Pick<ArchiveCopy, 'state' | 'attempts'> & { dueAt?: Date },
): Promise<void> {
  const own = db.of(accountId).updateTable('archiveCopies');
  await own
    .set({ state, attempts, ...(dueAt && { dueAt }) })
    .where('id', '=', id)
    .execute();
}

export function findCopy(db: Sql, accountId: string, id: string): Promise<ArchiveCopy | undefined> {
  return db.of(accountId).selectFrom('archiveCopies').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findCopyOf(db: Sql, accountId: string, messageId: string): Promise<ArchiveCopy | undefined> {
  return db.of(accountId).selectFrom('archiveCopies').selectAll().where('messageId', '=', messageId).executeTakeFirst();
}

/** Newest first, with what they are copies of. */
export function pageCopies(
  db: Sql,
  accountId: string,
  { domain, state, ...page }: SkipPage & { domain: string | undefined; state: ArchiveCopy['state'] | undefined },
) {
  const own = db
    .of(accountId)
    .selectFrom('archiveCopies')
    .innerJoin('sentMessages', 'sentMessages.id', 'archiveCopies.messageId')
    .$if(domain !== undefined, (all) => all.where('archiveCopies.domain', '=', domain!))
    .$if(state !== undefined, (all) => all.where('archiveCopies.state', '=', state!));
  const shown = own.selectAll('archiveCopies').select(['sentMessages.key', 'sentMessages.subject']);
  return readSkipPage(shown.orderBy('archiveCopies.id', 'desc'), page) as Promise<
    Paged<ArchiveCopy & { key: string; subject: string }>
  >;
}

/**
 * Makes it due, as it is now; undefined where it changed since it was read. One that waits must be due after `after`:
 * whoever tries it has made it due earlier than that.
 */
export function makeCopyDue(
  tx: Sql,
  { accountId, id, state }: Pick<ArchiveCopy, 'accountId' | 'id' | 'state'>,
  { now, after }: { now: Date; after: Date },
): Promise<ArchiveCopy | undefined> {
  return tx
    .of(accountId)
    .updateTable('archiveCopies')
    .set({ state: 'waiting', dueAt: now })
    .where('id', '=', id)
    .where('state', '=', state)
    .$if(state === 'waiting', (waiting) => waiting.where('dueAt', '>', after))
    .returningAll()
    .executeTakeFirst();
}

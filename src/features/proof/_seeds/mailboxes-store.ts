import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';

/**
 * `loggedInAt`: when a login with the present address, server and credentials worked last; null: mail is not sent to
 * it. `receivedAt`: when a message was found in it that was sent to its present address.
 */
export type SeedMailbox = Row<'seedMailboxes'>;

/** False: the account has a mailbox with this address. */
export async function insertMailbox(db: Sql, made: SeedMailbox): Promise<boolean> {
  const inserted = db.ofAnyone
    .insertInto('seedMailboxes')
    .values(made)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export function findMailbox(db: Sql, accountId: string, id: string): Promise<SeedMailbox | undefined> {
  return db.of(accountId).selectFrom('seedMailboxes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** For jobs: the account is not asked. */
export function findMailboxOfAnyone(db: Sql, id: string): Promise<SeedMailbox | undefined> {
  return db.ofAnyone.selectFrom('seedMailboxes').selectAll().where('id', '=', id).executeTakeFirst();
}

export function listMailboxes(db: Sql, accountId: string): Promise<SeedMailbox[]> {
  return db.of(accountId).selectFrom('seedMailboxes').selectAll().orderBy('provider').orderBy('email').execute();
}

/** Undefined: there is no such mailbox. Null: another one has that address. */
export async function updateMailbox(db: Sql, box: SeedMailbox): Promise<SeedMailbox | undefined | null> {
  const own = db.of(box.accountId);
  const taken = await own
    .selectFrom('seedMailboxes')
    .select('id')
    .where(sql<boolean>`lower(${sql.ref('email')}) = lower(${box.email})`)
    .where('id', '<>', box.id)
    .executeTakeFirst();
  if (taken) return null;
  return own
    .updateTable('seedMailboxes')
    .set({
      email: box.email,
      provider: box.provider,
      displayName: box.displayName,
      category: box.category,
      region: box.region,
      host: box.host,
      port: box.port,
      security: box.security,
      userName: box.userName,
      sealedCredentials: box.sealedCredentials,
      verifyCertificate: box.verifyCertificate,
      isEnabled: box.isEnabled,
      status: box.status,
      statusMessage: box.statusMessage,
      loggedInAt: box.loggedInAt,
      receivedAt: box.receivedAt,
      updatedAt: box.updatedAt,
    })
    .where('id', '=', box.id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteMailbox(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('seedMailboxes').where('id', '=', id))) > 0;
}

type Version = Pick<SeedMailbox, 'id' | 'accountId' | 'updatedAt'>;

/** Says how a login went; nothing is noted of a mailbox that was changed meanwhile. */
export async function noteCheck(
  db: Sql,
  { id, accountId, updatedAt }: Version,
  { status, message, at }: { status: 'working' | 'failing'; message: string | null; at: Date },
): Promise<void> {
  await db
    .of(accountId)
    .updateTable('seedMailboxes')
    .set({ status, statusMessage: message, checkedAt: at, ...(status === 'working' && { loggedInAt: at }) })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .execute();
}

/** A message was found in it: its address is its own. */
export async function noteReceived(db: Sql, { id, accountId, updatedAt }: Version, at: Date): Promise<void> {
  await db
    .of(accountId)
    .updateTable('seedMailboxes')
    .set({ receivedAt: at })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .execute();
}

/** Null: nobody else visits the mailbox until then, or until `endVisit`. Otherwise when the other's time is over. */
export async function beginVisit(db: Sql, id: string, { at, until }: { at: Date; until: Date }): Promise<Date | null> {
  const begun = db.ofAnyone
    .updateTable('seedMailboxes')
    .set({ visitingUntil: until })
    .where('id', '=', id)
    .where((box) => box.or([box('visitingUntil', 'is', null), box('visitingUntil', '<=', at)]));
  if ((await changedRows(begun)) > 0) return null;
  const held = await db.ofAnyone
    .selectFrom('seedMailboxes')
    .select('visitingUntil')
    .where('id', '=', id)
    .executeTakeFirst();
  return held?.visitingUntil ?? null;
}

export async function endVisit(db: Sql, id: string): Promise<void> {
  await db.ofAnyone.updateTable('seedMailboxes').set({ visitingUntil: null }).where('id', '=', id).execute();
}

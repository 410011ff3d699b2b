import { changedRows, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';

export type SandboxRecipient = Row<'sandboxRecipients'>;

export function listRecipients(db: Sql, accountId: string): Promise<SandboxRecipient[]> {
  return db.of(accountId).selectFrom('sandboxRecipients').selectAll().orderBy('createdAt').orderBy('email').execute();
}

/** Adds one, or gives the one that is there a new link. */
export async function saveRecipient(
  tx: Sql,
  accountId: string,
  row: Omit<NewRow<'sandboxRecipients'>, 'accountId'>,
): Promise<void> {
  const { createdAt: _first, ...change } = row;
  await tx
    .of(accountId)
    .insert('sandboxRecipients', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'email']).doUpdateSet(change))
    .execute();
}

export async function deleteRecipient(db: Sql, accountId: string, email: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('sandboxRecipients').where('email', '=', email))) > 0;
}

/** The one of a link; whose it is, the link alone says. */
export function findByToken(db: Sql, token: string, since: Date): Promise<SandboxRecipient | undefined> {
  return db.ofAnyone
    .selectFrom('sandboxRecipients')
    .selectAll()
    .where('token', '=', token)
    .where('invitedAt', '>=', since)
    .executeTakeFirst();
}

/** By the mode in which its link was sent. */
export async function activateByToken(db: Sql, token: string): Promise<void> {
  await db.ofAnyone
    .updateTable('sandboxRecipients')
    .set((row) => ({ activatedIn: row.ref('mode'), sendAt: null, problem: null }))
    .where('token', '=', token)
    .execute();
}

/** Mails of an account since then; older ones are forgotten. */
export async function countInvitations(tx: Sql, accountId: string, since: Date): Promise<number> {
  await tx.of(accountId).deleteFrom('sandboxInvitations').where('sentAt', '<', since).execute();
  const { count } = await tx
    .of(accountId)
    .selectFrom('sandboxInvitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertInvitation(tx: Sql, accountId: string, sentAt: Date): Promise<void> {
  await tx.of(accountId).insert('sandboxInvitations', { sentAt }).execute();
}

/** Those whose mail is due; nobody else gets them until `until`. */
export function takeDue(
  db: Sql,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<SandboxRecipient[]> {
  return db.ofAnyone
    .with('due', (from) =>
      from
        .selectFrom('sandboxRecipients')
        .select('sandboxRecipients.token')
        .where('sendAt', '<=', now)
        .orderBy('sendAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('sandboxRecipients')
    .from('due')
    .set((row) => ({ sendAt: until, tries: row('sandboxRecipients.tries', '+', 1) }))
    .whereRef('sandboxRecipients.token', '=', 'due.token')
    .returningAll('sandboxRecipients')
    .execute();
}

/** How the mail with this link went. */
export async function saveTry(
  db: Sql,
  token: string,
  outcome: { sendAt: Date | null; problem: string | null },
): Promise<void> {
  await db.ofAnyone.updateTable('sandboxRecipients').set(outcome).where('token', '=', token).execute();
}

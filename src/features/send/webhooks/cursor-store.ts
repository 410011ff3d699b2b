// How far the log of events has been read for each account with webhooks.
import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

export type Cursor = Row<'webhookCursors'>;

/** Accounts that are due; nobody else gets them until `until`. */
export function takeDue(db: Sql, { now, until, limit }: { now: Date; until: Date; limit: number }): Promise<Cursor[]> {
  return db.ofAnyone
    .with('due', (from) =>
      from
        .selectFrom('webhookCursors')
        .select('webhookCursors.accountId')
        .where('dueAt', '<=', now)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('webhooks')
              .select('webhooks.id')
              .whereRef('webhooks.accountId', '=', 'webhookCursors.accountId'),
          ),
        )
        .orderBy('dueAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('webhookCursors')
    .from('due')
    .set({ dueAt: until })
    .whereRef('webhookCursors.accountId', '=', 'due.accountId')
    .returningAll('webhookCursors')
    .execute();
}

/** Moves the cursor on; false when another process has moved it meanwhile. */
export async function moveCursor(
  tx: Sql,
  { accountId, at, eventId }: Cursor,
  to: { at: Date; eventId: string; dueAt: Date },
): Promise<boolean> {
  const moved = tx
    .of(accountId)
    .updateTable('webhookCursors')
    .set(to)
    .where('at', '=', at)
    .where('eventId', '=', eventId);
  return (await changedRows(moved)) > 0;
}

export async function saveChecked(tx: Sql, accountId: string, checkedAt: Date): Promise<void> {
  await tx.of(accountId).updateTable('webhookCursors').set({ checkedAt }).execute();
}

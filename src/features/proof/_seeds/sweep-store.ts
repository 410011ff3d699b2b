// The queries of the sweep, which covers all accounts.
import { sql, type Sql } from '../../../platform/db/index.ts';
import { WITHOUT_REPORT, type SeedDelivery } from './store.ts';

/** Lists open deliveries past their time limit. A message that still waits for its first try is not late. */
export function listOverdue(db: Sql, now: Date, limit: number): Promise<SeedDelivery[]> {
  return db.ofAnyone
    .selectFrom('seedDeliveries')
    .select(WITHOUT_REPORT)
    .where('settledAt', 'is', null)
    .where('deadlineAt', '<=', now)
    .where('state', '<>', 'pending')
    .orderBy('deadlineAt')
    .limit(limit)
    .execute();
}

/** Lists open deliveries without a change for so long that their job must be lost. */
export function listForgotten(db: Sql, since: Date, limit: number): Promise<SeedDelivery[]> {
  const forgotten = db.ofAnyone
    .selectFrom('seedDeliveries')
    .select('token')
    .where('settledAt', 'is', null)
    .where('touchedAt', '<', since)
    .limit(limit);
  return db.ofAnyone
    .updateTable('seedDeliveries')
    .set({ touchedAt: sql<Date>`now()` })
    .where('token', 'in', forgotten)
    .returning(WITHOUT_REPORT)
    .execute();
}

export async function deleteExpiredDeliveries(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('seedDeliveries').where('expiresAt', '<=', now).execute();
}

// What servers said of mailboxes, and how often an account asked.
import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'addressProbes.finding': 'accepted' | 'refused' | 'accepts_all' | 'unknown' | 'tells';
  }
}

export type Probe = Row<'addressProbes'>;

/** Of addresses and of domains. */
export function listProbes(db: Sql, accountId: string, subjects: readonly string[]): Promise<Probe[]> {
  return db.of(accountId).selectFrom('addressProbes').selectAll().where('address', 'in', subjects).execute();
}

/** In place of what was said before. Each subject once. */
export async function saveProbes(db: Sql, probes: readonly Probe[]): Promise<void> {
  if (probes.length === 0) return;
  await db.ofAnyone
    .insertInto('addressProbes')
    .values([...probes])
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'address']).doUpdateSet((row) => ({
        finding: row.ref('excluded.finding'),
        said: row.ref('excluded.said'),
        askedAt: row.ref('excluded.askedAt'),
      })),
    )
    .execute();
}

/** How many of the wanted questions the account may still ask within this hour; they count as asked. */
export async function takeTurns(
  tx: Sql,
  accountId: string,
  { wanted, max, now }: { wanted: number; max: number; now: Date },
): Promise<number> {
  const hour = new Date(now);
  hour.setUTCMinutes(0, 0, 0);
  await tx.ofAnyone
    .insertInto('addressProbeHours')
    .values({ accountId, beganAt: hour, asked: 0 })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute();
  const all = tx.of(accountId).selectFrom('addressProbeHours').selectAll().forUpdate();
  const { beganAt, asked } = await all.executeTakeFirstOrThrow();
  const before = beganAt.getTime() === hour.getTime() ? asked : 0;
  const granted = Math.max(0, Math.min(wanted, max - before));
  await tx
    .of(accountId)
    .updateTable('addressProbeHours')
    .set({ beganAt: hour, asked: before + granted })
    .execute();
  return granted;
}

export async function deleteOldProbes(tx: Sql, before: Date, limit: number): Promise<number> {
  const gone = tx.ofAnyone
    .deleteFrom('addressProbes')
    .where((where) =>
      where(
        where.refTuple('accountId', 'address'),
        'in',
        where
          .selectFrom('addressProbes')
          .select(['addressProbes.accountId', 'addressProbes.address'])
          .where('askedAt', '<', before)
          .orderBy('askedAt')
          .limit(limit)
          .$asTuple('accountId', 'address'),
      ),
    );
  return changedRows(gone);
}

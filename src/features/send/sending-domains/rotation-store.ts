import type { Row, Sql } from '../../../platform/db/index.ts';
import type { SendingDomain } from './store.ts';

type Rotation = Row<'dkimRotations'>;
type Whose = Pick<SendingDomain, 'id' | 'accountId'>;

export function findRotation(db: Sql, { id, accountId }: Whose): Promise<Rotation | undefined> {
  return db.of(accountId).selectFrom('dkimRotations').selectAll().where('domainId', '=', id).executeTakeFirst();
}

/** Changes what is given; the rest stays, also when somebody changes it at the same time. */
export async function saveRotation(
  db: Sql,
  { id, accountId }: Whose,
  {
    isEnabled,
    intervalDays,
    dueAt,
    defaultDays,
  }: Omit<Rotation, 'domainId' | 'accountId' | 'intervalDays'> & {
    intervalDays: number | undefined;
    defaultDays: number;
  },
): Promise<Rotation> {
  return db
    .of(accountId)
    .insert('dkimRotations', { domainId: id, isEnabled, intervalDays: intervalDays ?? defaultDays, dueAt })
    .onConflict((conflict) =>
      conflict
        .column('domainId')
        .doUpdateSet({ isEnabled, dueAt, ...(intervalDays !== undefined && { intervalDays }) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Says when somebody looks next. */
export async function setDue(db: Sql, { id, accountId }: Whose, dueAt: Date): Promise<void> {
  await db.of(accountId).updateTable('dkimRotations').set({ dueAt }).where('domainId', '=', id).execute();
}

/** Domains of any account whose keys somebody has to look at, the longest ago first. */
export function listDueRotations(db: Sql, at: Date, limit: number): Promise<{ accountId: string; name: string }[]> {
  return db.ofAnyone
    .selectFrom('dkimRotations')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'dkimRotations.domainId')
    .select(['dkimRotations.accountId', 'sendingDomains.name'])
    .where('dueAt', '<=', at)
    .orderBy('dueAt')
    .limit(limit)
    .execute();
}

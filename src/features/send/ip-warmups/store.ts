// Warm-ups, what may leave from their addresses, and what followed from each stage.
import type { Signal, Throttle, Verdict } from '../../../engines/ip-warmup/index.ts';
import { changedRows, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import {
  readPivotPage,
  readSkipPage,
  type Paged,
  type PivotPage,
  type SkipPage,
} from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'ipWarmups.volumes': number[];
    'ipWarmupDecisions.verdict': Verdict;
    'ipWarmupDecisions.signals': Signal[];
  }
}

export type Warmup = Row<'ipWarmups'>;
export type WarmupDecision = Row<'ipWarmupDecisions'>;

/** Of addresses that are warming up, by address. */
export function listWarming(db: Sql, accountId: string, page: PivotPage): Promise<Warmup[]> {
  const warming = db.of(accountId).selectFrom('ipWarmups').selectAll().where('warmAt', 'is', null);
  return readPivotPage(warming, { name: 'address', column: 'ip' }, page);
}

/** Those that are through, too. */
export function listWarmups(db: Sql, accountId: string, page: SkipPage): Promise<Paged<Warmup>> {
  return readSkipPage(db.of(accountId).selectFrom('ipWarmups').selectAll().orderBy('ip'), page);
}

export function findWarmup(db: Sql, accountId: string, ip: string): Promise<Warmup | undefined> {
  return db.of(accountId).selectFrom('ipWarmups').selectAll().where('ip', '=', ip).executeTakeFirst();
}

/** Begins a warm-up; one that is through is replaced. False when the address is warming up already. */
export async function insertWarmup(tx: Sql, accountId: string, row: Omit<NewRow<'ipWarmups'>, 'accountId'>) {
  const warm = tx.of(accountId).deleteFrom('ipWarmups').where('ip', '=', row.ip).where('warmAt', 'is not', null);
  await warm.execute();
  const inserted = tx
    .of(accountId)
    .insert('ipWarmups', row)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export async function deleteWarmup(db: Sql, accountId: string, ip: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('ipWarmups').where('ip', '=', ip))) > 0;
}

/** Changes the stages of one that is warming up and has not come further than they do. */
export async function saveVolumes(
  db: Sql,
  accountId: string,
  { ip, volumes, now }: { ip: string; volumes: number[]; now: Date },
): Promise<boolean> {
  const saved = db
    .of(accountId)
    .updateTable('ipWarmups')
    .set({ volumes, updatedAt: now })
    .where('ip', '=', ip)
    .where('warmAt', 'is', null)
    .where('stage', '<=', volumes.length);
  return (await changedRows(saved)) > 0;
}

/** Those of the addresses that are warming up, whoever owns them. */
export async function findWarmingIps(db: Sql, ips: readonly string[]): Promise<string[]> {
  const found = db.ofAnyone
    .selectFrom('ipWarmups')
    .select('ip')
    .where('ip', 'in', [...ips, ''])
    .where('warmAt', 'is', null);
  return (await found.execute()).map(({ ip }) => ip);
}

/** One that is warming up; nobody else changes it before the transaction ends. */
export function lockWarming(tx: Sql, ip: string): Promise<Warmup | undefined> {
  const found = tx.ofAnyone.selectFrom('ipWarmups').selectAll().where('ip', '=', ip).where('warmAt', 'is', null);
  return found.forUpdate().executeTakeFirst();
}

export async function saveThrottle(tx: Sql, ip: string, throttle: Throttle): Promise<void> {
  await tx.ofAnyone.updateTable('ipWarmups').set(throttle).where('ip', '=', ip).execute();
}

/** Those whose stage began before then, or that nobody looked at since. */
export function listDue(
  db: Sql,
  { startedBefore, lookedBefore }: { startedBefore: Date; lookedBefore: Date },
): Promise<Warmup[]> {
  return db.ofAnyone
    .selectFrom('ipWarmups')
    .selectAll()
    .where('warmAt', 'is', null)
    .where((row) => row.or([row('stageStartedAt', '<=', startedBefore), row('lookedAt', '<=', lookedBefore)]))
    .orderBy('ip')
    .execute();
}

export async function saveLook(tx: Sql, ip: string, now: Date): Promise<void> {
  await tx.ofAnyone.updateTable('ipWarmups').set({ lookedAt: now }).where('ip', '=', ip).execute();
}

type Step = Pick<
  Warmup,
  'stage' | 'stageStartedAt' | 'countedFrom' | 'lookedAt' | 'updatedAt' | 'sentBefore' | 'warmAt'
>;

/** Ends a stage: its decision is kept, and the next begins. */
export async function saveStep(
  tx: Sql,
  ip: string,
  { step, throttle, decision }: { step: Step; throttle: Throttle; decision: NewRow<'ipWarmupDecisions'> },
): Promise<void> {
  await tx.ofAnyone
    .updateTable('ipWarmups')
    .set({ ...step, ...throttle })
    .where('ip', '=', ip)
    .execute();
  await tx.ofAnyone.insertInto('ipWarmupDecisions').values(decision).execute();
}

/** The latest, newest first. */
export function listDecisions(
  db: Sql,
  accountId: string,
  { ip, limit }: { ip: string; limit: number },
): Promise<WarmupDecision[]> {
  return db
    .of(accountId)
    .selectFrom('ipWarmupDecisions')
    .selectAll()
    .where('ip', '=', ip)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The latest of each of these addresses, oldest first. */
export function listVerdicts(
  db: Sql,
  accountId: string,
  { ips, limit }: { ips: readonly string[]; limit: number },
): Promise<Pick<WarmupDecision, 'ip' | 'verdict'>[]> {
  const own = db.of(accountId);
  const numbered = own
    .selectFrom('ipWarmupDecisions')
    .select((decision) => [
      'id',
      decision.fn
        .agg<number>('row_number')
        .over((all) => all.partitionBy('ip').orderBy('id', 'desc'))
        .as('place'),
    ])
    .where('ip', 'in', [...ips, '']);
  return own
    .selectFrom('ipWarmupDecisions')
    .innerJoin(numbered.as('numbered'), 'numbered.id', 'ipWarmupDecisions.id')
    .select(['ipWarmupDecisions.ip', 'ipWarmupDecisions.verdict'])
    .where('numbered.place', '<=', limit)
    .orderBy('ipWarmupDecisions.id')
    .execute();
}

export function deleteOldDecisions(db: Sql, before: Date): Promise<number> {
  return changedRows(db.ofAnyone.deleteFrom('ipWarmupDecisions').where('endedAt', '<', before));
}

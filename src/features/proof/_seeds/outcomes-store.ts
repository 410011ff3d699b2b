import { anyOf, sql, type Sql } from '../../../platform/db/index.ts';
import type { SeedKind } from './store.ts';

/** Where messages to seeds landed. `decided` is the sum of inbox (its tabs, too), spam and missing. */
export interface PlacedCount {
  seedKind: SeedKind;
  inbox: number;
  decided: number;
  /** Different addresses among those. */
  addresses: number;
}

/** Sums up what became of messages of these tests, by the kind of seed; kinds without an outcome are left out. */
export function countPlaced(
  db: Sql,
  { kind, accountIds, testIds }: { kind: string; accountIds: readonly string[]; testIds: readonly string[] },
): Promise<PlacedCount[]> {
  return db.ofAnyone
    .selectFrom('seedDeliveries')
    .select([
      'seedKind',
      sql<number>`(count(*) filter (where placement in ('inbox', 'category')))::int`.as('inbox'),
      sql<number>`count(*)::int`.as('decided'),
      sql<number>`count(distinct email)::int`.as('addresses'),
    ])
    .where('kind', '=', kind)
    .where('accountId', '=', anyOf(accountIds))
    .where('testId', '=', anyOf(testIds))
    .where((row) => row.or([row('placement', 'is not', null), row('state', 'in', ['bounced', 'missing'])]))
    .groupBy('seedKind')
    .execute();
}

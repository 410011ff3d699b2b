// Limits, what accounts say for all of theirs, and what was used.
import {
  anyOf,
  changedRows,
  rowCount,
  sql,
  type NewRow,
  type RawBuilder,
  type Row,
  type Sql,
} from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

/** Windows of UTC in which uses are counted; each begins at zero. */
const PERIODS = ['hour', 'day', 'month'] as const;
export type UsePeriod = (typeof PERIODS)[number];

/** The beginning of the window of a moment, and that of the next one. */
export function windowOf(now: Date, period: UsePeriod): { from: Date; until: Date } {
  const [year, month, day, hour] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()];
  const at = (moved: number): Date => {
    if (period === 'month') return new Date(Date.UTC(year, month + moved, 1));
    if (period === 'day') return new Date(Date.UTC(year, month, day + moved));
    return new Date(Date.UTC(year, month, day, hour + moved));
  };
  return { from: at(0), until: at(1) };
}

/** The windows of a moment, the shortest first. */
function windowsOf(now: Date): { period: UsePeriod; startsAt: Date }[] {
  return PERIODS.map((period) => ({ period, startsAt: windowOf(now, period).from }));
}

/** What is counted: a preview test, a placement test and a validated address are one use each. */
export const USE_METRICS = ['email_preview_success_count', 'seed_test_count', 'email_validation_count'] as const;
export type UseMetric = (typeof USE_METRICS)[number];

/** What is counted beside those, for who asks how much was used: no limit is set on them. */
const FURTHER_USES = [
  'email_validation_single_count',
  'email_validation_bulk_count',
  'email_validation_list_count',
  'email_validation_valid_count',
] as const;
export type FurtherUse = (typeof FURTHER_USES)[number];

export const LIMIT_DIMENSIONS = ['domain', 'ip', 'ip_pool', 'recipient_provider', 'subaccount'] as const;
type Dimension = (typeof LIMIT_DIMENSIONS)[number];

export type LimitChannel = 'email' | 'slack' | 'webhook';

/** Of accounts, by their ids. */
export interface LimitFilter {
  dimension: 'subaccount';
  comparator: '=' | '!=';
  values: string[];
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'limits.metric': UseMetric;
    'limits.dimension': Dimension;
    'limits.filters': LimitFilter[];
    'limits.alertChannels': LimitChannel[];
    'limitSettings.alertChannels': LimitChannel[];
    'uses.metric': UseMetric | FurtherUse;
  }
}

export type Limit = Row<'limits'>;
export type LimitSettings = Row<'limitSettings'>;

/** What an account used under a limit. */
export interface UseUnder extends Pick<Limit, 'name' | 'metric' | 'maxUses' | 'period'> {
  used: number;
  accountId: string;
  accountName: string;
}

/** By name. */
export function listLimits(db: Sql, accountId: string, page: SkipPage): Promise<Paged<Limit>> {
  return readSkipPage(db.of(accountId).selectFrom('limits').selectAll().orderBy('name'), page);
}

export function findLimit(db: Sql, accountId: string, name: string): Promise<Limit | undefined> {
  return db.of(accountId).selectFrom('limits').selectAll().where('name', '=', name).executeTakeFirst();
}

export function findLimitById(db: Sql, accountId: string, id: string): Promise<Limit | undefined> {
  return db.of(accountId).selectFrom('limits').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function countLimits(db: Sql, accountId: string): Promise<number> {
  const counted = db.of(accountId).selectFrom('limits').select(rowCount.as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

type LimitRow = Omit<NewRow<'limits'>, 'accountId'>;

/** Undefined when the account has one of the name. */
export function insertLimit(db: Sql, accountId: string, row: LimitRow): Promise<Limit | undefined> {
  return db
    .of(accountId)
    .insert('limits', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function putLimit(
  db: Sql,
  accountId: string,
  { id, ...row }: Omit<LimitRow, 'createdAt'>,
): Promise<Limit | undefined> {
  return db.of(accountId).updateTable('limits').set(row).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deleteLimit(db: Sql, accountId: string, name: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('limits').where('name', '=', name))) > 0;
}

export function findLimitSettings(db: Sql, accountId: string): Promise<LimitSettings | undefined> {
  return db.of(accountId).selectFrom('limitSettings').selectAll().executeTakeFirst();
}

export function saveLimitSettings(
  db: Sql,
  accountId: string,
  row: Omit<NewRow<'limitSettings'>, 'accountId'>,
): Promise<LimitSettings> {
  const { createdAt: _first, ...changed } = row;
  return db
    .of(accountId)
    .insert('limitSettings', row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether a limit of the query is one on this account: its own, or its parent's on subaccounts. */
const holdsFor = (accountId: RawBuilder<string>) =>
  sql<boolean>`(limits.account_id = ${accountId} or limits.dimension = 'subaccount')
    and (limits.includes is null or ${accountId} = any(limits.includes))
    and not ${accountId} = any(limits.excludes)`;

/** Whether a limit of the query is its own or its parent's. */
const ofOwners = (accountId: string) =>
  sql<boolean>`limits.account_id in (${accountId}, (select parent_id from accounts where id = ${accountId}))`;

const HELD = ['limits.id', 'limits.accountId', 'limits.name', 'limits.maxUses', 'limits.period'] as const;
const WARNINGS = ['limitSettings.firstWarning', 'limitSettings.secondWarning'] as const;

/** The limits that hold for an account: its own and its parent's, with the warnings that their owners asked for. */
export function listLimitsFor(db: Sql, { accountId, metric }: { accountId: string; metric: UseMetric }) {
  return db.ofAnyone
    .selectFrom('limits')
    .leftJoin('limitSettings', 'limitSettings.accountId', 'limits.accountId')
    .select([...HELD, ...WARNINGS])
    .where(ofOwners(accountId))
    .where('limits.metric', '=', metric)
    .where(holdsFor(sql.val(accountId)))
    .orderBy('limits.maxUses')
    .execute();
}

export type Holding = Awaited<ReturnType<typeof listLimitsFor>>[number];

/**
 * Adds to the windows of a moment, and holds them until the transaction ends: whoever else counts for this account
 * waits for it. Answers the limits that hold, with what the window of each has now. One statement: it stands in the
 * way of whatever is used.
 */
export async function addUses(
  tx: Sql,
  accountId: string,
  { metric, adding, now }: { metric: UseMetric; adding: number; now: Date },
): Promise<(Holding & { used: number })[]> {
  const rows = windowsOf(now).map((window) => ({ metric, ...window, used: String(adding) }));
  const counting = tx
    .of(accountId)
    .insert('uses', rows)
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'metric', 'period', 'startsAt'])
        .doUpdateSet({ used: sql<string>`uses.used + excluded.used` }),
    )
    .returning(['period', 'used']);
  const holding = await tx.ofAnyone
    .with('counted', () => counting)
    .selectFrom('counted')
    .innerJoin('limits', 'limits.period', 'counted.period')
    .leftJoin('limitSettings', 'limitSettings.accountId', 'limits.accountId')
    .select([...HELD, ...WARNINGS, 'counted.used'])
    .where(ofOwners(accountId))
    .where('limits.metric', '=', metric)
    .where(holdsFor(sql.val(accountId)))
    .orderBy('limits.maxUses')
    .execute();
  return holding.map((limit) => ({ ...limit, used: Number(limit.used) }));
}

/** Counts what no limit is set on. Uses that limits are set on are counted after it, so that nobody waits crosswise. */
export async function addFurtherUses(
  tx: Sql,
  accountId: string,
  { uses, now }: { uses: Readonly<Partial<Record<FurtherUse, number>>>; now: Date },
): Promise<void> {
  const counted = FURTHER_USES.filter((metric) => (uses[metric] ?? 0) > 0);
  if (counted.length === 0) return;
  const rows = counted.flatMap((metric) =>
    windowsOf(now).map((window) => ({ metric, ...window, used: String(uses[metric]) })),
  );
  await tx
    .of(accountId)
    .insert('uses', rows)
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'metric', 'period', 'startsAt'])
        .doUpdateSet({ used: sql<string>`uses.used + excluded.used` }),
    )
    .execute();
}

/** What the windows of a moment have. */
export async function findUses(
  db: Sql,
  accountId: string,
  { metric, now }: { metric: UseMetric; now: Date },
): Promise<Map<UsePeriod, number>> {
  const windows = windowsOf(now);
  const rows = await db
    .of(accountId)
    .selectFrom('uses')
    .select(['period', 'used'])
    .where('metric', '=', metric)
    .where((row) => row.or(windows.map(({ period, startsAt }) => row.and({ period, startsAt }))))
    .execute();
  return new Map(rows.map(({ period, used }) => [period, Number(used)]));
}

/** What was used under each limit of an account in its window: by itself and by its subaccounts, the fullest first. */
export async function listUsesUnder(
  db: Sql,
  accountId: string,
  { now, ...page }: SkipPage & { now: Date },
): Promise<Paged<UseUnder>> {
  const windows = windowsOf(now);
  const all = db.ofAnyone
    .selectFrom('limits')
    .innerJoin('uses', (join) =>
      join.onRef('uses.metric', '=', 'limits.metric').onRef('uses.period', '=', 'limits.period'),
    )
    .innerJoin('accounts', 'accounts.id', 'uses.accountId')
    .where('limits.accountId', '=', accountId)
    .where((row) => row.or([row('accounts.id', '=', accountId), row('accounts.parentId', '=', accountId)]))
    .where((row) =>
      row.or(
        windows.map(({ period, startsAt }) =>
          row.and([row('uses.period', '=', period), row('uses.startsAt', '=', startsAt)]),
        ),
      ),
    )
    .where(holdsFor(sql.ref<string>('accounts.id')));
  const { items, total } = await readSkipPage(
    all
      .select(['limits.name', 'limits.metric', 'limits.maxUses', 'limits.period', 'uses.used'])
      .select(['accounts.id as accountId', 'accounts.name as accountName'])
      .orderBy(sql`uses.used / greatest(limits.max_uses, 1)::float8`, 'desc')
      .orderBy('limits.name')
      .orderBy('accounts.id'),
    page,
  );
  return { items: items.map((item) => ({ ...item, used: Number(item.used) })), total };
}

/** Deletes windows that began before. */
export async function deleteOldUses(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('uses').where('startsAt', '<', before).execute();
}

/** What accounts used in windows that begin in a time. */
export async function sumUses(
  db: Sql,
  accountIds: readonly string[],
  { metric, from, to, resolution }: { metric: UseMetric | FurtherUse; from: Date; to: Date; resolution: UsePeriod },
): Promise<{ accountId: string; startsAt: Date; used: number }[]> {
  const rows = await db.ofAnyone
    .selectFrom('uses')
    .select(['accountId', 'startsAt', 'used'])
    .where('accountId', '=', anyOf(accountIds))
    .where('metric', '=', metric)
    .where('period', '=', resolution)
    .where('startsAt', '>=', from)
    .where('startsAt', '<', to)
    .execute();
  return rows.map((row) => ({ ...row, used: Number(row.used) }));
}

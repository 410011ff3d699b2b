// Sums of failures by rule and receiver, and samples of their replies.
import { anyOf, changedRows, jsonb, sql, type RawBuilder, type Row, type Sql } from '../../../platform/db/index.ts';

/** Rows tell apart: nothing more, each tag of the message, the recipient's domain. */
export const GROUPINGS = { plain: 0, tags: 1, recipients: 2 } as const;

type FigureRow = Row<'bounceFigures'>;
export type Figure = Omit<FigureRow, 'at' | 'n'> & { at: string; n: number };
export type Sample = Omit<Row<'bounceSamples'>, 'at'> & { at: string };

const KEY = [
  'accountId',
  'isHourly',
  'grouping',
  'at',
  'rule',
  'entity',
  'isPermanent',
  'domain',
  'provider',
  'ip',
  'ipPool',
  'detail',
] as const;

/** Adds to rows in the order of their key: so processes that add to the same ones wait, and never for each other. */
export async function addFigures(tx: Sql, figures: readonly Figure[]): Promise<void> {
  if (figures.length === 0) return;
  const given = sql<FigureRow>`jsonb_to_recordset(${jsonb(figures)}::jsonb)`.as<'given'>(
    sql`given("accountId" text, "isHourly" boolean, "grouping" smallint, at timestamptz, rule text, entity text,
      "isPermanent" boolean, domain text, provider text, ip text, "ipPool" text, detail text, n bigint)`,
  );
  const column = (name: string) => sql.raw(`given."${name}"`);
  await tx.ofAnyone
    .insertInto('bounceFigures')
    .columns([...KEY, 'n'])
    .expression(
      tx.ofAnyone
        .selectFrom(given)
        .select([...KEY, 'n'].map((name) => (column(name) as RawBuilder<never>).as(name)))
        .orderBy(sql`1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`) as never,
    )
    .onConflict((conflict) => conflict.columns(KEY).doUpdateSet({ n: sql<string>`bounce_figures.n + excluded.n` }))
    .execute();
}

/** Keeps the latest of each place; none twice, in the order of the key. */
export async function keepSamples(tx: Sql, samples: readonly Sample[]): Promise<void> {
  if (samples.length === 0) return;
  await tx.ofAnyone
    .insertInto('bounceSamples')
    .values(samples.map((sample) => ({ ...sample, at: new Date(sample.at) })))
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'rule', 'entity', 'place'])
        .doUpdateSet(({ ref }) => ({ reply: ref('excluded.reply'), at: ref('excluded.at') }))
        // Not written again for each failure.
        .where(sql<boolean>`bounce_samples.at < excluded.at - interval '1 hour'`),
    )
    .execute();
}

export type FigureColumn =
  | 'accountId'
  | 'rule'
  | 'entity'
  | 'isPermanent'
  | 'domain'
  | 'provider'
  | 'ip'
  | 'ipPool'
  | 'detail';

export interface FigureTest {
  column: Exclude<FigureColumn, 'isPermanent'>;
  is: 'in' | 'contains';
  /** In lower case. */
  values: readonly string[];
  isNot: boolean;
}

interface FiguresQuery {
  accountIds: readonly string[];
  from: Date;
  to: Date;
  isHourly: boolean;
  grouping: number;
  by: readonly (FigureColumn | 'at')[];
  where: readonly FigureTest[];
  limit: number;
}

export type FigureSum = Partial<Pick<FigureRow, FigureColumn | 'at'>> & { n: number };

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function tested({ column, is, values, isNot }: FigureTest): RawBuilder<boolean> {
  const lower = sql`lower(${sql.ref(column)})`;
  const plain = is === 'in' ? sql`${lower} = ${anyOf(values)}` : sql`${lower} like ${anyOf(values.map(containing))}`;
  return isNot ? sql<boolean>`not ${plain}` : sql<boolean>`${plain}`;
}

/** Sums by group, in no order. */
export async function readFigures(db: Sql, query: FiguresQuery): Promise<FigureSum[]> {
  const { accountIds, from, to, isHourly, grouping, by, where, limit } = query;
  const rows = db.ofAnyone
    .selectFrom('bounceFigures')
    .where('accountId', '=', anyOf(accountIds))
    .where('isHourly', '=', isHourly)
    .where('grouping', '=', grouping)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where(({ and }) => and(where.map(tested)));
  const sums = rows.select(sql<number>`sum(n)::float8`.as('n')).limit(limit);
  if (by.length === 0) return (await sums.execute()).filter(({ n }) => n !== null);
  return sums
    .select([...by])
    .groupBy([...by])
    .execute();
}

/** Newest first. */
export function listSamples(
  db: Sql,
  accountIds: readonly string[],
  of: { rules: readonly string[]; entities: readonly string[] },
): Promise<Pick<Row<'bounceSamples'>, 'rule' | 'entity' | 'reply' | 'at'>[]> {
  return db.ofAnyone
    .selectFrom('bounceSamples')
    .select(['rule', 'entity', 'reply', 'at'])
    .where('accountId', '=', anyOf(accountIds))
    .where('rule', '=', anyOf(of.rules))
    .where('entity', '=', anyOf(of.entities))
    .orderBy('at', 'desc')
    .execute();
}

/** Deletes what is of a tag, of one domain or of all. */
export async function deleteTagFigures(
  tx: Sql,
  accountId: string,
  { domain, tag }: { domain?: string | undefined; tag: string },
): Promise<void> {
  const own = tx.of(accountId).deleteFrom('bounceFigures');
  const ofTag = own
    .where('isHourly', 'in', [true, false])
    .where('grouping', '=', GROUPINGS.tags)
    .where('detail', '=', tag);
  await (domain === undefined ? ofTag : ofTag.where('domain', '=', domain)).execute();
}

/** Deletes what is older, at most so many rows; answers how many there were. */
export async function deleteOld(
  tx: Sql,
  { hours, days, limit }: { hours: Date; days: Date; limit: number },
): Promise<number> {
  let count = 0;
  for (const [isHourly, before] of [
    [true, hours],
    [false, days],
  ] as const) {
    const old = tx.ofAnyone.selectFrom('bounceFigures').select(sql`ctid`.as('ctid'));
    const some = old.where('isHourly', '=', isHourly).where('at', '<', before).limit(limit);
    count += await changedRows(tx.ofAnyone.deleteFrom('bounceFigures').where(sql<boolean>`ctid = any(array(${some}))`));
  }
  await tx.ofAnyone.deleteFrom('bounceSamples').where('at', '<', days).execute();
  return count;
}

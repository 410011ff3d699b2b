// Sums over the rows of reports, by day, domain, source, host and address.
import type { JudgedRow } from '../../../engines/dmarc-reports/index.ts';
import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** Which rows; days in the form 2026-11-23. */
export interface RowFilter {
  from: string;
  to: string;
  domain?: string | undefined;
  source?: string | undefined;
  /** `unknown`: those without a name. */
  host?: string | undefined;
  ip?: string | undefined;
}

export interface Sums {
  messages: number;
  pass: number;
  fail: number;
  quarantine: number;
  reject: number;
  dkimAligned: number;
  spfAligned: number;
}

/** Sums fit into a number: a count is at most a billion, and a window has at most so many rows. */
const sumWhere = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number>`coalesce(sum(count) filter (where ${condition}), 0)::float8`;
const isPassing = sql<boolean>`(is_dkim_aligned or is_spf_aligned)`;
const SUMS = [
  sumWhere(sql<boolean>`true`).as('messages'),
  sumWhere(isPassing).as('pass'),
  sumWhere(sql<boolean>`not ${isPassing}`).as('fail'),
  sumWhere(sql<boolean>`disposition = 'quarantine'`).as('quarantine'),
  sumWhere(sql<boolean>`disposition = 'reject'`).as('reject'),
  sumWhere(sql<boolean>`is_dkim_aligned`).as('dkimAligned'),
  sumWhere(sql<boolean>`is_spf_aligned`).as('spfAligned'),
] as const;

function rowsOf(db: Sql, accountId: string, { from, to, domain, source, host, ip }: RowFilter) {
  return db
    .of(accountId)
    .selectFrom('dmarcRows')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .$if(domain !== undefined, (rows) => rows.where('dmarcRows.domain', '=', domain!))
    .$if(source !== undefined, (rows) => rows.where('sourceId', '=', source!))
    .$if(host !== undefined, (rows) => rows.where('host', '=', host === 'unknown' ? '' : host!))
    .$if(ip !== undefined, (rows) => rows.where('sourceIp', '=', ip!));
}

/** Lists of sources, hosts and addresses end there; those with most messages come first. */
const GROUPS_MAX = 1000;

/** By day. Days without reports are missing. */
export function sumByDay(db: Sql, accountId: string, filter: RowFilter): Promise<(Sums & { date: string })[]> {
  return rowsOf(db, accountId, filter)
    .select(['day as date', ...SUMS])
    .groupBy('day')
    .orderBy('day')
    .execute();
}

/** Of everything. */
export function sumAll(db: Sql, accountId: string, filter: RowFilter): Promise<Sums> {
  return rowsOf(db, accountId, filter).select(SUMS).executeTakeFirstOrThrow();
}

type Grouped = 'domain' | 'host' | 'sourceIp';

/** By a column. */
export async function sumBy(
  db: Sql,
  accountId: string,
  { by, ...filter }: RowFilter & { by: Grouped },
): Promise<(Sums & { name: string })[]> {
  return rowsOf(db, accountId, filter)
    .select([sql<string>`${sql.ref(by)}`.as('name'), ...SUMS])
    .groupBy(by)
    .orderBy(sql`sum(count)`, 'desc')
    .orderBy(by)
    .limit(GROUPS_MAX)
    .execute();
}

/** The most groups of rows that are judged. */
export const JUDGED_MAX = 20_000;

interface JudgedGroup extends JudgedRow {
  sums: Pick<Sums, 'quarantine' | 'reject' | 'dkimAligned' | 'spfAligned'>;
}

/** Rows that say the same, as they are judged; those with most messages first. */
export async function listJudged(db: Sql, accountId: string, filter: RowFilter): Promise<JudgedGroup[]> {
  const columns = ['sourceIp', 'sourceId', 'sourceName', 'sourceType', 'sourceBy', 'isForwarded', 'tie'] as const;
  const groups = await rowsOf(db, accountId, filter)
    .select([...columns, isPassing.as('isPassing'), ...SUMS])
    .groupBy([...columns, isPassing])
    .orderBy(sql`sum(count)`, 'desc')
    .limit(JUDGED_MAX)
    .execute();
  return groups.map(
    ({ sourceIp, sourceId, sourceName, sourceType, sourceBy, isForwarded, tie, isPassing, ...sums }) => ({
      sourceIp,
      count: sums.messages,
      isPassing,
      isForwarded,
      tie,
      source: { id: sourceId, name: sourceName, type: sourceType, by: sourceBy },
      sums,
    }),
  );
}

export type ShownRow = Pick<
  Row<'dmarcRows'>,
  'disposition' | 'isDkimAligned' | 'isSpfAligned' | 'headerFrom' | 'envelopeFrom' | 'details'
> & { date: string; messages: number; organization: string };

/** The rows themselves, latest first. */
export function listRows(db: Sql, accountId: string, filter: RowFilter): Promise<ShownRow[]> {
  return rowsOf(db, accountId, filter)
    .innerJoin('dmarcReports', 'dmarcReports.id', 'dmarcRows.reportId')
    .select([
      'day as date',
      sql<number>`dmarc_rows.count::float8`.as('messages'),
      'dmarcReports.organization',
      'disposition',
      'isDkimAligned',
      'isSpfAligned',
      'headerFrom',
      'envelopeFrom',
      'details',
    ])
    .orderBy('day', 'desc')
    .orderBy('dmarcRows.id')
    .limit(GROUPS_MAX)
    .execute() as Promise<ShownRow[]>;
}

interface ReportFacts {
  domain: string;
  reports: number;
  organizations: number;
  lastReportAt: Date;
  days: number;
  enforcedDays: number;
}

/** What is known of the reports of each domain in the window. */
export function listReportFacts(
  db: Sql,
  accountId: string,
  { from, to, domain }: Pick<RowFilter, 'from' | 'to' | 'domain'>,
): Promise<ReportFacts[]> {
  return db
    .of(accountId)
    .selectFrom('dmarcReports')
    .select([
      'domain',
      sql<number>`count(*)::int`.as('reports'),
      sql<number>`count(distinct lower(organization))::int`.as('organizations'),
      sql<Date>`max(received_at)`.as('lastReportAt'),
      sql<number>`count(distinct (begin_at at time zone 'UTC')::date)::int`.as('days'),
      sql<number>`(count(distinct (begin_at at time zone 'UTC')::date) filter (
        where content->'policy'->>'p' in ('quarantine', 'reject') and content->'policy'->>'testing' <> 'y'
      ))::int`.as('enforcedDays'),
    ])
    .where('kind', '=', 'aggregate')
    .where('beginAt', '>=', new Date(`${from}T00:00:00Z`))
    .where('beginAt', '<=', new Date(`${to}T23:59:59.999Z`))
    .$if(domain !== undefined, (reports) => reports.where('domain', '=', domain!))
    .groupBy('domain')
    .orderBy(sql`sum(messages)`, 'desc')
    .orderBy('domain')
    .limit(GROUPS_MAX)
    .execute();
}

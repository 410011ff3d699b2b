// Reports, each once, and the rows of what they count.
import type { FailureReport, PublishedPolicy, Tie, TlsPolicy } from '../../../engines/dmarc-reports/index.ts';
import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

type ReportKind = 'aggregate' | 'tls' | 'failure' | 'refused';

/** What a report says besides its rows. */
type ReportContent =
  | { policy: PublishedPolicy; schema: string; email: string; errors: string[]; problems: string[] }
  | { tls: TlsPolicy }
  | { failure: FailureReport }
  | { file: string; reason: string };

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'dmarcReports.kind': ReportKind;
    'dmarcReports.via': 'mail' | 'upload' | 'imap';
    'dmarcReports.content': ReportContent;
    'dmarcRows.tie': Tie;
    'dmarcRows.sourceBy': 'ptr' | 'dkim' | 'spf' | 'none';
    'dmarcRows.details': {
      dkim: { domain: string; selector: string; result: string }[];
      spf: { domain: string; scope: string; result: string }[];
      reasons: { type: string; comment: string }[];
    };
  }
}

/** How long reports are kept after their end. */
export const KEPT_DAYS = 400;

export type Inbox = Row<'dmarcInboxes'>;
export type StoredReport = Row<'dmarcReports'>;
export type NewReport = Omit<StoredReport, 'id' | 'accountId'>;

/** The account's inbox; made when there is none. */
export async function ensureInbox(
  db: Sql,
  accountId: string,
  { localPart, at }: { localPart: string; at: Date },
): Promise<Inbox> {
  await db
    .of(accountId)
    .insert('dmarcInboxes', { localPart, createdAt: at })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute();
  return db.of(accountId).selectFrom('dmarcInboxes').selectAll().executeTakeFirstOrThrow();
}

/** Whose address it is. */
export async function findInboxOwner(db: Sql, localPart: string): Promise<string | undefined> {
  const query = db.ofAnyone.selectFrom('dmarcInboxes').select('accountId').where('localPart', '=', localPart);
  return (await query.executeTakeFirst())?.accountId;
}

export async function noteReport(tx: Sql, accountId: string, at: Date): Promise<void> {
  await tx.of(accountId).updateTable('dmarcInboxes').set({ lastReportAt: at }).execute();
}

/** How many reports and refusals came since then. */
export async function countReceived(db: Sql, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('dmarcReports')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('receivedAt', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Undefined: it came before. */
export async function insertReport(tx: Sql, accountId: string, report: NewReport): Promise<string | undefined> {
  const inserted = await tx
    .of(accountId)
    .insert('dmarcReports', report)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted[0]?.id;
}

interface GivenRow {
  day: string;
  sourceIp: string;
  sourceId: string;
  sourceName: string;
  sourceType: string | null;
  sourceBy: string;
  count: string;
  disposition: string;
  isDkimAligned: boolean;
  isSpfAligned: boolean;
  isForwarded: boolean;
  tie: string | null;
  headerFrom: string;
  envelopeFrom: string;
  details: unknown;
}

const GIVEN = [
  'day',
  'sourceIp',
  'sourceId',
  'sourceName',
  'sourceType',
  'sourceBy',
  'count',
  'disposition',
  'isDkimAligned',
  'isSpfAligned',
  'isForwarded',
  'tie',
  'headerFrom',
  'envelopeFrom',
  'details',
] as const;

/** `rows` is JSON by the names of the columns, read by the database alone. */
export async function insertRows(
  tx: Sql,
  accountId: string,
  { reportId, domain, rows }: { reportId: string; domain: string; rows: string },
): Promise<void> {
  const given = sql<GivenRow>`jsonb_to_recordset(${rows}::jsonb)`.as<'given'>(
    sql`given(day text, source_ip text, source_id text, source_name text, source_type text, source_by text,
      count bigint, disposition text, is_dkim_aligned boolean, is_spf_aligned boolean, is_forwarded boolean, tie text,
      header_from text, envelope_from text, details jsonb)`,
  );
  const values = tx.ofAnyone
    .selectFrom(given)
    .select(({ val }) => [
      val(accountId).as('accountId'),
      sql<string>`${reportId}::bigint`.as('reportId'),
      val(domain).as('domain'),
      ...GIVEN.map((name) => sql.ref(`given.${name}`).as(name)),
    ]);
  await tx.ofAnyone
    .insertInto('dmarcRows')
    .columns(['accountId', 'reportId', 'domain', ...GIVEN])
    .expression(values as never)
    .execute();
}

interface ReportFilter extends SkipPage {
  kind: ReportKind | undefined;
  domain: string | undefined;
}

/** Newest first. */
export function listReports(
  db: Sql,
  accountId: string,
  { kind, domain, ...page }: ReportFilter,
): Promise<Paged<StoredReport>> {
  const matching = db
    .of(accountId)
    .selectFrom('dmarcReports')
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind!))
    .$if(domain !== undefined, (all) => all.where('domain', '=', domain!))
    .orderBy('receivedAt', 'desc')
    .orderBy('id', 'desc');
  return readSkipPage(matching.selectAll(), page);
}

/** With its rows. False: there is none. */
export async function deleteReport(db: Sql, accountId: string, id: string): Promise<boolean> {
  const gone = db
    .of(accountId)
    .deleteFrom('dmarcReports')
    .where('id', '=', sql<string>`${id}::bigint`);
  return (await changedRows(gone)) > 0;
}

/** Deletes reports whose days have gone, and refusals; at most so many. Answers how many. */
export async function deleteOld(
  tx: Sql,
  { ended, refused, limit }: { ended: Date; refused: Date; limit: number },
): Promise<number> {
  const old = tx.ofAnyone
    .selectFrom('dmarcReports')
    .select('id')
    .where(({ eb, or, and }) =>
      or([eb('endAt', '<', ended), and([eb('kind', '=', 'refused'), eb('endAt', '<', refused)])]),
    )
    .limit(limit);
  return changedRows(tx.ofAnyone.deleteFrom('dmarcReports').where('id', 'in', old));
}

/** The addresses of a report, those that sent most first. */
export async function listAddresses(
  db: Sql,
  { accountId, reportId, limit }: { accountId: string; reportId: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .of(accountId)
    .selectFrom('dmarcRows')
    .select('sourceIp')
    .where('reportId', '=', reportId)
    .groupBy('sourceIp')
    .orderBy(sql`sum(count)`, 'desc')
    .orderBy('sourceIp')
    .limit(limit)
    .execute();
  return rows.map(({ sourceIp }) => sourceIp);
}

/** What the name of an address says of its source. */
interface NamedAddress {
  ip: string;
  host: string;
  id: string;
  name: string;
  /** Null: it is no known sender, and a known one that signed stays the source. */
  type: string | null;
}

/** Writes the names of addresses into the rows of a report. */
export async function nameRows(
  tx: Sql,
  { accountId, reportId }: { accountId: string; reportId: string },
  { ip, host, id, name, type }: NamedAddress,
): Promise<void> {
  const rows = () =>
    tx.of(accountId).updateTable('dmarcRows').where('reportId', '=', reportId).where('sourceIp', '=', ip);
  await rows().set({ host }).execute();
  await rows()
    .set({ sourceId: id, sourceName: name, sourceType: type, sourceBy: 'ptr' })
    .$if(type === null, (some) => some.where('sourceType', 'is', null))
    .execute();
}

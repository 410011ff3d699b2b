import type { Finding } from '../../../engines/findings/index.ts';
import { anyOf, changedRows, jsonb, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    /** What a list shows of it. */
    'inspections.summary': Record<string, unknown>;
    'inspections.findings': Finding[];
    /** What lists are searched by. */
    'inspections.facets': object;
    'inspectionVersions.status': InspectionStatus;
    'inspectionVersions.findings': Finding[];
    'inspectionVersions.summary': Record<string, unknown>;
  }
}

export type InspectionStatus = 'Processing' | 'Complete' | 'Failed';

/**
 * The name is what lists call it; it is empty for what was made before names. `versionCreatedAt` is when this version
 * was asked for.
 */
export interface Inspection<Result = unknown> extends Omit<Row<'inspections'>, 'facets' | 'result'> {
  /** Null until it is complete. */
  result: Result | null;
}

/** How a run ended. */
export interface Outcome {
  status: 'Complete' | 'Failed';
  result: unknown;
  findings: readonly Finding[];
  summary: object;
  facets: object;
  error: string | null;
  at: Date;
}

export type InspectionVersion = Pick<Inspection, 'version' | 'status' | 'versionCreatedAt'>;

const OF_INSPECTION = ['id', 'accountId', 'kind', 'name', 'createdAt', 'expiresAt'] as const;
const OF_VERSION = ['status', 'version', 'summary', 'error', 'versionCreatedAt', 'updatedAt'] as const;
const COLUMNS = [...OF_INSPECTION, ...OF_VERSION] as const;
const NO_RESULT = sql<null>`null`.as('result');
const BRIEF = [...COLUMNS, NO_RESULT, sql<Finding[]>`'[]'::jsonb`.as('findings')] as const;
/** What kind of result it is, the caller says. */
const WHOLE = [...COLUMNS, 'result', 'findings'] as const;

export async function insertInspection(tx: Sql, made: Inspection): Promise<void> {
  await tx.ofAnyone.insertInto('inspections').values(made).execute();
}

export interface Wanted {
  id: string;
  /** Any kind, when it is not said. */
  kind?: string;
}

export function findInspection<Result>(
  db: Sql,
  accountId: string,
  { id, kind }: Wanted,
): Promise<Inspection<Result> | undefined> {
  return db
    .of(accountId)
    .selectFrom('inspections')
    .select(WHOLE)
    .where('id', '=', id)
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind!))
    .$castTo<Inspection<Result>>()
    .executeTakeFirst();
}

/** An inspection, and one part of its result as JSON text that nobody has to read here; null: there is none. */
export function findWritten(
  db: Sql,
  accountId: string,
  { id, kind, part }: Required<Wanted> & { part: string },
): Promise<(Inspection & { written: string | null }) | undefined> {
  return db
    .of(accountId)
    .selectFrom('inspections')
    .select([...BRIEF, sql<string | null>`(${sql.ref('result')} -> ${part}::text)::text`.as('written')])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** Inspections of any kinds, without results; without findings too when they are not wanted. */
export function findInspections(
  db: Sql,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
  wanted: { findings: boolean },
): Promise<Inspection[]> {
  const found = db.of(accountId).selectFrom('inspections').where('id', '=', anyOf(ids));
  return wanted.findings ? found.select([...COLUMNS, NO_RESULT, 'findings']).execute() : found.select(BRIEF).execute();
}

export interface FindingCounts extends Pick<Inspection, 'id' | 'status'> {
  errors: number;
  warnings: number;
}

const ofSeverity = (severity: Finding['severity']) =>
  sql<number>`count(*) filter (where ${sql.ref('finding.value')} ->> 'severity' = ${severity})::int`;

/** How many findings of each severity inspections of any kinds have. */
export function countFindings(
  db: Sql,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<FindingCounts[]> {
  return db
    .of(accountId)
    .selectFrom('inspections')
    .crossJoinLateral((row) =>
      row
        .selectFrom(sql<{ value: Finding }>`jsonb_array_elements(${row.ref('inspections.findings')})`.as('finding'))
        .select([ofSeverity('error').as('errors'), ofSeverity('warning').as('warnings')])
        .as('counted'),
    )
    .select(['id', 'status', 'counted.errors', 'counted.warnings'])
    .where('id', '=', anyOf(ids))
    .execute();
}

/** For jobs: the account is not asked. */
export function findInspectionOfAnyone(db: Sql, id: string): Promise<Inspection | undefined> {
  return db.ofAnyone.selectFrom('inspections').select(BRIEF).where('id', '=', id).executeTakeFirst();
}

/** The owner of an inspection, for requests that show the secret address of one of its files. */
export async function findInspectionOwner(db: Sql, id: string): Promise<string | undefined> {
  const row = await db.ofAnyone.selectFrom('inspections').select('accountId').where('id', '=', id).executeTakeFirst();
  return row?.accountId;
}

export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('inspections')
    .select(rowCount.as('count'))
    .where('status', '=', 'Processing')
    .executeTakeFirstOrThrow();
  return count;
}

/** What is found of an earlier version, to stand over the inspection it belongs to. */
export function findVersion<Result>(
  db: Sql,
  run: { accountId: string; id: string; version: number },
): Promise<Pick<Inspection<Result>, 'status' | 'version' | 'result' | 'findings'> | undefined> {
  return db
    .of(run.accountId)
    .selectFrom('inspectionVersions')
    .select([...OF_VERSION, 'result', 'findings'])
    .where('inspectionId', '=', run.id)
    .where('version', '=', run.version)
    .$castTo<Pick<Inspection<Result>, (typeof OF_VERSION)[number] | 'result' | 'findings'>>()
    .executeTakeFirst();
}

/** False: there is no such inspection. */
export async function renameInspection(
  db: Sql,
  accountId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (await changedRows(db.of(accountId).updateTable('inspections').set({ name }).where('id', '=', id))) > 0;
}

/** All versions, oldest first. */
export function listVersions(
  db: Sql,
  { accountId, id }: { accountId: string; id: string },
): Promise<InspectionVersion[]> {
  const own = db.of(accountId);
  const columns = ['version', 'status', 'versionCreatedAt'] as const;
  return own
    .selectFrom('inspectionVersions')
    .select(columns)
    .where('inspectionId', '=', id)
    .unionAll(own.selectFrom('inspections').select(columns).where('id', '=', id))
    .orderBy('version')
    .execute();
}

export interface Conditions {
  id?: string;
  status?: InspectionStatus;
  /** Facets that hold all of this (jsonb containment). */
  facets?: object;
  /** A list of texts among the facets, one of which contains this, whatever the case. */
  contains?: { facet: string; text: string };
}

export interface Page extends SkipPage {
  where?: Conditions;
  /** Leave results and findings out: a list of a thousand may only need the summaries. */
  isBrief?: boolean;
}

function hasText({ facet, text }: NonNullable<Conditions['contains']>) {
  return sql<boolean>`
    exists (
      select 1
      from jsonb_array_elements_text(${sql.ref('facets')} -> ${facet}::text) as said (words)
      where position(lower(${text}::text) in lower(words)) > 0
    )
  `;
}

function matching(
  db: Sql,
  { accountId, kind }: { accountId: string; kind: string },
  { id, status, facets, contains }: Conditions,
) {
  let found = db.of(accountId).selectFrom('inspections').where('kind', '=', kind);
  if (id !== undefined) found = found.where('id', '=', id);
  if (status !== undefined) found = found.where('status', '=', status);
  if (facets !== undefined) found = found.where('facets', '@>', sql<object>`${jsonb(facets)}::jsonb`);
  if (contains) found = found.where(hasText(contains));
  return found;
}

/** Newest first. */
export function listInspections<Result>(
  db: Sql,
  owner: { accountId: string; kind: string },
  { where = {}, isBrief = false, ...page }: Page,
): Promise<Paged<Inspection<Result>>> {
  const found = matching(db, owner, where).orderBy('createdAt', 'desc').orderBy('id', 'desc');
  return isBrief
    ? readSkipPage(found.select(BRIEF), page)
    : readSkipPage(found.select(WHOLE).$castTo<Inspection<Result>>(), page);
}

/** Moves the present version to the table of earlier versions. A version that still runs counts as failed. */
async function keepVersion(tx: Sql, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  const present = tx
    .of(accountId)
    .selectFrom('inspections')
    .select((row) => {
      const ofRunning = row.case().when('status', '=', 'Processing');
      return [
        'id',
        'version',
        ofRunning.then('Failed').else(row.ref('status')).end().as('status'),
        'result',
        'findings',
        'summary',
        ofRunning.then('A newer version took its place before it was done.').else(row.ref('error')).end().as('error'),
        'versionCreatedAt',
        'updatedAt',
      ];
    })
    .where('id', '=', id);
  await tx.ofAnyone
    .insertInto('inspectionVersions')
    .columns([
      'inspectionId',
      'version',
      'status',
      'result',
      'findings',
      'summary',
      'error',
      'versionCreatedAt',
      'updatedAt',
    ])
    .expression(present)
    .execute();
}

/**
 * Puts the next version in the place of the present one, which is kept beside it when wanted. Undefined: there is no
 * such inspection.
 */
export async function beginVersion(
  tx: Sql,
  inspection: { accountId: string; kind: string; id: string },
  { keepsVersions, at }: { keepsVersions: boolean; at: Date },
): Promise<number | undefined> {
  const { accountId, kind, id } = inspection;
  const own = tx.of(accountId);
  const held = await own
    .selectFrom('inspections')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  if (!held) return undefined;
  if (keepsVersions) await keepVersion(tx, inspection);
  const begun = await own
    .updateTable('inspections')
    .set((row) => ({
      status: 'Processing',
      version: row('version', '+', 1),
      result: null,
      findings: [],
      summary: {},
      facets: {},
      error: null,
      versionCreatedAt: at,
      updatedAt: at,
    }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirst();
  return begun?.version;
}

/** Ends a run and returns its owner. Changes nothing when a newer version runs, or when the run has ended before. */
export async function endInspection(
  db: Sql,
  run: { id: string; version: number },
  { status, result, findings, summary, facets, error, at }: Outcome,
): Promise<string | undefined> {
  const ended = await db.ofAnyone
    .updateTable('inspections')
    .set({
      status,
      result: result ?? null,
      findings: [...findings],
      summary: { ...summary },
      facets,
      error: error?.replaceAll('\0', '') ?? null,
      updatedAt: at,
    })
    .where('id', '=', run.id)
    .where('version', '=', run.version)
    .where('status', '=', 'Processing')
    .returning('accountId')
    .executeTakeFirst();
  return ended?.accountId;
}

export async function deleteInspection(tx: Sql, accountId: string, { id, kind }: Wanted): Promise<boolean> {
  const own = tx.of(accountId).deleteFrom('inspections').where('id', '=', id);
  return (await changedRows(kind === undefined ? own : own.where('kind', '=', kind))) > 0;
}

/** Deletes expired inspections; returns their ids, so that the caller deletes their objects too. */
export async function deleteExpired(tx: Sql, now: Date, limit: number): Promise<string[]> {
  const expired = tx.ofAnyone
    .selectFrom('inspections')
    .select('id')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit);
  const rows = await tx.ofAnyone.deleteFrom('inspections').where('id', 'in', expired).returning('id').execute();
  return rows.map(({ id }) => id);
}

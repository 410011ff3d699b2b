import type { Finding } from '../../../engines/findings/index.ts';
import { anyOf, jsonb, sql, type RawBuilder, type Sql } from '../../../platform/db/index.ts';

export type InspectionStatus = 'Processing' | 'Complete' | 'Failed';

export interface Inspection<Result = unknown> {
  id: string;
  accountId: string;
  kind: string;
  /** What lists call it; empty for what was made before names. */
  name: string;
  status: InspectionStatus;
  version: number;
  /** What a list shows of it. */
  summary: Record<string, unknown>;
  /** Null until it is complete. */
  result: Result | null;
  findings: Finding[];
  error: string | null;
  createdAt: Date;
  /** When this version was asked for. */
  versionCreatedAt: Date;
  updatedAt: Date;
  expiresAt: Date;
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

export interface InspectionVersion {
  version: number;
  status: InspectionStatus;
  versionCreatedAt: Date;
}

const OF_VERSION = `status, version, summary, error, version_created_at as "versionCreatedAt", updated_at as "updatedAt"`;
const OF_INSPECTION = `id, account_id as "accountId", kind, name, created_at as "createdAt", expires_at as "expiresAt"`;
const BRIEF = sql.raw(`${OF_INSPECTION}, ${OF_VERSION}, null as result, '[]'::jsonb as findings`);
const COLUMNS = sql.raw(`${OF_INSPECTION}, ${OF_VERSION}, result, findings`);

export async function insertInspection(tx: Sql, made: Inspection): Promise<void> {
  await tx.run(sql`
    insert into inspections (
      id, account_id, kind, name, status, version, created_at, version_created_at, updated_at, expires_at
    )
    values (
      ${made.id}, ${made.accountId}, ${made.kind}, ${made.name}, ${made.status}, ${made.version}, ${made.createdAt},
      ${made.createdAt}, ${made.updatedAt}, ${made.expiresAt}
    )
  `);
}

export interface Wanted {
  id: string;
  /** Any kind, when it is not said. */
  kind?: string;
}

function belongsTo(accountId: string, { kind, id }: Wanted) {
  return sql`id = ${id} and account_id = ${accountId}${kind === undefined ? sql`` : sql` and kind = ${kind}`}`;
}

export function findInspection<Result>(
  db: Sql,
  accountId: string,
  wanted: Wanted,
): Promise<Inspection<Result> | undefined> {
  return db.first(sql<Inspection<Result>>`select ${COLUMNS} from inspections where ${belongsTo(accountId, wanted)}`);
}

/** Inspections of any kinds, without results; without findings too when they are not wanted. */
export function findInspections(
  db: Sql,
  owner: { accountId: string; ids: readonly string[] },
  wanted: { findings: boolean },
): Promise<Inspection[]> {
  const columns = wanted.findings ? sql.raw(`${OF_INSPECTION}, ${OF_VERSION}, null as result, findings`) : BRIEF;
  return db.rows(sql<Inspection>`
    select ${columns}
    from inspections
    where account_id = ${owner.accountId} and id = ${anyOf(owner.ids)}
  `);
}

export interface FindingCounts {
  id: string;
  status: InspectionStatus;
  errors: number;
  warnings: number;
}

/** How many findings of each severity inspections of any kinds have. */
export function countFindings(
  db: Sql,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<FindingCounts[]> {
  return db.rows(sql<FindingCounts>`
    select id, status, counted.errors, counted.warnings
    from inspections
    cross join lateral (
      select count(*) filter (where finding ->> 'severity' = 'error')::int as errors,
        count(*) filter (where finding ->> 'severity' = 'warning')::int as warnings
      from jsonb_array_elements(findings) as finding
    ) as counted
    where account_id = ${accountId} and id = ${anyOf(ids)}
  `);
}

/** For jobs: the account is not asked. */
export function findInspectionOfAnyone(db: Sql, id: string): Promise<Inspection | undefined> {
  return db.first(sql<Inspection>`select ${BRIEF} from inspections where id = ${id}`);
}

/** Whose inspection this is, for callers who hold the address of one of its files. */
export async function findInspectionOwner(db: Sql, id: string): Promise<string | undefined> {
  return (
    await db.first(sql<{ accountId: string }>`select account_id as "accountId" from inspections where id = ${id}`)
  )?.accountId;
}

export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::int as count
    from inspections
    where account_id = ${accountId} and status = 'Processing'
  `);
  return row?.count ?? 0;
}

/** What is found of an earlier version, to stand over the inspection it belongs to. */
export function findVersion<Result>(
  db: Sql,
  run: { id: string; version: number },
): Promise<Pick<Inspection<Result>, 'status' | 'version' | 'result' | 'findings'> | undefined> {
  return db.first(sql<Inspection<Result>>`
    select ${sql.raw(OF_VERSION)}, result, findings
    from inspection_versions
    where inspection_id = ${run.id} and version = ${run.version}
  `);
}

/** False: there is no such inspection. */
export async function renameInspection(
  db: Sql,
  accountId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (await db.run(sql`update inspections set name = ${name} where ${belongsTo(accountId, { id })}`)) > 0;
}

/** All versions, oldest first. */
export function listVersions(db: Sql, id: string): Promise<InspectionVersion[]> {
  return db.rows(sql<InspectionVersion>`
    select ${sql.raw(OF_VERSION)}
    from inspection_versions
    where inspection_id = ${id}
    union all
    select ${sql.raw(OF_VERSION)}
    from inspections
    where id = ${id}
    order by version
  `);
}

export interface Conditions {
  id?: string;
  status?: InspectionStatus;
  /** Facets that hold all of this (jsonb containment). */
  facets?: object;
  /** A list of texts among the facets, one of which contains this, whatever the case. */
  contains?: { facet: string; text: string };
}

export interface Page {
  limit: number;
  skip: number;
  where?: Conditions;
  /** Leave results and findings out: a list of a thousand may only need the summaries. */
  isBrief?: boolean;
}

function clausesOf(where: Conditions): RawBuilder<unknown>[] {
  const clauses: RawBuilder<unknown>[] = [];
  if (where.id !== undefined) clauses.push(sql`id = ${where.id}`);
  if (where.status !== undefined) clauses.push(sql`status = ${where.status}`);
  if (where.facets !== undefined) clauses.push(sql`facets @> ${JSON.stringify(where.facets)}::jsonb`);
  if (where.contains)
    clauses.push(sql`
      exists (
        select 1
        from jsonb_array_elements_text(facets -> ${where.contains.facet}::text) as said (words)
        where position(lower(${where.contains.text}::text) in lower(words)) > 0
      )
    `);
  return clauses;
}

/** Newest first. */
export async function listInspections<Result>(
  db: Sql,
  owner: { accountId: string; kind: string },
  page: Page,
): Promise<{ items: Inspection<Result>[]; total: number }> {
  const where = sql.join(
    [sql`account_id = ${owner.accountId}`, sql`kind = ${owner.kind}`, ...clausesOf(page.where ?? {})],
    sql` and `,
  );
  const items = await db.rows(sql<Inspection<Result>>`
    select ${page.isBrief ? BRIEF : COLUMNS}
    from inspections
    where ${where}
    order by created_at desc, id desc
    limit ${page.limit} offset ${page.skip}
  `);
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from inspections where ${where}`);
  return { items, total: counted?.total ?? 0 };
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
  const held = await tx.first(
    sql<{ id: string }>`select id from inspections where ${belongsTo(inspection.accountId, inspection)} for update`,
  );
  if (!held) return undefined;
  if (keepsVersions) {
    await tx.run(sql`
      insert into inspection_versions (
        inspection_id, version, status, result, findings, summary, error, version_created_at, updated_at
      )
      select id, version, case when status = 'Processing' then 'Failed' else status end, result, findings, summary,
        case when status = 'Processing' then 'A newer version took its place before it was done.' else error end,
        version_created_at, updated_at
      from inspections
      where id = ${inspection.id}
    `);
  }
  const begun = await tx.first(sql<{ version: number }>`
    update inspections
    set status = 'Processing', version = version + 1, result = null, findings = '[]', summary = '{}', facets = '{}',
      error = null, version_created_at = ${at}, updated_at = ${at}
    where id = ${inspection.id}
    returning version
  `);
  return begun?.version;
}

/** Ends a run, and answers whose it is; nothing changes when a newer version runs, or it was ended before. */
export async function endInspection(
  db: Sql,
  run: { id: string; version: number },
  outcome: Outcome,
): Promise<string | undefined> {
  const ended = await db.first(sql<{ accountId: string }>`
    update inspections
    set status = ${outcome.status}, result = ${jsonb(outcome.result)}::jsonb,
      findings = ${jsonb(outcome.findings)}::jsonb, summary = ${jsonb(outcome.summary)}::jsonb,
      facets = ${jsonb(outcome.facets)}::jsonb, error = ${outcome.error?.replaceAll('\0', '') ?? null},
      updated_at = ${outcome.at}
    where id = ${run.id} and version = ${run.version} and status = 'Processing'
    returning account_id as "accountId"
  `);
  return ended?.accountId;
}

export async function deleteInspection(tx: Sql, accountId: string, wanted: Wanted): Promise<boolean> {
  return (await tx.run(sql`delete from inspections where ${belongsTo(accountId, wanted)}`)) > 0;
}

/** Deletes what is past its time; returns the ids, whose objects are to be deleted too. */
export async function deleteExpired(tx: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    delete from inspections
    where id in (select id from inspections where expires_at <= ${now} order by expires_at limit ${limit})
    returning id
  `);
  return rows.map((row) => row.id);
}

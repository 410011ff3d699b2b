import { anyOf, jsonb, sql, type Sql } from '../../../platform/db/index.ts';
import type { Language } from '../../../engines/spam-rules/index.ts';
import { readPage, type Paged, type PageQuery } from './paging-store.ts';

export interface FilterSaid {
  engine: string;
  score: number | null;
  threshold: number | null;
  verdict: 'nothing_found' | 'soft' | 'spam' | null;
  failure: string | null;
  /** Of the message, where the built-in rules could tell it. */
  language?: Language | undefined;
  rules: { name: string; points: number; description: string; fix: string | null }[];
}

export interface PlacementResult {
  resultId: string;
  /** 24 hexadecimal digits. */
  rid: string;
  accountId: string;
  listId: string | null;
  targetEmail: string;
  seedListName: string;
  subject: string;
  sender: string;
  status: 'processing' | 'complete';
  filters: FilterSaid[] | null;
  sharingId: string | null;
  isShared: boolean;
  sharingExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

const COLUMNS = sql.raw(`
  result_id as "resultId", rid, account_id as "accountId", list_id as "listId", target_email as "targetEmail",
  seed_list_name as "seedListName", subject, sender, status, filters, sharing_id as "sharingId",
  is_shared as "isShared", sharing_expires_at as "sharingExpiresAt", created_at as "createdAt",
  updated_at as "updatedAt", expires_at as "expiresAt"
`);

export async function insertResult(tx: Sql, made: PlacementResult): Promise<void> {
  await tx.run(sql`
    insert into placement_results (
      result_id, rid, account_id, list_id, target_email, seed_list_name, subject, sender, status, created_at,
      updated_at, expires_at
    )
    values (
      ${made.resultId}, ${made.rid}, ${made.accountId}, ${made.listId}, ${made.targetEmail}, ${made.seedListName},
      ${made.subject}, ${made.sender}, ${made.status}, ${made.createdAt}, ${made.updatedAt}, ${made.expiresAt}
    )
  `);
}

/** By either id. */
export function findResult(db: Sql, accountId: string, id: string): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`
    select ${COLUMNS}
    from placement_results
    where account_id = ${accountId} and (result_id = ${id.toLowerCase()} or rid = ${id})
  `);
}

/** For jobs: the account is not asked. */
export function findResultOfAnyone(db: Sql, resultId: string): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`select ${COLUMNS} from placement_results where result_id = ${resultId}`);
}

export function findSharedResult(db: Sql, sharingId: string): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`
    select ${COLUMNS}
    from placement_results
    where sharing_id = ${sharingId.toLowerCase()} and is_shared
  `);
}

export interface ResultFilter {
  sender?: string | undefined;
  subject?: string | undefined;
  targetEmail?: string | undefined;
  before: Date | undefined;
  after: Date | undefined;
  page: PageQuery;
}

export function listResults(
  db: Sql,
  accountId: string,
  { sender, subject, targetEmail, before, after, page }: ResultFilter,
): Promise<Paged<PlacementResult>> {
  const where = [sql`account_id = ${accountId}`];
  if (sender) where.push(sql`lower(sender) = lower(${sender}::text)`);
  if (subject) where.push(sql`position(lower(${subject}::text) in lower(subject)) > 0`);
  if (targetEmail) where.push(sql`target_email = lower(${targetEmail}::text)`);
  if (before) where.push(sql`created_at < ${before}`);
  if (after) where.push(sql`created_at >= ${after}`);
  return readPage<PlacementResult>(
    db,
    {
      table: 'placement_results',
      id: 'result_id',
      columns: COLUMNS,
      where,
      sorts: ['created_at', 'updated_at', 'subject', 'sender'],
    },
    page,
  );
}

/** Newest first, some of each list. */
export function listOfLists(db: Sql, kids: readonly string[], each: number): Promise<PlacementResult[]> {
  return db.rows(sql<PlacementResult>`
    select ${COLUMNS}
    from (
      select *, row_number() over (partition by list_id order by created_at desc, result_id desc) as place
      from placement_results
      where list_id = ${anyOf(kids)}
    ) as ranked
    where place <= ${each}
    order by created_at desc, result_id desc
  `);
}

/** The last complete one of the same list before this. */
export function findPrevious(db: Sql, result: PlacementResult): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`
    select ${COLUMNS}
    from placement_results
    where list_id = ${result.listId}
      and status = 'complete'
      and (created_at, result_id) < (${result.createdAt}, ${result.resultId})
    order by created_at desc, result_id desc
    limit 1
  `);
}

export async function completeResult(
  db: Sql,
  resultId: string,
  { filters, at }: { filters: FilterSaid[]; at: Date },
): Promise<void> {
  await db.run(sql`
    update placement_results
    set status = 'complete', filters = ${jsonb(filters)}::jsonb, updated_at = ${at}
    where result_id = ${resultId} and status = 'processing'
  `);
}

export function setSharing(
  db: Sql,
  result: PlacementResult,
  change: { sharingId: string; isShared: boolean; expiresAt: Date },
): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`
    update placement_results
    set sharing_id = ${change.sharingId}, is_shared = ${change.isShared}, sharing_expires_at = ${change.expiresAt}
    where result_id = ${result.resultId} and account_id = ${result.accountId}
    returning ${COLUMNS}
  `);
}

export function deleteResult(tx: Sql, accountId: string, resultId: string): Promise<PlacementResult | undefined> {
  return tx.first(sql<PlacementResult>`
    delete from placement_results
    where account_id = ${accountId} and result_id = ${resultId}
    returning ${COLUMNS}
  `);
}

/** Deletes what is past its time; returns the ids. */
export async function deleteExpiredResults(tx: Sql, now: Date, limit: number): Promise<string[]> {
  await tx.run(sql`delete from placement_deleted_mailings where until <= ${now}`);
  const rows = await tx.rows(sql<{ id: string }>`
    delete from placement_results
    where result_id in (select result_id from placement_results where expires_at <= ${now} limit ${limit})
    returning result_id as id
  `);
  return rows.map(({ id }) => id);
}

export async function listValues(db: Sql, accountId: string, column: 'subject' | 'sender'): Promise<string[]> {
  return (
    await db.rows(sql<{ value: string }>`
      select distinct ${sql.raw(column)} as value
      from placement_results
      where account_id = ${accountId}
      order by value
      limit 1000
    `)
  ).map(({ value }) => value);
}

/**
 * A result of the list with the same sender and subject that began lately: the other copies of a mailing belong to it.
 */
export function findOpenMailing(
  db: Sql,
  { kid, subject, sender, since }: { kid: string; subject: string; sender: string; since: Date },
): Promise<PlacementResult | undefined> {
  return db.first(sql<PlacementResult>`
    select ${COLUMNS}
    from placement_results
    where list_id = ${kid}
      and subject = ${subject}
      and sender = ${sender}
      and created_at >= ${since}
      and status = 'processing'
    order by created_at desc
    limit 1
  `);
}

/** What copies of one mailing have in common. */
export interface Mailing {
  accountId: string;
  kid: string;
  subject: string;
  sender: string;
}

/** Keeps what late copies of a deleted result are known by. A list that is gone takes no mail any more. */
export async function rememberMailing(
  tx: Sql,
  { resultId, accountId, listId, subject, sender }: PlacementResult,
  { emails, until }: { emails: readonly string[]; until: Date },
): Promise<void> {
  if (listId === null) return;
  await tx.run(sql`
    insert into placement_deleted_mailings (result_id, account_id, list_id, subject, sender, emails, until)
    values (${resultId}, ${accountId}, ${listId}, ${subject}, ${sender}, ${[...emails]}, ${until})
  `);
}

/**
 * Whether this is the copy that a deleted mailing still had to bring to the address; it is expected no more then. A
 * copy for an address that had its own belongs to a new mailing, and ends the waiting.
 */
export async function takeLateCopy(
  tx: Sql,
  { accountId, kid, subject, sender }: Mailing,
  { email, now }: { email: string; now: Date },
): Promise<boolean> {
  const mailing = sql`
    account_id = ${accountId} and list_id = ${kid} and subject = ${subject} and sender = ${sender} and until > ${now}
  `;
  const taken = await tx.run(sql`
    update placement_deleted_mailings
    set emails = array_remove(emails, ${email})
    where ${mailing} and ${email} = any (emails)
  `);
  if (taken === 0) await tx.run(sql`delete from placement_deleted_mailings where ${mailing}`);
  return taken > 0;
}

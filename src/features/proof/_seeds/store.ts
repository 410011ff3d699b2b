import type { Authentication } from '../../../engines/mail-authentication/index.ts';
import type { PlacementVerdict } from '../../../engines/receivers/index.ts';
import { anyOf, jsonb, sql, type Sql } from '../../../platform/db/index.ts';
import type { DeclaredZone } from '../../../platform/dns/index.ts';

export type SeedKind = 'receiver' | 'mailbox';

/** One address that tests send to. */
export interface Seed {
  kind: SeedKind;
  /** Id of the local receiver, or of the mailbox. */
  id: string;
  provider: string;
  email: string;
}

/** Those who receive: Galley's own hosts, and the providers at which the account owns mailboxes. */
export interface SeedProvider {
  kind: SeedKind;
  domain: string;
  displayName: string;
  about: string;
  category: 'b2c' | 'b2b';
  region: string;
  /** Addresses that one test can have there; null: as many as wanted. */
  seedsMax: number | null;
  createdAt: Date | null;
  updatedAt: Date | null;
}

/** The connection that a receiver is to assume instead of the real one, which is only this machine's own. */
export interface AssumedEnvelope {
  ip: string | null;
  helo: string | null;
  /** Null: ask DNS. Empty: the address has no name. */
  reverseDns: string | null;
  mailFrom: string | null;
  /** Records that the receiver is to find in DNS, beside the world's. */
  zone?: DeclaredZone;
}

/**
 * `pending`: not tried. `sending`: being handed over. `deferred`: tried, will be again. `sent`: taken, not seen yet.
 * The others are final. `bounced`: refused for good. `unknown`: nobody can tell, for the mailbox could not be read.
 */
export type DeliveryState =
  | 'pending'
  | 'sending'
  | 'deferred'
  | 'sent'
  | 'delivered'
  | 'bounced'
  | 'missing'
  | 'unknown';
export type FinalState = Extract<DeliveryState, 'delivered' | 'bounced' | 'missing' | 'unknown'>;

/** What the sending side saw. */
export interface Handover {
  outcome: string;
  reason: string;
  host: string | null;
  replies: { command: string; code: number; enhancedCode: string | null; text: string }[];
  isEncrypted: boolean;
  elapsedMs: number;
}

/** What the receiving side saw. */
export interface ReceptionReport {
  headers: { name: string; value: string }[];
  /** Address that the message came from, as far as the receiver knows or assumes. */
  originatingIp: string | null;
  authentication: Omit<Authentication, 'headerFields'> | null;
  /** From the copy's own Authentication-Results, where a provider wrote one. */
  stated: { spf: string | null; dkim: string | null; dmarc: string | null } | null;
  verdict: PlacementVerdict | null;
  filters: FilterSummary[];
  folders: string[];
  tags: string[];
}

/** Verdicts that were stored before they were called what they say. */
export function verdictName(stored: string | null): string | null {
  return stored === 'ham' ? 'nothing_found' : stored;
}

export interface FilterSummary {
  engine: string;
  score: number | null;
  threshold: number | null;
  verdict: 'nothing_found' | 'soft' | 'spam' | null;
  /** Why there is no verdict. */
  failure: string | null;
}

export interface SeedDelivery {
  token: string;
  kind: string;
  testId: string;
  accountId: string;
  place: number;
  seedKind: SeedKind;
  seedId: string;
  provider: string;
  email: string;
  envelope: AssumedEnvelope | null;
  state: DeliveryState;
  attempts: number;
  firstAttemptAt: Date | null;
  sentAt: Date | null;
  receivedAt: Date | null;
  settledAt: Date | null;
  touchedAt: Date;
  deadlineAt: Date;
  expiresAt: Date;
  placement: 'inbox' | 'spam' | 'category' | null;
  category: string | null;
  copies: number;
  reason: string | null;
  handover: Handover | null;
  report: ReceptionReport | null;
}

/** How a delivery ended. */
export interface Settlement {
  state: FinalState;
  placement?: SeedDelivery['placement'];
  category?: string | null;
  reason: string | null;
  receivedAt?: Date | null;
  copies?: number;
  report?: ReceptionReport | null;
}

const BRIEF = `
  token, kind, test_id as "testId", account_id as "accountId", place, seed_kind as "seedKind", seed_id as "seedId",
  provider, email, envelope, state, attempts, first_attempt_at as "firstAttemptAt", sent_at as "sentAt",
  received_at as "receivedAt", settled_at as "settledAt", touched_at as "touchedAt", deadline_at as "deadlineAt",
  expires_at as "expiresAt", placement, category, copies, reason, handover
`;
const COLUMNS = sql.raw(`${BRIEF}, report`);
const WITHOUT_REPORT = sql.raw(`${BRIEF}, null as report`);
/** Headers are most of a report. */
const WITHOUT_HEADERS = sql.raw(
  `${BRIEF}, case when report is null then null else report || '{"headers": []}'::jsonb end as report`,
);

/**
 * Rows that are there already stay as they are: a test that is begun again goes on where it was. Returns those that are
 * new.
 */
export async function insertDeliveries(tx: Sql, deliveries: readonly SeedDelivery[]): Promise<string[]> {
  const made: string[] = [];
  for (const one of deliveries) {
    const row = await tx.first(sql<{ token: string }>`
      insert into seed_deliveries (
        token, kind, test_id, account_id, place, seed_kind, seed_id, provider, email, envelope, state, touched_at,
        queued_at, deadline_at, expires_at
      )
      values (
        ${one.token}, ${one.kind}, ${one.testId}, ${one.accountId}, ${one.place}, ${one.seedKind}, ${one.seedId},
        ${one.provider}, ${one.email}, ${one.envelope && jsonb(one.envelope)}::jsonb, ${one.state}, ${one.touchedAt},
        ${one.touchedAt}, ${one.deadlineAt}, ${one.expiresAt}
      )
      on conflict (test_id, email) do nothing
      returning token
    `);
    if (row) made.push(row.token);
  }
  return made;
}

export function findDelivery(db: Sql, token: string): Promise<SeedDelivery | undefined> {
  return db.first(sql<SeedDelivery>`select ${COLUMNS} from seed_deliveries where token = ${token}`);
}

export async function findToken(db: Sql, testId: string, email: string): Promise<string | undefined> {
  return (
    await db.first(
      sql<{ token: string }>`select token from seed_deliveries where test_id = ${testId} and email = ${email}`,
    )
  )?.token;
}

export interface OfTests {
  kind: string;
  testIds: readonly string[];
}

/** Reports are large: `brief` ones have no headers. */
export interface WantedReports {
  reports: 'none' | 'brief' | 'whole';
}

/** In the order of the seeds. */
export function listDeliveries(
  db: Sql,
  { kind, testIds }: OfTests,
  { reports }: WantedReports,
): Promise<SeedDelivery[]> {
  return db.rows(sql<SeedDelivery>`
    select ${{ none: WITHOUT_REPORT, brief: WITHOUT_HEADERS, whole: COLUMNS }[reports]}
    from seed_deliveries
    where kind = ${kind} and test_id = ${anyOf(testIds)}
    order by test_id, place, token
  `);
}

export async function hasAddress(db: Sql, kind: string, email: string): Promise<boolean> {
  return (
    (await db.first(sql`select 1 as found from seed_deliveries where email = ${email} and kind = ${kind} limit 1`)) !==
    undefined
  );
}

/**
 * Marks the message as being handed over, before anything is sent; its time runs from the first try. Undefined: it is
 * not this job's to send.
 */
export function beginAttempt(
  db: Sql,
  token: string,
  { from, at }: { from: readonly SeedDelivery['state'][]; at: Date },
): Promise<SeedDelivery | undefined> {
  return db.first(sql<SeedDelivery>`
    update seed_deliveries
    set state = 'sending', attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${at}),
      touched_at = ${at},
      deadline_at = case
        when first_attempt_at is null then deadline_at + greatest(interval '0', ${at}::timestamptz - queued_at)
        else deadline_at
      end
    where token = ${token} and settled_at is null and state = ${anyOf(from)}
    returning ${WITHOUT_REPORT}
  `);
}

/**
 * Says how the handover went; the state changes only while the delivery is open, for the receiver may have settled it
 * already.
 */
export async function noteHandover(
  tx: Sql,
  token: string,
  note: {
    state: 'sent' | 'deferred' | 'sending';
    handover: Handover | null;
    reason: string | null;
    sentAt: Date | null;
    at: Date;
  },
): Promise<boolean> {
  await tx.run(sql`
    update seed_deliveries
    set handover = coalesce(${note.handover && jsonb(note.handover)}::jsonb, handover),
      sent_at = coalesce(sent_at, ${note.sentAt})
    where token = ${token}
  `);
  return (
    (await tx.run(sql`
      update seed_deliveries
      set state = ${note.state}, reason = ${note.reason}, touched_at = ${note.at}
      where token = ${token} and settled_at is null
    `)) > 0
  );
}

/** Ends a delivery once and for all. `isLast`: no other of its test is open. Undefined: it had ended before. */
export async function settle(
  tx: Sql,
  token: string,
  { settlement, at }: { settlement: Settlement; at: Date },
): Promise<{ kind: string; testId: string; accountId: string; isLast: boolean } | undefined> {
  const known = await tx.first(sql<{ kind: string; testId: string; accountId: string }>`
    select kind, test_id as "testId", account_id as "accountId"
    from seed_deliveries
    where token = ${token}
  `);
  if (!known) return undefined;
  // Of two that end at the same time, one must see that it is the last.
  await tx.run(sql`select pg_advisory_xact_lock(hashtext(${known.testId}))`);
  const { state, placement = null, category = null, reason, receivedAt = null, copies = 0, report = null } = settlement;
  const changed = await tx.run(sql`
    update seed_deliveries
    set state = ${state}, placement = ${placement}, category = ${category}, reason = ${reason},
      received_at = coalesce(${receivedAt}, received_at), copies = ${copies},
      report = coalesce(${report && jsonb(report)}::jsonb, report), settled_at = ${at}, touched_at = ${at}
    where token = ${token} and settled_at is null
  `);
  if (changed === 0) return undefined;
  const open = await tx.first(sql`
    select 1 as found
    from seed_deliveries
    where test_id = ${known.testId} and kind = ${known.kind} and settled_at is null
    limit 1
  `);
  return { ...known, isLast: open === undefined };
}

/** A message that came once more; it stays counted once. */
export async function countCopy(db: Sql, token: string): Promise<void> {
  await db.run(sql`update seed_deliveries set copies = copies + 1 where token = ${token}`);
}

/** Messages that a mailbox has taken and that were not seen yet. */
export function listAwaited(db: Sql, mailboxId: string, limit: number): Promise<SeedDelivery[]> {
  return db.rows(sql<SeedDelivery>`
    select ${WITHOUT_REPORT}
    from seed_deliveries
    where seed_kind = 'mailbox' and seed_id = ${mailboxId} and state = 'sent' and settled_at is null
    order by sent_at, token
    limit ${limit}
  `);
}

/** Open ones whose time is over. A message that only waits for its first try has not missed anything yet. */
/** Messages that were sent to a mailbox, or were about to be, since then. */
export async function countSent(db: Sql, mailboxId: string, since: Date): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::int as count
    from seed_deliveries
    where seed_kind = 'mailbox' and seed_id = ${mailboxId} and first_attempt_at >= ${since}
  `);
  return row?.count ?? 0;
}

/** Messages of an account that have not ended. */
export async function countOpen(db: Sql, accountId: string): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::int as count
    from seed_deliveries
    where account_id = ${accountId} and settled_at is null
  `);
  return row?.count ?? 0;
}

export function listOverdue(db: Sql, now: Date, limit: number): Promise<SeedDelivery[]> {
  return db.rows(sql<SeedDelivery>`
    select ${WITHOUT_REPORT}
    from seed_deliveries
    where settled_at is null and deadline_at <= ${now} and state <> 'pending'
    order by deadline_at
    limit ${limit}
  `);
}

/** Open ones that nobody has touched for so long that their job must have been lost. */
export function listForgotten(db: Sql, since: Date, limit: number): Promise<SeedDelivery[]> {
  return db.rows(sql<SeedDelivery>`
    update seed_deliveries
    set touched_at = now()
    where token in (select token from seed_deliveries where settled_at is null and touched_at < ${since} limit ${limit})
    returning ${WITHOUT_REPORT}
  `);
}

export async function deleteDeliveries(
  tx: Sql,
  { kind, testIds, provider }: OfTests & { provider?: string },
): Promise<void> {
  const atProvider = provider === undefined ? sql`` : sql` and provider = ${provider}`;
  await tx.run(sql`delete from seed_deliveries where kind = ${kind} and test_id = ${anyOf(testIds)}${atProvider}`);
}

export async function deleteExpiredDeliveries(db: Sql, now: Date): Promise<void> {
  await db.run(sql`delete from seed_deliveries where expires_at <= ${now}`);
}

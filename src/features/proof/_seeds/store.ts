import type { Authentication } from '../../../engines/mail-authentication/index.ts';
import type { PlacementVerdict } from '../../../engines/receivers/index.ts';
import { anyOf, changedRows, rowCount, sql, type RawBuilder, type Row, type Sql } from '../../../platform/db/index.ts';
import type { DeclaredZone } from '../../../platform/dns/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'seedDeliveries.envelope': AssumedEnvelope;
    'seedDeliveries.handover': Handover;
    'seedDeliveries.report': ReceptionReport;
  }
}

/** A message to a seed. `seedId` is the id of the local receiver, or of the mailbox. */
export type SeedDelivery = Row<'seedDeliveries'>;

export type SeedKind = SeedDelivery['seedKind'];

/** One address that tests send to. */
export interface Seed {
  kind: SeedKind;
  /** Id of the local receiver, or of the mailbox. */
  id: string;
  provider: string;
  email: string;
}

/** The receivers: Galley's own hosts, and the providers at which the account has mailboxes. */
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
  /** DNS records that the receiver finds in addition to the public ones. */
  zone?: DeclaredZone;
}

/**
 * `pending`: not tried. `sending`: being handed over. `deferred`: tried, will be again. `sent`: taken, not seen yet.
 * The others are final. `bounced`: refused for good. `unknown`: nobody can tell, for the mailbox could not be read.
 */
export type DeliveryState = SeedDelivery['state'];
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

const BRIEF = [
  'token',
  'kind',
  'testId',
  'accountId',
  'place',
  'seedKind',
  'seedId',
  'provider',
  'email',
  'envelope',
  'state',
  'attempts',
  'firstAttemptAt',
  'sentAt',
  'receivedAt',
  'settledAt',
  'touchedAt',
  'queuedAt',
  'deadlineAt',
  'expiresAt',
  'placement',
  'category',
  'copies',
  'reason',
  'handover',
] as const;

/** Reports are large, and headers are most of one: `brief` ones have none. */
export interface WantedReports {
  reports: 'none' | 'brief' | 'whole';
}

const REPORTS: Record<WantedReports['reports'], RawBuilder<ReceptionReport | null>> = {
  none: sql`null`,
  brief: sql`case when ${sql.ref('report')} is not null then ${sql.ref('report')} || '{"headers": []}'::jsonb end`,
  whole: sql`${sql.ref('report')}`,
};
export const WITHOUT_REPORT = [...BRIEF, REPORTS.none.as('report')] as const;

/**
 * Rows that are there already stay as they are: a test that is begun again goes on where it was. Returns those that are
 * new.
 */
export async function insertDeliveries(tx: Sql, deliveries: readonly SeedDelivery[]): Promise<string[]> {
  const made: string[] = [];
  for (const one of deliveries) {
    const row = await tx.ofAnyone
      .insertInto('seedDeliveries')
      .values(one)
      .onConflict((conflict) => conflict.columns(['testId', 'email']).doNothing())
      .returning('token')
      .executeTakeFirst();
    if (row) made.push(row.token);
  }
  return made;
}

/** By its token, which is unguessable. */
export function findDelivery(db: Sql, token: string): Promise<SeedDelivery | undefined> {
  return db.ofAnyone.selectFrom('seedDeliveries').selectAll().where('token', '=', token).executeTakeFirst();
}

export async function findToken(
  db: Sql,
  { accountId, testId }: { accountId: string; testId: string },
  email: string,
): Promise<string | undefined> {
  const row = await db
    .of(accountId)
    .selectFrom('seedDeliveries')
    .select('token')
    .where('testId', '=', testId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.token;
}

export interface OfTests {
  accountId: string;
  testIds: readonly string[];
}

/** Lists deliveries in the order of the seeds. */
export function listDeliveries(
  db: Sql,
  { kind, accountId, testIds }: OfTests & { kind: string },
  { reports }: WantedReports,
): Promise<SeedDelivery[]> {
  return db
    .of(accountId)
    .selectFrom('seedDeliveries')
    .select([...BRIEF, REPORTS[reports].as('report')])
    .where('kind', '=', kind)
    .where('testId', '=', anyOf(testIds))
    .orderBy('testId')
    .orderBy('place')
    .orderBy('token')
    .execute();
}

/** Whether an address is a seed, of any account; for incoming mail. */
export async function hasAddress(db: Sql, kind: string, email: string): Promise<boolean> {
  const found = await db.ofAnyone
    .selectFrom('seedDeliveries')
    .select('token')
    .where('email', '=', email)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Marks the message as being handed over, before anything is sent; its time runs from the first try. Undefined: it is
 * not this job's to send.
 */
export function beginAttempt(
  db: Sql,
  token: string,
  { from, at }: { from: readonly DeliveryState[]; at: Date },
): Promise<SeedDelivery | undefined> {
  return db.ofAnyone
    .updateTable('seedDeliveries')
    .set((row) => {
      const waited = sql`greatest(interval '0', ${at}::timestamptz - ${row.ref('queuedAt')})`;
      return {
        state: 'sending',
        attempts: row('attempts', '+', 1),
        firstAttemptAt: row.fn.coalesce('firstAttemptAt', row.val(at)),
        touchedAt: at,
        deadlineAt: row
          .case()
          .when('firstAttemptAt', 'is', null)
          .then(sql<Date>`${row.ref('deadlineAt')} + ${waited}`)
          .else(row.ref('deadlineAt'))
          .end(),
      };
    })
    .where('token', '=', token)
    .where('settledAt', 'is', null)
    .where('state', '=', anyOf(from))
    .returning(WITHOUT_REPORT)
    .executeTakeFirst();
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
  const { state, handover, reason, sentAt, at } = note;
  const noted = tx.ofAnyone.updateTable('seedDeliveries').where('token', '=', token);
  await noted
    .set((row) => ({ ...(handover && { handover }), sentAt: row.fn.coalesce('sentAt', row.val(sentAt)) }))
    .execute();
  return (await changedRows(noted.set({ state, reason, touchedAt: at }).where('settledAt', 'is', null))) > 0;
}

/** Ends a delivery once and for all. `isLast`: no other of its test is open. Undefined: it had ended before. */
export async function settle(
  tx: Sql,
  token: string,
  { settlement, at }: { settlement: Settlement; at: Date },
): Promise<{ kind: string; testId: string; accountId: string; isLast: boolean } | undefined> {
  const known = await tx.ofAnyone
    .selectFrom('seedDeliveries')
    .select(['kind', 'testId', 'accountId'])
    .where('token', '=', token)
    .executeTakeFirst();
  if (!known) return undefined;
  // Of two that end at the same time, one must see that it is the last.
  await tx.lock(known.testId);
  const { state, placement = null, category = null, reason, receivedAt, copies = 0, report } = settlement;
  const change = { state, placement, category, reason, copies, settledAt: at, touchedAt: at };
  const settled = tx.ofAnyone
    .updateTable('seedDeliveries')
    .set({ ...change, ...(receivedAt && { receivedAt }), ...(report && { report }) })
    .where('token', '=', token)
    .where('settledAt', 'is', null);
  if ((await changedRows(settled)) === 0) return undefined;
  const open = await tx
    .of(known.accountId)
    .selectFrom('seedDeliveries')
    .select('token')
    .where('testId', '=', known.testId)
    .where('kind', '=', known.kind)
    .where('settledAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return { ...known, isLast: open === undefined };
}

/** A message that came once more; it stays counted once. */
export async function countCopy(db: Sql, token: string): Promise<void> {
  await db.ofAnyone
    .updateTable('seedDeliveries')
    .set((row) => ({ copies: row('copies', '+', 1) }))
    .where('token', '=', token)
    .execute();
}

/** Messages that a mailbox has taken and that were not seen yet. */
export function listAwaited(db: Sql, mailboxId: string, limit: number): Promise<SeedDelivery[]> {
  return db.ofAnyone
    .selectFrom('seedDeliveries')
    .select(WITHOUT_REPORT)
    .where('seedKind', '=', 'mailbox')
    .where('seedId', '=', mailboxId)
    .where('state', '=', 'sent')
    .where('settledAt', 'is', null)
    .orderBy('sentAt')
    .orderBy('token')
    .limit(limit)
    .execute();
}

/** Messages that were sent to a mailbox, or were about to be, since then. */
export async function countSent(
  db: Sql,
  { id, accountId }: { id: string; accountId: string },
  since: Date,
): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('seedDeliveries')
    .select(rowCount.as('count'))
    .where('seedKind', '=', 'mailbox')
    .where('seedId', '=', id)
    .where('firstAttemptAt', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Messages of an account that have not ended. */
export async function countOpen(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('seedDeliveries')
    .select(rowCount.as('count'))
    .where('settledAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the deliveries of these tests, or only those at one provider. */
export async function deleteDeliveries(
  tx: Sql,
  { kind, accountId, testIds, provider }: OfTests & { kind: string; provider?: string },
): Promise<void> {
  await tx
    .of(accountId)
    .deleteFrom('seedDeliveries')
    .where('kind', '=', kind)
    .where('testId', '=', anyOf(testIds))
    .$if(provider !== undefined, (rows) => rows.where('provider', '=', provider!))
    .execute();
}

/** For tests whose retention has ended. */
export async function deleteDeliveriesOfAnyone(
  tx: Sql,
  { kind, testIds }: { kind: string; testIds: readonly string[] },
): Promise<void> {
  await tx.ofAnyone
    .deleteFrom('seedDeliveries')
    .where('kind', '=', kind)
    .where('testId', '=', anyOf(testIds))
    .execute();
}

// Messages of gated domains, and what became of them.
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { STATES } from './contract.ts';
import type { VerdictState } from './store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'messageGates.mode': 'warn' | 'hold' | 'refuse';
    'messageGates.state': GatedState;
  }
}

export type GatedState = (typeof STATES)[number];
type GatedRow = Row<'messageGates'>;

const OPEN = ['checking', 'held'] as const;

export async function insertGated(
  tx: Sql,
  accountId: string,
  row: Omit<GatedRow, 'accountId' | 'decidedAt' | 'decidedBy'>,
): Promise<void> {
  await tx.of(accountId).insert('messageGates', row).execute();
}

/** What waits of an account: messages, and their bytes. */
export async function countOpen(db: Sql, accountId: string): Promise<{ messages: number; bytes: number }> {
  const { messages, bytes } = await db
    .of(accountId)
    .selectFrom('messageGates')
    .select([rowCount.as('messages'), sql<number>`coalesce(sum(size_bytes), 0)::float8`.as('bytes')])
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
  return { messages, bytes };
}

interface Decision {
  state: Exclude<GatedState, 'sent' | 'checking' | 'held'>;
  at: Date;
  by: string | null;
}

/** Of those that press at once, one decides: the others are answered with undefined. */
export function decide(
  tx: Sql,
  { accountId, messageId }: Pick<GatedRow, 'accountId' | 'messageId'>,
  { state, at, by }: Decision,
): Promise<GatedRow | undefined> {
  return tx
    .of(accountId)
    .updateTable('messageGates')
    .set({ state, decidedAt: at, decidedBy: by })
    .where('messageId', '=', messageId)
    .where('state', 'in', OPEN)
    .returningAll()
    .executeTakeFirst();
}

/** What failed waits for a person. Answers how many. */
export function holdChecked(db: Sql, accountId: string, messageIds: readonly string[]): Promise<number> {
  return changedRows(
    db
      .of(accountId)
      .updateTable('messageGates')
      .set({ state: 'held' })
      .where('messageId', 'in', messageIds)
      .where('state', '=', 'checking'),
  );
}

/** Messages that wait for a verdict. */
export function listChecking(
  db: Sql,
  { accountId, verdictId }: { accountId: string; verdictId: string },
  limit: number,
): Promise<GatedRow[]> {
  return db
    .of(accountId)
    .selectFrom('messageGates')
    .selectAll()
    .where('verdictId', '=', verdictId)
    .where('state', '=', 'checking')
    .orderBy('messageId')
    .limit(limit)
    .execute();
}

/** Those that nobody decided on in time. */
export function listExpired(db: Sql, now: Date, limit: number): Promise<GatedRow[]> {
  return db.ofAnyone
    .selectFrom('messageGates')
    .selectAll()
    .where('state', 'in', OPEN)
    .where('heldUntil', '<=', now)
    .orderBy('heldUntil')
    .limit(limit)
    .execute();
}

/** Ends those that wait for nobody any more: canceled in the queue, or gone with their domain. Answers how many. */
export function endGone(db: Sql, now: Date): Promise<number> {
  return changedRows(
    db.ofAnyone
      .updateTable('messageGates')
      .set({ state: 'dropped', decidedAt: now })
      .where('state', 'in', OPEN)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('deliveries')
              .select('deliveries.messageId')
              .whereRef('deliveries.messageId', '=', 'messageGates.messageId'),
          ),
        ),
      ),
  );
}

export interface GatedMessage extends GatedRow {
  key: string;
  messageName: string;
  subject: string;
  headerFrom: string;
  verdict: VerdictState | null;
  gateId: string | null;
  reasons: string[] | null;
  /** Recipients for whom it still waits. */
  waiting: number;
}

/** Of the subject and the sender. */
const SHOWN_LENGTH = 300;

function gatedOf(db: Sql, accountId: string) {
  return db.ofAnyone
    .selectFrom('messageGates')
    .innerJoin('sentMessages', 'sentMessages.id', 'messageGates.messageId')
    .leftJoin('gateVerdicts', 'gateVerdicts.id', 'messageGates.verdictId')
    .where('messageGates.accountId', '=', accountId)
    .selectAll('messageGates')
    .select([
      'sentMessages.key',
      'sentMessages.messageId as messageName',
      sql<string>`left(sent_messages.subject, ${SHOWN_LENGTH})`.as('subject'),
      sql<string>`left(sent_messages.header_from, ${SHOWN_LENGTH})`.as('headerFrom'),
      'gateVerdicts.state as verdict',
      'gateVerdicts.gateId',
      'gateVerdicts.reasons',
      (row) =>
        row
          .selectFrom('deliveries')
          .select(rowCount.as('waiting'))
          .whereRef('deliveries.messageId', '=', 'messageGates.messageId')
          .where('deliveries.isHeld', '=', true)
          .$castTo<{ waiting: number }>()
          .as('waiting'),
    ]);
}

interface Test {
  states?: readonly GatedState[] | undefined;
  domain?: string | undefined;
}

/** Newest first. */
export async function listGated(
  db: Sql,
  accountId: string,
  { states, domain, limit, skip }: Test & SkipPage,
): Promise<Paged<GatedMessage>> {
  const all = gatedOf(db, accountId)
    .$if(states !== undefined, (query) => query.where('messageGates.state', 'in', [...states!]))
    .$if(domain !== undefined, (query) => query.where('messageGates.domain', '=', domain!));
  const items = await pageOf(all.orderBy('messageGates.messageId', 'desc'), { limit, skip }).execute();
  const { total } = await db
    .of(accountId)
    .selectFrom('messageGates')
    .select(rowCount.as('total'))
    .$if(states !== undefined, (query) => query.where('state', 'in', [...states!]))
    .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
    .executeTakeFirstOrThrow();
  return { items: items as GatedMessage[], total };
}

/** By the storage key of the message. */
export async function findGated(db: Sql, accountId: string, key: string): Promise<GatedMessage | undefined> {
  const found = await gatedOf(db, accountId).where('sentMessages.key', '=', key).executeTakeFirst();
  return found as GatedMessage | undefined;
}

/** By ids of messages. */
export async function listGatedOf(db: Sql, accountId: string, ids: readonly string[]): Promise<GatedMessage[]> {
  if (ids.length === 0) return [];
  const found = await gatedOf(db, accountId)
    .where('messageGates.messageId', 'in', [...ids])
    .execute();
  return found as GatedMessage[];
}

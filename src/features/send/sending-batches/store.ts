// Batches, what is known of their samples, and the breakers of domains.
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { BATCH_KINDS, BATCH_STATES, BREAKER_MODES } from './contract.ts';

export type BatchState = (typeof BATCH_STATES)[number];
export type BatchKind = (typeof BATCH_KINDS)[number];

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'domainBreakers.mode': (typeof BREAKER_MODES)[number];
    'sendingBatches.kind': BatchKind;
    'sendingBatches.state': BatchState;
    'batchSamples.outcome': SampleOutcome;
  }
}

export type SampleOutcome = 'delivered' | 'bounced' | 'deferred' | 'untried';
export type Batch = Row<'sendingBatches'>;
type Breaker = Row<'domainBreakers'>;
export type BreakerSettings = Pick<Breaker, 'mode' | 'sample' | 'bouncedMax' | 'deferredMax'>;

export const OPEN = ['sampling', 'held'] as const;

export function findBreaker(db: Sql, accountId: string, domain: string): Promise<BreakerSettings | undefined> {
  return db
    .of(accountId)
    .selectFrom('domainBreakers')
    .select(['mode', 'sample', 'bouncedMax', 'deferredMax'])
    .where('domain', '=', domain)
    .executeTakeFirst();
}

export async function saveBreaker(db: Sql, accountId: string, row: Omit<Breaker, 'accountId'>): Promise<void> {
  await db
    .of(accountId)
    .insert('domainBreakers', row)
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet(row))
    .execute();
}

interface BatchName {
  domain: string;
  kind: BatchKind;
  name: string;
}

/** The batch that a message of this name joins, the newest; whoever changes it waits where `isLocked`. */
export function findJoined(
  tx: Sql,
  accountId: string,
  { domain, kind, name, now, isLocked }: BatchName & { now: Date; isLocked: boolean },
): Promise<Batch | undefined> {
  return tx
    .of(accountId)
    .selectFrom('sendingBatches')
    .selectAll()
    .where('domain', '=', domain)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('joinsUntil', '>', now)
    .where('state', 'not in', ['dropped', 'expired'])
    .orderBy('id', 'desc')
    .limit(1)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

type NewBatch = BatchName & BreakerSettings & { startedAt: Date; joinsUntil: Date };

export function insertBatch(tx: Sql, accountId: string, { mode: _mode, ...batch }: NewBatch): Promise<Batch> {
  return tx
    .of(accountId)
    .insert('sendingBatches', { ...batch, state: 'sampling' })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What waits of an account in batches that are not decided. */
export async function sumOpen(tx: Sql, accountId: string): Promise<{ messages: number; bytes: number }> {
  return tx
    .of(accountId)
    .selectFrom('sendingBatches')
    .select([
      sql<number>`coalesce(sum(messages), 0)::float8`.as('messages'),
      sql<number>`coalesce(sum(size_bytes), 0)::float8`.as('bytes'),
    ])
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
}

interface Joining {
  batchId: string;
  messageId: string;
  recipients: number;
  /** The first so many of its recipients are of the sample. */
  sampled: number;
  sizeBytes: number;
}

export async function joinBatch(
  tx: Sql,
  accountId: string,
  { batchId, messageId, recipients, sampled, sizeBytes }: Joining,
): Promise<void> {
  await tx.of(accountId).insert('batchMessages', { messageId, batchId }).execute();
  if (sampled > 0)
    await tx
      .of(accountId)
      .insert(
        'batchSamples',
        Array.from({ length: sampled }, (_, position) => ({ messageId, position, batchId })),
      )
      .execute();
  await tx
    .of(accountId)
    .updateTable('sendingBatches')
    .set({
      messages: sql<number>`messages + 1`,
      recipients: sql<number>`recipients + ${recipients}::integer`,
      sampled: sql<number>`sampled + ${sampled}::integer`,
      sizeBytes: sql<string>`size_bytes + ${sizeBytes}::bigint`,
    })
    .where('id', '=', batchId)
    .execute();
}

interface Place {
  messageId: string;
  position: number;
}

type BatchKey = Pick<Batch, 'accountId' | 'id'>;

/** Keeps the first outcome of each that is of a sample. Answers the batches about which something new is known. */
export async function noteFirstOutcomes(
  tx: Sql,
  outcomes: readonly (Place & { outcome: SampleOutcome })[],
): Promise<BatchKey[]> {
  const ids = outcomes.map(({ messageId }) => messageId);
  const positions = outcomes.map(({ position }) => position);
  const ends = outcomes.map(({ outcome }) => outcome);
  const noted = await tx.ofAnyone
    .updateTable('batchSamples')
    .from(
      sql<
        Place & { outcome: SampleOutcome }
      >`unnest(${ids}::bigint[], ${positions}::integer[], ${ends}::text[])`.as<'told'>(
        sql`told(message_id, position, outcome)`,
      ),
    )
    .set((row) => ({ outcome: row.ref('told.outcome') }))
    .whereRef('batchSamples.messageId', '=', 'told.messageId')
    .whereRef('batchSamples.position', '=', 'told.position')
    .where('batchSamples.outcome', 'is', null)
    .returning(['batchSamples.batchId as id', 'batchSamples.accountId'])
    .execute();
  const keys = new Map(noted.map((key) => [key.id, key]));
  // Everybody locks them in this order.
  return [...keys.values()].sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
}

/** Whoever changes it waits until the transaction ends. */
export function lockBatch(tx: Sql, { accountId, id }: BatchKey): Promise<Batch | undefined> {
  return tx.of(accountId).selectFrom('sendingBatches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Those of a sample that were tried. */
export const knownOf = ({ delivered, bounced, deferred }: Pick<Batch, 'delivered' | 'bounced' | 'deferred'>): number =>
  delivered + bounced + deferred;

export type Known = Record<SampleOutcome, number>;

/** What is known of its sample. */
export async function countSample(tx: Sql, { accountId, id }: BatchKey): Promise<Known> {
  const rows = await tx
    .of(accountId)
    .selectFrom('batchSamples')
    .select(['outcome', rowCount.as('count')])
    .where('batchId', '=', id)
    .where('outcome', 'is not', null)
    .groupBy('outcome')
    .execute();
  const known: Known = { delivered: 0, bounced: 0, deferred: 0, untried: 0 };
  for (const { outcome, count } of rows) if (outcome !== null) known[outcome] = count;
  return known;
}

/** Those of its sample of which nothing is known. */
export function listUnknown(tx: Sql, { accountId, id }: BatchKey): Promise<Place[]> {
  return tx
    .of(accountId)
    .selectFrom('batchSamples')
    .select(['messageId', 'position'])
    .where('batchId', '=', id)
    .where('outcome', 'is', null)
    .execute();
}

/** All of its sample. */
export function listSample(tx: Sql, { accountId, id }: BatchKey): Promise<Place[]> {
  return tx
    .of(accountId)
    .selectFrom('batchSamples')
    .select(['messageId', 'position'])
    .where('batchId', '=', id)
    .execute();
}

export async function updateBatch(tx: Sql, { accountId, id }: BatchKey, changes: Partial<Batch>): Promise<void> {
  await tx.of(accountId).updateTable('sendingBatches').set(changes).where('id', '=', id).execute();
}

export async function deleteSample(tx: Sql, { accountId, id }: BatchKey): Promise<void> {
  await tx.of(accountId).deleteFrom('batchSamples').where('batchId', '=', id).execute();
}

interface Decision {
  state: 'released' | 'dropped' | 'expired';
  at: Date;
  by: string | null;
}

/** Of those that press at once, one decides: the others are answered with undefined. */
export function decide(tx: Sql, { accountId, id }: BatchKey, { state, at, by }: Decision): Promise<Batch | undefined> {
  return tx
    .of(accountId)
    .updateTable('sendingBatches')
    .set({ state, decidedAt: at, decidedBy: by, isSettled: false })
    .where('id', '=', id)
    .where('state', 'in', OPEN)
    .returningAll()
    .executeTakeFirst();
}

/** The ids of its messages, some at a time. */
export async function listMessageIds(
  db: Sql,
  { accountId, id }: BatchKey,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const found = await db
    .of(accountId)
    .selectFrom('batchMessages')
    .select('messageId')
    .where('batchId', '=', id)
    .where('messageId', '>', after)
    .orderBy('messageId')
    .limit(limit)
    .execute();
  return found.map(({ messageId }) => messageId);
}

/** Those of which something is left to do: to be judged, to expire, to go on or to be dropped. */
export function listUnsettled(db: Sql, { after, limit }: { after: string; limit: number }): Promise<Batch[]> {
  return db.ofAnyone
    .selectFrom('sendingBatches')
    .selectAll()
    .where('isSettled', '=', false)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Those that nothing is left to do about. Answers how many. */
export function deleteOld(db: Sql, before: Date, limit: number): Promise<number> {
  return changedRows(
    db.ofAnyone
      .deleteFrom('sendingBatches')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('sendingBatches')
          .select('id')
          .where('startedAt', '<', before)
          .where('isSettled', '=', true)
          .limit(limit),
      ),
  );
}

/** How many waiting recipients of a batch are counted. */
export const WAITING_COUNTED_MAX = 100_000;

export interface ShownBatch extends Batch {
  /** Recipients for whom it is stopped; at most {@link WAITING_COUNTED_MAX}. */
  waiting: number;
}

function shownOf(db: Sql, accountId: string) {
  return db.ofAnyone
    .selectFrom('sendingBatches')
    .where('sendingBatches.accountId', '=', accountId)
    .selectAll('sendingBatches')
    .select((row) =>
      row
        .selectFrom(
          row
            .selectFrom('batchMessages')
            .innerJoin('deliveries', 'deliveries.messageId', 'batchMessages.messageId')
            .select('deliveries.id')
            .whereRef('batchMessages.batchId', '=', 'sendingBatches.id')
            .where('deliveries.isStopped', '=', true)
            .limit(WAITING_COUNTED_MAX)
            .as('stopped'),
        )
        .select(rowCount.as('waiting'))
        .$castTo<{ waiting: number }>()
        .$asScalar()
        .$notNull()
        .as('waiting'),
    );
}

interface Test {
  states?: readonly BatchState[] | undefined;
  domain?: string | undefined;
}

/** Newest first. */
export async function listBatches(
  db: Sql,
  accountId: string,
  { states, domain, limit, skip }: Test & SkipPage,
): Promise<Paged<ShownBatch>> {
  const all = shownOf(db, accountId)
    .$if(states !== undefined, (query) => query.where('sendingBatches.state', 'in', [...states!]))
    .$if(domain !== undefined, (query) => query.where('sendingBatches.domain', '=', domain!));
  const items = await pageOf(all.orderBy('sendingBatches.id', 'desc'), { limit, skip }).execute();
  const { total } = await db
    .of(accountId)
    .selectFrom('sendingBatches')
    .select(rowCount.as('total'))
    .$if(states !== undefined, (query) => query.where('state', 'in', [...states!]))
    .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
    .executeTakeFirstOrThrow();
  return { items, total };
}

export function findBatch(db: Sql, accountId: string, id: string): Promise<ShownBatch | undefined> {
  return shownOf(db, accountId).where('sendingBatches.id', '=', id).executeTakeFirst();
}

/** The batches of messages, by the ids of those. */
export async function listBatchesOf(
  db: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<Map<string, Batch>> {
  if (messageIds.length === 0) return new Map();
  const found = await db.ofAnyone
    .selectFrom('batchMessages')
    .innerJoin('sendingBatches', 'sendingBatches.id', 'batchMessages.batchId')
    .where('batchMessages.accountId', '=', accountId)
    .where('batchMessages.messageId', 'in', [...messageIds])
    .selectAll('sendingBatches')
    .select('batchMessages.messageId')
    .execute();
  return new Map(found.map(({ messageId, ...batch }) => [messageId, batch]));
}

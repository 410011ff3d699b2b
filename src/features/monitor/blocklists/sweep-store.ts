// What a sweep takes and leaves: targets that are due, the state of lists, and what was found.
import type { AssetKind } from '../../../engines/blocklists/index.ts';
import { sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Listing, Target } from './store.ts';

export type Health = Row<'blocklistHealth'>;

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'blocklistHealth.kind': AssetKind;
  }
}

/** One parameter, whatever their number: a database takes long to read hundreds. */
const isAmong = (ids: Iterable<string>) => sql<boolean>`id = any(${[...ids]}::text[])`;

/**
 * Takes targets of open accounts that are due; nobody else takes them before `until`. Of each account the one that
 * waits longest comes first, then the second of each: who watches much holds up nobody, and takes nobody's questions.
 */
export function takeDue(
  db: Sql & { tx: <T>(work: (tx: Sql) => Promise<T>) => Promise<T> },
  now: Date,
  { until, limit }: { until: Date; limit: number },
): Promise<Target[]> {
  return db.tx(async (tx) => {
    const waiting = tx.ofAnyone
      .selectFrom('blocklistTargets')
      .innerJoin('accounts', 'accounts.id', 'blocklistTargets.accountId')
      .select(['blocklistTargets.id', 'blocklistTargets.nextAt'])
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((of) => of.partitionBy('blocklistTargets.accountId').orderBy('nextAt').orderBy('blocklistTargets.id'))
          .as('place'),
      )
      .where('accounts.status', '=', 'open')
      .where('nextAt', '<=', now);
    const first = await tx.ofAnyone
      .selectFrom(waiting.as('waiting'))
      .select('id')
      .orderBy('place')
      .orderBy('nextAt')
      .limit(limit)
      .execute();
    const order = new Map(first.map(({ id }, place) => [id, place]));
    if (order.size === 0) return [];
    const free = tx.ofAnyone
      .selectFrom('blocklistTargets')
      .select('id')
      .where(isAmong(order.keys()))
      // Somebody else may have taken it meanwhile.
      .where('nextAt', '<=', now)
      .orderBy('id')
      .forUpdate()
      .skipLocked();
    const due = await tx.ofAnyone
      .updateTable('blocklistTargets')
      .set({ nextAt: until })
      .where('id', 'in', free)
      .returningAll()
      .execute();
    return due.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  });
}

/** Of these, those that are still there, held until the transaction ends. */
export async function holdTargets(tx: Sql, ids: readonly string[]): Promise<Set<string>> {
  const held = await tx.ofAnyone
    .selectFrom('blocklistTargets')
    .select('id')
    .where(isAmong(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(held.map(({ id }) => id));
}

/** All in one statement, and that in one parameter. Those that are gone stay gone. */
export async function saveTargets(tx: Sql, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  type Saved = Pick<Target, 'id' | 'checkedAt' | 'dueAt' | 'nextAt' | 'result'>;
  const rows = targets.map(({ id, checkedAt, dueAt, nextAt, result }) => ({
    id,
    checked_at: checkedAt,
    due_at: dueAt,
    next_at: nextAt,
    result,
  }));
  await tx.ofAnyone
    .updateTable('blocklistTargets')
    .from(
      sql<Saved>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'one'>(
        sql`one (id text, checked_at timestamptz, due_at timestamptz, next_at timestamptz, result jsonb)`,
      ),
    )
    .set(({ ref }) => ({
      checkedAt: ref('one.checkedAt'),
      dueAt: ref('one.dueAt'),
      nextAt: ref('one.nextAt'),
      result: ref('one.result'),
    }))
    .whereRef('blocklistTargets.id', '=', 'one.id')
    .execute();
}

/** A new listing, or what changed of one that is there. */
export async function saveListing(tx: Sql, listing: Omit<Listing, 'id'>): Promise<void> {
  const { accountId, ...own } = listing;
  await tx
    .of(accountId)
    .insert('blocklistListings', own)
    .onConflict((conflict) =>
      conflict.columns(['targetId', 'zone']).doUpdateSet(({ ref }) => ({
        state: ref('excluded.state'),
        codes: ref('excluded.codes'),
        reason: ref('excluded.reason'),
        lastSeen: ref('excluded.lastSeen'),
        leftAt: ref('excluded.leftAt'),
      })),
    )
    .execute();
}

export async function deleteListings(tx: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length) await tx.ofAnyone.deleteFrom('blocklistListings').where('id', 'in', ids).execute();
}

export async function insertEvents(tx: Sql, events: readonly NewRow<'blocklistEvents'>[]): Promise<void> {
  if (events.length)
    await tx.ofAnyone
      .insertInto('blocklistEvents')
      .values([...events])
      .execute();
}

export function listHealth(db: Sql): Promise<Health[]> {
  return db.ofAnyone.selectFrom('blocklistHealth').selectAll().execute();
}

export type Tested = Pick<Health, 'zone' | 'kind' | 'isLive' | 'why' | 'probedAt' | 'day'>;

export async function saveHealth(db: Sql, tested: readonly Tested[]): Promise<void> {
  if (tested.length === 0) return;
  await db.ofAnyone
    .insertInto('blocklistHealth')
    .values([...tested])
    .onConflict((conflict) =>
      conflict.columns(['zone', 'kind']).doUpdateSet(({ ref }) => ({
        isLive: ref('excluded.isLive'),
        why: ref('excluded.why'),
        probedAt: ref('excluded.probedAt'),
      })),
    )
    .execute();
}

/** Counts questions of a list for a day; a new day begins at none. */
export async function saveQuestions(
  tx: Sql,
  counts: readonly Pick<Health, 'zone' | 'kind' | 'day' | 'questions'>[],
): Promise<void> {
  if (counts.length === 0) return;
  await tx.ofAnyone
    .insertInto('blocklistHealth')
    .values([...counts])
    .onConflict((conflict) =>
      conflict.columns(['zone', 'kind']).doUpdateSet(({ ref }) => ({
        day: ref('excluded.day'),
        questions: ref('excluded.questions'),
      })),
    )
    .execute();
}

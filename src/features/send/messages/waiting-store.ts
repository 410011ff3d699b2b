// What waits in the queue, for people who ask: by destination, and delivery by delivery. Only reads of one account's
// rows, and what people change of a message that waits.
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, type SkipPage } from '../../../platform/paging/index.ts';
import type { LastAttempt } from './store.ts';

/** So many deliveries of an account are looked at; the counts of a longer queue are bounds. */
export const WAITING_MAX = 100_000;

/** Which deliveries: those that meet all that is given. */
interface WaitingTest {
  domain?: string | undefined;
  /** Of the recipients, in lower case. */
  destination?: string | undefined;
  /** A part of the address. */
  recipient?: string | undefined;
  /** Ids of rows of `sent_messages`; none: nothing is found. */
  messageIds?: readonly string[] | undefined;
}

export interface WaitingDestination {
  destination: string;
  waiting: number;
  /** Of those, how many may be taken now. */
  due: number;
  /** Of those, how many wait until their message is released. */
  held: number;
  nextAt: Date;
  /** When the first of them is given up. */
  giveUpAt: Date;
  last: LastAttempt | null;
}

export type WaitingDelivery = Omit<
  Row<'deliveries'>,
  'variables' | 'mode' | 'isReady' | 'isTaken' | 'takenBy' | 'takenUntil'
>;

export type WaitingMessage = Pick<Row<'sentMessages'>, 'id' | 'key' | 'messageId' | 'subject' | 'headerFrom' | 'mode'>;

const WAITING = [
  'id',
  'messageId',
  'position',
  'accountId',
  'domain',
  'recipient',
  'destination',
  'route',
  'lane',
  'dueAt',
  'giveUpAt',
  'attempts',
  'firstAt',
  'last',
  'isHeld',
  'isStopped',
] as const;

/** Of the subject and the sender that stand beside each delivery. */
const SHOWN_LENGTH = 300;

const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function waitingOf(db: Sql, accountId: string, { domain, destination, recipient, messageIds }: WaitingTest) {
  return db
    .of(accountId)
    .selectFrom('deliveries')
    .where('isTaken', '=', false)
    .$if(domain !== undefined, (all) => all.where('domain', '=', domain!))
    .$if(destination !== undefined, (all) => all.where('destination', '=', destination!))
    .$if(recipient !== undefined, (all) => all.where(sql<boolean>`lower(recipient) like ${containing(recipient!)}`))
    .$if(messageIds !== undefined, (all) =>
      messageIds!.length === 0 ? all.where(sql<boolean>`false`) : all.where('messageId', 'in', messageIds!),
    );
}

/** How many wait, of at most {@link WAITING_MAX} + 1. */
export async function countWaitingOf(db: Sql, accountId: string, test: WaitingTest): Promise<number> {
  const { count } = await db.ofAnyone
    .selectFrom(
      waitingOf(db, accountId, test)
        .select('deliveries.id')
        .limit(WAITING_MAX + 1)
        .as('looked'),
    )
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many are being delivered at this moment. */
export async function countTaken(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('deliveries')
    .where('isTaken', '=', true)
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Where most wait first, of the {@link WAITING_MAX} whose turn comes first. */
export async function listWaitingDestinations(
  db: Sql,
  accountId: string,
  { domain, now, limit }: { domain: string | undefined; now: Date; limit: number },
): Promise<WaitingDestination[]> {
  const looked = waitingOf(db, accountId, { domain })
    .select(['destination', 'dueAt', 'giveUpAt', 'last', 'isHeld', 'isStopped'])
    .orderBy('dueAt')
    .limit(WAITING_MAX)
    .as('looked');
  const found = await db.ofAnyone
    .selectFrom(looked)
    .select(({ fn }) => [
      'destination',
      rowCount.as('waiting'),
      sql<number>`(count(*) filter (where due_at <= ${now} and not is_held and not is_stopped))::int`.as('due'),
      sql<number>`(count(*) filter (where is_held or is_stopped))::int`.as('held'),
      fn.min('dueAt').as('nextAt'),
      fn.min('giveUpAt').as('giveUpAt'),
      // The newest of texts that begin with a moment.
      sql<string | null>`max(coalesce(last ->> 'heldAt', last ->> 'at') || ' ' || last::text)`.as('newest'),
    ])
    .groupBy('destination')
    .orderBy('waiting', 'desc')
    .orderBy('destination')
    .limit(limit)
    .execute();
  return found.map(({ newest, ...row }) => ({
    ...row,
    last: newest === null ? null : (JSON.parse(newest.slice(newest.indexOf(' ') + 1)) as LastAttempt),
  }));
}

/** A page of deliveries, those whose turn comes first before the others. */
export function listWaiting(
  db: Sql,
  accountId: string,
  { limit, skip, ...test }: WaitingTest & SkipPage,
): Promise<WaitingDelivery[]> {
  const ordered = waitingOf(db, accountId, test).select(WAITING).orderBy('dueAt').orderBy('id');
  return pageOf(ordered, { limit, skip }).execute();
}

/** What is shown of messages beside their deliveries. */
export function listWaitingMessages(db: Sql, accountId: string, ids: readonly string[]): Promise<WaitingMessage[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .of(accountId)
    .selectFrom('sentMessages')
    .select([
      'id',
      'key',
      'messageId',
      'mode',
      sql<string>`left(subject, ${SHOWN_LENGTH})`.as('subject'),
      sql<string>`left(header_from, ${SHOWN_LENGTH})`.as('headerFrom'),
    ])
    .where('id', 'in', ids)
    .execute();
}

/** What waits of a message for these of its recipients, and whether it is being delivered at this moment. */
export function listWaitingOf(
  db: Sql,
  accountId: string,
  { messageId, positions }: { messageId: string; positions: readonly number[] },
): Promise<(WaitingDelivery & { isTaken: boolean })[]> {
  if (positions.length === 0) return Promise.resolve([]);
  return db
    .of(accountId)
    .selectFrom('deliveries')
    .select([...WAITING, 'isTaken'])
    .where('messageId', '=', messageId)
    .where('position', 'in', positions)
    .execute();
}

/** Messages by the name that a call answered, or by their storage key; several where senders used a name again. */
export async function listIdsByName(db: Sql, accountId: string, name: string): Promise<string[]> {
  const found = await db
    .of(accountId)
    .selectFrom('sentMessages')
    .select('id')
    .where((row) => row.or([row('messageId', '=', name.replace(/^<(.*)>$/, '$1')), row('key', '=', name)]))
    .limit(1000)
    .execute();
  return found.map(({ id }) => id);
}

/** The message with this key. */
export function findByKey(
  db: Sql,
  accountId: string,
  key: string,
): Promise<Pick<Row<'sentMessages'>, 'id' | 'domain'> | undefined> {
  return db.of(accountId).selectFrom('sentMessages').select(['id', 'domain']).where('key', '=', key).executeTakeFirst();
}

/** What waits of a message goes; answers to whom it would have gone. What is being delivered goes on. */
export function deleteWaiting(
  tx: Sql,
  accountId: string,
  messageId: string,
): Promise<Pick<Row<'deliveries'>, 'position' | 'recipient' | 'attempts'>[]> {
  return tx
    .of(accountId)
    .deleteFrom('deliveries')
    .where('messageId', '=', messageId)
    .where('isTaken', '=', false)
    .returning(['position', 'recipient', 'attempts'])
    .execute();
}

/** What was tried before is due now; answers how many. What waits for the time that its sender chose goes on waiting. */
export function makeDue(db: Sql, accountId: string, { messageId, now }: { messageId: string; now: Date }) {
  return changedRows(
    db
      .of(accountId)
      .updateTable('deliveries')
      .set({ dueAt: now })
      .where('messageId', '=', messageId)
      .where('isTaken', '=', false)
      .where('isHeld', '=', false)
      .where('isStopped', '=', false)
      .where('attempts', '>', 0)
      .where('dueAt', '>', now),
  );
}

/** The same for all messages of an account. */
export function makeAllDue(db: Sql, accountId: string, now: Date): Promise<number> {
  return changedRows(
    db
      .of(accountId)
      .updateTable('deliveries')
      .set({ dueAt: now })
      .where('isTaken', '=', false)
      .where('isHeld', '=', false)
      .where('isStopped', '=', false)
      .where('attempts', '>', 0)
      .where('dueAt', '>', now),
  );
}

/** What is held of a message goes on, with the time that it lost; answers how many. */
export async function releaseHeld(
  tx: Sql,
  accountId: string,
  { messageId, now, heldAt }: { messageId: string; now: Date; heldAt: Date },
): Promise<number> {
  const lost = sql`(${now}::timestamptz - ${heldAt}::timestamptz)`;
  await tx
    .of(accountId)
    .updateTable('sentMessages')
    .set({ contentExpiresAt: sql<Date>`content_expires_at + ${lost}` })
    .where('id', '=', messageId)
    .execute();
  return changedRows(
    tx
      .of(accountId)
      .updateTable('deliveries')
      .set({
        isHeld: false,
        isReady: sql<boolean>`due_at <= ${now} and not is_stopped`,
        giveUpAt: sql<Date>`give_up_at + ${lost}`,
      })
      .where('messageId', '=', messageId)
      .where('isHeld', '=', true),
  );
}

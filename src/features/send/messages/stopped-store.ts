// Deliveries that are stopped until their batch goes on. Who calls says of which messages; a few thousand rows at once.
import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';

interface Some {
  messageIds: readonly string[];
  limit: number;
}

const stoppedOf = (db: Sql, accountId: string, { messageIds, limit }: Some) =>
  db
    .of(accountId)
    .selectFrom('deliveries')
    .select('id')
    .where('messageId', 'in', messageIds)
    .where('isStopped', '=', true)
    .orderBy('id')
    .limit(limit);

const STOPPED = { isStopped: true, isReady: false };

interface Place {
  messageId: string;
  position: number;
}

/** Whether a delivery is one of these. */
function isAmong(places: readonly Place[]) {
  const ids = places.map(({ messageId }) => messageId);
  const positions = places.map(({ position }) => position);
  return sql<boolean>`(message_id, position) in (select * from unnest(${ids}::bigint[], ${positions}::integer[]))`;
}

/** Stops what waits of those that are chosen further; what is being delivered goes on. */
const stopping = (tx: Sql, accountId: string) =>
  tx.of(accountId).updateTable('deliveries').set(STOPPED).where('isTaken', '=', false).where('isStopped', '=', false);

/** Stops what waits for these recipients; what is being delivered goes on. Answers how many. */
export function stopPlaces(tx: Sql, accountId: string, places: readonly Place[]): Promise<number> {
  return changedRows(stopping(tx, accountId).where(isAmong(places)));
}

/** Stops what waits of messages, such as what was on its way when their batch was held. Answers how many. */
export function stopOf(tx: Sql, accountId: string, messageIds: readonly string[]): Promise<number> {
  if (messageIds.length === 0) return Promise.resolve(0);
  return changedRows(stopping(tx, accountId).where('messageId', 'in', messageIds));
}

/** They go on, with the time that they lost since their message was accepted. Answers how many. */
export function releaseStopped(tx: Sql, accountId: string, { now, ...some }: Some & { now: Date }): Promise<number> {
  if (some.messageIds.length === 0) return Promise.resolve(0);
  return changedRows(
    tx
      .of(accountId)
      .updateTable('deliveries')
      .set(({ selectFrom }) => {
        const message = selectFrom('sentMessages').whereRef('sentMessages.id', '=', 'deliveries.messageId');
        const since = sql`greatest(due_at, (${message.select('createdAt')}))`;
        return {
          isStopped: false,
          isReady: sql<boolean>`due_at <= ${now} and not is_held`,
          giveUpAt: sql<Date>`give_up_at + greatest(interval '0', ${now}::timestamptz - ${since})`,
        };
      })
      .where('id', 'in', stoppedOf(tx, accountId, some)),
  );
}

/** They go; answers to whom they would have gone. */
export function dropStopped(
  tx: Sql,
  accountId: string,
  some: Some,
): Promise<Pick<Row<'deliveries'>, 'messageId' | 'position' | 'recipient'>[]> {
  if (some.messageIds.length === 0) return Promise.resolve([]);
  return tx
    .of(accountId)
    .deleteFrom('deliveries')
    .where('id', 'in', stoppedOf(tx, accountId, some))
    .returning(['messageId', 'position', 'recipient'])
    .execute();
}

/** Contents are kept until then at least. */
export async function extendContents(
  tx: Sql,
  accountId: string,
  { messageIds, until }: { messageIds: readonly string[]; until: Date },
): Promise<void> {
  if (messageIds.length === 0) return;
  // In this order, so that nobody who does the same waits in a circle.
  await tx
    .of(accountId)
    .selectFrom('sentMessages')
    .select('id')
    .where('id', 'in', messageIds)
    .where('contentExpiresAt', '<', until)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await tx
    .of(accountId)
    .updateTable('sentMessages')
    .set({ contentExpiresAt: until })
    .where('id', 'in', messageIds)
    .where('contentExpiresAt', '<', until)
    .execute();
}

/** Of these recipients, those to whom something is still to be delivered. */
export async function hasOpenDeliveries(db: Sql, accountId: string, places: readonly Place[]): Promise<boolean> {
  if (places.length === 0) return false;
  const found = await db.of(accountId).selectFrom('deliveries').select('id').where(isAmong(places)).limit(1).execute();
  return found.length > 0;
}

// What a batch stopped goes on or is dropped, some thousands at a time.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { dropStopped, extendContents, releaseStopped, stopOf, wakeQueue } from '../messages/index.ts';
import * as store from './store.ts';
import type { Batch } from './store.ts';

const MESSAGES_AT_ONCE = 200;
const ROWS_AT_ONCE = 2000;
/** How long contents are kept behind the moment at which a message may leave. */
const CONTENT_MS = 259_200_000;

type Doors = Pick<Outside, 'db' | 'clock' | 'events'>;

const WHY: Partial<Record<Batch['state'], string>> = {
  dropped: 'Its batch was held, and dropped.',
  expired: 'Its batch was held for 48 hours, and nobody released it.',
};

async function release({ db, clock }: Doors, { accountId }: Batch, messageIds: readonly string[]): Promise<void> {
  const now = clock.now();
  await extendContents(db, accountId, { messageIds, until: new Date(now.getTime() + CONTENT_MS) });
  const some = { messageIds, limit: ROWS_AT_ONCE, now };
  while ((await releaseStopped(db, accountId, some)) === ROWS_AT_ONCE);
  wakeQueue(db);
}

async function drop({ db, clock, events }: Doors, batch: Batch, messageIds: readonly string[]): Promise<void> {
  const { accountId, domain, state } = batch;
  await stopOf(db, accountId, messageIds);
  const dropSome = () =>
    db.tx(async (tx) => {
      const dropped = await dropStopped(tx, accountId, { messageIds, limit: ROWS_AT_ONCE });
      const at = clock.now();
      await events.append(
        tx,
        dropped.map(({ messageId, position, recipient }) => ({
          at,
          accountId,
          event: 'rejected' as const,
          reason: 'batch',
          domain,
          recipient: recipient.toLowerCase(),
          messageId,
          position,
          about: { reject: { reason: 'batch', description: WHY[state] ?? '' } },
        })),
      );
      return dropped.length;
    });
  while ((await dropSome()) === ROWS_AT_ONCE);
}

/** Safe to run twice, and beside itself. */
async function settle(doors: Doors, key: { accountId: string; id: string }, signal: AbortSignal): Promise<void> {
  const { db } = doors;
  const batch = await store.findBatch(db, key.accountId, key.id);
  if (!batch || batch.isSettled || batch.state === 'sampling' || batch.state === 'held') return;
  const isGoing = batch.state === 'passed' || batch.state === 'released';
  for (let after = '0'; !signal.aborted;) {
    const ids = await store.listMessageIds(db, key, { after, limit: MESSAGES_AT_ONCE });
    if (ids.length === 0) {
      // Not before: who notes an outcome has its row, and waits for the batch.
      await store.deleteSample(db, key);
      return store.updateBatch(db, key, { isSettled: true });
    }
    await (isGoing ? release : drop)(doors, batch, ids);
    after = ids.at(-1) as string;
  }
}

export const settleBatch = defineJob({
  name: 'sending-batches.settle',
  payload: Type.Object({ accountId: Type.String(), batchId: Type.String() }),
  lane: 'quick',
  sameAs: ({ batchId }) => batchId,
  attempts: 10,
  timeoutMs: 300_000,
  run: (outside, { accountId, batchId }, { signal }) => settle(outside, { accountId, id: batchId }, signal),
});

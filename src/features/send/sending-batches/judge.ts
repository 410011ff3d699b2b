// Batches are judged by the first outcomes of their samples, in the transactions that write these: exactly, however many
// processes send.
import type { Sql } from '../../../platform/db/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { hasOpenDeliveries, stopPlaces } from '../messages/index.ts';
import { batchHeld } from './facts.ts';
import { settleBatch } from './settle.ts';
import * as store from './store.ts';
import { knownOf, type Batch, type SampleOutcome } from './store.ts';
import { verdictOf } from './verdict.ts';

/** When nobody has decided by then, the batch is dropped; contents are kept longer. */
const HELD_MS = 48 * 3_600_000;
/** So long after the first outcome of a sample, half of it is enough. */
const PATIENCE_MS = 600_000;

type Doors = Pick<Outside, 'facts' | 'jobs'>;

function outcomeOf({ event, severity, reason = '' }: NewEvent): SampleOutcome | undefined {
  if (event === 'delivered') return 'delivered';
  if (event !== 'failed') return undefined;
  if (severity === 'temporary') return 'deferred';
  return reason.startsWith('suppress-') ? 'untried' : 'bounced';
}

/** Added to the reactions to events. */
export async function noteOutcomes(tx: Sql, events: readonly NewEvent[], doors: Doors): Promise<void> {
  const outcomes = events.flatMap((event) => {
    const outcome = outcomeOf(event);
    const { messageId, position } = event;
    return outcome && messageId !== undefined && position !== undefined ? [{ messageId, position, outcome }] : [];
  });
  if (outcomes.length === 0) return;
  const at = events[0]!.at;
  for (const key of await store.noteFirstOutcomes(tx, outcomes)) {
    const batch = await store.lockBatch(tx, key);
    if (batch) await judge(doors, tx, { batch, at, isOver: false });
  }
}

interface Judging {
  batch: Batch;
  at: Date;
  isOver: boolean;
}

async function judge(doors: Doors, tx: Sql, { batch, at, isOver }: Judging): Promise<void> {
  if (batch.state !== 'sampling') return;
  const known = await store.countSample(tx, batch);
  const firstOutcomeAt = batch.firstOutcomeAt ?? (knownOf({ ...batch, ...known }) > 0 ? at : null);
  // Where all of it is of the sample, nothing waits that could be held, but for what is left of the sample itself.
  const isAll = isOver && batch.recipients === batch.sampled;
  const verdict = isAll ? 'passed' : verdictOf({ ...batch, ...known }, isOver);
  await store.updateBatch(tx, batch, { ...known, firstOutcomeAt });
  if (verdict === 'passed') {
    await store.updateBatch(tx, batch, { state: 'passed', decidedAt: at });
    await doors.jobs.enqueue(tx, settleBatch, { payloads: [keyOf(batch)], account: batch.accountId });
  }
  if (verdict === 'held') {
    const heldUntil = new Date(at.getTime() + HELD_MS);
    await store.updateBatch(tx, batch, { state: 'held', heldAt: at, heldUntil });
    await stopPlaces(tx, batch.accountId, await store.listSample(tx, batch));
    const { accountId, id: batchId } = batch;
    await doors.facts.tell(tx, batchHeld, { account: accountId, payload: { accountId, batchId } });
  }
}

const keyOf = ({ accountId, id }: Batch) => ({ accountId, batchId: id });

/** Judges a batch of whose sample no more will be known, or not soon. */
export async function judgeLate(doors: Doors & Pick<Outside, 'db' | 'clock'>, key: Batch): Promise<void> {
  const at = doors.clock.now();
  await doors.db.tx(async (tx) => {
    const batch = await store.lockBatch(tx, key);
    if (batch?.state !== 'sampling') return;
    const isAll = batch.recipients === batch.sampled;
    // More may join it.
    if (isAll && batch.joinsUntil > at) return;
    const isLate = batch.firstOutcomeAt !== null && at.getTime() - batch.firstOutcomeAt.getTime() >= PATIENCE_MS;
    const isHalf = knownOf(batch) * 2 >= batch.sampled;
    const isOver =
      (isLate && isHalf) || !(await hasOpenDeliveries(tx, batch.accountId, await store.listUnknown(tx, batch)));
    if (isOver) await judge(doors, tx, { batch, at, isOver });
  });
}

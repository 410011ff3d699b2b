import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { stopOf } from '../messages/index.ts';
import { decideOn } from './decide.ts';
import { judgeLate } from './judge.ts';
import { settleBatch } from './settle.ts';
import * as store from './store.ts';
import type { Batch } from './store.ts';

const AT_ONCE = 200;

/** What was on its way when its batch was held may have been deferred meanwhile. */
async function stopRest({ db }: Pick<Outside, 'db'>, batch: Batch, signal: AbortSignal): Promise<void> {
  for (let after = '0'; !signal.aborted;) {
    const ids = await store.listMessageIds(db, batch, { after, limit: AT_ONCE });
    if (ids.length === 0) return;
    await db.tx(async (tx) => {
      const now = await store.lockBatch(tx, batch);
      if (now?.state === 'held') await stopOf(tx, batch.accountId, ids);
    });
    after = ids.at(-1) as string;
  }
}

async function lookAfter(
  outside: Pick<Outside, 'db' | 'clock' | 'facts' | 'jobs'>,
  batch: Batch,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, id, state, heldUntil } = batch;
  if (state === 'sampling') await judgeLate(outside, batch);
  else if (state !== 'held')
    await outside.jobs.enqueue(outside.db, settleBatch, { payloads: [{ accountId, batchId: id }], account: accountId });
  else if (heldUntil !== null && heldUntil <= outside.clock.now())
    await decideOn(outside, batch, { state: 'expired', by: null });
  else await stopRest(outside, batch, signal);
}

/** Judges what is late, stops what was on its way when its batch was held, and drops what nobody decided on. */
const watch = defineJob({
  name: 'sending-batches.watch',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 60,
  async run(outside, _payload, { signal }) {
    for (let after = '0'; !signal.aborted;) {
      const some = await store.listUnsettled(outside.db, { after, limit: AT_ONCE });
      for (const batch of some) await lookAfter(outside, batch, signal);
      if (some.length < AT_ONCE) break;
      after = some.at(-1)!.id;
    }
    outside.jobs.wake();
  },
});

/** Batches go with their events. */
const expire = defineExpiry({
  name: 'sending-batches.expire',
  everySeconds: 3600,
  async run({ db, clock, config }, signal) {
    const before = daysAfter(clock.now(), -(config.sending.eventDays + 1));
    while (!signal.aborted && (await store.deleteOld(db, before, AT_ONCE)) === AT_ONCE);
  },
});

export const jobs = [watch, settleBatch, expire];

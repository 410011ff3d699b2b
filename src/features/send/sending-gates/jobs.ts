import { Type } from 'typebox';
import { whenTold } from '../../../platform/facts/index.ts';
import { defineJob } from '../../../platform/feature/index.ts';
import { gateEnded } from '../../proof/gate/index.ts';
import { decideOn } from './decide.ts';
import { endWith, settleMessages, startWaiting } from './judge.ts';
import { endGone, listExpired } from './messages-store.ts';
import * as store from './store.ts';

const AT_ONCE = 200;
/** Verdicts that no message has any more are kept for so long, a little more than they are reused. */
const UNUSED_MS = 25 * 3_600_000;

/** Begins gates of an account, as many as it may have. */
export const start = defineJob({
  name: 'sending-gates.start',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'quick',
  sameAs: ({ accountId }) => accountId,
  attempts: 5,
  timeoutMs: 120_000,
  run: (outside, { accountId }, { signal }) => startWaiting(outside, accountId, signal),
});

/** Hears what a gate came to, of messages or not. */
const hear = defineJob({
  name: 'sending-gates.hear',
  payload: gateEnded.payload,
  lane: 'quick',
  attempts: 10,
  timeoutMs: 300_000,
  async run(outside, { accountId, gateId, verdict, reasons }) {
    if ((await store.findByGate(outside.db, accountId, gateId)) === undefined) return;
    await endWith(outside, { accountId, gateId }, { state: verdict, reasons });
    await outside.jobs.enqueue(outside.db, start, { payloads: [{ accountId }], account: accountId });
    outside.jobs.wake();
  },
});

/** Settles what a verdict left behind, drops what nobody decided on, and goes on with what waits. */
export const watch = defineJob({
  name: 'sending-gates.watch',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 60,
  async run(outside) {
    const { db, jobs, clock } = outside;
    const now = clock.now();
    await endGone(db, now);
    for (const { messageId, accountId } of await listExpired(db, now, AT_ONCE)) {
      const because = 'The gate held it for 48 hours, and nobody released it.';
      await decideOn(outside, accountId, { messageId, state: 'expired', by: null, because });
    }
    for (const { id, accountId } of await store.listLost(db, AT_ONCE)) {
      const ended = { state: 'unknown' as const, reasons: ['The gate was deleted before it ended.'] };
      await endWith(outside, { accountId, id }, ended);
    }
    for (const { id, accountId } of await store.listUnsettled(db, AT_ONCE))
      await settleMessages(outside, accountId, id);
    for (const accountId of await store.listWaitingAccounts(db, AT_ONCE))
      await jobs.enqueue(db, start, { payloads: [{ accountId }], account: accountId });
    jobs.wake();
    await store.deleteUnused(db, new Date(now.getTime() - UNUSED_MS), AT_ONCE);
  },
});

export const jobs = [start, hear, watch];
export const listensTo = [whenTold(gateEnded, hear)];

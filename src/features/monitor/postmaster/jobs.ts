import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineExpiry } from '../../../platform/feature/retention.ts';
import { DAY_MS, daysAfter } from '../../../platform/times/index.ts';
import { tellAccess, tellSpam } from './alarms.ts';
import type { Refusal, RefusalKind } from './ask.ts';
import { findConnection, takeDue, updateConnection, type Connection } from './connection-store.ts';
import { dayOf } from './days.ts';
import { countUncounted } from './own-events.ts';
import { deleteBefore } from './records-store.ts';
import { readConnection, type Progress } from './sync.ts';

const HOUR_MS = 3_600_000;
/** After a good reading, so many days are read again each day. */
const DAILY_DAYS = 7;
/** Records are kept for two years. */
const DAYS_KEPT = 730;
const DUE_AT_ONCE = 100;

const STATES: Readonly<Record<RefusalKind, 'expired' | 'limited' | 'failing'>> = {
  expired: 'expired',
  limited: 'limited',
  failed: 'failing',
};
const WAITS_MS: Readonly<Record<RefusalKind, number>> = { expired: DAY_MS, limited: HOUR_MS, failed: HOUR_MS };

/** How a connection stands after a reading. */
function standingAfter({ after, remark, refusal }: Progress & { refusal?: Refusal }, now: Date) {
  const checked = { checkedAt: now };
  if (!refusal)
    return {
      ...checked,
      state: 'connected' as const,
      problem: remark,
      resumeAfter: null,
      days: DAILY_DAYS,
      succeededAt: now,
      dueAt: daysAfter(now, 1),
    };
  const { kind, message, waitSeconds } = refusal;
  const waitMs = waitSeconds === undefined ? WAITS_MS[kind] : waitSeconds * 1000;
  return {
    ...checked,
    state: STATES[kind],
    problem: message,
    resumeAfter: kind === 'expired' ? null : after,
    dueAt: new Date(now.getTime() + waitMs),
  };
}

const Account = Type.Object({ accountId: Type.String() });

/** Counts own figures beside new records. */
export const countFigures = defineJob({
  name: 'postmaster.count',
  payload: Account,
  lane: 'quick',
  urgency: 'bulk',
  attempts: 5,
  timeoutMs: 600_000,
  sameAs: ({ accountId }) => accountId,
  async run(outside, { accountId }, { signal }) {
    while (!signal.aborted && (await countUncounted(outside, accountId)));
    signal.throwIfAborted();
    await tellSpam(outside, accountId);
    outside.jobs.wake();
  },
});

/** Reads one connection. */
export const sync = defineJob({
  name: 'postmaster.sync',
  payload: Type.Object({ accountId: Type.String(), id: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 1_800_000,
  sameAs: ({ id }) => id,
  async run(outside, { accountId, id }, { signal }) {
    const { db, jobs, clock } = outside;
    const connection: Connection | undefined = await findConnection(db, accountId, id);
    if (!connection) return;
    const read = await readConnection(outside, connection, signal);
    const standing = standingAfter(read, clock.now());
    const isThere = await db.tx(async (tx) => {
      if (!(await updateConnection(tx, { accountId, id }, standing))) return false;
      await jobs.enqueue(tx, countFigures, { payloads: [{ accountId }], account: accountId });
      return true;
    });
    if (!isThere) return;
    await tellAccess(outside, { connection, state: standing.state, problem: standing.problem });
    jobs.wake();
  },
});

/** Queues what is due: each connection once a day, or when its provider may be asked again. */
export const queueDue = defineJob({
  name: 'postmaster.due',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    await db.tx(async (tx) => {
      const due = await takeDue(tx, { now, until: new Date(now.getTime() + HOUR_MS), limit: DUE_AT_ONCE });
      for (const { id, accountId } of due)
        await jobs.enqueue(tx, sync, { payloads: [{ accountId, id }], account: accountId });
    });
    jobs.wake();
  },
});

/** Deletes records past their time. */
export const expire = defineExpiry({
  name: 'postmaster.expire',
  everySeconds: 3600,
  async run({ db, clock }) {
    await deleteBefore(db, dayOf(daysAfter(clock.now(), -DAYS_KEPT)));
  },
});

import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { nextAttempt } from '../../../platform/mail/index.ts';
import { composeInvitation } from './letter.ts';
import { saveTry, takeDue } from './store.ts';

const AT_ONCE = 10;
/** A process that has not said by then how a mail went is dead. */
const TAKEN_MS = 900_000;

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'mailer'>;

async function sendDue(outside: Doors, signal: AbortSignal): Promise<void> {
  const { db, clock, mailer } = outside;
  const now = clock.now();
  const due = await takeDue(db, { now, until: new Date(now.getTime() + TAKEN_MS), limit: AT_ONCE });
  const send = async (one: (typeof due)[number]): Promise<void> => {
    const raw = await composeInvitation(outside, one);
    // Without a return path: the list shows how it went, and nobody reads what comes back.
    const { outcome, reason } = await mailer.deliver({ from: '', to: one.email, raw, signal });
    const { tries: count, invitedAt: firstAt } = one;
    const next = nextAttempt({ outcome, count, firstAt, now: clock.now(), random: Math.random() });
    await saveTry(db, one.token, { sendAt: next ?? null, problem: outcome === 'delivered' ? null : reason });
  };
  await Promise.all(due.map(send));
}

const common = { payload: Type.Object({}), lane: 'mail', attempts: 1, timeoutMs: 600_000 } as const;

/** Sends what was just asked for. */
export const sendNow = defineJob({
  ...common,
  name: 'sandbox-recipients.send',
  sameAs: () => '',
  run: (outside, _payload, { signal }) => sendDue(outside, signal),
});

/** Tries again what was deferred, and sends what a process did not that was stopped. */
export const sendAgain = defineJob({
  ...common,
  name: 'sandbox-recipients.send-again',
  everySeconds: 60,
  run: (outside, _payload, { signal }) => sendDue(outside, signal),
});

// Sends the message of one delivery. What is about to be sent is marked before, so that a process that dies in between
// leaves a mark: to a mailbox nothing is sent a second time then; a local receiver knows by the token what it has.
import { isPassing, messageOf } from '../../../platform/errors/index.ts';
import type { SenderDoors } from './senders.ts';
import type { JobTurn, Outside } from '../../../platform/feature/index.ts';
import { nextAttempt, type Delivery, type RetryPolicy } from '../../../platform/mail/index.ts';
import { maySendTo } from './may-send.ts';
import { settleDelivery } from './settle.ts';
import * as store from './store.ts';
import { tokenField } from './token.ts';
import type { Handover, SeedDelivery } from './store.ts';
import { visitMailbox } from './visit.ts';

/** Tests are waited for, so the first attempts follow each other fast; the deadline ends them. */
const RETRIES: RetryPolicy = { firstWaitMs: 2000, waitMsMax: 120_000, giveUpAfterMs: 24 * 3_600_000 };
const COMPOSING_ATTEMPTS = 4;

export interface SeedMessage {
  raw: Buffer;
  mailFrom: string;
}

/** What making a message takes, whose ever it is. */
export type ComposeDoors = SenderDoors & Pick<Outside, 'blobs' | 'compute'>;

export interface HandOver {
  compose(outside: ComposeDoors, delivery: SeedDelivery): Promise<SeedMessage>;
  /** Queues the next attempt. */
  again(
    tx: Parameters<Outside['jobs']['enqueue']>[0],
    delivery: SeedDelivery,
    startAfterSeconds: number,
  ): Promise<void>;
}

/** One attempt. Never sends what may have been sent before. */
export async function handOver(
  outside: ComposeDoors & Pick<Outside, 'jobs' | 'dns' | 'mailer' | 'ownSmtp' | 'log'>,
  token: string,
  work: HandOver & { turn: JobTurn },
): Promise<void> {
  if (!(await isAllowed(outside, token, work))) return;
  const delivery = await claim(outside, token);
  if (!delivery) return;
  if (delivery.deadlineAt <= outside.clock.now()) return;
  let message: SeedMessage;
  try {
    message = await work.compose(outside, delivery);
  } catch (error) {
    if (isPassing(error)) {
      // Nothing was sent: the same job continues when the missing part is back.
      await store.noteHandover(outside.db, token, {
        state: 'deferred',
        handover: null,
        reason: messageOf(error),
        sentAt: null,
        at: outside.clock.now(),
      });
      throw error;
    }
    // The message goes with its test.
    if (!(await store.findDelivery(outside.db, token))) return;
    await store.noteHandover(outside.db, token, {
      state: 'sending',
      handover: null,
      reason: null,
      sentAt: null,
      at: outside.clock.now(),
    });
    if (work.turn.attempt < COMPOSING_ATTEMPTS && delivery.seedKind === 'receiver') throw error;
    outside.log.error({ err: error, token }, 'the message to a seed could not be made');
    await settleDelivery(outside, token, {
      state: 'bounced',
      reason: `The message could not be made: ${messageOf(error)}`,
    });
    return;
  }
  const delivered = await send(outside, delivery, { message, signal: work.turn.signal });
  await note(outside, delivery, { delivered, work });
}

/** Before the first attempt at a mailbox. When nothing may be sent, the delivery ends, or waits. */
async function isAllowed(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'dns' | 'secrets' | 'clock'>,
  token: string,
  work: HandOver & { turn: JobTurn },
): Promise<boolean> {
  const delivery = await store.findDelivery(outside.db, token);
  if (delivery?.seedKind !== 'mailbox' || delivery.settledAt !== null || delivery.state !== 'pending') return true;
  const answer = await maySendTo(outside, delivery, work.turn.signal);
  if (answer.may) return true;
  const { againSeconds, reason } = answer;
  const waitsUntil = againSeconds !== null && outside.clock.now().getTime() + againSeconds * 1000;
  if (waitsUntil && waitsUntil < delivery.deadlineAt.getTime()) await work.again(outside.db, delivery, againSeconds);
  else await settleDelivery(outside, token, { state: 'unknown', reason });
  return false;
}

/** Takes the delivery for this attempt. Undefined: there is nothing to send. */
async function claim(
  outside: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  token: string,
): Promise<SeedDelivery | undefined> {
  const at = outside.clock.now();
  const fresh = await store.beginAttempt(outside.db, token, { from: ['pending', 'deferred'], at });
  if (fresh) return fresh;
  const found = await store.findDelivery(outside.db, token);
  if (found?.state !== 'sending' || found.settledAt !== null) return undefined;
  // An attempt was cut off. A local receiver that had taken the message would have settled the delivery by now.
  if (found.seedKind === 'receiver') return store.beginAttempt(outside.db, token, { from: ['sending'], at });
  await outside.db.tx(async (tx) => {
    await store.noteHandover(tx, token, {
      state: 'sent',
      handover: null,
      reason:
        'Galley was stopped, or lost its database, while it sent the message; it is not sent again, ' +
        'so that no seed gets it twice.',
      sentAt: at,
      at,
    });
    await outside.jobs.enqueue(tx, visitMailbox, { payloads: [{ mailboxId: found.seedId }], account: found.accountId });
  });
  outside.jobs.wake();
  return undefined;
}

async function send(
  outside: Pick<Outside, 'mailer' | 'ownSmtp'>,
  delivery: SeedDelivery,
  { message, signal }: { message: SeedMessage; signal: AbortSignal },
): Promise<Delivery> {
  const { mailFrom: from, raw } = message;
  const parcel = { from, to: delivery.email, above: tokenField(delivery.token), raw, signal };
  if (delivery.seedKind === 'mailbox') return outside.mailer.deliver(parcel);
  if (!outside.ownSmtp)
    throw new Error(
      'The port of the SMTP listener is not known to this process; GALLEY_SMTP_PORT must be ' +
        'the same number everywhere.',
    );
  return outside.mailer.deliver({ ...parcel, route: { ...outside.ownSmtp, tls: 'none' } });
}

function handoverOf(delivered: Delivery): Handover {
  const { outcome, reason, host, replies, tls, elapsedMs } = delivered;
  return { outcome, reason, host, replies: replies.slice(-12), isEncrypted: tls !== null, elapsedMs };
}

async function note(
  outside: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  delivery: SeedDelivery,
  { delivered, work }: { delivered: Delivery; work: HandOver },
): Promise<void> {
  const { db, clock, jobs } = outside;
  const at = clock.now();
  const { token } = delivery;
  const handover = handoverOf(delivered);
  const isMailbox = delivery.seedKind === 'mailbox';
  if (delivered.outcome === 'bounced') {
    await store.noteHandover(db, token, { state: 'sending', handover, reason: null, sentAt: null, at });
    await settleDelivery(outside, token, { state: 'bounced', reason: delivered.reason });
    return;
  }
  if (delivered.outcome === 'delivered' || (delivered.isUncertain && isMailbox)) {
    const reason = delivered.isUncertain
      ? 'The connection broke before the answer; the message is not sent again, so that no seed gets it twice.'
      : null;
    await db.tx(async (tx) => {
      const isOpen = await store.noteHandover(tx, token, { state: 'sent', handover, reason, sentAt: at, at });
      if (isOpen && isMailbox)
        await jobs.enqueue(tx, visitMailbox, {
          payloads: [{ mailboxId: delivery.seedId }],
          account: delivery.accountId,
        });
    });
    jobs.wake();
    return;
  }
  const next = nextAttempt(
    {
      outcome: delivered.outcome,
      count: delivery.attempts,
      firstAt: delivery.firstAttemptAt ?? at,
      now: at,
      random: Math.random(),
    },
    RETRIES,
  );
  const seconds = next ? Math.max(1, Math.round((next.getTime() - at.getTime()) / 1000)) : 0;
  await db.tx(async (tx) => {
    const isOpen = await store.noteHandover(tx, token, {
      state: 'deferred',
      handover,
      reason: delivered.reason,
      sentAt: null,
      at,
    });
    if (isOpen && next && next < delivery.deadlineAt) await work.again(tx, delivery, seconds);
  });
  jobs.wake();
}

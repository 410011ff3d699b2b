// What waits, as the wire shows it: with a reason in plain words.
import type { WaitingDelivery, WaitingDestination, WaitingMessage } from '../messages/index.ts';
import { reasonOf as batchReasonOf, type Batch } from '../sending-batches/index.ts';
import { gatedView, type GatedMessage } from '../sending-gates/index.ts';

type Last = NonNullable<WaitingDelivery['last']>;

const lastView = ({ at, code, message }: Last) => (code === 0 ? {} : { last_attempt: { at, code, message } });

type State = 'due' | 'scheduled' | 'deferred' | 'held';

function stateOf(
  {
    attempts,
    dueAt,
    last,
    isHeld,
    isStopped,
  }: Pick<WaitingDelivery, 'attempts' | 'dueAt' | 'last' | 'isHeld' | 'isStopped'>,
  now: Date,
): State {
  if (isHeld || isStopped) return 'held';
  if (attempts > 0 || last?.heldAt !== undefined) return 'deferred';
  return dueAt > now ? 'scheduled' : 'due';
}

const WORDS: Record<State, string> = {
  due: 'It waits for its turn.',
  scheduled: 'It is scheduled: its sender chose the time, or asked for the hour in which the recipient reads.',
  held: 'It is held until somebody releases it.',
  deferred: 'An attempt was made that did not end; it is tried again.',
};

interface Beside {
  now: Date;
  gated: GatedMessage | undefined;
  batch: Batch | undefined;
}

/** When it is dropped, if nobody decides. */
function heldUntilOf({ isHeld, isStopped }: WaitingDelivery, { gated, batch }: Beside): Date | null {
  if (isHeld) return gated?.heldUntil ?? null;
  return isStopped && batch?.state === 'held' ? batch.heldUntil : null;
}

function reasonOf(delivery: WaitingDelivery, { now, gated, batch }: Beside): string {
  if (delivery.isHeld) return gated ? gatedView(gated).reason : WORDS.held;
  if (delivery.isStopped) return batch ? batchReasonOf(batch) : WORDS.held;
  return delivery.last?.reason ?? WORDS[stateOf(delivery, now)];
}

/** Why a delivery waits, and until when. */
export function waitView(delivery: WaitingDelivery, beside: Beside) {
  const { attempts, dueAt, giveUpAt, last } = delivery;
  const heldUntil = heldUntilOf(delivery, beside);
  return {
    state: stateOf(delivery, beside.now),
    reason: reasonOf(delivery, beside),
    attempts,
    next_attempt_at: dueAt.toISOString(),
    give_up_at: giveUpAt.toISOString(),
    ...(heldUntil && { held_until: heldUntil.toISOString() }),
    ...(last && lastView(last)),
  };
}

/** One delivery. */
export function deliveryView(delivery: WaitingDelivery, message: WaitingMessage, beside: Beside) {
  const { id, recipient, destination, domain } = delivery;
  return {
    id,
    recipient,
    destination,
    domain,
    ...waitView(delivery, beside),
    message: {
      id: `<${message.messageId}>`,
      storage_key: message.key,
      subject: message.subject,
      from: message.headerFrom,
    },
    'delivery-mode': message.mode,
  };
}

/** All that waits for a destination. */
export function destinationView(found: WaitingDestination) {
  const { destination, waiting, due, held, nextAt, giveUpAt, last } = found;
  const isHeld = held > 0 && due === 0;
  const unsaid = isHeld
    ? 'They are held until somebody releases them.'
    : due > 0
      ? 'They wait for their turn.'
      : 'They are scheduled: their senders chose the time.';
  return {
    destination,
    waiting,
    due,
    held,
    next_attempt_at: nextAt.toISOString(),
    give_up_at: giveUpAt.toISOString(),
    reason: isHeld ? unsaid : (last?.reason ?? unsaid),
    ...(last && lastView(last)),
  };
}

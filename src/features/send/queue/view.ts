// What waits, as the wire shows it: with a reason in plain words.
import type { WaitingDelivery, WaitingDestination, WaitingMessage } from '../messages/index.ts';

type Last = NonNullable<WaitingDelivery['last']>;

const lastView = ({ at, code, message }: Last) => (code === 0 ? {} : { last_attempt: { at, code, message } });

type State = 'due' | 'scheduled' | 'deferred';

function stateOf({ attempts, dueAt, last }: Pick<WaitingDelivery, 'attempts' | 'dueAt' | 'last'>, now: Date): State {
  if (attempts > 0 || last?.heldAt !== undefined) return 'deferred';
  return dueAt > now ? 'scheduled' : 'due';
}

const WORDS: Record<State, string> = {
  due: 'It waits for its turn.',
  scheduled: 'It is scheduled: its sender chose the time.',
  deferred: 'An attempt was made that did not end; it is tried again.',
};

function reasonOf(delivery: WaitingDelivery, now: Date): string {
  return delivery.last?.reason ?? WORDS[stateOf(delivery, now)];
}

/** One delivery. */
export function deliveryView(delivery: WaitingDelivery, message: WaitingMessage, now: Date) {
  const { id, recipient, destination, domain, attempts, dueAt, giveUpAt, last } = delivery;
  return {
    id,
    recipient,
    destination,
    domain,
    state: stateOf(delivery, now),
    reason: reasonOf(delivery, now),
    attempts,
    next_attempt_at: dueAt.toISOString(),
    give_up_at: giveUpAt.toISOString(),
    ...(last && lastView(last)),
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
  const { destination, waiting, due, nextAt, giveUpAt, last } = found;
  const unsaid = due > 0 ? 'They wait for their turn.' : 'They are scheduled: their senders chose the time.';
  return {
    destination,
    waiting,
    due,
    next_attempt_at: nextAt.toISOString(),
    give_up_at: giveUpAt.toISOString(),
    reason: last?.reason ?? unsaid,
    ...(last && lastView(last)),
  };
}

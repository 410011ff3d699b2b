// What is known of deliveries before they are tried.
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { listFacts, type Delivery, type MessageFacts } from '../messages/index.ts';
import { capture } from './capture.ts';
import {
  deliveryChecks,
  deliveryHolds,
  type Attempt,
  type Carrier,
  type CarrierDoors,
  type Hold,
  type Outcome,
} from './outcomes.ts';

export type Doors = CarrierDoors & Pick<Outside, 'events' | 'lists' | 'facts' | 'jobs'>;

/** Messages with a thousand recipients, whose names stand in them, are long: few are remembered. */
const REMEMBERED_MAX = 100;

/** Finds messages, of which nothing changes but that they go; their deliveries go with them. */
export type FindMessages = (ids: readonly string[]) => Promise<Map<string, MessageFacts>>;

/** Remembers those that were found last: a message of many recipients is read once. */
export function rememberingMessages({ db }: Pick<Outside, 'db'>): FindMessages {
  const recent = new Recent<MessageFacts>(REMEMBERED_MAX);
  return async (ids) => {
    const found = new Map(
      ids.flatMap((id) => {
        const message = recent.get(id);
        return message ? [[id, message] as const] : [];
      }),
    );
    const unknown = ids.filter((id) => !found.has(id));
    for (const message of await listFacts(db, unknown)) {
      found.set(message.id, message);
      recent.set(message.id, message);
    }
    return found;
  };
}

/** Attempts with their messages; a delivery whose message is gone is gone, too. */
export async function attemptsOf(find: FindMessages, deliveries: readonly Delivery[]): Promise<Attempt[]> {
  const byId = await find([...new Set(deliveries.map(({ messageId }) => messageId))]);
  return deliveries.flatMap((delivery) => {
    const message = byId.get(delivery.messageId);
    return message ? [{ delivery, message }] : [];
  });
}

/** How those end that are not tried: what the checks say, what is captured, what stays here; and what is held back. */
export async function known(
  outside: Doors,
  attempts: readonly Attempt[],
): Promise<{ outcomes: Map<string, Outcome>; holds: Map<string, Hold> }> {
  const outcomes = new Map<string, Outcome>();
  const holds = new Map<string, Hold>();
  const open = (): Attempt[] => attempts.filter(({ delivery: { id } }) => !outcomes.has(id) && !holds.has(id));
  const ask = async (check: Carrier): Promise<void> => {
    for (const [id, outcome] of await check(outside, open())) outcomes.set(id, outcome);
  };
  for (const check of outside.lists.of(deliveryChecks)) await ask(check);
  for (const holder of outside.lists.of(deliveryHolds))
    for (const [id, hold] of await holder.hold(outside, open())) holds.set(id, hold);
  await ask(capture);
  return { outcomes, holds };
}

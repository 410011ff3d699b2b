// What is known of deliveries before they are tried.
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { listFacts, type Delivery, type MessageFacts } from '../messages/index.ts';
import { capture } from './capture.ts';
import { deliveryChecks, type Attempt, type CarrierDoors, type Outcome } from './outcomes.ts';

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

/** How those end that are not tried: what the checks say, what is captured, what stays here. */
export async function known(outside: Doors, attempts: readonly Attempt[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const open = (): Attempt[] => attempts.filter(({ delivery }) => !outcomes.has(delivery.id));
  for (const check of [...outside.lists.of(deliveryChecks), capture])
    for (const [id, outcome] of await check(outside, open())) outcomes.set(id, outcome);
  return outcomes;
}

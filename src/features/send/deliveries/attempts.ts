// What is known of deliveries before they are tried.
import type { Outside } from '../../../platform/feature/index.ts';
import { listFacts, type Delivery } from '../messages/index.ts';
import { capture } from './capture.ts';
import { deliveryChecks, type Attempt, type CarrierDoors, type Outcome } from './outcomes.ts';

export type Doors = CarrierDoors & Pick<Outside, 'events' | 'lists'>;

/** Attempts with their messages; a delivery whose message is gone is gone, too. */
export async function attemptsOf({ db }: Pick<Outside, 'db'>, deliveries: readonly Delivery[]): Promise<Attempt[]> {
  const facts = await listFacts(db, [...new Set(deliveries.map(({ messageId }) => messageId))]);
  const byId = new Map(facts.map((message) => [message.id, message]));
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

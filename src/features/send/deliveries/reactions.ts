// What follows from events in the transaction that writes them.
import type { Sql } from '../../../platform/db/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { defineList } from '../../../platform/ports/index.ts';

type EventReaction = (tx: Sql, events: readonly NewEvent[], doors: Pick<Outside, 'facts' | 'jobs'>) => Promise<void>;

/** What is done with events when they are written, such as an entry in a list of suppressions. */
export const eventReactions = defineList<EventReaction>('deliveries.reactions');

/** Writes events, and what follows from them, in one transaction. */
export async function tellEvents(
  { events, lists, facts, jobs }: Pick<Outside, 'events' | 'lists' | 'facts' | 'jobs'>,
  tx: Sql,
  told: readonly NewEvent[],
): Promise<void> {
  if (told.length === 0) return;
  await events.append(tx, told);
  for (const react of lists.of(eventReactions)) await react(tx, told, { facts, jobs });
}

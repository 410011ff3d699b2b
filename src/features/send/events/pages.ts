// Pages of events around a place, for lists that page by tokens.
import type { LoggedEvent, PageQuery } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Place } from '../../../platform/paging/index.ts';
import { listFacts, type MessageFacts } from '../messages/index.ts';

type Key = readonly [at: string, id: string];

interface EventsAround {
  events: LoggedEvent[];
  messages: ReadonlyMap<string, MessageFacts>;
  /** Where the pages beside this one begin. */
  shown: Key[];
}

const keyOf = ({ at, id }: { at: Date; id: string }): Key => [at.toISOString(), id];

/** The events of a page with their messages. The page may be shorter than its limit, and even empty, before the end. */
export async function readEvents(
  { db, events: log }: Pick<Outside, 'db' | 'events'>,
  { page, at }: Place,
  query: Omit<PageQuery, 'after'>,
): Promise<EventsAround> {
  const isBackwards = page === 'last' || page === 'previous';
  const order = (query.order === 'ascending') === isBackwards ? 'descending' : 'ascending';
  const after = at && { at: new Date(String(at[0])), id: String(at[1]) };
  const { events, resume } = await log.page({ ...query, order, after });
  if (isBackwards) events.reverse();
  const shown = events.map(keyOf);
  if (resume) shown[isBackwards ? 'unshift' : 'push'](keyOf(resume));
  const ids = [...new Set(events.flatMap(({ messageId }) => messageId ?? []))];
  const messages = new Map((await listFacts(db, ids)).map((message) => [message.id, message]));
  return { events, messages, shown };
}

// Messages of an inbox that are asked for together: found, marked, deleted.
import { invalid, notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { comparable } from './comparable.ts';
import type { Conditions } from './conditions-store.ts';
import { dropMessages, saveCounts } from './keep.ts';
import * as messages from './messages-store.ts';
import { readTerms } from './search-terms.ts';
import { lockInbox, type SandboxInbox } from './store.ts';
import { wakeWatchers } from './watch.ts';

const DELETED_AT_ONCE = 500;

export type Asked = Partial<
  Record<'search' | 'to' | 'from' | 'subject' | 'text' | 'header' | 'tag' | 'since', string | undefined>
> & {
  after?: number | undefined;
};

/** What a search and a tag ask for, as a query has it; undefined for nothing. */
function readSought({ search = '', tag = '' }: Asked): string | undefined {
  const value = tag.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const terms = [...readTerms(search), ...(value === '' ? [] : [{ field: 'tag', value, wanted: true }])];
  return terms.length === 0 ? undefined : JSON.stringify(terms);
}

/** Conditions as a call gives them. Throws `invalid_request` for a time that is none, or a search that asks for nothing known. */
export function readConditions({ to, since, after, ...texts }: Asked): Conditions {
  const lower = (text: string | undefined): string | undefined => (text ? text.toLowerCase() : undefined);
  return {
    from: lower(texts.from),
    subject: lower(texts.subject),
    text: lower(texts.text),
    header: lower(texts.header),
    terms: readSought(texts),
    to: to ? comparable(to) : undefined,
    since: readTime('since', since),
    after,
  };
}

/** Which messages a call means: these, those that a search finds, or all. */
interface Meant {
  ids?: readonly string[] | undefined;
  search?: string | undefined;
}

/** What is given and names nothing means nothing: it never means all. Throws `invalid_request`. */
function chosenOf({ ids, search }: Meant): { ids: readonly string[] | undefined; conditions: Conditions } {
  if (ids?.length === 0) throw invalid('ids', 'must name a message; without the field, all are meant.');
  const conditions = readConditions({ search });
  if (search !== undefined && conditions.terms === undefined)
    throw invalid('search', 'must ask for something; without the field, all are meant.');
  return { ids, conditions };
}

/** Marks messages as read or unread. Answers how many were not so. Throws `invalid_request` and `not_found`. */
export async function markSeveral(
  doors: Pick<Outside, 'db'>,
  { id, accountId }: SandboxInbox,
  { isRead, ...meant }: Meant & { isRead: boolean },
): Promise<number> {
  const chosen = chosenOf(meant);
  const count = await doors.db.tx(async (tx) => {
    const inbox = await lockInbox(tx, accountId, id);
    if (!inbox) throw notFound('sandbox inbox', id);
    const marked = await messages.saveRead(tx, inbox, { isRead, ...chosen });
    const unreadCount = inbox.unreadCount + (isRead ? -marked : marked);
    if (marked > 0) await saveCounts(tx, { ...inbox, unreadCount, revision: inbox.revision + 1 });
    return marked;
  });
  wakeWatchers(doors.db);
  return count;
}

/**
 * Deletes messages, some at a time, so that what comes meanwhile need not wait; where a revision is given, those that had
 * come by then. Answers how many.
 * Throws `invalid_request`.
 */
export async function deleteSeveral(
  doors: Pick<Outside, 'db' | 'jobs'>,
  { id, accountId, revision: upTo }: Pick<SandboxInbox, 'id' | 'accountId'> & { revision?: number },
  meant: Meant,
): Promise<number> {
  const chosen = { ...chosenOf(meant), limit: DELETED_AT_ONCE, upTo };
  const deleteSome = (): Promise<number> =>
    doors.db.tx(async (tx) => {
      const inbox = await lockInbox(tx, accountId, id);
      if (!inbox) return 0;
      const oldest = await messages.listOldest(tx, inbox, chosen);
      const dropped = await dropMessages(doors, tx, { inbox, ids: oldest.map((one) => one.id) });
      if (dropped > 0) await saveCounts(tx, inbox);
      return dropped;
    });
  let [count, dropped] = [0, DELETED_AT_ONCE];
  while (dropped === DELETED_AT_ONCE) {
    dropped = await deleteSome();
    count += dropped;
  }
  doors.jobs.wake();
  wakeWatchers(doors.db);
  return count;
}

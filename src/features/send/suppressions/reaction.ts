// Entries that follow from what happened: who refused for good, complained or unsubscribed is listed at once.
import { isHardBounce } from '../../../engines/bounces/index.ts';
import { canonicalAddress } from '../../../engines/mime/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { listFacts } from '../messages/index.ts';
import type { ListName } from './contract.ts';
import { ALL, mergeEntries } from './entries.ts';
import { addEntries, type Entry } from './store.ts';

interface Status {
  code?: number;
  message?: string;
  'enhanced-code'?: string;
}

/** The list that an event puts its recipient on. */
function listOf({ event, severity, reason, about }: NewEvent): ListName | undefined {
  if (event === 'complained') return 'complaints';
  if (event === 'unsubscribed') return 'unsubscribes';
  if (event !== 'failed' || severity !== 'permanent' || reason !== 'bounce') return undefined;
  const status = (about?.['delivery-status'] ?? {}) as Status;
  const refusal = { code: status.code, enhanced: status['enhanced-code'], text: status.message ?? '' };
  return isHardBounce(refusal) ? 'bounces' : undefined;
}

function entryOf(event: NewEvent, { list, tags }: { list: ListName; tags: readonly string[] }): Entry | undefined {
  const a = canonicalAddress(event.recipient);
  if (a === undefined) return undefined;
  const at = event.at.toISOString();
  if (list === 'unsubscribes') return { a, tags: tags.length > 0 ? [...tags] : [ALL], at };
  if (list === 'complaints') return { a, at };
  const { code, message } = (event.about?.['delivery-status'] ?? {}) as Status;
  return { a, code: String(code ?? 550), error: message ?? '', at };
}

/** Tags of the messages of these events, by the message's id; who unsubscribes does so from those. */
async function tagsByMessage(tx: Sql, events: readonly NewEvent[]): Promise<Map<string, string[]>> {
  const ids = events.flatMap(({ event, messageId }) => (event === 'unsubscribed' && messageId) || []);
  const messages = await listFacts(tx, [...new Set(ids)]);
  return new Map(messages.map(({ id, tags }) => [id, tags]));
}

/** Writes the entries that follow from events, one statement for each list of each domain. */
export async function listFromEvents(tx: Sql, events: readonly NewEvent[]): Promise<void> {
  const listing = events.flatMap((event) => {
    const list = listOf(event);
    return list ? [{ event, list }] : [];
  });
  if (listing.length === 0) return;
  const tags = await tagsByMessage(tx, events);
  const groups = Map.groupBy(listing, ({ event, list }) => JSON.stringify([event.accountId, event.domain, list]));
  // Always in the same order, so that two processes that write the same entries wait for each other in turn.
  for (const key of [...groups.keys()].toSorted()) {
    const group = groups.get(key) as typeof listing;
    const [{ event, list }] = group as [(typeof listing)[number]];
    const entries = group.flatMap((one) => {
      const { messageId = '' } = one.event;
      return entryOf(one.event, { list, tags: tags.get(messageId) ?? [] }) ?? [];
    });
    const inOrder = mergeEntries(entries).toSorted((one, other) => (one.a < other.a ? -1 : 1));
    const { accountId, domain, at } = event;
    await addEntries(tx, { accountId, domain, list }, { entries: inOrder, now: at });
  }
}

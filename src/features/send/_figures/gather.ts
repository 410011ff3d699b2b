// Events become sums: taken from the log, added up in memory, and written by one statement for each table, in the
// transaction that took them. So each event is in the sums once, whatever ends in between.
import type { UncountedEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { addFirsts, addSums, type First, type Sum } from '../../../platform/figures/index.ts';
import { listTags } from '../messages/index.ts';
import { furtherFigures } from './additions.ts';
import { COUNTERS, counterOf, uniqueOf, type Counter } from './counters.ts';
import { admitTags, type SeenTag } from './store.ts';

const EVENTS_AT_ONCE = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What programs say of themselves is cut here. */
const TEXT_MAX = 100;

interface Counted {
  event: UncountedEvent;
  counter: Counter;
  tags: readonly string[];
}

const startOf = (at: Date, ms: number): string => new Date(Math.floor(at.getTime() / ms) * ms).toISOString();

/** The sums that one event adds to, but for its counters; smaller sets follow from them. */
function sumsOfOne({ event, tags }: Counted, ms: number): Omit<Sum, 'counts'>[] {
  const whole = {
    accountId: event.accountId,
    at: startOf(event.at, ms),
    of: 'none',
    domain: event.domain,
    provider: event.provider,
    ip: event.sendingIp,
    ipPool: event.ipPool,
    country: event.country.slice(0, TEXT_MAX),
    device: event.device.slice(0, TEXT_MAX),
    bot: event.bot.slice(0, TEXT_MAX),
    detail: '',
  } as const;
  return [
    whole,
    ...tags.map((tag) => ({ ...whole, of: 'tag', detail: tag }) as const),
    ...(ms === DAY_MS ? [{ ...whole, of: 'recipientDomain', detail: event.recipientDomain } as const] : []),
  ];
}

function sumsOf(all: readonly Counted[], ms: number): Sum[] {
  const sums = new Map<string, Sum>();
  for (const counted of all)
    for (const one of sumsOfOne(counted, ms)) {
      const key = JSON.stringify(one);
      const sum = sums.get(key) ?? { ...one, counts: {} };
      sum.counts[counted.counter] = (sum.counts[counted.counter] ?? 0) + 1;
      sums.set(key, sum);
    }
  return [...sums.values()];
}

const nameOf = ({ accountId, messageId, recipient, event }: Omit<First, 'at'>): string =>
  JSON.stringify([accountId, messageId, recipient, event]);

/** Of each reader and kind the first event, as far as these go. */
function candidatesOf(events: readonly UncountedEvent[]): Map<string, UncountedEvent> {
  const firsts = new Map<string, UncountedEvent>();
  for (const event of events) {
    if (uniqueOf(event) === undefined) continue;
    const name = nameOf(event as First);
    const before = firsts.get(name);
    if (!before || event.at < before.at) firsts.set(name, event);
  }
  return firsts;
}

const pairOf = ({ accountId, domain, tag }: Omit<SeenTag, 'name' | 'at'>): string =>
  JSON.stringify([accountId, domain, tag]);

/** The tags of each message that are counted; what is over the bound of an account is not. */
async function tagsOf(tx: Parameters<typeof listTags>[0], events: readonly UncountedEvent[]) {
  const ids = [...new Set(events.flatMap(({ messageId }) => messageId ?? []))];
  const named = new Map((await listTags(tx, ids)).map(({ id, tags }) => [id, tags]));
  const namesOf = ({ messageId }: UncountedEvent): readonly string[] => named.get(messageId ?? '') ?? [];
  const seen = events.flatMap((event) =>
    namesOf(event).map((name) => ({ ...event, tag: name.toLowerCase(), name }) satisfies SeenTag),
  );
  const admitted = new Set((await admitTags(tx, seen)).map(pairOf));
  return (event: UncountedEvent): string[] =>
    [...new Set(namesOf(event).map((name) => name.toLowerCase()))].filter((tag) =>
      admitted.has(pairOf({ accountId: event.accountId, domain: event.domain, tag })),
    );
}

/** Adds events that are in no sum yet. Answers how many they were; some may be left when they are many. */
export function gatherFigures({ db, events: log, lists }: Pick<Outside, 'db' | 'events' | 'lists'>): Promise<number> {
  return db.tx(async (tx) => {
    const taken = await log.takeUncounted(tx, EVENTS_AT_ONCE);
    const events = taken.filter((event) => counterOf(event) !== undefined);
    if (events.length === 0) return taken.length;
    const tags = await tagsOf(tx, events);
    const candidates = candidatesOf(events);
    const firsts = await addFirsts(tx, [...candidates.values()] as First[]);
    const uniques = firsts.map((first) => candidates.get(nameOf(first))!);
    const counted = [
      ...events.map((event) => ({ event, counter: counterOf(event)!, tags: tags(event) })),
      ...uniques.map((event) => ({ event, counter: uniqueOf(event)!, tags: tags(event) })),
    ];
    await addSums(tx, 'figure_hours', { counters: COUNTERS, sums: sumsOf(counted, HOUR_MS) });
    await addSums(tx, 'figure_days', { counters: COUNTERS, sums: sumsOf(counted, DAY_MS) });
    const tagged = counted.slice(0, events.length);
    for (const { add } of lists.of(furtherFigures)) await add(tx, tagged);
    return taken.length;
  });
}

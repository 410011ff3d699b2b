// What an account knows of addresses by its own mail: its suppression lists, and the events that are kept.
import { canonicalAddress } from '../../../engines/mime/index.ts';
import { botOf, type LoggedEvent, type PageQuery } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { listFacts } from '../messages/index.ts';
import { listOfAddresses, type KnownSuppression } from '../suppressions/index.ts';
import { HISTORY_DAYS } from './contract.ts';
import type { AddressHistory, Engagement } from './view.ts';

const EVENTS_AT_ONCE = 1000;
/** Of a batch: older events are left out. */
const PAGES_MAX = 5;
/** So many openings and clicks are much. */
const MUCH = 4;

type Doors = Pick<Outside, 'db' | 'events' | 'clock'>;

/** As the lists and the events have it. */
export const keptForm = (address: string): string => canonicalAddress(address) ?? address.toLowerCase();

const isOfPerson = (event: LoggedEvent): boolean => botOf(event) === '';

/** A refusal that was an answer to an attempt: what a list kept from being sent says nothing new. */
const isRefusal = ({ event, severity, reason }: LoggedEvent): boolean =>
  event === 'failed' && severity === 'permanent' && !(reason ?? '').startsWith('suppress-');

/** The newest events of these addresses about mail that left, newest first. */
async function readEvents(doors: Doors, accountId: string, addresses: readonly string[]): Promise<LoggedEvent[]> {
  const to = doors.clock.now();
  const query = {
    accountIds: [accountId],
    from: daysAfter(to, -HISTORY_DAYS),
    to,
    where: {
      all: [
        { field: 'recipient', is: 'in', values: addresses },
        { field: 'event', is: 'in', values: ['delivered', 'failed', 'opened', 'clicked', 'complained'] },
      ],
    },
    order: 'descending',
    limit: EVENTS_AT_ONCE,
  } as const;
  const found: LoggedEvent[] = [];
  let after: PageQuery['after'];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { events } = await doors.events.page({ ...query, after });
    found.push(...events);
    const last = events.at(-1);
    if (events.length < EVENTS_AT_ONCE || !last) break;
    after = { at: last.at, id: last.id };
  }
  const ids = [...new Set(found.flatMap(({ messageId }) => messageId ?? []))];
  // What was captured, or was a test, never left the machine: it says nothing of a mailbox.
  const facts = (await listFacts(doors.db, ids)).filter(({ mode, options }) => mode === 'live' && !options.isTest);
  const live = new Set(facts.map(({ id }) => id));
  return found.filter(({ messageId }) => messageId !== null && live.has(messageId));
}

function engagementOf(events: readonly LoggedEvent[], isComplained: boolean): Engagement | undefined {
  const reads = events.filter(({ event }) => event === 'opened' || event === 'clicked');
  const byPeople = reads.filter(isOfPerson).length;
  const said = { engaged: byPeople > 0, is_bot: reads.length > 0 && byPeople === 0 };
  if (isComplained) return { ...said, engagement: 'complainer' };
  if (said.is_bot) return { ...said, engagement: 'bot' };
  if (byPeople > 0) return { ...said, engagement: byPeople >= MUCH ? 'highly engaged' : 'engaged' };
  return events.some(({ event }) => event === 'delivered') ? { ...said, engagement: 'disengaged' } : undefined;
}

/** A bounce holds where the domain that wrote has no entry of its allowlist against it. */
function isBouncedIn(entries: readonly KnownSuppression[]): boolean {
  const allowing = new Set(entries.filter(({ list }) => list === 'whitelists').map(({ domain }) => domain));
  return entries.some(({ list, domain }) => list === 'bounces' && !allowing.has(domain));
}

function historyOf(entries: readonly KnownSuppression[], events: readonly LoggedEvent[]): AddressHistory {
  const isComplained =
    entries.some(({ list }) => list === 'complaints') || events.some(({ event }) => event === 'complained');
  const end = events.find((event) => event.event === 'delivered' || isRefusal(event));
  return {
    isComplained,
    isBounced: isBouncedIn(entries),
    isUnsubscribed: entries.some(({ list, tags }) => list === 'unsubscribes' && tags.includes('*')),
    isDelivered: end?.event === 'delivered',
    engagement: engagementOf(events, isComplained),
  };
}

/** Of each address, what the account knows of it. Addresses are in the form of {@link keptForm}. */
export async function readHistory(
  doors: Doors,
  accountId: string,
  addresses: readonly string[],
): Promise<Map<string, AddressHistory>> {
  if (addresses.length === 0) return new Map();
  const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
  const sought = [...new Set([...addresses, ...addresses.map(domainOf)])];
  const entries = Map.groupBy(await listOfAddresses(doors.db, accountId, sought), ({ address }) => address);
  const events = Map.groupBy(await readEvents(doors, accountId, addresses), ({ recipient }) => recipient);
  return new Map(
    addresses.map((address) => {
      const own = [...(entries.get(address) ?? []), ...(entries.get(domainOf(address)) ?? [])];
      return [address, historyOf(own, events.get(address) ?? [])];
    }),
  );
}

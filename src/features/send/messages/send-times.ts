// The hour at which each recipient of a call reads, by what the account's events tell.
import { botOf } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { lineOf, wrong, type Form } from './fields.ts';
import type { Recipient } from './recipients.ts';
import type { SendOptions } from './store.ts';

const FIELD = 'o:deliverytime-optimize-period';
const HOURS = { min: 24, max: 72 };
const HOUR_MS = 3_600_000;
const HISTORY_DAYS = 30;
/** Of so many recipients together, the newest events are read. */
const RECIPIENTS_AT_ONCE = 250;
const EVENTS_MAX = 5000;

/** Hours. Throws `invalid_request` for anything but `24h` to `72h`, and where another time is asked for. */
export function readOptimizePeriod(form: Form): number | undefined {
  const text = lineOf(form, FIELD)?.trim();
  if (text === undefined || text === '') return undefined;
  const hours = Number(/^(\d{1,3})h$/.exec(text)?.[1]);
  if (!(hours >= HOURS.min && hours <= HOURS.max))
    throw wrong(FIELD, `${FIELD} must be hours from ${HOURS.min}h to ${HOURS.max}h, such as 24h.`);
  if (lineOf(form, 'o:time-zone-localize')?.trim())
    throw wrong(FIELD, `${FIELD} and o:time-zone-localize are both given; give one of them.`);
  return hours;
}

interface Read {
  at: Date;
}

interface SendTime {
  dueAt: Date;
  /** Why then, in a sentence. */
  told: string;
}

/** By address in lower case, newest first: what people opened and clicked. */
async function readsOf(
  { events, clock }: Pick<Outside, 'events' | 'clock'>,
  accountId: string,
  addresses: readonly string[],
): Promise<Map<string, Read[]>> {
  const to = clock.now();
  const found: { recipient: string; at: Date }[] = [];
  for (let start = 0; start < addresses.length; start += RECIPIENTS_AT_ONCE) {
    const { events: read } = await events.page({
      accountIds: [accountId],
      from: daysAfter(to, -HISTORY_DAYS),
      to,
      where: {
        all: [
          { field: 'recipient', is: 'in', values: addresses.slice(start, start + RECIPIENTS_AT_ONCE) },
          { field: 'event', is: 'in', values: ['opened', 'clicked'] },
        ],
      },
      order: 'descending',
      limit: EVENTS_MAX,
    });
    found.push(...read.filter((event) => botOf(event) === ''));
  }
  return Map.groupBy(found, ({ recipient }) => recipient);
}

/** The hour of the day, in UTC, in which most were; of several, the one that was last. */
function bestHour(reads: readonly Read[]): { hour: number; count: number } {
  const counts = Map.groupBy(reads, ({ at }) => at.getUTCHours());
  // Newest first, so that the hour of the newest read comes first where others are as frequent.
  const [[hour, own]] = [...counts].sort(([, one], [, other]) => other.length - one.length) as [[number, Read[]]];
  return { hour, count: own.length };
}

/** The first moment from `first` on at which it is this hour. */
function nextHour(first: Date, hour: number): Date {
  const ahead = (hour - first.getUTCHours() + 24) % 24;
  if (ahead === 0) return first;
  return new Date((Math.floor(first.getTime() / HOUR_MS) + ahead) * HOUR_MS);
}

function timeFor(reads: readonly Read[] | undefined, first: Date, isLater: boolean): SendTime {
  if (!reads) {
    const when = isLater ? 'at the time that its sender chose' : 'at once';
    return { dueAt: first, told: `Nothing is known of when this recipient reads, so it leaves ${when}.` };
  }
  const { hour, count } = bestHour(reads);
  const dueAt = nextHour(first, hour);
  const from = `${String(hour).padStart(2, '0')}:00 UTC`;
  const why = `${count} of ${reads.length} openings and clicks of this recipient within ${HISTORY_DAYS} days came in the hour from ${from} on`;
  return { dueAt, told: `${why}, so it leaves ${dueAt > first ? 'then' : 'now, in that hour'}.` };
}

/**
 * When each recipient is due, in their order, where the call asks for the hour at which they read: at the first such hour
 * from now, or `o:deliverytime`, on, which is within 24 hours. Undefined: the call does not ask.
 */
export async function sendTimes(
  doors: Pick<Outside, 'events' | 'clock'>,
  accountId: string,
  { recipients, options, now }: { recipients: readonly Recipient[]; options: SendOptions; now: Date },
): Promise<SendTime[] | undefined> {
  if (options.optimizeHours === undefined) return undefined;
  const first = new Date(Math.max(now.getTime(), (options.scheduledFor ?? 0) * 1000));
  const addresses = recipients.map(({ address }) => address.toLowerCase());
  const reads = await readsOf(doors, accountId, addresses);
  return addresses.map((address) => timeFor(reads.get(address), first, first > now));
}

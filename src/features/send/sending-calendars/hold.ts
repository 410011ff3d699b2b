// What is due outside the hours of its domain waits for the next allowed minute.
import type { Outside } from '../../../platform/feature/index.ts';
import { timeOfDay, wallClockAt, WEEKDAYS } from '../../../platform/times/index.ts';
import type { Attempt, DeliveryHolder, Hold } from '../deliveries/index.ts';
import { CALENDAR, zoneIn } from '../messages/index.ts';
import { closedAt, nextAllowed } from './next-allowed.ts';
import { listCalendars, type Calendar } from './store.ts';

const dayOf = (weekday: number): string => {
  const name = WEEKDAYS[weekday] as string;
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** What a calendar that is on does with what is due now, for a recipient in this zone; undefined: it may leave. */
export function holdUntil(
  domain: string,
  calendar: Calendar,
  { zone, now }: { zone: string; now: Date },
): Hold | undefined {
  const closed = closedAt(now, calendar, zone);
  if (!closed) return undefined;
  const until = nextAllowed(now, calendar, zone);
  const why =
    closed === 'quiet'
      ? `hours are quiet from ${timeOfDay(calendar.quietFrom!)} to ${timeOfDay(calendar.quietUntil!)}`
      : `nothing leaves on ${dayOf(wallClockAt(now, zone).weekday)}`;
  const { weekday, minutes } = wallClockAt(until, zone);
  const reason =
    `It waits for the sending hours of ${domain}: ${why} in ${zone}; ` +
    `it may leave on ${dayOf(weekday)} at ${timeOfDay(minutes)} there`;
  return { reason, until, by: CALENDAR, isExtended: true };
}

async function holdOutside(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  attempts: readonly Attempt[],
): Promise<Map<string, Hold>> {
  const open = attempts.filter(({ message: { options } }) => !options.isTest && !options.isTransactional);
  const domains = [...new Set(open.map(({ message }) => message.domain))];
  const calendars = new Map((await listCalendars(db, domains)).map((one) => [`${one.accountId} ${one.domain}`, one]));
  if (calendars.size === 0) return new Map();
  const now = clock.now();
  const known = new Map<string, Hold | undefined>();
  const holdOf = ({ delivery, message: { accountId, domain } }: Attempt): Hold | undefined => {
    const calendar = calendars.get(`${accountId} ${domain}`);
    if (!calendar) return undefined;
    const zone = zoneIn(delivery.variables) ?? calendar.timeZone;
    const key = `${accountId} ${domain} ${zone}`;
    if (!known.has(key)) known.set(key, holdUntil(domain, calendar, { zone, now }));
    return known.get(key);
  };
  return new Map(
    open.flatMap((attempt) => {
      const hold = holdOf(attempt);
      return hold ? [[attempt.delivery.id, hold] as const] : [];
    }),
  );
}

/** Added to what holds deliveries back. */
export const calendarHolder: DeliveryHolder = { hold: holdOutside };

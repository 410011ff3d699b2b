// When a message may leave, by the clocks of a time zone; pure.
import { nextTimeOfDay, wallClockAt } from '../../../platform/times/index.ts';

export interface Hours {
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** Minutes of the day; null: no hours are quiet. */
  quietFrom: number | null;
  quietUntil: number | null;
}

const MINUTE_MS = 60_000;
/** Midnights and ends of quiet hours that are looked at: more than there are in a week. */
const STEPS_MAX = 32;

type Closed = 'weekday' | 'quiet';

/** Why nothing leaves at a moment; undefined: it may. */
export function closedAt(moment: Date, { weekdays, quietFrom, quietUntil }: Hours, zone: string): Closed | undefined {
  const { weekday, minutes } = wallClockAt(moment, zone);
  if (!weekdays.includes(weekday)) return 'weekday';
  if (quietFrom === null || quietUntil === null) return undefined;
  const isBehind = minutes >= quietFrom;
  const isBefore = minutes < quietUntil;
  const isQuiet = quietFrom < quietUntil ? isBehind && isBefore : isBehind || isBefore;
  return isQuiet ? 'quiet' : undefined;
}

/**
 * Where clocks are set forward over the end of quiet hours, these end when clocks are set: the first minute behind
 * `from` at which it is open, up to `to`, at which it is.
 */
function firstOpen(from: number, to: number, isOpen: (moment: number) => boolean): number {
  let [closed, open] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (open - closed > 1) {
    const middle = Math.floor((closed + open) / 2);
    if (isOpen(middle * MINUTE_MS)) open = middle;
    else closed = middle;
  }
  return open * MINUTE_MS;
}

/** The first minute from `now` on at which a message may leave; `now` itself where it may. */
export function nextAllowed(now: Date, hours: Hours, zone: string): Date {
  let at = now;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const closed = closedAt(at, hours, zone);
    if (!closed) return at;
    const until = closed === 'quiet' ? hours.quietUntil! : 0;
    const after = new Date(at.getTime() + 1);
    const next = nextTimeOfDay(after, { hour: Math.floor(until / 60), minute: until % 60 }, zone);
    const isSkipped = closed === 'quiet' && wallClockAt(next, zone).minutes !== until;
    const isOpen = (moment: number): boolean => closedAt(new Date(moment), hours, zone) !== 'quiet';
    at = isSkipped ? new Date(firstOpen(at.getTime(), next.getTime(), isOpen)) : next;
  }
  throw new Error('A calendar has no hour in which anything may leave.');
}

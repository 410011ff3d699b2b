// Hours and days of the clock in UTC; pure.
import { DAY_MS } from '../../../platform/times/index.ts';
import type { Limit } from './store.ts';

const MS = { hour: 3_600_000, day: DAY_MS } as const;

/** The window of a moment. */
export function windowAt({ period }: Pick<Limit, 'period'>, now: Date): { startsAt: Date; endsAt: Date; ms: number } {
  const ms = MS[period];
  const start = Math.floor(now.getTime() / ms) * ms;
  return { startsAt: new Date(start), endsAt: new Date(start + ms), ms };
}

/** Of today without its date. */
function timeOf(date: Date, now: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  return `${now.toISOString().startsWith(day) ? '' : `${day} `}${time.slice(0, 5)} UTC`;
}

const WHOSE = {
  account: () => 'of the account',
  domain: (name: string) => `of ${name}`,
  provider: (name: string) => `for ${name}`,
  ip: (name: string) => `from ${name}`,
} as const;

/** Why something waits for a limit, without its full stop. */
export function reasonOf({ scope, name, period, maxMessages }: Limit, { now, until }: Record<'now' | 'until', Date>) {
  const count = maxMessages === 1 ? '1 message' : `${maxMessages.toLocaleString('en')} messages`;
  const each = period === 'hour' ? 'an hour' : 'a day';
  return `The limit of ${count} ${each} ${WHOSE[scope](name)} is used up; the next may leave at ${timeOf(until, now)}`;
}

// The hours in which messages of a domain may leave.
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { isTimeZone, minutesOfDay, WEEKDAYS, weekdayNumbers, type Weekday } from '../../../platform/times/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { holdUntil } from './hold.ts';
import { recheck } from './jobs.ts';
import { findCalendar, saveCalendar, type Calendar } from './store.ts';
import type { ShownCalendar } from './view.ts';

const OFF: Calendar = {
  mode: 'off',
  timeZone: 'UTC',
  weekdays: weekdayNumbers(WEEKDAYS),
  quietFrom: null,
  quietUntil: null,
};

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'lists' | 'principal' | 'jobs'>;

function shown(domain: string, calendar: Calendar, { zone, now }: { zone: string; now: Date }): ShownCalendar {
  const hold = calendar.mode === 'on' ? holdUntil(domain, calendar, { zone, now }) : undefined;
  return { ...calendar, domain, zone, now, hold };
}

const requireZone = (zone: string): void => {
  if (!isTimeZone(zone)) throw invalid('time_zone', 'must name a time zone, such as Europe/Berlin.');
};

/** `zone`: of a recipient. Throws `not_found`, and `invalid_request` for what is no time zone. */
export async function getSettings(
  doors: Omit<Doors, 'jobs'>,
  name: string,
  zone: string | undefined,
): Promise<ShownCalendar> {
  const { accountId } = doors.principal;
  if (zone !== undefined) requireZone(zone);
  const domain = await getDomain(doors, accountId, name);
  const calendar = (await findCalendar(doors.db, accountId, domain.name)) ?? OFF;
  return shown(domain.name, calendar, { zone: zone ?? calendar.timeZone, now: doors.clock.now() });
}

interface Given {
  mode: Calendar['mode'];
  time_zone?: string | undefined;
  weekdays?: readonly Weekday[] | undefined;
  quiet_hours?: { from: string; until: string } | null | undefined;
}

/** Throws `not_found`, and `invalid_request` naming the field. */
export async function putSettings(doors: Doors, name: string, given: Given): Promise<ShownCalendar> {
  const { accountId } = doors.principal;
  const { mode, time_zone: timeZone = OFF.timeZone, weekdays = WEEKDAYS, quiet_hours: quiet = null } = given;
  const domain = await getDomain(doors, accountId, name);
  requireZone(timeZone);
  if (quiet && quiet.from === quiet.until)
    throw invalid('quiet_hours', 'must begin and end at two different times; null: no hours are quiet.');
  const settings: Calendar = {
    mode,
    timeZone,
    weekdays: weekdayNumbers(weekdays),
    quietFrom: quiet && minutesOfDay(quiet.from),
    quietUntil: quiet && minutesOfDay(quiet.until),
  };
  const now = doors.clock.now();
  await doors.db.tx(async (tx) => {
    const row = { domainId: domain.id, domain: domain.name, ...settings, updatedAt: now };
    await saveCalendar(tx, accountId, row);
    const payloads = [{ accountId, domain: domain.name }];
    await doors.jobs.enqueue(tx, recheck, { payloads, account: accountId });
  });
  doors.jobs.wake();
  return shown(domain.name, settings, { zone: timeZone, now });
}

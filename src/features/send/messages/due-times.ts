// When each recipient of a call is due.
import { isTimeZone, nextTimeOfDay } from '../../../platform/times/index.ts';
import { lineOf, wrong, type Form } from './fields.ts';
import type { Recipient } from './recipients.ts';
import type { SendOptions, TimeOfDay } from './store.ts';

const FIELD = 'o:time-zone-localize';
/** Recipient variables that say where somebody is. */
const ZONE_NAMES = ['time_zone', 'timezone'];
const UNKNOWN = 'UTC';

/** `HH:mm`, or `hh:mm` with AM or PM behind it. Throws `invalid_request` for anything else. */
export function readTimeOfDay(form: Form): TimeOfDay | undefined {
  const text = lineOf(form, FIELD)?.trim();
  if (text === undefined) return undefined;
  const [, hours, minutes, half] = /^(\d{1,2}):([0-5]\d) ?([ap]m)?$/i.exec(text) ?? [];
  const [hour, minute] = [Number(hours ?? -1), Number(minutes)];
  const isValid = half === undefined ? hour >= 0 && hour <= 23 : hour >= 1 && hour <= 12;
  if (!isValid) throw wrong(FIELD, `${FIELD} must be a time of day such as 14:30 or 02:30PM.`);
  if (half === undefined) return { hour, minute };
  return { hour: (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0), minute };
}

function zoneOf({ address, variables }: Recipient): string {
  for (const name of ZONE_NAMES) {
    const zone = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (zone === undefined || zone === null || zone === '') continue;
    if (typeof zone === 'string' && zone.length <= 100 && isTimeZone(zone)) return zone;
    const shown = (JSON.stringify(zone) ?? '').slice(0, 100);
    throw wrong(
      'recipient-variables',
      `recipient-variables: ${name} of "${address.slice(0, 100)}" is ${shown}, which is no time zone; give a name such as ` +
        'Europe/Berlin, or leave it out.',
    );
  }
  return UNKNOWN;
}

/**
 * When each is due, in their order: now, or at the moment that the call names; where it names a time of day, at the
 * first moment from then on at which it is that time for the recipient. Throws `invalid_request` for a time zone that
 * there is not.
 */
export function dueTimes(
  recipients: readonly Recipient[],
  { scheduledFor, timeOfDay }: Pick<SendOptions, 'scheduledFor' | 'timeOfDay'>,
  now: Date,
): Date[] {
  const first = new Date(Math.max(now.getTime(), (scheduledFor ?? 0) * 1000));
  if (!timeOfDay) return recipients.map(() => first);
  const known = new Map<string, Date>();
  return recipients.map((recipient) => {
    const zone = zoneOf(recipient);
    const dueAt = known.get(zone) ?? nextTimeOfDay(first, timeOfDay, zone);
    known.set(zone, dueAt);
    return dueAt;
  });
}

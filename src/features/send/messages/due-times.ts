// When each recipient of a call is due.
import type { Outside } from '../../../platform/feature/index.ts';
import { nextTimeOfDay } from '../../../platform/times/index.ts';
import { lineOf, wrong, type Form } from './fields.ts';
import { passedOn } from './passed-on.ts';
import { wrongZoneIn, zoneIn } from './recipient-zone.ts';
import type { Recipient } from './recipients.ts';
import type { SendOptions, TimeOfDay } from './store.ts';

const FIELD = 'o:time-zone-localize';
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

/** What is kept of members is nobody's call: what names no time zone there says nothing. */
function zoneOf({ address, variables }: Recipient, isMember: boolean): string {
  const wrongOne = isMember ? undefined : wrongZoneIn(variables);
  if (!wrongOne) return zoneIn(variables) ?? UNKNOWN;
  const shown = (JSON.stringify(wrongOne.value) ?? '').slice(0, 100);
  throw wrong(
    'recipient-variables',
    `recipient-variables: ${wrongOne.name} of "${address.slice(0, 100)}" is ${shown}, which is no time zone; give a name ` +
      'such as Europe/Berlin, or leave it out.',
  );
}

/** Who of them is passed on, such as to a mailing list: its members have their own hours. */
async function findPassedOn(
  doors: Pick<Outside, 'db' | 'lists'>,
  accountId: string,
  recipients: readonly Recipient[],
): Promise<Set<string>> {
  const addresses = recipients.map(({ address }) => address);
  const found = new Set<string>();
  for (const find of doors.lists.of(passedOn))
    for (const address of await find(doors, { accountId, addresses })) found.add(address);
  return found;
}

/**
 * When each is due, in their order: now, or at the moment that the call names; where it names a time of day, at the
 * first moment from then on at which it is that time for the recipient. What is passed on leaves before. Throws
 * `invalid_request` where a call names a time zone that there is not.
 */
export async function dueTimes(
  doors: Pick<Outside, 'db' | 'lists'>,
  accountId: string,
  { recipients, options, now }: { recipients: readonly Recipient[]; options: SendOptions; now: Date },
): Promise<Date[]> {
  const { scheduledFor, timeOfDay, mailingList } = options;
  const first = new Date(Math.max(now.getTime(), (scheduledFor ?? 0) * 1000));
  if (!timeOfDay) return recipients.map(() => first);
  const isOfList = mailingList !== undefined;
  const onTheirWay = isOfList ? new Set<string>() : await findPassedOn(doors, accountId, recipients);
  const known = new Map<string, Date>();
  return recipients.map((recipient) => {
    if (onTheirWay.has(recipient.address)) return first;
    const zone = zoneOf(recipient, isOfList);
    const dueAt = known.get(zone) ?? nextTimeOfDay(first, timeOfDay, zone);
    known.set(zone, dueAt);
    return dueAt;
  });
}

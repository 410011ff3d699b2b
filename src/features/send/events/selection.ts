// What events are asked for: conditions on them, and on the messages that they are of.
import type { EventPredicate } from '../../../platform/event-log/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { listMessageIds, type MessageTest } from '../messages/index.ts';

export type Selection =
  | { event: EventPredicate }
  | { message: MessageTest }
  | { all: Selection[] }
  | { any: Selection[] }
  | { not: Selection };

/** Of one condition on messages. */
const MESSAGES_MAX = 50_000;

/** Messages are looked up first, and their events then asked for by them. Throws `invalid_request` for too many. */
export async function predicateOf(
  { db }: Pick<Outside, 'db'>,
  selection: Selection,
  scope: { accountIds: readonly string[]; before: Date },
): Promise<EventPredicate> {
  const all = (parts: readonly Selection[]): Promise<EventPredicate[]> =>
    Promise.all(parts.map((part) => predicateOf({ db }, part, scope)));
  if ('event' in selection) return selection.event;
  if ('all' in selection) return { all: await all(selection.all) };
  if ('any' in selection) return { any: await all(selection.any) };
  if ('not' in selection) return { not: await predicateOf({ db }, selection.not, scope) };
  const ids = await listMessageIds(db, selection.message, { ...scope, limit: MESSAGES_MAX + 1 });
  if (ids.length > MESSAGES_MAX)
    throw new AppError(
      'invalid_request',
      `The condition on ${selection.message.field} is met by more than ${MESSAGES_MAX} messages; say more of them.`,
      { details: { field: selection.message.field } },
    );
  return { field: 'messageId', is: 'in', values: ids };
}

// Messages to lists go to their members, a thousand in a transaction.
import { Type } from 'typebox';
import { AppError } from '../../../platform/errors/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { tellEvents } from '../deliveries/index.ts';
import { findTaken, NoRoomNow, submitToMembers, type Sending, type SentMessage } from '../messages/index.ts';
import { authoredFields, listFields, listIdOf } from './list-fields.ts';
import type { Member } from './member-store.ts';
import { advance, findPosting, finishPosting, listNext, type Posting } from './posting-store.ts';
import type { MailingList } from './store.ts';
import { takeTurn } from './turns.ts';

const AT_ONCE = 1000;
/** When the next members are tried, where batches of the account that wait have no room for more. */
const AGAIN_SECONDS = 60;

type Doors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs'
>;

/**
 * `%recipient.age%` and its like; the name is `%recipient_name%`, too. Whoever writes from outside learns and shows
 * nothing that the account keeps of its members.
 */
const variablesOf = ({ variables, author }: Posting, { name, vars }: Member): Record<string, unknown> =>
  author ? {} : { ...variables, ...vars, ...(name !== '' && { name }) };

/** How the message is written to members. */
function copiesOf({ author }: Posting, list: MailingList, publicUrl: string): Pick<Sending, 'list' | 'headerFrom'> {
  const { id, address } = list;
  const fields = listFields(list, publicUrl);
  const named = { id, address, listId: listIdOf(list) };
  if (!author) return { list: { ...named, fields, without: [] } };
  const { headerFrom, ...written } = authoredFields(list, author, fields);
  return { list: { ...named, ...written }, headerFrom };
}

/** Says why the members that are left get nothing. */
async function stop(
  doors: Doors,
  { posting, list, fault }: { posting: Posting; list: MailingList; fault: string },
  { domain }: SentMessage,
): Promise<void> {
  const { accountId, messageId, position } = posting;
  const at = doors.clock.now();
  await doors.db.tx(async (tx) => {
    if (!(await finishPosting(tx, posting.id, { now: at, fault }))) return;
    const status = { code: 554, message: '', description: fault };
    const about = { 'delivery-status': status, envelope: { transport: 'mailing-list' } };
    const place = { at, accountId, domain, recipient: list.address, messageId, position };
    await tellEvents(doors, tx, [
      { ...place, event: 'failed', severity: 'permanent', reason: 'generic', code: status.code, about },
    ]);
  });
}

/** Whether the same would be said again. */
const isFinal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500;

/** Hands the message on to the next members; false: there is nothing left to do. */
async function postSome(doors: Doors, postingId: string): Promise<boolean> {
  const { db, clock, config } = doors;
  const found = await findPosting(db, postingId);
  if (!found || found.posting.finishedAt) return false;
  const { posting, list } = found;
  const message = await findTaken(db, posting.messageId);
  if (!message) return false;
  const members = await listNext(db, list, { after: posting.place, limit: AT_ONCE });
  const last = members.at(-1);
  if (!last) {
    await finishPosting(db, postingId, { now: clock.now(), fault: null });
    return false;
  }
  try {
    await submitToMembers(doors, message, {
      members: members.map((member) => ({ address: member.address, variables: variablesOf(posting, member) })),
      ...copiesOf(posting, list, config.publicUrl),
      admit: async (tx) => {
        if (!(await advance(tx, posting, { to: last.address, sent: members.length })))
          throw new Error('The message to a mailing list went on elsewhere.');
        return {};
      },
    });
  } catch (error) {
    if (error instanceof NoRoomNow) {
      const next = { payloads: [{ postingId }], account: posting.accountId, startAfterSeconds: AGAIN_SECONDS };
      await doors.jobs.enqueue(db, postNext, next);
      return false;
    }
    if (!isFinal(error)) throw error;
    await stop(doors, { posting, list, fault: error.message }, message);
    return false;
  }
  return true;
}

/** Hands a message on to members: cut off, it goes on where it was. */
export const postNext = defineJob({
  name: 'mailing-lists.post',
  payload: Type.Object({ postingId: Type.String() }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 600_000,
  run: (doors, { postingId }, { signal }) =>
    takeTurn({
      signal,
      step: () => postSome(doors, postingId),
      async again() {
        const found = await findPosting(doors.db, postingId);
        if (!found) return;
        await doors.jobs.enqueue(doors.db, postNext, { payloads: [{ postingId }], account: found.posting.accountId });
        doors.jobs.wake();
      },
    }),
});

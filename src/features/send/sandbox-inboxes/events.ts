// Tells whoever watches an inbox that it has changed, as server-sent events.
import type { Context } from '../../../platform/feature/index.ts';
import { eventStream, type EventStream, type HttpReply } from '../../../platform/http/index.ts';
import { takePlace } from './places.ts';
import { findInbox, type SandboxInbox } from './store.ts';
import { changed } from './watch.ts';

const HEARTBEAT_MS = 15_000;
/** A stream ends after that, whatever comes. */
const LASTS_MS = 30 * 60_000;

type Doors = Pick<Context, 'db' | 'log' | 'closing' | 'isStillAdmitted'>;

async function follow(
  doors: Doors,
  { id, accountId }: SandboxInbox,
  { stream, signal }: { stream: EventStream; signal: AbortSignal },
): Promise<void> {
  const since = performance.now();
  let seen = -1;
  while (!signal.aborted && performance.now() - since < LASTS_MS) {
    const inbox = await findInbox(doors.db, accountId, id);
    if (!inbox) return void stream.send('deleted', {}, { isLast: true });
    if (!(await doors.isStillAdmitted())) return undefined;
    const { revision, messageCount, unreadCount } = inbox;
    const state = { revision, message_count: messageCount, unread_count: unreadCount };
    const isTold = revision === seen || stream.send('changed', state);
    if (revision === seen) stream.beat();
    if (isTold) seen = revision;
    // Who is far behind is told with the next change, or the next beat.
    const pause = AbortSignal.any([signal, AbortSignal.timeout(HEARTBEAT_MS)]);
    await changed(doors, { inbox, after: revision, signal: pause });
  }
  return undefined;
}

/** The events of an inbox. Throws `too_many_requests` where its account has too many calls that wait. */
export function watchInbox(doors: Doors, inbox: SandboxInbox): HttpReply {
  const leave = takePlace(inbox.accountId);
  const stream = eventStream();
  const gone = new AbortController();
  stream.onClose(() => {
    gone.abort();
    leave();
  });
  void follow(doors, inbox, { stream, signal: AbortSignal.any([doors.closing, gone.signal]) })
    .catch((error: unknown) => doors.log.warn({ err: error, inboxId: inbox.id }, 'an inbox could not be followed'))
    .finally(() => stream.end());
  return stream.reply;
}

import { AppError } from '../../../platform/errors/index.ts';
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { SkipPage } from '../../../platform/paging/index.ts';
import { archiveCopyView, findCopyOf } from '../archive-copies/index.ts';
import { listAttempts } from '../deliveries/index.ts';
import { findFacts, listWaitingOf, type MessageFacts } from '../messages/index.ts';
import { sandboxNameOf } from '../sending-domains/index.ts';
import { listBatchesOf } from '../sending-batches/index.ts';
import { listGatedOf } from '../sending-gates/index.ts';
import { listPosts } from '../webhooks/index.ts';
import { gateView, messageView, recipientView } from './recipient-view.ts';
import type { Manner } from './words.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'events' | 'principal'>;

/** Of the recipients of a page, together. */
const EVENTS_MAX = 2000;

interface Place {
  position: number;
  recipient: string;
}

/** The recipients of a page, and how many fit. */
function recipientsOf(
  { recipients }: MessageFacts,
  { recipient = '', skip, limit }: Query,
): { all: number; page: Place[] } {
  const wanted = recipient.toLowerCase();
  const all = recipients.flatMap((address, position) =>
    address.toLowerCase().includes(wanted) ? [{ position, recipient: address }] : [],
  );
  return { all: all.length, page: all.slice(skip, skip + limit) };
}

/** What happened to these, oldest first, and whether there is more. */
async function eventsOf({ events, clock }: Doors, message: MessageFacts, places: readonly Place[]) {
  if (places.length === 0) return { found: [], isBound: false };
  const { events: found } = await events.page({
    accountIds: [message.accountId],
    from: message.createdAt,
    to: clock.now(),
    where: {
      all: [
        { field: 'recipient', is: 'in', values: places.map(({ recipient }) => recipient) },
        { field: 'messageId', is: 'in', values: [message.id] },
      ],
    },
    order: 'ascending',
    limit: EVENTS_MAX + 1,
  });
  return { found: found.slice(0, EVENTS_MAX), isBound: found.length > EVENTS_MAX };
}

function mannerOf(doors: Doors, { accountId, mode, options }: MessageFacts, recipient: string): Manner {
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
  if (options.isTest || domain === sandboxNameOf(doors, accountId)) return 'simulated';
  return mode === 'capture' ? 'captured' : 'live';
}

const byPosition = <One extends { position: number | null }>(all: readonly One[]): Map<number, One[]> =>
  Map.groupBy(all, ({ position }) => position ?? -1);

interface Query extends SkipPage {
  recipient?: string;
}

/** What is known of a message, for a page of its recipients. Throws `not_found`. */
export async function showTimeline(doors: Doors, name: string, query: Query) {
  const { db, clock, principal } = doors;
  const { accountId } = principal;
  const message = await findFacts(db, accountId, name);
  if (!message) throw new AppError('not_found', 'Message not found');
  const { all, page } = recipientsOf(message, query);
  const about = { messageId: message.id, positions: page.map(({ position }) => position) };
  // What waits is read first: what ends meanwhile shows as ended below, and is not lost between.
  const waiting = new Map((await listWaitingOf(db, accountId, about)).map((one) => [one.position, one]));
  const attempts = byPosition(await listAttempts(db, accountId, about));
  const { found, isBound } = await eventsOf(doors, message, page);
  const events = byPosition<LoggedEvent>(found);
  const posts = await listPosts(
    db,
    accountId,
    found.map(({ id }) => id),
  );
  const postsOf = Map.groupBy(posts, ({ eventId }) => eventId);
  const archive = await findCopyOf(db, accountId, message.id);
  const [gated] = await listGatedOf(db, accountId, [message.id]);
  const batch = (await listBatchesOf(db, accountId, [message.id])).get(message.id);
  const now = clock.now();
  return {
    message: messageView(message),
    gate: gated ? gateView(gated) : null,
    archive: archive ? archiveCopyView(archive) : null,
    total: all,
    isBound,
    items: page.map(({ position, recipient }) =>
      recipientView(recipient, {
        manner: mannerOf(doors, message, recipient),
        waiting: waiting.get(position),
        attempts: attempts.get(position) ?? [],
        events: events.get(position) ?? [],
        postsOf: (id) => postsOf.get(id) ?? [],
        now,
        gated,
        batch,
      }),
    ),
  };
}

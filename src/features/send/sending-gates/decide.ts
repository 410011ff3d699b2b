// Held messages are released, dropped or refused: each once, whoever decides, and however many do at once.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { callerName } from '../../../platform/http/index.ts';
import { deleteWaiting, releaseHeld, wakeQueue } from '../messages/index.ts';
import { decide, findGated, type GatedMessage } from './messages-store.ts';

type Doors = Pick<Outside, 'db' | 'clock' | 'events'>;
type Ending = 'passed' | 'released' | 'dropped' | 'refused' | 'expired';

interface Deciding {
  messageId: string;
  state: Ending;
  by: string | null;
  /** Why it does not leave. */
  because?: string;
}

/** Answers for how many recipients something came of it; undefined: it was decided before. */
export async function decideOn(
  { db, clock, events }: Doors,
  accountId: string,
  { messageId, state, by, because = '' }: Deciding,
): Promise<number | undefined> {
  const at = clock.now();
  const count = await db.tx(async (tx) => {
    const decided = await decide(tx, { accountId, messageId }, { state, at, by });
    if (!decided) return undefined;
    if (state === 'passed' || state === 'released')
      return releaseHeld(tx, accountId, { messageId, now: at, heldAt: decided.createdAt });
    const dropped = await deleteWaiting(tx, accountId, messageId);
    await events.append(
      tx,
      dropped.map(({ position, recipient }) => ({
        at,
        accountId,
        event: 'rejected' as const,
        reason: 'gate',
        domain: decided.domain,
        recipient: recipient.toLowerCase(),
        messageId,
        position,
        about: { reject: { reason: 'gate', description: because } },
      })),
    );
    return dropped.length;
  });
  if (count !== undefined) wakeQueue(db);
  return count;
}

const WORDS: Record<GatedMessage['state'], string> = {
  sent: 'was not held',
  checking: 'is being checked',
  held: 'is held',
  passed: 'has passed and was released by the gate',
  released: 'was released already',
  dropped: 'was dropped already',
  refused: 'was refused by the gate',
  expired: 'was dropped, because nobody decided in time',
};

/** Throws `not_found`. */
export async function getGated({ db, principal }: Pick<Context, 'db' | 'principal'>, key: string) {
  const found = await findGated(db, principal.accountId, key);
  if (!found) throw new AppError('not_found', 'No message that the gate looked at has this storage key.');
  return found;
}

type Asking = Doors & Pick<Context, 'principal' | 'requestor'>;

/** By a person. Answers how many recipients. Throws `not_found`, and `conflict` when it was decided before. */
export async function decideByHand(ctx: Asking, key: string, state: 'released' | 'dropped'): Promise<number> {
  const { principal } = ctx;
  const { messageId } = await getGated(ctx, key);
  const by = callerName(ctx);
  const because = 'It was held by the gate, and dropped.';
  const count = await decideOn(ctx, principal.accountId, { messageId, state, by, because });
  if (count !== undefined) return count;
  const { state: before, decidedBy } = await getGated(ctx, key);
  const who = decidedBy === null ? '' : ` by ${decidedBy}`;
  throw new AppError('conflict', `This message ${WORDS[before]}${who}.`);
}

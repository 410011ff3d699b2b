// Whether a message may go to a mailbox: mail to strangers is what a made-up address and password would get otherwise.
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { tryMailbox } from './mailboxes.ts';
import { findMailbox } from './mailboxes-store.ts';
import { countSent, type SeedDelivery } from './store.ts';

/** Until a message was found in the mailbox, a login alone proves it: with a server of one's own, that says little. */
const UNSEEN_PER_DAY = 10;
const AGAIN_SECONDS = 15;

type MaySend = { may: true } | { may: false; reason: string; /** Null: never. */ againSeconds: number | null };

const never = (reason: string): MaySend => ({
  may: false,
  reason: `Nothing was sent to this mailbox: ${reason}`,
  againSeconds: null,
});

/** Logs in first where no login has worked yet. */
export async function maySendTo(
  outside: Pick<Outside, 'config' | 'db' | 'dns' | 'secrets' | 'clock'>,
  { accountId, seedId, email }: SeedDelivery,
  signal: AbortSignal,
): Promise<MaySend> {
  const box = await findMailbox(outside.db, accountId, seedId);
  if (!box) return never('it was removed.');
  if (!(await isAccountOpen(outside, accountId))) return never('the account was disabled.');
  // A list keeps addresses; that of the mailbox may have changed since.
  if (box.email.toLowerCase() !== email)
    return never(`its address is ${box.email} now; draw the seeds of the list anew.`);
  if (box.loggedInAt === null) {
    const outcome = await tryMailbox(outside, box, signal);
    if (!outcome.ok)
      return {
        ...never(`logging in to it does not work: ${outcome.message}`),
        againSeconds: outcome.isTemporary ? AGAIN_SECONDS : null,
      } as MaySend;
  }
  const since = daysAfter(outside.clock.now(), -1);
  if (box.receivedAt === null && (await countSent(outside.db, box, since)) >= UNSEEN_PER_DAY)
    return never(
      `none of the ${UNSEEN_PER_DAY} messages of the last 24 hours was found in it yet, so that its ` +
        "address may be somebody else's.",
    );
  return { may: true };
}

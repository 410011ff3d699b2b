// Wrong passwords and codes for one user: whoever guesses waits, and whoever comes from where the user signed in before
// does not wait for them. Each process counts for itself. What is not a user is counted alike.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { networkOf } from '../../../platform/fetch/index.ts';
import { Buckets } from '../../../platform/recent/index.ts';
import type { User } from './store.ts';

/** 480 a day: of codes with six digits, three of which are good at a time, some 0.15 percent. */
const WRONG_MAX = 10;
const WRONG_MS = 1_800_000;

const buckets = new WeakMap<object, Buckets>();

function bucketsOf({ db, clock }: Pick<Context, 'db' | 'clock'>): Buckets {
  const found = buckets.get(db) ?? new Buckets(WRONG_MAX, () => clock.now().getTime(), WRONG_MS);
  buckets.set(db, found);
  return found;
}

interface Try {
  /** It was right: it does not count. */
  wasRight(): void;
}

/** Counts a try as wrong until it proves right. Throws `too_many_requests`. */
export function beginTry(
  ctx: Pick<Context, 'db' | 'clock' | 'address'>,
  email: string,
  user: Pick<User, 'networks'> | undefined,
): Try {
  const wrong = bucketsOf(ctx);
  const network = networkOf(ctx.address);
  const caller = user?.networks.includes(network) ? `${email} ${network}` : email;
  const seconds = wrong.waitSeconds(caller);
  if (seconds > 0)
    throw new AppError(
      'too_many_requests',
      `Too many wrong passwords or codes were tried for this user. Try again in ${Math.ceil(seconds / 60)} minutes, ` +
        'or sign in in another way.',
      { headers: { 'retry-after': String(seconds) } },
    );
  wrong.spend(caller);
  return { wasRight: () => wrong.giveBack(caller) };
}

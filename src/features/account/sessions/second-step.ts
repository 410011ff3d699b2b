// The second step of signing in by password: a code.
import { AppError } from '../../../platform/errors/index.ts';
import { admitFrom } from '../ip-allowlist/index.ts';
import { useCode } from '../second-factors/index.ts';
import { beginTry } from '../users/index.ts';
import { getHalfSession, isOver } from './half-sessions.ts';
import { useHalfSession } from './half-store.ts';
import { letIn, noteFailure, type SignInDoors } from './sign-in.ts';
import type { BegunSession } from './tokens.ts';

/**
 * Throws `unauthorized` for a wrong or used code, `expired`, `too_many_requests`, or `forbidden` for an address that the
 * account does not let in. A wrong code leaves the challenge good for another.
 */
export async function signInByCode(
  ctx: SignInDoors,
  { challenge, code, oldToken }: { challenge: string; code: string; oldToken: string },
): Promise<BegunSession> {
  const { digest, user } = await getHalfSession(ctx, challenge);
  await admitFrom(ctx, { ownAccountId: user.accountId, address: ctx.address });
  const attempt = beginTry(ctx, user.email, user);
  const proof = await ctx.db.tx(async (tx) => {
    const used = await useCode(ctx, tx, { owner: user, given: code });
    if (used && !(await useHalfSession(tx, digest))) throw isOver();
    return used;
  });
  if (!proof) {
    await noteFailure(ctx, user, { by: 'password', reason: 'wrong code' });
    throw new AppError('unauthorized', 'The code is wrong, or was used before.');
  }
  attempt.wasRight();
  return letIn(ctx, user, { by: 'password', and: proof, oldToken });
}

// The user who makes the request.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { findUserById, type User } from './store.ts';

/** Whose session or key it is. Throws `forbidden` for keys that are nobody's. */
export async function getSelf({ db, principal }: Pick<Context, 'db' | 'principal'>): Promise<User & { email: string }> {
  const user = principal.userId === undefined ? undefined : await findUserById(db, principal.userId);
  if (!user?.email) throw new AppError('forbidden', 'Incompatible key for this endpoint');
  return { ...user, email: user.email };
}

/** Whose session it is: keys do not change how their users sign in. Throws `forbidden`. */
export async function getSignedIn(ctx: Pick<Context, 'db' | 'principal'>): Promise<User & { email: string }> {
  if (ctx.principal.sessionId === undefined || ctx.principal.keyId !== null)
    throw new AppError('forbidden', 'Only a user who signed in can change this; a key cannot.');
  return getSelf(ctx);
}

// Half a session: the password was right, a code is missing. It is good for giving that code, within minutes.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { recallUser, type User } from '../users/index.ts';
import * as store from './half-store.ts';
import { digestOf } from './tokens.ts';

const LIFE_MS = 300_000;
const PER_USER = 5;
const TOKEN_BYTES = 32;

/** Answers its token. One more than five ends the oldest. */
export async function startHalfSession(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: userId, accountId }: Pick<User, 'id' | 'accountId'>,
): Promise<string> {
  const token = randomText(TOKEN_BYTES);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFE_MS);
  const half = { digest: digestOf(token), userId, accountId, createdAt, expiresAt };
  await db.tx((tx) => store.insertHalfSession(tx, half, PER_USER));
  return token;
}

/** Who gave the password. Throws `expired`. */
export async function getHalfSession(
  ctx: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<{ digest: Buffer; user: User & { email: string } }> {
  const digest = digestOf(token);
  const half = await store.findHalfSession(ctx.db, digest);
  const user = half && (await recallUser(ctx, half.userId));
  if (!half || half.expiresAt <= ctx.clock.now() || !user?.email || user.disabledAt) throw isOver();
  return { digest, user: { ...user, email: user.email } };
}

/** The session may be begun once. */
export const isOver = (): AppError =>
  new AppError('expired', 'The time for the code is over. Sign in with your password again.');

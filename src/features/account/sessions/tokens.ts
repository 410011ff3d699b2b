// A session is begun with a token, which the browser keeps in a cookie, and ended with it.
import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Principal } from '../../../platform/http/index.ts';
import { newId, randomText } from '../../../platform/ids/index.ts';
import { changeAccess } from '../accounts/index.ts';
import type { User } from '../users/index.ts';
import * as store from './store.ts';
import type { Owner, Session } from './store.ts';

export const SESSION_SECONDS = 12 * 3600;
/** Signing in once more ends the oldest. */
const SESSIONS_PER_OWNER = 100;
const TOKEN_BYTES = 32;
const USER_AGENT_LENGTH = 300;

/** A token has 256 random bits: there is nothing to guess, and a fast hash is enough. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type StartDoors = Pick<Context, 'db' | 'clock' | 'address' | 'headers'>;

/** The token is returned here and never again. */
async function begin(ctx: StartDoors, { accountId, owner }: { accountId: string; owner: Owner }): Promise<string> {
  const now = ctx.clock.now();
  const token = randomText(TOKEN_BYTES);
  const session: Session = {
    id: newId(),
    keyId: null,
    userId: null,
    ...owner,
    accountId,
    address: ctx.address,
    userAgent: String(ctx.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
  };
  const digest = digestOf(token);
  await ctx.db.tx((tx) => store.insertSession(tx, { session, digest, owner, perOwnerMax: SESSIONS_PER_OWNER }));
  return token;
}

/** Begins a session of a key. */
export async function startSession(ctx: StartDoors, principal: Principal & { keyId: string }): Promise<string> {
  const { role, keyId, accountId, domainName } = principal;
  if (role === 'basic' || role === 'sending')
    throw new AppError('forbidden', `A key with the role ${role} cannot sign in to the dashboard.`);
  if (domainName !== null) throw new AppError('forbidden', 'A key for one domain cannot sign in to the dashboard.');
  return begin(ctx, { accountId, owner: { keyId } });
}

/** Begins a session of a user who has proven to be one. */
export function startUserSession(ctx: StartDoors, { id, accountId }: Pick<User, 'id' | 'accountId'>): Promise<string> {
  return begin(ctx, { accountId, owner: { userId: id } });
}

/** Signs out: the cookie is worth nothing from now on. */
export async function endSession(outside: Pick<Outside, 'db'>, token: string): Promise<void> {
  await changeAccess(outside, (tx) => store.deleteSessionByDigest(tx, digestOf(token)));
}

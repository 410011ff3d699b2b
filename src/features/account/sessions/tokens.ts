// A session is begun with a token, which the browser keeps in a cookie, and ended with it.
import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Principal } from '../../../platform/http/index.ts';
import { newId, randomText } from '../../../platform/ids/index.ts';
import { changeAccess, recallAccount, SESSION_SECONDS } from '../accounts/index.ts';
import type { User } from '../users/index.ts';
import * as store from './store.ts';
import type { Owner, Session } from './store.ts';

/** Signing in once more ends the oldest. */
const SESSIONS_PER_OWNER = 100;
const TOKEN_BYTES = 32;
const USER_AGENT_LENGTH = 300;

/** A token has 256 random bits: there is nothing to guess, and a fast hash is enough. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type StartDoors = Pick<Context, 'db' | 'clock' | 'address' | 'headers'>;

/** A session that began. The token is told here and never again. */
export interface BegunSession {
  token: string;
  /** How long it lasts at most, by the time-out of its account. */
  seconds: number;
}

async function begin(
  ctx: StartDoors,
  { accountId, owner }: { accountId: string; owner: Owner },
): Promise<BegunSession> {
  const now = ctx.clock.now();
  const seconds = (await recallAccount(ctx, accountId))?.absoluteSessionSeconds ?? SESSION_SECONDS;
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
    expiresAt: new Date(now.getTime() + seconds * 1000),
  };
  const digest = digestOf(token);
  await ctx.db.tx((tx) => store.insertSession(tx, { session, digest, owner, perOwnerMax: SESSIONS_PER_OWNER }));
  return { token, seconds };
}

/** Begins a session of a key. */
export async function startSession(ctx: StartDoors, principal: Principal & { keyId: string }): Promise<BegunSession> {
  const { role, keyId, accountId, domainName } = principal;
  if (role === 'basic' || role === 'sending')
    throw new AppError('forbidden', `A key with the role ${role} cannot sign in to the dashboard.`);
  if (domainName !== null) throw new AppError('forbidden', 'A key for one domain cannot sign in to the dashboard.');
  return begin(ctx, { accountId, owner: { keyId } });
}

/** Begins a session of a user who has proven to be one. */
export function startUserSession(
  ctx: StartDoors,
  { id, accountId }: Pick<User, 'id' | 'accountId'>,
): Promise<BegunSession> {
  return begin(ctx, { accountId, owner: { userId: id } });
}

/** Signs out: the cookie is worth nothing from now on. Answers where its account wants people to go. */
export async function endSession(outside: Pick<Outside, 'db'>, token: string): Promise<string | undefined> {
  const digest = digestOf(token);
  const session = await store.findSessionByDigest(outside.db, digest);
  const account = session && (await recallAccount(outside, session.accountId));
  await changeAccess(outside, (tx) => store.deleteSessionByDigest(tx, digest));
  return account?.logoutRedirectUrl ?? undefined;
}

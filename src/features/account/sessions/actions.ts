import { createHash } from 'node:crypto';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Principal } from '../../../platform/http/index.ts';
import { newId, randomText } from '../../../platform/ids/index.ts';
import { changeAccess, recallAccess, recallAccount } from '../accounts/index.ts';
import { authenticateKeyId, listKeys, type ApiKey } from '../keys/index.ts';
import * as store from './store.ts';
import type { Session } from './store.ts';

export const SESSION_SECONDS = 12 * 3600;
/** Signing in once more ends the oldest. */
const SESSIONS_PER_KEY = 100;
const TOKEN_BYTES = 32;
const USER_AGENT_LENGTH = 300;
/** `last_used_at` is written at most this often. */
const TOUCH_MS = 60_000;

/** A token has 256 random bits: there is nothing to guess, and a fast hash is enough. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Begins a session of a key; the token is returned here and never again. */
export async function startSession(
  ctx: Pick<Context, 'db' | 'clock' | 'address' | 'headers'>,
  principal: Principal,
): Promise<string> {
  if (principal.role === 'basic' || principal.role === 'sending')
    throw new AppError('forbidden', `A key with the role ${principal.role} cannot sign in to the dashboard.`);
  if (principal.domainName !== null)
    throw new AppError('forbidden', 'A key for one domain cannot sign in to the dashboard.');
  const now = ctx.clock.now();
  const token = randomText(TOKEN_BYTES);
  const userAgent = String(ctx.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH);
  const session: Session = {
    id: newId(),
    keyId: principal.keyId,
    accountId: principal.accountId,
    address: ctx.address,
    userAgent,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
  };
  await ctx.db.tx((tx) => store.insertSession(tx, { session, digest: digestOf(token), perKeyMax: SESSIONS_PER_KEY }));
  return token;
}

async function touch({ db, log }: Pick<Outside, 'db' | 'log'>, session: Session, now: Date): Promise<void> {
  if (now.getTime() - session.lastUsedAt.getTime() <= TOUCH_MS) return;
  session.lastUsedAt = now;
  await store
    .touchSession(db, session, now)
    .catch((error: unknown) =>
      log.warn({ err: error, session: session.id }, 'the last use of a session was not noted'),
    );
}

/** Finds the session of a token. Throws `unauthorized`; a revoked key or a disabled account ends its sessions too. */
export async function authenticateSession(
  outside: Pick<Outside, 'config' | 'db' | 'clock' | 'log'>,
  token: string,
  accountId?: string,
): Promise<Principal> {
  const digest = digestOf(token);
  const session = await recallAccess(outside, `session ${digest.toString('base64')}`, () =>
    store.findSessionByDigest(outside.db, digest),
  );
  const now = outside.clock.now();
  const account = session && (await recallAccount(outside, session.accountId));
  const isLive = session && account && session.expiresAt > now && !isBefore(session, account.disabledAt);
  if (!isLive) throw new AppError('unauthorized', 'The session has ended; sign in again.');
  const principal = await authenticateKeyId(outside, session.keyId, accountId);
  await touch(outside, session, now);
  return { ...principal, sessionId: session.id };
}

function isBefore({ createdAt }: Session, disabledAt: Date | null): boolean {
  return disabledAt !== null && createdAt <= disabledAt;
}

/** Signs out: the cookie is worth nothing from now on. */
export async function endSession(outside: Pick<Outside, 'db'>, token: string): Promise<void> {
  await changeAccess(outside, (tx) => store.deleteSessionByDigest(tx, digestOf(token)));
}

/** Admins manage all sessions of the account, other roles the sessions of their own key. */
const ownKeyOf = ({ role, keyId }: Principal): string | undefined => (role === 'admin' ? undefined : keyId);

/** Lists the sessions, newest first, each with its key. */
export async function listLiveSessions(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
): Promise<{ session: Session; key: ApiKey }[]> {
  const now = ctx.clock.now();
  const { accountId } = ctx.principal;
  const account = await recallAccount(ctx, accountId);
  const keys = new Map(
    (await listKeys(ctx.db, accountId))
      .filter((key) => !key.expiresAt || key.expiresAt > now)
      .map((key) => [key.id, key]),
  );
  const sessions = await store.listSessions(ctx.db, accountId, { keyId: ownKeyOf(ctx.principal), now });
  return sessions.flatMap((session) => {
    const key = keys.get(session.keyId);
    return key && account && !isBefore(session, account.disabledAt) ? [{ session, key }] : [];
  });
}

/** Ends a session at once. Throws `not_found`. */
export async function revokeSession(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<void> {
  const { accountId } = ctx.principal;
  const isThere = await changeAccess(ctx, (tx) =>
    store.deleteSession(tx, { id, accountId, keyId: ownKeyOf(ctx.principal) }),
  );
  if (!isThere) throw notFound('session', id);
}

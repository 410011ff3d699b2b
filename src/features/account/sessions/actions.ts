import { AppError, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Principal, Role } from '../../../platform/http/index.ts';
import { changeAccess, recallAccess, recallAccount, type Account } from '../accounts/index.ts';
import { accountFor, authenticateKeyId, listKeys, type ApiKey } from '../keys/index.ts';
import { recallUser, type User } from '../users/index.ts';
import * as store from './store.ts';
import type { Owner, Session } from './store.ts';
import { digestOf } from './tokens.ts';

/** `last_used_at` is written at most this often. */
const TOUCH_MS = 60_000;
/** The last use of a session may be known here as late as this. */
const USE_KNOWN_MS = TOUCH_MS + 15_000;

async function touch({ db, log }: Pick<Outside, 'db' | 'log'>, session: Session, now: Date): Promise<void> {
  if (now.getTime() - session.lastUsedAt.getTime() <= TOUCH_MS) return;
  session.lastUsedAt = now;
  await store
    .touchSession(db, session, now)
    .catch((error: unknown) =>
      log.warn({ err: error, session: session.id }, 'the last use of a session was not noted'),
    );
}

/** What a user of the role may do, by the roles that endpoints know. */
export function roleOf({ role }: Pick<User, 'role'>): Role {
  return role === 'billing' ? 'basic' : role;
}

type AuthenticationDoors = Pick<Outside, 'config' | 'db' | 'clock' | 'log'>;

/** Throws `unauthorized` for a user who is gone or disabled, `forbidden` for a foreign account. */
async function principalOfUser(
  outside: AuthenticationDoors,
  userId: string,
  accountId: string | undefined,
): Promise<Principal> {
  const user = await recallUser(outside, userId);
  if (!user || user.disabledAt) throw hasEnded();
  return {
    keyId: null,
    userId,
    role: roleOf(user),
    domainName: null,
    ownAccountId: user.accountId,
    accountId: await accountFor(outside, user, accountId),
  };
}

const hasEnded = (): AppError => new AppError('unauthorized', 'The session has ended; sign in again.');

/**
 * Finds the session of a token. Throws `unauthorized`; a revoked key, a disabled user or account ends its sessions too.
 */
export async function authenticateSession(
  outside: AuthenticationDoors,
  token: string,
  accountId?: string,
): Promise<Principal> {
  const digest = digestOf(token);
  const session = await recallAccess(outside, `session ${digest.toString('base64')}`, () =>
    store.findSessionByDigest(outside.db, digest),
  );
  const now = outside.clock.now();
  const account = session && (await recallAccount(outside, session.accountId));
  if (!session || !account || !isLive(session, account, now)) throw hasEnded();
  const { keyId, userId } = session;
  const principal =
    keyId === null
      ? await principalOfUser(outside, userId as string, accountId)
      : await authenticateKeyId(outside, keyId, accountId);
  await touch(outside, session, now);
  return { ...principal, sessionId: session.id };
}

/** It has not run out, by the time-outs that its account has now, and none of its account was disabled meanwhile. */
function isLive(
  { createdAt, lastUsedAt, expiresAt }: Session,
  { disabledAt, inactiveSessionSeconds, absoluteSessionSeconds }: Account,
  now: Date,
): boolean {
  if (expiresAt <= now || (disabledAt !== null && createdAt <= disabledAt)) return false;
  const ageMs = now.getTime() - createdAt.getTime();
  if (absoluteSessionSeconds !== null && ageMs >= absoluteSessionSeconds * 1000) return false;
  const idleMs = now.getTime() - lastUsedAt.getTime();
  return inactiveSessionSeconds === null || idleMs < inactiveSessionSeconds * 1000 + USE_KNOWN_MS;
}

/** Admins manage all sessions of the account, other roles their own: those of their key, or of the user. */
function ownerOf({ role, keyId, userId }: Principal): Owner | undefined {
  if (role === 'admin') return undefined;
  return keyId === null ? { userId: userId as string } : { keyId };
}

interface LiveSession {
  session: Session;
  key?: ApiKey;
  user?: User;
}

/** Lists the sessions, newest first, each with its key or its user. */
export async function listLiveSessions(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  isOwnOnly: boolean,
): Promise<LiveSession[]> {
  const now = ctx.clock.now();
  const { accountId, keyId, userId } = ctx.principal;
  const account = await recallAccount(ctx, accountId);
  const keys = new Map(
    (await listKeys(ctx.db, accountId))
      .filter((key) => !key.expiresAt || key.expiresAt > now)
      .map((key) => [key.id, key]),
  );
  const self: Owner = keyId === null ? { userId: userId as string } : { keyId };
  const owner = isOwnOnly ? self : ownerOf(ctx.principal);
  const sessions = await store.listSessions(ctx.db, accountId, { owner, now });
  const live: LiveSession[] = [];
  for (const session of sessions) {
    if (!account || !isLive(session, account, now)) continue;
    const key = session.keyId === null ? undefined : keys.get(session.keyId);
    const user = session.userId === null ? undefined : await recallUser(ctx, session.userId);
    if (key) live.push({ session, key });
    else if (user && !user.disabledAt) live.push({ session, user });
  }
  return live;
}

/** Ends a session at once. Throws `not_found`. */
export async function revokeSession(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<void> {
  const { accountId } = ctx.principal;
  const owner = ownerOf(ctx.principal);
  const isThere = await changeAccess(ctx, (tx) => store.deleteSession(tx, { id, accountId, owner }));
  if (!isThere) throw notFound('session', id);
}

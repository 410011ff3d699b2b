// Users' own passwords: changed with the one before, or chosen by a link from an email.
import { AppError } from '../../../platform/errors/index.ts';
import { SERVICE, type Context } from '../../../platform/feature/index.ts';
import { networkOf } from '../../../platform/fetch/index.ts';
import { Buckets } from '../../../platform/recent/index.ts';
import { hashPersonsPassword, matchesPersonsPassword } from '../../../platform/secrets/index.ts';
import { changeAccess } from '../accounts/index.ts';
import { userJoined, userPasswordReset } from './facts.ts';
import { sendReset } from './send-links.ts';
import { digestOf, getLink, noLink } from './links.ts';
import { endSessionsOfUser } from './ports.ts';
import * as store from './store.ts';
import type { User } from './store.ts';
import { beginTry } from './throttle.ts';
import { toldOf } from './told.ts';
import { checkPassword, readEmail } from './words.ts';

const HOUR_MS = 3_600_000;
/** Emails an hour with links for a new password: to one address, and for one who asks. */
const RESETS_PER_EMAIL = 3;
const RESETS_PER_NETWORK = 20;

interface ResetLimits {
  emails: Buckets;
  networks: Buckets;
}

const limits = new WeakMap<object, ResetLimits>();

function limitsOf({ db, clock }: Pick<Context, 'db' | 'clock'>): ResetLimits {
  const now = (): number => clock.now().getTime();
  const found = limits.get(db) ?? {
    emails: new Buckets(RESETS_PER_EMAIL, now, HOUR_MS),
    networks: new Buckets(RESETS_PER_NETWORK, now, HOUR_MS),
  };
  limits.set(db, found);
  return found;
}

/** Whether links can be sent: their address must not come from the request of somebody who proved nothing. */
export const canReset = ({ config }: Pick<Context, 'config'>): boolean => config.publicUrl !== '';

/** Sends a link, if there is such a user; the answer is the same if there is none. Throws `too_many_requests`. */
export async function requestReset(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'address'>,
  given: string,
): Promise<void> {
  if (!canReset(ctx))
    throw new AppError('conflict', 'Galley sends no links for new passwords while GALLEY_PUBLIC_URL is not set.');
  const email = readEmail(given);
  const { emails, networks } = limitsOf(ctx);
  const network = networkOf(ctx.address);
  const seconds = Math.max(emails.waitSeconds(email), networks.waitSeconds(network));
  if (seconds > 0)
    throw new AppError('too_many_requests', `Too many links were asked for. Try again in ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    });
  emails.spend(email);
  networks.spend(network);
  await ctx.db.tx((tx) => ctx.jobs.enqueue(tx, sendReset, { payloads: [{ email }], account: SERVICE }));
  ctx.jobs.wake();
}

type UseDoors = Pick<Context, 'db' | 'clock' | 'ports' | 'facts' | 'address' | 'headers'>;

/** Sets the password of whoever has the link, which is used with it. Ends every session. Throws `expired`. */
export async function usePasswordLink(
  ctx: UseDoors,
  { token, password, name }: { token: string; password: string; name?: string | undefined },
): Promise<User & { email: string }> {
  const { link, user } = await getLink(ctx, token);
  checkPassword(password, { email: user.email, name: name ?? user.name });
  const passwordHash = await hashPersonsPassword(password);
  const at = ctx.clock.now();
  const isInvitation = link.kind === 'invitation';
  await changeAccess(ctx, async (tx) => {
    if (!(await store.useLink(tx, digestOf(token)))) throw noLink();
    await store.deleteLinks(tx, { userId: user.id, accountId: user.accountId });
    await ctx.ports.get(endSessionsOfUser)(tx, user);
    await store.saveUser(tx, user, {
      passwordHash,
      passwordUpdatedAt: at,
      updatedAt: at,
      ...(isInvitation && { activatedAt: at, openedIp: ctx.address, ...(name?.trim() && { name: name.trim() }) }),
    });
    await ctx.facts.tell(tx, isInvitation ? userJoined : userPasswordReset, toldOf(ctx, user, { by: 'link', at }));
  });
  return user;
}

/** That it is really the user who changes how to sign in. Throws `invalid_request` or `too_many_requests`. */
export async function provePassword(
  ctx: Pick<Context, 'db' | 'clock' | 'address'>,
  user: User & { email: string },
  current: string,
): Promise<void> {
  const attempt = beginTry(ctx, user.email, user);
  if (!(await matchesPersonsPassword(current, user.passwordHash)))
    throw new AppError('invalid_request', 'current_password is not your password.', {
      details: { field: 'current_password' },
    });
  attempt.wasRight();
}

/** Changes a password; every other session of the user ends. Who signs in otherwise only may have none yet. */
export async function changePassword(
  ctx: Pick<Context, 'db' | 'clock' | 'ports' | 'principal' | 'address'>,
  user: User & { email: string },
  { current, password }: { current: string; password: string },
): Promise<void> {
  checkPassword(password, user);
  if (user.passwordHash !== null) await provePassword(ctx, user, current);
  const passwordHash = await hashPersonsPassword(password);
  const at = ctx.clock.now();
  const { sessionId } = ctx.principal;
  await changeAccess(ctx, async (tx) => {
    await store.deleteLinks(tx, { userId: user.id, accountId: user.accountId });
    await ctx.ports.get(endSessionsOfUser)(tx, {
      ...user,
      ...(sessionId !== undefined && { exceptSessionId: sessionId }),
    });
    await store.saveUser(tx, user, { passwordHash, passwordUpdatedAt: at, updatedAt: at });
  });
}

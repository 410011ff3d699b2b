// Users who sign in by password. Whether the address is unknown, the password wrong or the user disabled: the answer
// is one, and takes as long.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { networkOf } from '../../../platform/fetch/index.ts';
import { matchesPersonsPassword } from '../../../platform/secrets/index.ts';
import { changeAccess } from '../accounts/index.ts';
import {
  beginTry,
  findUserByEmail,
  hasIdentity,
  normalEmail,
  saveUser,
  toldOf,
  userSignedIn,
  userSignInFailed,
  type User,
} from '../users/index.ts';
import { endSession, startUserSession, type BegunSession } from './tokens.ts';
import { startHalfSession } from './half-sessions.ts';
import { admitFrom } from '../ip-allowlist/index.ts';

export type SignInDoors = Pick<
  Context,
  'config' | 'db' | 'clock' | 'facts' | 'log' | 'secrets' | 'address' | 'headers'
>;
type SignInWay = 'password' | 'passkey' | 'sso';

/** How many networks are remembered of a user. */
const NETWORKS_MAX = 5;

/** Tells that somebody did not prove to be this user. */
export async function noteFailure(
  ctx: SignInDoors,
  user: User,
  { by, reason }: { by: SignInWay; reason: string },
): Promise<void> {
  const told = toldOf(ctx, user, { by, reason, at: ctx.clock.now() });
  await ctx.db.tx((tx) => ctx.facts.tell(tx, userSignInFailed, told));
}

/** A session of a user who has proven to be one, in place of the one that the browser had. Answers its token. */
export async function letIn(
  ctx: SignInDoors,
  user: User,
  { by, and, oldToken }: { by: SignInWay; and?: string; oldToken: string },
): Promise<BegunSession> {
  const at = ctx.clock.now();
  const network = networkOf(ctx.address);
  await changeAccess(ctx, async (tx) => {
    await saveUser(tx, user, {
      lastSignInAt: at,
      lastSignInBy: by,
      ...(user.lastSignInBy !== null && user.lastSignInBy !== by && { priorSignInBy: user.lastSignInBy }),
      ...(user.activatedAt === null && { activatedAt: at, openedIp: ctx.address }),
      networks: [network, ...user.networks.filter((known) => known !== network)].slice(0, NETWORKS_MAX),
    });
    await ctx.facts.tell(tx, userSignedIn, toldOf(ctx, user, { by, and, at }));
  });
  if (oldToken) await endSession(ctx, oldToken);
  return startUserSession(ctx, user);
}

const isWrong = (): AppError => new AppError('unauthorized', 'The email address or the password is wrong.');

/** Why this user signs in by the provider of single sign-on alone; undefined for whoever does not have to. */
export async function refusalOfProvider(
  { config: { oidc }, db }: Pick<Context, 'config' | 'db'>,
  user: User,
): Promise<string | undefined> {
  if (!oidc || oidc.passwords || !(await hasIdentity(db, user, oidc.issuer))) return undefined;
  return `You sign in with ${oidc.name}; passwords and passkeys are off for its users.`;
}

/** Throws `forbidden` for users of the provider of single sign-on, where other ways are off for them. */
export async function refuseWhereSsoIsAsked(
  ctx: SignInDoors,
  user: User,
  by: Extract<SignInWay, 'password' | 'passkey'>,
): Promise<void> {
  const refusal = await refusalOfProvider(ctx, user);
  if (refusal === undefined) return;
  await noteFailure(ctx, user, { by, reason: `${by}s are off for users of single sign-on` });
  throw new AppError('forbidden', refusal);
}

/**
 * A session; or, where the user has a second factor, half of one. Throws `unauthorized`, `too_many_requests`, or
 * `forbidden` for an address that the account does not let in.
 */
export async function signInByPassword(
  ctx: SignInDoors,
  { email: given, password, oldToken }: { email: string; password: string; oldToken: string },
): Promise<BegunSession | { challenge: string }> {
  const email = normalEmail(given);
  const user = await findUserByEmail(ctx.db, email);
  const attempt = beginTry(ctx, email, user);
  const isRight = await matchesPersonsPassword(password, user?.passwordHash ?? null);
  if (!user || !isRight || user.disabledAt) {
    if (user) await noteFailure(ctx, user, { by: 'password', reason: user.disabledAt ? 'disabled' : 'wrong password' });
    throw isWrong();
  }
  attempt.wasRight();
  await refuseWhereSsoIsAsked(ctx, user, 'password');
  await admitFrom(ctx, { ownAccountId: user.accountId, address: ctx.address });
  if (user.tfaCreatedAt) return { challenge: await startHalfSession(ctx, user) };
  return letIn(ctx, user, { by: 'password', oldToken });
}

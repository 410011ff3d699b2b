import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { HttpReply, type Principal } from '../../../platform/http/index.ts';
import { findAccount, isOperator } from '../accounts/index.ts';
import { signingIn } from '../audit-log/index.ts';
import { admitFrom } from '../ip-allowlist/index.ts';
import { authenticateSecret } from '../keys/index.ts';
import { canReset, recallUser, type User } from '../users/index.ts';
import { listLiveSessions, revokeSession, roleOf } from './actions.ts';
import * as contracts from './contract.ts';
import { cookie, tokenIn } from './cookies.ts';
import { placeOf } from './place.ts';
import { endSession, startSession } from './tokens.ts';
import { signInByCode } from './second-step.ts';
import { signInByPassword } from './sign-in.ts';

const personOf = ({ id, name, email }: User) => ({ id, name, email: email ?? '' });

async function view({ db }: Pick<Outside, 'db'>, principal: Principal) {
  const account = await findAccount(db, principal.accountId);
  if (!account) throw new Error(`The account ${principal.accountId} of a key is missing.`);
  const { keyId, userId } = principal;
  const user = userId === undefined ? undefined : await recallUser({ db }, userId);
  return {
    account: { id: account.id, name: account.name, region: account.region },
    role: principal.role,
    is_operator: await isOperator({ db }, principal),
    ...(keyId !== null && { key_id: keyId }),
    ...(user && { user: personOf(user) }),
  };
}

function viewOfPlace({ baseUrl }: { baseUrl: string }) {
  const place = placeOf(baseUrl);
  return place ? { origin: place.origin } : null;
}

export const endpoints = [
  endpoint(contracts.createSession, async (ctx, { body }) => {
    const principal = await authenticateSecret(ctx, body.key.trim());
    const { token, seconds } = await signingIn(ctx, principal, async () => {
      await admitFrom(ctx, { ownAccountId: principal.ownAccountId, address: ctx.address });
      return startSession(ctx, principal);
    });
    const oldToken = tokenIn(ctx.headers);
    if (oldToken) await endSession(ctx, oldToken);
    return new HttpReply(await view(ctx, principal), cookie(token, ctx, seconds));
  }),
  endpoint(contracts.signInByPassword, async (ctx, { body: { email, password } }) => {
    const begun = await signInByPassword(ctx, { email, password, oldToken: tokenIn(ctx.headers) });
    if ('challenge' in begun) return { signed_in: false, challenge: begun.challenge };
    return new HttpReply({ signed_in: true }, cookie(begun.token, ctx, begun.seconds));
  }),
  endpoint(contracts.signInByCode, async (ctx, { body: { challenge, code } }) => {
    const { token, seconds } = await signInByCode(ctx, { challenge, code, oldToken: tokenIn(ctx.headers) });
    return new HttpReply({ signed_in: true }, cookie(token, ctx, seconds));
  }),
  endpoint(contracts.listSignInWays, async (ctx) => ({
    password_reset: canReset(ctx),
    sso: ctx.config.oidc ? { name: ctx.config.oidc.name } : null,
    passkeys: viewOfPlace(ctx),
  })),
  endpoint(contracts.getSession, (ctx) => view(ctx, ctx.principal)),
  endpoint(contracts.deleteSession, async (ctx) => {
    const token = tokenIn(ctx.headers);
    const url = token ? await endSession(ctx, token) : undefined;
    const reply = { message: 'signed out', ...(url !== undefined && { logout_redirect_url: url }) };
    return new HttpReply(reply, cookie('', ctx, 0));
  }),
  endpoint(contracts.listSessions, async (ctx, { query }) => {
    const items = (await listLiveSessions(ctx, query.own as boolean)).map(({ session, key, user }) => ({
      id: session.id,
      ...(key && { key_id: key.id, key_description: key.description }),
      ...(user && { user: personOf(user) }),
      role: key?.role ?? roleOf(user as User),
      address: session.address,
      user_agent: session.userAgent,
      is_current: session.id === ctx.principal.sessionId,
      created_at: session.createdAt.toISOString(),
      last_used_at: session.lastUsedAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    }));
    return { items, total: items.length };
  }),
  endpoint(contracts.revokeSession, async (ctx, { params }) => {
    await revokeSession(ctx, params.session_id);
    return { message: 'The session was ended.' };
  }),
];

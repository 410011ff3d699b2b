import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { HttpReply, SESSION_COOKIE, type Principal } from '../../../platform/http/index.ts';
import { findAccount } from '../accounts/index.ts';
import { signingIn } from '../audit-log/index.ts';
import { admitFrom } from '../ip-allowlist/index.ts';
import { authenticateSecret } from '../keys/index.ts';
import { endSession, listLiveSessions, revokeSession, SESSION_SECONDS, startSession } from './actions.ts';
import * as contracts from './contract.ts';

async function view({ db }: Pick<Outside, 'db'>, principal: Principal) {
  const account = await findAccount(db, principal.accountId);
  if (!account) throw new Error(`The account ${principal.accountId} of a key is missing.`);
  return {
    account: { id: account.id, name: account.name, region: account.region },
    role: principal.role,
    key_id: principal.keyId,
  };
}

function cookie(token: string, ctx: { baseUrl: string }, seconds: number): Record<string, string> {
  const secure = ctx.baseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'set-cookie': `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}` };
}

/** The token that the browser holds; empty when it holds none. */
function tokenIn(headers: Record<string, string | string[] | undefined>): string {
  const cookies = [headers['cookie'] ?? '']
    .flat()
    .join(';')
    .split(';')
    .map((pair) => pair.trim());
  return cookies.find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))?.slice(SESSION_COOKIE.length + 1) ?? '';
}

export const endpoints = [
  endpoint(contracts.createSession, async (ctx, { body }) => {
    const principal = await authenticateSecret(ctx, body.key.trim());
    const token = await signingIn(ctx, principal, async () => {
      await admitFrom(ctx, { ownAccountId: principal.ownAccountId, address: ctx.address });
      return startSession(ctx, principal);
    });
    return new HttpReply(await view(ctx, principal), cookie(token, ctx, SESSION_SECONDS));
  }),
  endpoint(contracts.getSession, (ctx) => view(ctx, ctx.principal)),
  endpoint(contracts.deleteSession, async (ctx) => {
    const token = tokenIn(ctx.headers);
    if (token) await endSession(ctx, token);
    return new HttpReply({ message: 'signed out' }, cookie('', ctx, 0));
  }),
  endpoint(contracts.listSessions, async (ctx) => {
    const items = (await listLiveSessions(ctx)).map(({ session, key }) => ({
      id: session.id,
      key_id: key.id,
      key_description: key.description,
      role: key.role,
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

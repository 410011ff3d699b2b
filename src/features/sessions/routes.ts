import { endpoint, type Outside } from '../../platform/feature/index.ts';
import { HttpReply, type Principal } from '../../platform/http/index.ts';
import { findAccount } from '../accounts/index.ts';
import { authenticateSecret } from '../keys/index.ts';
import { SESSION_SECONDS, sessionToken } from './actions.ts';
import * as contracts from './contract.ts';

async function view({ db }: Outside, principal: Principal) {
  const account = await findAccount(db, principal.accountId);
  if (!account) throw new Error(`The account ${principal.accountId} of a key is missing.`);
  return { account: { id: account.id, name: account.name, region: account.region }, role: principal.role, key_id: principal.keyId };
}

function cookie(token: string, ctx: { baseUrl: string }, seconds: number): Record<string, string> {
  const secure = ctx.baseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'set-cookie': `galley_session=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}` };
}

export const endpoints = [
  endpoint(contracts.createSession, async (ctx, { body }) => {
    const principal = await authenticateSecret(ctx, body.key.trim());
    return new HttpReply(await view(ctx, principal), cookie(await sessionToken(ctx, principal.keyId), ctx, SESSION_SECONDS));
  }),
  endpoint(contracts.getSession, (ctx) => view(ctx, ctx.principal)),
  endpoint(contracts.deleteSession, async (ctx) => new HttpReply({ message: 'signed out' }, cookie('', ctx, 0))),
];

import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { plainTime } from '../../../platform/times/index.ts';
import { admitStored } from '../accounts/index.ts';
import { createKey, renewPublicKey, revokeKey } from './actions.ts';
import * as contracts from './contract.ts';
import { countKeys, listKeys, type ApiKey } from './store.ts';

function view(key: ApiKey, now: Date) {
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    description: key.description,
    kind: key.kind,
    role: key.role,
    created_at: plainTime(key.createdAt),
    updated_at: plainTime(key.updatedAt),
    is_disabled: isExpired,
    ...(key.expiresAt && { expires_at: plainTime(key.expiresAt) }),
    ...(key.lastUsedAt && { last_used_at: plainTime(key.lastUsedAt) }),
    ...(isExpired && { disabled_reason: 'expired' }),
    ...(key.domainName && { domain_name: key.domainName }),
    ...(key.email && { requestor: key.email }),
    ...(key.userId && { user_id: key.userId }),
    ...(key.userName && { user_name: key.userName }),
  };
}

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)+$/;

/** What a key is for. Throws `invalid_request`. */
function readPurpose(body: Static<typeof contracts.createKey.body & {}>) {
  const domainName = body.domain_name?.trim().toLowerCase() || null;
  const kind = body.kind ?? 'user';
  if (domainName !== null && !HOST.test(domainName))
    throw invalid('domain_name', `"${domainName.slice(0, 100)}" is not the name of a domain.`);
  if (kind === 'domain' && domainName === null) throw invalid('domain_name', 'is required where kind is domain.');
  if (domainName !== null && body.role !== 'sending')
    throw invalid('role', 'must be sending where domain_name is given: other roles act on the whole account.');
  return {
    kind,
    domainName,
    userId: body.user_id || null,
    userName: body.user_name || null,
    email: body.email || null,
  };
}

export const endpoints = [
  endpoint(contracts.listKeys, async (ctx, { query }) => {
    const { kind, domain_name: domain } = query;
    const isWanted = (key: ApiKey): boolean =>
      (kind === undefined || key.kind === kind) && (domain === undefined || key.domainName === domain.toLowerCase());
    const now = ctx.clock.now();
    const keys = (await listKeys(ctx.db, ctx.principal.accountId)).filter(isWanted);
    return { total_count: keys.length, items: keys.map((key) => view(key, now)) };
  }),
  endpoint(contracts.createKey, async (ctx, { body }) => {
    const now = ctx.clock.now();
    const expiresAt = body.expiration ? new Date(now.getTime() + body.expiration * 1000) : null;
    const { accountId } = ctx.principal;
    const purpose = readPurpose(body);
    await admitStored(ctx, accountId, { quota: 'keys', count: () => countKeys(ctx.db, accountId) });
    // Nobody has tried a secret that is made here, so that no process remembers it as wrong.
    const { key, secret } = await createKey(ctx.db, now, {
      ...purpose,
      accountId,
      role: body.role,
      description: body.description,
      expiresAt,
    });
    return { message: 'great success', key: { ...view(key, now), secret } };
  }),
  endpoint(contracts.deleteKey, async (ctx, { params }) => {
    await revokeKey(ctx, ctx.principal.accountId, params.key_id);
    return { message: 'key deleted' };
  }),
  endpoint(contracts.renewPublicKey, async (ctx) => ({
    message: 'The public API key has been successfully regenerated.',
    key: await renewPublicKey(ctx, ctx.principal.accountId),
  })),
];

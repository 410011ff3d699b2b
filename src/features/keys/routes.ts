import { endpoint } from '../../platform/feature/index.ts';
import { admitStored, changeAccess } from '../accounts/index.ts';
import { createKey, revokeKey } from './actions.ts';
import * as contracts from './contract.ts';
import { countKeys, listKeys, type ApiKey } from './store.ts';

/** `2026-11-21T09:00:00`, UTC without a zone: the form of this group. */
function time(date: Date): string {
  return date.toISOString().slice(0, 19);
}

function view(key: ApiKey, now: Date) {
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    description: key.description,
    kind: 'user' as const,
    role: key.role,
    created_at: time(key.createdAt),
    updated_at: time(key.updatedAt),
    expires_at: key.expiresAt && time(key.expiresAt),
    last_used_at: key.lastUsedAt && time(key.lastUsedAt),
    is_disabled: isExpired,
    disabled_reason: isExpired ? 'expired' : null,
    domain_name: null,
    requestor: null,
    user_name: null,
  };
}

export const endpoints = [
  endpoint(contracts.listKeys, async (ctx, { query }) => {
    const keys = query.kind === undefined || query.kind === 'user' ? await listKeys(ctx.db, ctx.principal.accountId) : [];
    return { total_count: keys.length, items: keys.map((key) => view(key, ctx.clock.now())) };
  }),
  endpoint(contracts.createKey, async (ctx, { body }) => {
    const now = ctx.clock.now();
    const expiresAt = body.expiration ? new Date(now.getTime() + body.expiration * 1000) : null;
    const { accountId } = ctx.principal;
    await admitStored(ctx, { quota: 'keys', count: () => countKeys(ctx.db, accountId) });
    // The secret may have been tried before it was a key.
    const { key, secret } = await changeAccess(ctx, (tx) => createKey(tx, now, { accountId: ctx.principal.accountId, role: body.role, description: body.description, expiresAt }));
    return { message: 'great success', key: { ...view(key, now), secret } };
  }),
  endpoint(contracts.deleteKey, async (ctx, { params }) => {
    await revokeKey(ctx, ctx.principal.accountId, params.key_id);
    return { message: 'key deleted' };
  }),
];

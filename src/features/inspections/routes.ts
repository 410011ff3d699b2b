import { notFound } from '../../platform/errors/index.ts';
import { endpoint } from '../../platform/feature/index.ts';
import { HttpReply } from '../../platform/http/index.ts';
import { getInspection } from './contract.ts';
import { findInspection } from './store.ts';

export const endpoints = [
  endpoint(getInspection, async (ctx, { params }) => {
    const found = await findInspection(ctx.db, ctx.principal.accountId, { id: params.id });
    if (!found) throw notFound('inspection', params.id);
    const { id, kind, status, version, findings, error, createdAt, updatedAt } = found;
    const view = { id, kind, status, version, findings, error, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
    return new HttpReply(view, status === 'Processing' ? { 'retry-after': '1' } : {});
  }),
];

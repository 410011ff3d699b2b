import { AppError, invalid } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { changePassword, createCredential, deleteCredential, type Saved } from './actions.ts';
import * as contracts from './contract.ts';
import { deleteCredentials, listCredentials } from './store.ts';

const LIMIT_MAX = 1000;

/** As many as a page has. Throws `invalid_request` with the sentence of the interface. */
function readLimit(given: unknown): number {
  const limit = given === undefined ? 100 : /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (limit > LIMIT_MAX)
    throw new AppError('invalid_request', `Limit parameter can't be larger than ${LIMIT_MAX}`, {
      details: { field: 'limit' },
    });
  if (!(limit >= 1)) throw invalid('limit', `must be a whole number from 1 to ${LIMIT_MAX}.`);
  return limit;
}

const savedView = (message: string, { login, made }: Saved) => ({
  message,
  ...(made !== undefined && {
    note: 'The password was made here; it cannot be shown again.',
    credentials: { [login]: made },
  }),
});

export const endpoints = [
  endpoint(contracts.listCredentials, async (ctx, { params, query }) => {
    const { accountId } = ctx.principal;
    const page = { limit: readLimit(query.limit), skip: query.skip };
    const { id: domainId } = await getDomain(ctx, accountId, params.domain_name);
    const { items, total } = await listCredentials(ctx.db, { accountId, domainId }, page);
    return {
      items: items.map(({ login, createdAt }) => ({
        mailbox: login,
        login,
        created_at: mailDate(createdAt),
        size_bytes: null,
      })),
      total_count: total,
    };
  }),
  endpoint(contracts.createCredentials, async (ctx, { params, body }) => {
    const wanted = { accountId: ctx.principal.accountId, domainName: params.domain_name };
    const { login = body.mailbox, password, system: isSystem = false } = body;
    return savedView(
      'Created 1 credentials pair(s)',
      await createCredential(ctx, wanted, { login, password, isSystem }),
    );
  }),
  endpoint(contracts.deleteAllCredentials, async (ctx, { params }) => {
    const { accountId } = ctx.principal;
    const { id: domainId } = await getDomain(ctx, accountId, params.domain_name);
    const count = await deleteCredentials(ctx.db, { accountId, domainId });
    return { message: 'All domain credentials have been deleted', count };
  }),
  endpoint(contracts.updateCredentials, async (ctx, { params, body }) => {
    const wanted = { accountId: ctx.principal.accountId, domainName: params.domain_name };
    const { spec } = params;
    return savedView('Password changed', await changePassword(ctx, wanted, { spec, password: body.password }));
  }),
  endpoint(contracts.deleteCredentials, async (ctx, { params }) => {
    const wanted = { accountId: ctx.principal.accountId, domainName: params.domain_name };
    const login = await deleteCredential(ctx, wanted, params.spec);
    return { message: 'Credentials have been deleted', spec: login };
  }),
];

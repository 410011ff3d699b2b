import { endpoint } from '../../../platform/feature/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { changeStatus, getSubaccount, startSubaccount } from './actions.ts';
import * as contracts from './contract.ts';
import { listSubaccounts, type Account } from './store.ts';

function view(account: Account) {
  return {
    id: account.id,
    name: account.name,
    created_at: mailDate(account.createdAt),
    updated_at: mailDate(account.updatedAt),
    status: account.status,
    features: {},
  };
}

export const endpoints = [
  endpoint(contracts.listSubaccounts, async (ctx, { query }) => {
    const { items, total } = await listSubaccounts(ctx.db, ctx.principal.accountId, query as Required<typeof query>);
    return { subaccounts: items.map(view), total };
  }),
  endpoint(contracts.createSubaccount, async (ctx, { query, body }) => ({
    subaccount: view(await startSubaccount(ctx, query.name ?? body.name)),
  })),
  endpoint(contracts.getSubaccount, async (ctx, { params }) => ({
    subaccount: view(await getSubaccount(ctx, params.subaccount_id)),
  })),
  endpoint(contracts.disableSubaccount, async (ctx, { params }) => ({
    subaccount: view(await changeStatus(ctx, params.subaccount_id, 'disabled')),
  })),
  endpoint(contracts.enableSubaccount, async (ctx, { params }) => ({
    subaccount: view(await changeStatus(ctx, params.subaccount_id, 'open')),
  })),
];

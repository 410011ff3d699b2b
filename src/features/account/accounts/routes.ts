import { endpoint } from '../../../platform/feature/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { changeFeatures, changeStatus, closeSubaccount, getSubaccount, startSubaccount } from './actions.ts';
import * as contracts from './contract.ts';
import { featuresOf } from './products.ts';
import { changeSettings, getOwnAccount, SESSION_SECONDS } from './settings.ts';
import { listSubaccounts, type Account } from './store.ts';

function view(account: Account) {
  return {
    id: account.id,
    name: account.name,
    created_at: mailDate(account.createdAt),
    updated_at: mailDate(account.updatedAt),
    status: account.status,
    features: featuresOf(account),
    ...(account.disabledReason !== null && { disabled_reason: account.disabledReason }),
    ...(account.disabledNote !== null && { disabled_note: account.disabledNote }),
  };
}

const ofSubaccounts = [
  endpoint(contracts.listSubaccounts, async (ctx, { query }) => {
    const { items, total } = await listSubaccounts(ctx.db, ctx.principal.accountId, query as Required<typeof query>);
    return { subaccounts: items.map(view), total };
  }),
  endpoint(contracts.createSubaccount, async (ctx, { query, body }) => ({
    subaccount: view(await startSubaccount(ctx, query.name ?? body.name)),
  })),
  endpoint(contracts.closeSubaccount, async (ctx) => {
    await closeSubaccount(ctx);
    return { message: 'Subaccount successfully deleted' };
  }),
  endpoint(contracts.getSubaccount, async (ctx, { params }) => ({
    subaccount: view(await getSubaccount(ctx, params.subaccount_id)),
  })),
  endpoint(contracts.disableSubaccount, async (ctx, { params, query, body }) => ({
    subaccount: view(await changeStatus(ctx, params.subaccount_id, { status: 'disabled', ...body, ...query })),
  })),
  endpoint(contracts.enableSubaccount, async (ctx, { params }) => ({
    subaccount: view(await changeStatus(ctx, params.subaccount_id, { status: 'open' })),
  })),
  endpoint(contracts.putFeatures, async (ctx, { params, body }) => ({
    features: featuresOf(await changeFeatures(ctx, params.subaccount_id, body)),
  })),
];

const ofAccount = [
  endpoint(contracts.putAccount, async (ctx, { query, body }) => {
    await changeSettings(ctx, { ...body, ...query });
    return { message: 'Account info has been updated' };
  }),
  endpoint(contracts.getAccount, async (ctx) => {
    const account = await getOwnAccount(ctx);
    return {
      id: account.id,
      name: account.name,
      region: account.region,
      parent_id: account.parentId,
      created_at: mailDate(account.createdAt),
      features: featuresOf(account),
      inactive_session_timeout: account.inactiveSessionSeconds ?? 0,
      absolute_session_timeout: account.absoluteSessionSeconds ?? SESSION_SECONDS,
      logout_redirect_url: account.logoutRedirectUrl ?? '',
    };
  }),
  endpoint(contracts.resendActivation, async () => ({ success: false })),
];

export const endpoints = [...ofSubaccounts, ...ofAccount];

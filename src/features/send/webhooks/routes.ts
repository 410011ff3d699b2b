import { endpoint } from '../../../platform/feature/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import * as account from './account-webhooks.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import * as deliveries from './deliveries.ts';
import * as ofLog from './delivery-contract.ts';
import { urlsByKind } from './subscriptions.ts';

const listed = (given: string | readonly string[]): string[] =>
  [given].flat().flatMap((one) => one.split(',').map((id) => id.trim()));

function accountView({ id, description, url, kinds, createdAt }: account.AccountWebhook) {
  return { webhook_id: id, description, url, event_types: kinds, created_at: createdAt.toISOString() };
}

const ofDomains = [
  endpoint(contracts.listDomainWebhooks, async (ctx, { params }) => ({
    webhooks: urlsByKind(await actions.listDomainWebhooks(ctx, params.domain)),
  })),
  endpoint(contracts.createDomainWebhook, async (ctx, { params, body }) => ({
    message: 'Webhook has been created',
    webhook: { urls: await actions.addDomainWebhook(ctx, params.domain, body) },
  })),
  endpoint(contracts.getDomainWebhook, async (ctx, { params }) => ({
    webhook: { urls: await actions.getDomainWebhook(ctx, params.domain_name, params.webhook_name) },
  })),
  endpoint(contracts.updateDomainWebhook, async (ctx, { params, body }) => ({
    message: 'Webhook has been updated',
    webhook: {
      urls: await actions.putDomainWebhook(ctx, params.domain_name, { kindName: params.webhook_name, url: body.url }),
    },
  })),
  endpoint(contracts.deleteDomainWebhook, async (ctx, { params }) => ({
    message: 'Webhook has been deleted',
    webhook: { urls: await actions.deleteDomainWebhook(ctx, params.domain_name, params.webhook_name) },
  })),
  endpoint(contracts.addDomainUrl, async (ctx, { params, body }) => ({
    webhooks: urlsByKind(await actions.addDomainUrl(ctx, params.domain, body)),
  })),
  endpoint(contracts.updateDomainUrl, async (ctx, { params, body }) => ({
    webhooks: urlsByKind(await actions.putDomainUrl(ctx, params.domain, body)),
  })),
  endpoint(contracts.deleteDomainUrls, async (ctx, { params, query }) => ({
    webhooks: urlsByKind(await actions.deleteDomainUrls(ctx, params.domain, query.url)),
  })),
];

const ofAccounts = [
  endpoint(contracts.listWebhooks, async (ctx, { query }) => {
    const ids = query.webhook_ids === undefined ? undefined : listed(query.webhook_ids);
    return { webhooks: (await account.listAccountWebhooks(ctx, ids)).map(accountView) };
  }),
  endpoint(contracts.createWebhook, async (ctx, { body }) => ({
    webhook_id: await account.addAccountWebhook(ctx, body),
  })),
  endpoint(contracts.deleteWebhooks, async (ctx, { query }) => {
    const ids = query.webhook_ids === undefined ? [] : listed(query.webhook_ids);
    const count = await account.deleteAccountWebhooks(ctx, query.all ? 'all' : { ids });
    return { message: `${count} ${count === 1 ? 'webhook has' : 'webhooks have'} been deleted` };
  }),
  endpoint(contracts.getWebhook, async (ctx, { params }) =>
    accountView(await account.getAccountWebhook(ctx, params.webhook_id)),
  ),
  endpoint(contracts.updateWebhook, async (ctx, { params, body }) => {
    await account.putAccountWebhook(ctx, params.webhook_id, body);
    return { webhook_id: params.webhook_id };
  }),
  endpoint(contracts.deleteWebhook, async (ctx, { params }) => {
    await account.deleteAccountWebhooks(ctx, { ids: [params.webhook_id] });
    return { message: 'Webhook has been deleted' };
  }),
];

const ofDeliveries = [
  endpoint(ofLog.testDomainWebhook, async (ctx, { params, body }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.domain_name);
    return deliveries.testUrl(ctx, { url: body.url, kind: params.webhook_name, field: 'webhook_name', domain: name });
  }),
  endpoint(ofLog.testWebhook, (ctx, { body }) =>
    deliveries.testUrl(ctx, { url: body.url, kind: body.event_type, field: 'event_type' }),
  ),
  endpoint(ofLog.listDeliveries, (ctx, { query }) => deliveries.listDeliveries(ctx, query)),
  endpoint(ofLog.replayDelivery, (ctx, { params }) => deliveries.replayOne(ctx, params.delivery_id)),
  endpoint(ofLog.replayDeliveries, (ctx, { body }) => deliveries.replayMany(ctx, body)),
  endpoint(ofLog.listUrls, async (ctx) => ({ items: await deliveries.listUrls(ctx) })),
  endpoint(ofLog.enableUrl, (ctx, { body }) => deliveries.enableUrl(ctx, body.url)),
];

export const endpoints = [...ofDomains, ...ofAccounts, ...ofDeliveries];

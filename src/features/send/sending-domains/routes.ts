import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { addDomain, removeDomain, setDelivery, verifyDomain } from './actions.ts';
import { listRecords } from './checks.ts';
import { ensureSandboxDomain, getDomain } from './domains.ts';
import * as contracts from './contract.ts';
import { listDomains, type SendingDomain } from './store.ts';
import { deliveryView, domainView, withRecords } from './view.ts';

async function viewed(ctx: Pick<Outside, 'config' | 'db'>, domain: SendingDomain) {
  return withRecords(domain, await listRecords(ctx, domain));
}

/** Both generations of the group answer alike; existing clients call either. */
const forVersion = (version: 'v3' | 'v4') => [
  endpoint(contracts.listDomains(version), async (ctx, { query }) => {
    const { accountId } = ctx.principal;
    await ensureSandboxDomain(ctx, accountId);
    const order = query.sort === undefined ? 'newest' : query.sort === 'name:desc' ? 'name desc' : 'name';
    const { items, total } = await listDomains(ctx.db, accountId, {
      state: query.state,
      search: query.search?.toLowerCase(),
      order,
      limit: query.limit,
      skip: query.skip,
    });
    return { total_count: total, items: items.map(domainView) };
  }),
  endpoint(contracts.createDomain(version), async (ctx, { body }) => {
    const {
      wildcard,
      spam_action: spamAction,
      web_scheme: webScheme,
      web_prefix: webPrefix,
      require_tls: requireTls,
      skip_verification: skipVerification,
    } = body;
    const keyType =
      body.dkim_key_type === 'ed25519' ? 'ed25519' : Number(body.dkim_key_size) === 1024 ? 'rsa-1024' : 'rsa-2048';
    const domain = await addDomain(ctx, ctx.principal.accountId, {
      name: body.name,
      keyType,
      selector: body.dkim_selector,
      isOwnAuthority: body.force_dkim_authority,
      smtpPassword: body.smtp_password,
      settings: { wildcard, spamAction, webScheme, webPrefix, requireTls, skipVerification },
    });
    return { message: 'Domain DNS records have been created', ...(await viewed(ctx, domain)) };
  }),
  endpoint(contracts.getDomain(version), async (ctx, { params }) =>
    viewed(ctx, await getDomain(ctx, ctx.principal.accountId, params.name)),
  ),
  endpoint(contracts.verifyDomain(version), async (ctx, { params }) => ({
    message: 'Domain DNS records have been updated',
    ...(await viewed(ctx, await verifyDomain(ctx, ctx.principal.accountId, params.name))),
  })),
];

export const endpoints = [
  ...forVersion('v4'),
  ...forVersion('v3'),
  endpoint(contracts.getDelivery, async (ctx, { params }) =>
    deliveryView(await getDomain(ctx, ctx.principal.accountId, params.name), ctx.config.sending.delivery),
  ),
  endpoint(contracts.putDelivery, async (ctx, { params, body }) => {
    const wanted = { name: params.name, delivery: body.delivery };
    return deliveryView(await setDelivery(ctx, ctx.principal.accountId, wanted), ctx.config.sending.delivery);
  }),
  endpoint(contracts.deleteDomain, async (ctx, { params }) => {
    await removeDomain(ctx, ctx.principal.accountId, params.name);
    return { message: 'Domain has been deleted' };
  }),
];

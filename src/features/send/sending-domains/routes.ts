import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { addDomain, removeDomain, setDelivery, verifyDomain } from './actions.ts';
import { listRecords } from './checks.ts';
import { ensureSandboxDomain, getDomain } from './domains.ts';
import * as contracts from './contract.ts';
import { archiveOf, given } from './settings.ts';
import { listDomains, type SendingDomain } from './store.ts';
import { deliveryView, domainView, withRecords } from './view.ts';
import { findZone } from './zones.ts';

async function viewed(ctx: Pick<Outside, 'config' | 'db'>, domain: SendingDomain) {
  return withRecords(domain, await listRecords(ctx, domain));
}

const listing = (version: 'v3' | 'v4') =>
  endpoint(contracts.listDomains(version), async (ctx, { query }) => {
    const { accountId } = ctx.principal;
    await ensureSandboxDomain(ctx, accountId);
    const order = query.sort === undefined ? 'newest' : query.sort === 'name:desc' ? 'name desc' : 'name';
    const below = query.include_subaccounts ? await listSubaccountIds(ctx.db, accountId) : [];
    const { items, total } = await listDomains(ctx.db, [accountId, ...below], {
      authority: query.authority?.toLowerCase(),
      state: query.state,
      search: query.search?.toLowerCase(),
      order,
      limit: query.limit,
      skip: query.skip,
    });
    return {
      total_count: total,
      items: items.map((domain) => ({
        ...domainView(domain),
        ...(domain.accountId !== accountId && { subaccount_id: domain.accountId }),
      })),
    };
  });

/** Both generations of the group answer alike; existing clients call either. */
const forVersion = (version: 'v3' | 'v4') => [
  listing(version),
  endpoint(contracts.createDomain(version), async (ctx, { body }) => {
    const keyType =
      body.dkim_key_type === 'ed25519' ? 'ed25519' : Number(body.dkim_key_size) === 1024 ? 'rsa-1024' : 'rsa-2048';
    const domain = await addDomain(ctx, ctx.principal.accountId, {
      name: body.name,
      keyType,
      selector: body.dkim_selector,
      isOwnAuthority: body.force_dkim_authority,
      isAutomatic: body.use_automatic_sender_security,
      smtpPassword: body.smtp_password,
      settings: {
        wildcard: body.wildcard,
        spamAction: body.spam_action,
        webScheme: body.web_scheme,
        webPrefix: body.web_prefix,
        requireTls: body.require_tls,
        skipVerification: body.skip_verification,
        ...given({
          archiveTo: archiveOf(ctx, body.archive_to),
          messageTtl: body.message_ttl,
          isEncrypted: body.encrypt_incoming_message,
        }),
      },
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
  endpoint(contracts.getZone, async (ctx, { params }) => {
    const { name } = await getDomain(ctx, ctx.principal.accountId, params.name);
    const found = await findZone(ctx.dns, name);
    return {
      zone: found?.zone ?? null,
      name_servers: found?.nameServers ?? [],
      provider: found?.provider ?? null,
      hint: found?.hint ?? null,
    };
  }),
  endpoint(contracts.deleteDomain, async (ctx, { params }) => {
    await removeDomain(ctx, ctx.principal.accountId, params.name);
    return { message: 'Domain has been deleted' };
  }),
];

import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { listRecords } from './checks.ts';
import { getDomain } from './domains.ts';
import * as contracts from './settings-contract.ts';
import { changeDomain } from './settings.ts';
import type { SendingDomain } from './store.ts';
import { withRecords } from './view.ts';

async function viewed(ctx: Pick<Outside, 'config' | 'db'>, domain: SendingDomain) {
  return withRecords(domain, await listRecords(ctx, domain));
}

const updating = (version: 'v3' | 'v4') =>
  endpoint(contracts.updateDomain(version), async (ctx, { params, body }) => {
    const domain = await changeDomain(ctx, ctx.principal.accountId, {
      name: params.name,
      wildcard: body.wildcard,
      spamAction: body.spam_action,
      webScheme: body.web_scheme,
      webPrefix: body.web_prefix,
      requireTls: body.require_tls,
      skipVerification: body.skip_verification,
      archiveTo: body.archive_to,
      messageTtl: body.message_ttl,
      isEncrypted: body.encrypt_incoming_message,
      mailfromHost: body.mailfrom_host,
      smtpPassword: body.smtp_password,
      isAutomatic: body.use_automatic_sender_security,
    });
    return { message: 'Domain has been updated', ...(await viewed(ctx, domain)) };
  });

/** Of settings. */
export const settingEndpoints = [
  updating('v4'),
  updating('v3'),
  endpoint(contracts.getConnection, async (ctx, { params }) => {
    const { settings } = await getDomain(ctx, ctx.principal.accountId, params.name);
    return { connection: { require_tls: settings.requireTls, skip_verification: settings.skipVerification } };
  }),
  endpoint(contracts.putConnection, async (ctx, { params, body }) => {
    const { settings } = await changeDomain(ctx, ctx.principal.accountId, {
      name: params.name,
      requireTls: body.require_tls,
      skipVerification: body.skip_verification,
    });
    return {
      message: 'Domain connection settings have been updated, may take 10 minutes to fully propagate',
      require_tls: settings.requireTls,
      skip_verification: settings.skipVerification,
    };
  }),
];

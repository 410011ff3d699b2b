// The preview address: each account has one at this service's own SMTP listener; what arrives there becomes a test.
// The listener answers 250 only when the message and its test are stored. A message to several addresses makes several tests.
import { randomBytes } from 'node:crypto';
import { defineFeature, endpoint, migrationsIn, type MailReceiver, type Outside } from '../../platform/feature/index.ts';
import { sourceOfMime } from '../email-sources/index.ts';
import { chooseClients, startTest } from '../previews/index.ts';
import { getAddress } from './contract.ts';
import { ensureLocalPart, findAccountId } from './store.ts';

function localPartOf({ config }: Outside, address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const isOurs = address.slice(at + 1).toLowerCase() === config.smtp.domain.toLowerCase();
  return at > 0 && isOurs ? address.slice(0, at) : undefined;
}

async function accountAt(outside: Outside, address: string): Promise<string | undefined> {
  const localPart = localPartOf(outside, address);
  return localPart === undefined ? undefined : findAccountId(outside.db, localPart);
}

async function startTestFor(outside: Outside, accountId: string, raw: Buffer): Promise<void> {
  const source = await sourceOfMime(raw);
  const { clientIds } = chooseClients(undefined);
  await startTest(outside, accountId, { subject: source.subject ?? '', source, clientIds, imageBlocking: false, headers: source.headers, referenceId: null, customerId: null, contentChecking: {} });
}

const receiver: MailReceiver = {
  name: 'preview address',
  accepts: async (outside, address) => (await accountAt(outside, address)) !== undefined,
  async receive(outside, raw, envelope) {
    const accounts = new Set(await Promise.all(envelope.recipients.map((address) => accountAt(outside, address))));
    for (const accountId of accounts) if (accountId) await startTestFor(outside, accountId, raw);
  },
};

export default defineFeature({
  name: 'preview-address',
  endpoints: [
    endpoint(getAddress, async (ctx) => {
      const localPart = await ensureLocalPart(ctx.db, ctx.principal.accountId, { localPart: `preview-${randomBytes(8).toString('hex')}`, at: ctx.clock.now() });
      return { preview_address: `${localPart}@${ctx.config.smtp.domain}` };
    }),
  ],
  migrations: migrationsIn(import.meta.url),
  mailReceivers: [receiver],
});

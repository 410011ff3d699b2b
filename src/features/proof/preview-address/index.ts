// The preview address: each account has one at this service's own SMTP listener; what arrives there becomes a test.
// The listener answers 250 when the message is safe in the spool; its test follows. A message to several addresses
// makes several tests.
import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors/index.ts';
import { SmtpRefusal } from '../../../platform/mail/index.ts';
import {
  defineFeature,
  endpoint,
  migrationsIn,
  type MailReceiver,
  type Outside,
} from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findRefusal } from '../../account/limits/index.ts';
import { sourceOfMime } from '../_message/index.ts';
import { chooseClients, startTest } from '../previews/index.ts';
import { getAddress } from './contract.ts';
import { ensureLocalPart, findAccountId } from './store.ts';

function localPartOf({ config }: Pick<Outside, 'config'>, address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const isOurs = address.slice(at + 1).toLowerCase() === config.smtp.domain.toLowerCase();
  return at > 0 && isOurs ? address.slice(0, at) : undefined;
}

async function accountAt(outside: Pick<Outside, 'config' | 'db'>, address: string): Promise<string | undefined> {
  const localPart = localPartOf(outside, address);
  return localPart === undefined ? undefined : findAccountId(outside.db, localPart);
}

/** The same for the same message and account, so that a message that comes twice makes one test. */
function testIdOf(messageId: string, accountId: string): string {
  return createHash('sha256').update(`${messageId} ${accountId}`).digest('hex').slice(0, 24);
}

async function startTestFor(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'compute' | 'clock' | 'log' | 'lists' | 'facts'>,
  accountId: string,
  { id, raw }: { id: string; raw: Buffer },
): Promise<void> {
  const source = await sourceOfMime(outside, raw, { urgency: 'job' });
  const { clientIds } = chooseClients(undefined);
  await startTest(outside, accountId, {
    id: testIdOf(id, accountId),
    subject: source.subject ?? '',
    source,
    clientIds,
    imageBlocking: false,
    headers: source.headers,
    contentChecking: {},
  });
}

const receiver: MailReceiver = {
  name: 'preview address',
  delivery: 'spooled',
  async accepts(outside, address) {
    const accountId = await accountAt(outside, address);
    if (accountId === undefined || !(await isAccountOpen(outside, accountId))) return false;
    return (await findRefusal(outside, { accountId, metric: 'email_preview_success_count' })) ?? true;
  },
  async refuses(outside, raw) {
    try {
      await sourceOfMime(outside, raw);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return new SmtpRefusal(
        554,
        `5.6.0 No test can be made of the message: ${error.message.replace(/^mime /, 'it ')}`,
      );
    }
  },
  async receive(outside, raw, envelope) {
    const accounts = new Set(await Promise.all(envelope.recipients.map((address) => accountAt(outside, address))));
    for (const accountId of accounts) if (accountId) await startTestFor(outside, accountId, { id: envelope.id, raw });
  },
};

export default defineFeature({
  name: 'preview-address',
  endpoints: [
    endpoint(getAddress, async (ctx) => {
      const localPart = await ensureLocalPart(ctx.db, ctx.principal.accountId, {
        localPart: `preview-${randomHex(8)}`,
        at: ctx.clock.now(),
      });
      return { preview_address: `${localPart}@${ctx.config.smtp.domain}` };
    }),
  ],
  migrations: migrationsIn(import.meta.url),
  mailReceivers: [receiver],
});

// The mail that asks an address.
import { composeMessage, newMessageId } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { sandboxNameOf } from '../sending-domains/index.ts';
import type { SandboxRecipient } from './store.ts';

export const LINK_DAYS = 7;

/** The mail that asks. Nothing in it was written by the account: nobody can send words of their own by it. */
export function letterOf({ email, domain, link }: { email: string; domain: string; link: string }) {
  return {
    from: { name: 'Galley', address: `no-reply@${domain}` },
    to: [{ name: '', address: email }],
    subject: `Do you want test messages from ${domain}?`,
    text:
      `Somebody asked to send test messages from ${domain} to ${email}.\n\n` +
      `If you agree, open this page and press its button:\n\n${link}\n\n` +
      `The link works for ${LINK_DAYS} days. If you know nothing of this, do nothing: no test message comes, ` +
      'and this mail may be deleted.\n',
  };
}

/** The whole mail for a recipient of a domain that delivers. */
export async function composeInvitation(
  { config }: Pick<Outside, 'config'>,
  { accountId, email, token, invitedAt: date }: SandboxRecipient,
): Promise<Buffer> {
  const domain = sandboxNameOf({ config }, accountId);
  const letter = letterOf({ email, domain, link: `${config.publicUrl}/u/sandbox/${token}` });
  const headers = [{ name: 'Auto-Submitted', value: 'auto-generated' }];
  const { raw } = await composeMessage({
    ...letter,
    date,
    messageId: newMessageId({ date, unique: token, domain }),
    headers,
  });
  return raw;
}

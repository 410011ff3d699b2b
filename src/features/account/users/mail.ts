// What Galley writes to users: invitations, and links for a new password.
import { composeMessage, newMessageId } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import type { LinkKind } from './store.ts';

const NAME_MAX = 100;

interface Letter {
  kind: LinkKind;
  to: string;
  name: string;
  accountName: string;
  url: string;
  expiresAt: Date;
}

const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, NAME_MAX);

function wordsOf({ kind, name, accountName, url, expiresAt }: Letter): { subject: string; text: string } {
  const hello = name ? `Hello ${lineOf(name)},` : 'Hello,';
  const until = `The link works once, until ${mailDate(expiresAt)}.`;
  if (kind === 'invitation')
    return {
      subject: `Galley: you are invited to ${lineOf(accountName)}`,
      text: [
        hello,
        `you are invited to the account ${lineOf(accountName)} of Galley. Choose a password here:`,
        url,
        `${until} If you expected no invitation, you need do nothing.`,
      ].join('\n\n'),
    };
  return {
    subject: 'Galley: choose a new password',
    text: [
      hello,
      'somebody asked for a new password for this address at Galley. Choose it here:',
      url,
      `${until} If it was not you, you need do nothing: your password stays as it is.`,
    ].join('\n\n'),
  };
}

/** Sends it. Answers why it was not delivered, and whether another try may help; null when it was. Never rejects. */
export async function sendLetter(
  { config, clock, mailer }: Pick<Outside, 'config' | 'clock' | 'mailer'>,
  letter: Letter,
  signal: AbortSignal,
): Promise<{ problem: string; isFinal: boolean } | null> {
  const date = clock.now();
  const { domain } = config.smtp;
  const from = `accounts@${domain}`;
  const { raw } = await composeMessage({
    from: { name: 'Galley', address: from },
    to: [{ name: '', address: letter.to }],
    ...wordsOf(letter),
    date,
    messageId: newMessageId({ date, unique: randomText(12), domain }),
    // RFC 3834: nobody answers it by machine.
    headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
  });
  const { outcome, reason } = await mailer.deliver({ from, to: letter.to, raw, signal });
  return outcome === 'delivered' ? null : { problem: reason.slice(0, 500), isFinal: outcome === 'bounced' };
}

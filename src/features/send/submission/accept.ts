// A message that a program hands over by SMTP: the same as one of the sending API, in the words of SMTP.
import { newMessageId } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { SmtpRefusal, type ReceivedFile, type SmtpEnvelope } from '../../../platform/mail/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { mailboxesOf, submitMail } from '../messages/index.ts';
import { keepInInbox } from '../sandbox-inboxes/index.ts';
import { inHeaderWords, takeHeaderOptions } from './header-options.ts';

/** What the fields of a call are called here. */
const SMTP_NAMES = new Map([
  ['to parameter', 'The recipient'],
  ['message parameter', 'The message'],
]);

type Doors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs'
>;

/** The reply that says the same; undefined: the fault is the service's own. */
function refusalOf(error: unknown, names: ReadonlyMap<string, string>): SmtpRefusal | undefined {
  if (!(error instanceof AppError)) return undefined;
  const sentence = inHeaderWords(error.message, new Map([...SMTP_NAMES, ...names]));
  switch (error.code) {
    case 'out_of_space':
      return new SmtpRefusal(452, `4.3.1 ${sentence}`);
    case 'unavailable':
    case 'too_many_requests':
      return new SmtpRefusal(451, `4.3.2 ${sentence}`);
    case 'too_large':
      return new SmtpRefusal(552, `5.3.4 ${sentence}`);
    case 'forbidden':
    case 'not_found':
      return new SmtpRefusal(550, `5.7.1 ${sentence}`);
    default:
      return error.status < 500 ? new SmtpRefusal(554, `5.6.0 ${sentence}`) : undefined;
  }
}

/** Whether mail can be addressed so: a form that the queue cannot carry is refused while the program can still tell. */
export async function acceptRecipient(
  address: string,
  { login }: Pick<SmtpEnvelope, 'login'>,
): Promise<boolean | SmtpRefusal> {
  // An inbox delivers to nobody, so that anything may be written to, such as root@localhost.
  if (login?.inboxId !== undefined) return true;
  try {
    const mailboxes = mailboxesOf({ to: address }, 'to');
    if (mailboxes.length === 1) return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return new SmtpRefusal(553, `5.1.3 The recipient is not a valid address: "${address.slice(0, 100)}" is none`);
}

/** What a message without its Date or Message-Id gets (RFC 6409 §8). */
function missingFields(others: ReadonlySet<string>, { domain, now }: { domain: string; now: Date }): string {
  const date = others.has('date') ? '' : `Date: ${mailDate(now).replace('GMT', '+0000')}\r\n`;
  if (others.has('message-id')) return date;
  return `${date}Message-Id: ${newMessageId({ date: now, unique: randomText(12), domain })}\r\n`;
}

/** Keeps a message as it came in the inbox of its login; durable when it resolves. Throws `SmtpRefusal`. */
async function fileMail(outside: Doors, raw: Buffer | ReceivedFile, { envelope, inbox }: Filing): Promise<string> {
  const { from: mailFrom, recipients, remoteAddress } = envelope;
  try {
    const { id } = await keepInInbox(outside, inbox, { raw, mailFrom, recipients, method: 'SMTP', remoteAddress });
    return `2.0.0 Kept in the sandbox as ${id}, and delivered to nobody`;
  } catch (error) {
    throw refusalOf(error, new Map()) ?? error;
  }
}

/** The same for a message that came in a file; only an inbox takes one. Throws `SmtpRefusal`. */
export async function acceptFile(outside: Doors, file: ReceivedFile, envelope: SmtpEnvelope): Promise<string> {
  const { login } = envelope;
  if (login?.inboxId === undefined)
    throw new SmtpRefusal(552, '5.3.4 Only an inbox of the sandbox takes so large a message');
  return fileMail(outside, file, { envelope, inbox: { id: login.inboxId, accountId: login.accountId } });
}

interface Filing {
  envelope: SmtpEnvelope;
  inbox: { id: string; accountId: string };
}

/** Takes a message for all recipients of its envelope; durable when it resolves. Throws `SmtpRefusal`. */
export async function acceptMail(outside: Doors, given: Buffer, envelope: SmtpEnvelope): Promise<string> {
  const { login, recipients, remoteAddress } = envelope;
  if (!login) throw new SmtpRefusal(530, '5.7.0 Log in first');
  const { accountId, domain, inboxId } = login;
  if (inboxId !== undefined) return fileMail(outside, given, { envelope, inbox: { id: inboxId, accountId } });
  let names: ReadonlyMap<string, string> = new Map();
  try {
    const options = takeHeaderOptions(given);
    names = options.names;
    const missing = missingFields(options.others, { domain, now: outside.clock.now() });
    const bytes = missing === '' ? options.raw : Buffer.concat([Buffer.from(missing), options.raw]);
    const message = { fileName: '', mediaType: 'message/rfc822', bytes };
    const form = { ...options.form, to: recipients, message };
    const { id } = await submitMail(outside, { accountId, domain, originatingIp: remoteAddress, form });
    return `2.0.0 Queued as ${id}`;
  } catch (error) {
    throw refusalOf(error, names) ?? error;
  }
}

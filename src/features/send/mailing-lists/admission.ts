// Which messages from outside a list takes.
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { SmtpRefusal } from '../../../platform/mail/index.ts';
import { signaturesBy } from '../../proof/_seeds/index.ts';
import type { InboundDoors, Offered } from '../_inbound/index.ts';
import type { ArrivedHeader } from './computations.ts';
import { markOf } from './list-fields.ts';
import { findMember } from './member-store.ts';
import { countRecent } from './posting-store.ts';
import type { MailingList } from './store.ts';

/** Of a message; it leaves once for each member. */
const SIZE_MIB_MAX = 10;
/** Messages from outside that a list takes within an hour, of all authors and of one. */
const HOURLY_MAX = 100;
const HOURLY_OF_ONE_MAX = 20;
const HOUR_MS = 3_600_000;

const refusal = (code: number, text: string): SmtpRefusal => new SmtpRefusal(code, text);

/** By the list and MAIL FROM alone, before the message is there. */
export function refusedBefore(list: MailingList, sender: string): SmtpRefusal | undefined {
  if (sender === '')
    return refusal(550, '5.7.1 A mailing list takes no reports and no automatic answers (empty MAIL FROM)');
  return list.accessLevel === 'readonly'
    ? refusal(550, `5.7.1 Only the owner of the mailing list ${list.address} may write to it`)
    : undefined;
}

/** By the header alone, whatever the list. */
function refusedByHeader({ author, written }: ArrivedHeader): SmtpRefusal | undefined {
  if (written !== undefined)
    return refusal(550, `5.7.1 A mailing list takes no mail of lists and programs, and this is one: ${written}`);
  return author ? undefined : refusal(550, '5.7.1 A mailing list takes messages with exactly one address in From');
}

interface Posted {
  header: ArrivedHeader;
  sizeBytes: number;
  /** In place of the hours of messages, this one is left out. */
  messageId?: string;
  now: Date;
}

/** Why a list does not take a message; undefined: it does. */
export async function whyRefused(
  db: Sql,
  list: MailingList,
  { header, sizeBytes, messageId, now }: Posted,
): Promise<SmtpRefusal | undefined> {
  const { author, marks } = header;
  if (marks.includes(markOf(list)))
    return refusal(554, '5.4.6 The mailing list sent this message before: it goes in a circle');
  const refused = refusedByHeader(header);
  if (refused || !author) return refused;
  if (list.accessLevel === 'readonly') return refusedBefore(list, author.address);
  if (sizeBytes > SIZE_MIB_MAX * 1024 * 1024)
    return refusal(552, `5.3.4 A mailing list takes messages of up to ${SIZE_MIB_MAX} MiB`);
  if (list.accessLevel === 'members' && (await findMember(db, list, author.address))?.isSubscribed !== true)
    return refusal(550, `5.7.1 Only members may write to ${list.address}, and ${author.address} is none`);
  const after = new Date(now.getTime() - HOUR_MS);
  const { all, own } = await countRecent(db, list, { after, author: author.address, without: messageId });
  if (all >= HOURLY_MAX)
    return refusal(451, `4.7.1 The mailing list takes ${HOURLY_MAX} messages an hour, and had them; try again later`);
  if (own >= HOURLY_OF_ONE_MAX)
    return refusal(
      451,
      `4.7.1 The mailing list takes ${HOURLY_OF_ONE_MAX} messages an hour of one author, and had them; try again later`,
    );
  return undefined;
}

/** Why the domain in From does not stand behind a message, where that domain asks for it to be refused then. */
export async function refusedByAuthor(
  { dns, clock, compute, config }: Pick<InboundDoors, 'dns' | 'clock' | 'compute' | 'config'>,
  { raw, sender, client }: Pick<Offered, 'raw' | 'sender' | 'client'>,
): Promise<SmtpRefusal | undefined> {
  const { spf, dkim, dmarc } = await authenticate(raw, {
    ...client,
    mailFrom: sender,
    mta: config.smtp.domain,
    dns,
    now: clock.now(),
    signatures: signaturesBy(compute),
  });
  if (dmarc.result !== 'fail' || dmarc.disposition === 'none') return undefined;
  const isUnknown = spf.result === 'temperror' || dkim.some(({ result }) => result === 'temperror');
  return isUnknown
    ? refusal(451, '4.7.5 DNS does not say now whether the author wrote this message; try again later')
    : refusal(550, `5.7.26 ${dmarc.reason}`);
}

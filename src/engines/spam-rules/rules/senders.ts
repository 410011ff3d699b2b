// Who writes: senders that are forged, drawn by chance, or dressed as somebody else.
import { parse as parseDomain } from 'tldts';
import { BRANDS, FREEMAIL } from '../lists.ts';
import { domainOf, type MailReading } from '../reading.ts';
import { rules, type RuleMatch, type SpamRule } from '../rule.ts';

/** Letters of mathematics and full-width forms that only look like letters. */
export const STYLED = /[\u{1d400}-\u{1d7ff}\u{ff21}-\u{ff5a}\u{24b6}-\u{24e9}\u{1f130}-\u{1f189}]/gu;
const EMOJI = /\p{Extended_Pictographic}/u;

function say(mail: MailReading, field: string, message: string | false | undefined): RuleMatch | undefined {
  return mail.hasHeaders && message ? { message, places: [mail.headerPlace(field)] } : undefined;
}

/**
 * What no mail program writes (RFC 5322 §3.4): words after commas, brackets within brackets, blanks and dots at the end
 * of an address.
 */
function malformed(mail: MailReading): string | undefined {
  const from = mail.fields('from')[0];
  if (!from) return undefined;
  const bare = from.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/\([^()]*\)/g, '');
  const isBroken = /<[^<>]*[\s,]+[^<>]*>|<[^<>]*[.\s]>|[,;]\s*_*\s*<|,\s*\(|^[^<]*,[^<@]*<|@[^<>]*%/.test(bare);
  return isBroken ? `From says “${from.slice(0, 80)}”, which breaks the form of addresses.` : undefined;
}

/** A brand in the sender's name whose domain is another's. */
function brandOfOther(mail: MailReading): string | undefined {
  const name = mail.from.name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const domain = mail.from.domain.replace(/[^a-z0-9]/g, '');
  if (!name || !domain) return undefined;
  const brand = BRANDS.find((one) => ` ${name} `.includes(` ${one} `));
  return brand !== undefined && !domain.includes(brand.replaceAll(' ', ''))
    ? `The sender is called “${mail.from.name.slice(0, 60)}”, and writes from ${mail.from.domain}.`
    : undefined;
}

/** Letters and digits in turns, or nothing but consonants: nobody chose such a name. */
export function looksRandom(label: string): boolean {
  if (label.length < 8) return false;
  const turns = label.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;
  return turns >= 3 || /[bcdfghjklmnpqrstvwxz]{7,}/.test(label) || /(?:[bcdfghjkmnpqrstvwxz]{5,}.*){2}/.test(label);
}

function randomSender(mail: MailReading): string | undefined {
  // What stands before the @ is coded by honest senders of mailings too.
  return looksRandom(parseDomain(mail.from.domain).domainWithoutSuffix ?? '')
    ? `The sender is at ${mail.from.domain.slice(0, 80)}.`
    : undefined;
}

function replyElsewhere(mail: MailReading): string | undefined {
  const [from, reply] = [domainOf(mail.from.domain), domainOf(mail.replyTo.domain)];
  return from && reply && from !== reply && !FREEMAIL.has(mail.replyTo.domain)
    ? `Answers go to ${mail.replyTo.domain}, the sender is at ${mail.from.domain}.`
    : undefined;
}

const isSame = (a: string, b: string): boolean => a !== '' && a.toLowerCase() === b.toLowerCase();
const addressIn = (text: string): string => /[^\s<>"',;:()]+@[^\s<>"',;:()]+/.exec(text)?.[0] ?? '';

function messageIdProblem(mail: MailReading): string | undefined {
  const id = mail.fields('message-id')[0] ?? '';
  const host = /@([^<>@\s]*)>?\s*$/.exec(id)?.[1];
  return id !== '' && (host === undefined || !/\./.test(host)) ? `The Message-ID is ${id.slice(0, 60)}.` : undefined;
}

export const SENDER_RULES: SpamRule[] = rules('headers', {
  FROM_MALFORMED: {
    points: 1.6,
    description: 'A sender that is not written as an address.',
    fix: 'Write the name in quotes and one address: "Name" <news@your.domain>.',
    source: 'RFC 5322 §3.4; Gmail sender guidelines: format messages by RFC 5322',
    check: (mail) => say(mail, 'From', malformed(mail)),
  },
  FROM_STYLED: {
    points: 1.5,
    description: 'A sender’s name in letters that only look like letters.',
    fix: 'Type the name in plain letters.',
    source: 'Unicode TR 39',
    check: (mail) =>
      say(
        mail,
        'From',
        (mail.from.name.match(STYLED)?.length ?? 0) >= 2 && `The sender is called “${mail.from.name.slice(0, 60)}”.`,
      ),
  },
  FROM_TWO_ALPHABETS: {
    points: 2,
    description: 'A sender’s name that mixes letters of two alphabets.',
    fix: 'Type the name again in one alphabet.',
    source: 'Unicode TR 39',
    check: (mail) =>
      say(
        mail,
        'From',
        /(?=\p{L}*\p{Script=Latin})(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}])(?<!\p{L})\p{L}{3,40}(?!\p{L})/u.test(
          mail.from.name,
        ) && `The sender is called “${mail.from.name.slice(0, 60)}”.`,
      ),
  },
  FROM_EMOJI: {
    points: 0.4,
    description: 'Pictures in the sender’s name.',
    fix: 'Let the name be a name.',
    source: 'Practice of filters',
    check: (mail) =>
      say(mail, 'From', EMOJI.test(mail.from.name) && `The sender is called “${mail.from.name.slice(0, 60)}”.`),
  },
  FROM_RANDOM: {
    points: 1.2,
    description: 'A sender that looks drawn by chance.',
    fix: 'Send from a name that people can read.',
    source: 'SpamAssassin: FROM_LOCAL_HEX, FROM_LOCAL_DIGITS',
    check: (mail) => say(mail, 'From', randomSender(mail)),
  },
  FROM_BRAND: {
    points: 2,
    description: 'A known name, and a domain that is not its own.',
    fix: 'Write under your own name; leave brands to the subject.',
    source: 'SpamAssassin: the FromNameSpoof plugin; Anti-Phishing Working Group',
    check: (mail) => say(mail, 'From', brandOfOther(mail)),
  },
  FROM_IS_TO: {
    points: 0.9,
    description: 'A message that seems to come from its reader.',
    fix: 'Write your own address into From.',
    source: 'SpamAssassin: TO_EQ_FM_*; Rspamd: TO_EQ_FROM',
    check: (mail) =>
      say(
        mail,
        'From',
        isSame(mail.from.address, addressIn(mail.fields('to')[0] ?? '')) &&
          `From and To are both ${mail.from.address.slice(0, 80)}.`,
      ),
  },
  REPLY_TO_ELSEWHERE: {
    points: 0.6,
    description: 'Answers go to another domain.',
    fix: 'Take answers at the domain that sends.',
    source: 'Rspamd: REPLYTO_DOM_NEQ_FROM_DOM',
    check: (mail) => say(mail, 'Reply-To', replyElsewhere(mail)),
  },
  MESSAGE_ID_LOCAL: {
    points: 0.7,
    description: 'A message number without a domain.',
    fix: 'Write it as <something@your.domain>.',
    source: 'RFC 5322 §3.6.4; SpamAssassin: MSGID_SHORT',
    check: (mail) => say(mail, 'Message-ID', messageIdProblem(mail)),
  },
});

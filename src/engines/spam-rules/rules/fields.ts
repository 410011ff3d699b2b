// Header fields: who writes, when, and in what form (RFC 5322).
import { timeOfDateField } from '../../mime/index.ts';
import { ABUSED_ENDINGS, endingOf, FREEMAIL } from '../lists.ts';
import { domainOf, type MailReading } from '../reading.ts';
import { listed, rules, type RuleMatch, type SpamRule } from '../rule.ts';

const DAY_MS = 86_400_000;

/** A rule about headers; nothing is said where headers aren't known. */
function say(
  mail: MailReading,
  { field, message }: { field: string; message: string | false | undefined },
): RuleMatch | undefined {
  return mail.hasHeaders && message ? { message, places: [mail.headerPlace(field)] } : undefined;
}

/** Whether a message is bulk mail: it is marked so, or has an unsubscribe field. */
export function isBulk(mail: MailReading): boolean {
  return (
    ['list-unsubscribe', 'list-id', 'feedback-id', 'x-campaign', 'x-campaign-id', 'x-mailer-recptid'].some(
      (name) => mail.fields(name).length > 0,
    ) || /^(?:bulk|list)$/i.test(mail.fields('precedence')[0] ?? '')
  );
}

function dateProblem(mail: MailReading): { kind: 'bad' | 'future' | 'past'; message: string } | undefined {
  const [written] = mail.fields('date');
  if (written === undefined) return undefined;
  const date = timeOfDateField(written);
  if (Number.isNaN(date) || !/\d{1,2}:\d{2}/.test(written))
    return { kind: 'bad', message: `The Date field says “${written.slice(0, 60)}”, which is not a valid date.` };
  const received = Date.parse(mail.input.receivedAt ?? '');
  if (Number.isNaN(received)) return undefined;
  const days = (date - received) / DAY_MS;
  if (days > 0.25)
    return {
      kind: 'future',
      message:
        'The message was written ' +
        `${days >= 2 ? `${Math.round(days)} days` : `${Math.round(days * 24)} hours`} after it arrived.`,
    };
  return days < -4 ? { kind: 'past', message: `The message is ${Math.round(-days)} days old.` } : undefined;
}

const dateRule = (kind: 'bad' | 'future' | 'past') => (mail: MailReading) => {
  const problem = dateProblem(mail);
  return say(mail, { field: 'Date', message: problem?.kind === kind && problem.message });
};

/** Fields that may stand once (RFC 5322 §3.6). */
const SINGLE = [
  'From',
  'Sender',
  'Reply-To',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'List-Unsubscribe',
];

/** Another address in the name that readers see. */
function nameShowsOther(mail: MailReading): string | undefined {
  const shown = /[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/.exec(mail.from.name);
  return shown && domainOf(shown[1]!) !== domainOf(mail.from.domain)
    ? `The name shows ${shown[0]}, the address is ${mail.from.address}.`
    : undefined;
}

function replyGoesElsewhere(mail: MailReading): string | undefined {
  const { from, replyTo } = mail;
  return FREEMAIL.has(replyTo.domain) && replyTo.domain !== from.domain
    ? `Answers go to ${replyTo.address}, a public mailbox of another domain than ${from.domain || 'the sender’s'}.`
    : undefined;
}

const FROM: Parameters<typeof rules>[1] = {
  FROM_MISSING: {
    points: 2,
    description: 'No sender.',
    fix: 'Write a From field with one address.',
    source: 'RFC 5322 §3.6.2; SpamAssassin: MISSING_FROM',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message:
          !mail.from.address &&
          (mail.fields('from').length ? 'The From field holds no address.' : 'There is no From field.'),
      }),
  },
  FROM_SEVERAL: {
    points: 1.5,
    description: 'Several senders.',
    fix: 'Write one address into From.',
    source: 'RFC 5322 §3.6.2; Gmail sender guidelines',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message:
          mail.fields('from').length === 1 &&
          (mail.fields('from')[0]!.match(/<[^<>]*@[^<>]*>/g)?.length ?? 0) > 1 &&
          'The From field names several addresses.',
      }),
  },
  FROM_OTHER_NAME: {
    points: 1.6,
    description: 'The name shows another address than the message comes from.',
    fix: 'Show a name, not an address.',
    source: 'SpamAssassin: PDS_FROM_2_EMAILS; Rspamd: SPOOF_DISPLAY_NAME',
    check: (mail) => say(mail, { field: 'From', message: nameShowsOther(mail) }),
  },
  FROM_NO_NAME: {
    points: 0.2,
    description: 'A sender without a name.',
    fix: 'Put a name before the address.',
    source: 'Rspamd: FROM_NO_DN',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message: mail.from.address !== '' && mail.from.name === '' && `Readers see only ${mail.from.address}.`,
      }),
  },
  FROM_FREEMAIL: {
    points: 1.2,
    description: 'A mailing from a public mailbox provider’s address.',
    fix: 'Send from a domain of your own: with DMARC of these providers mailings fail.',
    source: 'SpamAssassin: FREEMAIL_FROM; Gmail sender guidelines: do not impersonate gmail.com',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message: isBulk(mail) && FREEMAIL.has(mail.from.domain) && `The mailing comes from ${mail.from.address}.`,
      }),
  },
  FROM_DIGITS: {
    points: 0.6,
    description: 'An address made of digits.',
    fix: 'Send from an address with a name.',
    source: 'SpamAssassin: FROM_STARTS_WITH_NUMS, FREEMAIL_ENVFROM_END_DIGIT',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message: /\d{6,}[^@]*@/.test(mail.from.address) && `The sender is ${mail.from.address}.`,
      }),
  },
  FROM_SHOUTING: {
    points: 0.4,
    description: 'The sender’s name is in capitals.',
    fix: 'Write it as a name.',
    source: 'Practice of filters',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message: /^[\p{Lu}\s\d!]{12,}$/u.test(mail.from.name) && `The sender is called “${mail.from.name}”.`,
      }),
  },
  FROM_ABUSED_ENDING: {
    points: 0.9,
    description: 'A sender under an ending that is abused more than used.',
    fix: 'Send from a domain under another ending.',
    source: 'SpamAssassin: FROM_SUSPICIOUS_NTLD; as of 2026-11',
    check: (mail) =>
      say(mail, {
        field: 'From',
        message: ABUSED_ENDINGS.has(endingOf(mail.from.domain)) && `The sender is at ${mail.from.domain}.`,
      }),
  },
  REPLY_TO_FREEMAIL: {
    points: 1.5,
    description: 'Answers go to a public mailbox of another domain.',
    fix: 'Take answers at the domain that sends.',
    source: 'SpamAssassin: FREEMAIL_FORGED_REPLYTO; Rspamd: FREEMAIL_REPLYTO',
    check: (mail) => say(mail, { field: 'Reply-To', message: replyGoesElsewhere(mail) }),
  },
};

const FORM: Parameters<typeof rules>[1] = {
  DATE_MISSING: {
    points: 1,
    description: 'No date.',
    fix: 'Write a Date field.',
    source: 'RFC 5322 §3.6.1; SpamAssassin: MISSING_DATE',
    check: (mail) => say(mail, { field: 'Date', message: !mail.fields('date').length && 'There is no Date field.' }),
  },
  DATE_BROKEN: {
    points: 1.1,
    description: 'A date that is none.',
    fix: 'Write it as in “Sat, 21 Nov 2026 10:00:00 +0100”.',
    source: 'RFC 5322 §3.3; SpamAssassin: INVALID_DATE',
    check: dateRule('bad'),
  },
  DATE_FUTURE: {
    points: 1.5,
    description: 'A date that is still to come.',
    fix: 'Set the sending server’s clock and time zone.',
    source: 'SpamAssassin: DATE_IN_FUTURE_*; Rspamd: DATE_IN_FUTURE',
    check: dateRule('future'),
  },
  DATE_OLD: {
    points: 0.9,
    description: 'A date that is long past.',
    fix: 'Write the date when the message is sent.',
    source: 'SpamAssassin: DATE_IN_PAST_*; Rspamd: DATE_IN_PAST',
    check: dateRule('past'),
  },
  MESSAGE_ID_MISSING: {
    points: 0.9,
    description: 'No message number.',
    fix: 'Write a Message-ID with your domain.',
    source: 'RFC 5322 §3.6.4; SpamAssassin: MISSING_MID',
    check: (mail) =>
      say(mail, { field: 'Message-ID', message: !mail.fields('message-id').length && 'There is no Message-ID.' }),
  },
  MESSAGE_ID_BROKEN: {
    points: 0.7,
    description: 'A message number that is none.',
    fix: 'Write it as <something@your.domain>.',
    source: 'RFC 5322 §3.6.4; SpamAssassin: INVALID_MSGID',
    check: (mail) =>
      say(mail, {
        field: 'Message-ID',
        message:
          mail.fields('message-id').length > 0 &&
          !/^<[^<>@\s]+@[^<>@\s]+>$/.test(mail.fields('message-id')[0]!) &&
          `The Message-ID is ${mail.fields('message-id')[0]!.slice(0, 60)}.`,
      }),
  },
  TO_MISSING: {
    points: 0.8,
    description: 'The message names no recipient.',
    fix: 'Write the recipient into To, one message each.',
    source: 'SpamAssassin: MISSING_HEADERS; Rspamd: MISSING_TO',
    check: (mail) =>
      say(mail, {
        field: 'To',
        message: !mail.fields('to').length && !mail.fields('cc').length && 'There is neither To nor Cc.',
      }),
  },
  TO_UNDISCLOSED: {
    points: 0.9,
    description: 'Recipients are hidden.',
    fix: 'Send one message to each recipient.',
    source: 'SpamAssassin: UNDISC_*; Rspamd: R_UNDISC_RCPT',
    check: (mail) =>
      say(mail, {
        field: 'To',
        message:
          /undisclosed[- ]?recipients?|^\s*recipients?\s*:/i.test(mail.fields('to')[0] ?? '') &&
          `To says “${mail.fields('to')[0]}”.`,
      }),
  },
  TO_MANY: {
    points: 0.8,
    description: 'Many recipients see each other.',
    fix: 'Send one message to each.',
    source: 'SpamAssassin: SORTED_RECIPS; Rspamd: RCPT_COUNT_GT_50',
    check: (mail) =>
      say(mail, {
        field: 'To',
        message:
          (mail.fields('to')[0]?.match(/@/g)?.length ?? 0) > 20 &&
          `To names ${mail.fields('to')[0]!.match(/@/g)!.length} addresses.`,
      }),
  },
  FIELD_TWICE: {
    points: 1.2,
    description: 'A header field that may appear only once appears twice.',
    fix: 'Keep one.',
    source: 'RFC 5322 §3.6; Gmail sender guidelines; Rspamd: MULTIPLE_UNIQUE_HEADERS',
    check: (mail) => {
      const found = SINGLE.filter((name) => mail.fields(name.toLowerCase()).length > 1);
      return found.length
        ? {
            message: `${listed(found)} ${found.length === 1 ? 'stands' : 'stand'} more than once.`,
            places: found.map((name) => mail.headerPlace(name)),
          }
        : undefined;
    },
  },
  MIME_VERSION_MISSING: {
    points: 0.4,
    description: 'HTML without a MIME version.',
    fix: 'Write MIME-Version: 1.0.',
    source: 'RFC 2045 §4; Rspamd: MISSING_MIME_VERSION',
    check: (mail) =>
      say(mail, {
        field: 'MIME-Version',
        message:
          mail.html !== undefined &&
          !mail.fields('mime-version').length &&
          mail.fields('content-type').length > 0 &&
          'There is no MIME-Version field.',
      }),
  },
  PRIORITY_HIGH: {
    points: 0.5,
    description: 'A mailing that calls itself urgent.',
    fix: 'Take X-Priority and Importance out.',
    source: 'Rspamd: HAS_X_PRIO_ONE',
    check: (mail) =>
      say(mail, {
        field: 'X-Priority',
        message:
          isBulk(mail) &&
          (/^[12]\b/.test(mail.fields('x-priority')[0] ?? '') || /^high$/i.test(mail.fields('importance')[0] ?? '')) &&
          'The mailing is marked as urgent.',
      }),
  },
};

export const FIELD_RULES: SpamRule[] = rules('headers', { ...FROM, ...FORM });

import { findMergeTags } from '../../merge-tags/index.ts';
import type { MailReading } from '../reading.ts';
import { listed, rules, type RuleMatch, type SpamRule } from '../rule.ts';

const EMOJI = /\p{Extended_Pictographic}/gu;

interface Told {
  least?: number;
  say: (found: string[]) => string;
}

/** Matches in the subject; nothing is said when there is none. */
function inSubject(mail: MailReading, pattern: RegExp, told: Told): RuleMatch | undefined {
  const found = [...mail.subject.matchAll(pattern)].map(({ 0: text, index }) => ({ text, index }));
  return matched(mail, found, told);
}

function matched(
  mail: MailReading,
  found: readonly { text: string; index: number }[],
  { least = 1, say }: Told,
): RuleMatch | undefined {
  const words = mail.words[0]!;
  return found.length >= least
    ? {
        message: say(found.map(({ text }) => text)),
        places: found.slice(0, 5).map(({ text, index }) => words.place(index, text.length)),
        count: found.length,
      }
    : undefined;
}

const whole = (mail: MailReading, message: string): RuleMatch => ({
  message,
  places: [mail.words[0]!.place(0, mail.subject.length)],
});

function capitals(mail: MailReading): RuleMatch | undefined {
  const letters = mail.subject.match(/\p{L}/gu) ?? [];
  const large = letters.filter((letter) => letter === letter.toUpperCase() && letter !== letter.toLowerCase());
  return letters.length >= 10 && /\p{L}\s+\p{L}/u.test(mail.subject) && large.length / letters.length > 0.8
    ? whole(mail, 'The subject is in capitals.')
    : undefined;
}

function falseReply(mail: MailReading): RuleMatch | undefined {
  if (!mail.hasHeaders || mail.fields('in-reply-to').length || mail.fields('references').length) return undefined;
  return inSubject(mail, /^\s*(?:re|aw|fwd?|wg|rv|tr)\s*(?:\[\d+\])?:/gi, {
    say: ([start]) => `The subject starts with “${start}”, yet nothing is answered.`,
  });
}

const isMissing = (mail: MailReading): boolean =>
  mail.subject.trim() === '' && (mail.hasHeaders || mail.input.subject !== undefined);

export const SUBJECT_RULES: SpamRule[] = rules('headers', {
  SUBJECT_MISSING: {
    points: 1.5,
    description: 'No subject.',
    fix: 'Write one.',
    source: 'SpamAssassin: MISSING_SUBJECT; Rspamd: MISSING_SUBJECT',
    check: (mail) =>
      isMissing(mail) ? { message: 'The message has no subject.', places: [{ part: 'subject' }] } : undefined,
  },
  SUBJECT_SHOUTING: {
    points: 1.2,
    description: 'The subject is in capitals.',
    fix: 'Write it as a sentence.',
    source: 'SpamAssassin: SUBJ_ALL_CAPS; Rspamd: SUBJ_ALL_CAPS',
    check: capitals,
  },
  SUBJECT_MARKS: {
    points: 0.6,
    description: 'Rows of exclamation or question marks in the subject.',
    fix: 'One mark is enough, at the end.',
    source: 'SpamAssassin: PLING_QUERY; Rspamd: SUBJECT_ENDS_EXCLAIM',
    check: (mail) =>
      inSubject(mail, /[!?！？]{2,}|!(?=[^!]*!)/g, { say: (found) => `The subject has ${listed(found)}.` }),
  },
  SUBJECT_FALSE_REPLY: {
    points: 1.3,
    description: 'The subject pretends to be an answer.',
    fix: 'Take “Re:” or “Fwd:” out.',
    source: 'Rspamd: FAKE_REPLY',
    check: falseReply,
  },
  SUBJECT_EMOJI: {
    points: 0.4,
    description: 'Many pictures in the subject.',
    fix: 'Keep one at most.',
    source: 'Practice of filters',
    check: (mail) => inSubject(mail, EMOJI, { least: 3, say: (found) => `The subject has ${found.length} emoji.` }),
  },
  SUBJECT_MONEY: {
    points: 0.7,
    description: 'Sums or rows of money signs in the subject.',
    fix: 'Keep the sum for the message.',
    source: 'Rspamd: SUBJECT_HAS_CURRENCY',
    check: (mail) =>
      inSubject(mail, /[$€£]{2,}|[$€£]\s?\d{1,3}(?:[.,]\d{3}){1,3}|\b\d+ ?(?:million|billion)\b/gi, {
        say: (found) => `The subject offers ${listed(found)}.`,
      }),
  },
  SUBJECT_NUMBER: {
    points: 0.6,
    description: 'A number after a gap, by which copies differ.',
    fix: 'Take it out.',
    source: 'Practice of filters against copies that differ',
    check: (mail) =>
      inSubject(mail, /\s{4,}[\w#]*\d{3,}\s*$/g, { say: () => 'The subject ends with blanks and a number.' }),
  },
  SUBJECT_GAP_CODE: {
    points: 0.9,
    description: 'A gap and letters at the end, by which copies differ.',
    fix: 'Take them out.',
    source: 'SpamAssassin: SUBJ_HAS_SPACES and SUBJ_HAS_UNIQ_ID of older releases',
    check: (mail) =>
      inSubject(mail, /\S\s{3,}[[(]?\w{2,12}[\])]?\s*$/g, { say: () => 'The subject ends with blanks and a code.' }),
  },
  SUBJECT_ENDS_IN_CODE: {
    points: 0.4,
    description: 'A long number at the end of the subject.',
    fix: 'Leave numbers to messages about orders.',
    source: 'Practice of filters',
    check: (mail) =>
      inSubject(mail, /[#:\s([-]\d{6,}[\])]?\s*$/g, { say: ([code]) => `The subject ends with ${code!.trim()}.` }),
  },
  SUBJECT_LONG: {
    points: 0.2,
    description: 'A very long subject.',
    fix: 'Clients show 30 to 70 characters.',
    source: 'Rspamd: LONG_SUBJ',
    check: (mail) =>
      mail.subject.length > 200 ? whole(mail, `The subject has ${mail.subject.length} characters.`) : undefined,
  },
  SUBJECT_TEMPLATE: {
    points: 0.7,
    description: 'A variable that was not filled in.',
    fix: 'Fill it in, or give it a default.',
    source: 'SpamAssassin: UNRESOLVED_TEMPLATE',
    check: (mail) =>
      matched(
        mail,
        findMergeTags(mail.subject).map(({ tag, start }) => ({ text: tag, index: start })),
        { say: (found) => `The subject still says ${listed(found)}.` },
      ),
  },
});

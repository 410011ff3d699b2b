// How the message is made: encodings that hide words, HTML as text, type as on leaflets, readers named by their
// address.
import { attributeOf } from '../../source/index.ts';
import { FREEMAIL } from '../lists.ts';
import type { MailReading } from '../reading.ts';
import { listed, plural, rules, type RuleMatch, type SpamRule } from '../rule.ts';
import { STYLED } from './senders.ts';

const PLACES_MAX = 10;

function textIsHtml(mail: MailReading): RuleMatch | undefined {
  const text = mail.input.text;
  if (mail.html || !text) return undefined;
  const tags =
    text.slice(0, 20_000).match(/<\/?(?:html|body|table|t[rd]|font|center|br|p|div|a|img|b)\b[^<>]{0,200}>/gi)
      ?.length ?? 0;
  return tags >= 5
    ? {
        message: `The text part holds ${tags} HTML tags, which readers see as they are.`,
        places: [{ part: 'text', line: 1, column: 1, offset: 0 }],
      }
    : undefined;
}

/** Text of one part that is encoded although it needs no encoding. */
function needlessBase64(mail: MailReading): RuleMatch | undefined {
  const encoding = mail.fields('content-transfer-encoding')[0] ?? '';
  const type = mail.fields('content-type')[0] ?? 'text/plain';
  const text = mail.input.text ?? mail.input.html ?? '';
  if (!/^base64$/i.test(encoding.trim()) || !/^text\//i.test(type) || text.length < 50) return undefined;
  const foreign = text.slice(0, 5000).match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return foreign / Math.min(text.length, 5000) < 0.02
    ? {
        message: 'The text is in plain letters, and is encoded as base64.',
        places: [mail.headerPlace('Content-Transfer-Encoding')],
      }
    : undefined;
}

const addressOf = (text: string): string => /[^\s<>"',;:()]+@[^\s<>"',;:()]+/.exec(text)?.[0]?.toLowerCase() ?? '';

/** Senders who know only an address put it where a name would stand. */
function namesAddress(mail: MailReading, part: 'subject' | 'body'): RuleMatch | undefined {
  const address = addressOf(mail.fields('to')[0] ?? '');
  const words = part === 'subject' ? mail.words[0] : mail.body;
  if (!address || !words) return undefined;
  const value = words.value.slice(0, part === 'subject' ? 1000 : 600).toLowerCase();
  const local = address.slice(0, address.indexOf('@'));
  const isName = /^[a-z]+(?:[._-][a-z]+)*$/.test(local);
  // A local part that is a name may be one: only the whole address, or what nobody is called, tells.
  const found = [address, ...(isName || local.length < 5 ? [] : [local])].find((text) => value.includes(text));
  if (found === undefined) return undefined;
  const at = value.indexOf(found);
  return { message: `It calls the reader “${found.slice(0, 60)}”.`, places: [words.place(at, found.length)] };
}

function styledWords(mail: MailReading, part: 'subject' | 'body'): RuleMatch | undefined {
  const words = part === 'subject' ? mail.words[0] : mail.body;
  const found = words ? [...words.value.slice(0, 20_000).matchAll(STYLED)] : [];
  return found.length >= 3
    ? {
        message: `${plural(found.length, 'letter')} only look like letters: ${listed(found.map(([text]) => text))}.`,
        places: found.slice(0, 3).map(({ 0: text, index }) => words!.place(index, text.length)),
        count: found.length,
      }
    : undefined;
}

function loudType(mail: MailReading): RuleMatch | undefined {
  const found = mail.elements.filter(
    ({ node }) =>
      node.tagName === 'font' &&
      (/^(?:\+[2-9]|[5-9])$/.test(attributeOf(node, 'size') ?? '') ||
        /^(?:#?ff0000|red|#?00ff00|lime|#?ffff00|yellow)$/i.test(attributeOf(node, 'color') ?? '')),
  );
  return found.length >= 2
    ? {
        message:
          `${plural(found.length, 'piece')} of text ${found.length === 1 ? 'is' : 'are'} ` +
          'set very large or in a screaming color.',
        places: found.slice(0, PLACES_MAX).map(mail.elementPlace),
        count: found.length,
      }
    : undefined;
}

function contactElsewhere(mail: MailReading): RuleMatch | undefined {
  const body = mail.body;
  const found = body
    ? [...body.value.slice(0, 50_000).matchAll(/[\w.+-]{2,60}@((?:[a-z0-9-]{1,60}\.){1,4}[a-z]{2,10})/gi)].filter(
        ([, domain]) => FREEMAIL.has(domain!.toLowerCase()) && domain!.toLowerCase() !== mail.from.domain,
      )
    : [];
  return found.length && mail.hasHeaders
    ? {
        message: `It asks to write to ${listed(found.map(([address]) => address))}.`,
        places: found.slice(0, 3).map(({ 0: address, index }) => body!.place(index, address.length)),
        count: found.length,
      }
    : undefined;
}

const SUM =
  /(?:(?:us|u\.s\.)? ?(?:[$€£]|\busd\b|\beur(?:os?)?\b|\bdollars?\b|\br\$) ?\d[\d.,]* ?(?:million|mio\.?|millones|milhões|milioni|millionen|miljoen)|(?:[$€£]|\busd ?)\d{1,3}(?:[.,]\d{3}){2,}|\d[\d.,]* ?(?:million|millionen|millones|milhões|milioni|miljoen|millions)(?: de)? ?(?:us |united states )?(?:dollars?|euros?|pounds?|usd|dólares))/gi;

function largeSums(mail: MailReading): RuleMatch | undefined {
  const body = mail.body;
  const found = body ? [...body.value.slice(0, 50_000).matchAll(SUM)] : [];
  return found.length
    ? {
        message: `It speaks of ${listed(found.map(([text]) => text))}.`,
        places: found.slice(0, 5).map(({ 0: text, index }) => body!.place(index, text.length)),
        count: found.length,
      }
    : undefined;
}

export const FORM_RULES: SpamRule[] = [
  ...rules('content', {
    TEXT_IS_HTML: {
      points: 1.2,
      description: 'HTML that is sent as plain text.',
      fix: 'Send it as text/html, beside a text part.',
      source: 'SpamAssassin: HTML_MIME_NO_HTML_TAG and its kin',
      check: textIsHtml,
    },
    BODY_STYLED: {
      points: 1.3,
      description: 'Words in letters that only look like letters.',
      fix: 'Type words in plain letters, and style them by CSS.',
      source: 'Unicode TR 39',
      check: (mail) => styledWords(mail, 'body'),
    },
    BODY_NAMES_ADDRESS: {
      points: 1,
      description: 'The reader is called by an address.',
      fix: 'Greet by name, or leave the greeting out.',
      source: 'SpamAssassin: the TO_IN_SUBJ rules, of bodies',
      check: (mail) => namesAddress(mail, 'body'),
    },
    BODY_CONTACT_ELSEWHERE: {
      points: 0.8,
      description: 'A public mailbox of another domain as the way to answer.',
      fix: 'Give an address at the domain that sends.',
      source: 'SpamAssassin: FREEMAIL_*',
      check: contactElsewhere,
    },
    BODY_LARGE_SUMS: {
      points: 0.9,
      description: 'Sums of millions.',
      fix: 'If your business is about millions, say whose they are, and keep them out of offers.',
      source: 'SpamAssassin: LOTS_OF_MONEY',
      check: largeSums,
    },
  }),
  ...rules('html', {
    HTML_LOUD_TYPE: {
      points: 0.6,
      description: 'Type as on leaflets: very large, or in screaming colors.',
      fix: 'Use headings and your own colors.',
      source: 'SpamAssassin: HTML_FONT_SIZE_HUGE, HTML_TINY_FONT',
      check: loudType,
    },
  }),
  ...rules('headers', {
    BASE64_NEEDLESS: {
      points: 1,
      description: 'Plain text that is encoded so that simple filters cannot read it.',
      fix: 'Send it as quoted-printable.',
      source: 'SpamAssassin: MIME_BASE64_TEXT',
      check: needlessBase64,
    },
    SUBJECT_NAMES_ADDRESS: {
      points: 1.2,
      description: 'The subject calls the reader by an address.',
      fix: 'Use a name, or none.',
      source: 'SpamAssassin: LOCALPART_IN_SUBJECT',
      check: (mail) => namesAddress(mail, 'subject'),
    },
    SUBJECT_STYLED: {
      points: 1.5,
      description: 'A subject in letters that only look like letters.',
      fix: 'Type it in plain letters.',
      source: 'Unicode TR 39',
      check: (mail) => styledWords(mail, 'subject'),
    },
  }),
];

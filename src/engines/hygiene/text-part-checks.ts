// The text/plain part: is it there, and does it say what the HTML says.

import type { Finding } from '../findings/index.ts';
import { attributeOf, lineOf, plural, shownElements, type MessageUnderCheck } from '../source/index.ts';

/** Below this share of common words the two parts are different messages. */
const COMMON_MIN = 0.5;
const WORDS_MIN = 10;
const WORDS_MAX = 20_000;

/** Distinct words of three letters and more, and numbers. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text
    .toLowerCase()
    .normalize('NFKC')
    .matchAll(/\p{L}[\p{L}\p{M}'’]{2,40}|\p{N}{2,20}/gu)) {
    words.add(word.replace('’', "'"));
    if (words.size >= WORDS_MAX) break;
  }
  return words;
}

export function checkTextPart(mail: MessageUnderCheck): Finding[] {
  const { text } = mail;
  if (text === undefined) return [];
  if (text.trim() === '') {
    return [
      {
        rule: 'hygiene/text-part',
        severity: 'warning',
        source: 'RFC 2046 §5.1.4',
        message: 'There is no text part: watches, text-only clients and some filters have nothing to show or to read.',
        fix: 'Send multipart/alternative with a text/plain part that says the same.',
      },
    ];
  }
  return [...checkWords(mail, text), ...checkLinks(mail, text)];
}

function checkWords({ runs }: MessageUnderCheck, text: string): Finding[] {
  if (
    /(?:does|do) not (?:support|display) html|html[- ]?(?:enabled|capable|fähig)|view this (?:e-?mail|message) in (?:an? )?html/i.test(
      text,
    ) &&
    text.length < 500
  ) {
    return [
      {
        rule: 'hygiene/text-part',
        severity: 'warning',
        message: "The text part only says that the reader's program can't show HTML.",
        fix: 'Say in it what the HTML says.',
      },
    ];
  }
  const inHtml = wordsOf(lineOf(runs.filter(({ isHidden }) => !isHidden)));
  const inText = wordsOf(text.replace(/https?:\/\/\S+/g, ' '));
  if (inHtml.size < WORDS_MIN) return [];
  const common = [...inHtml].filter((word) => inText.has(word)).length;
  const share = common / inHtml.size;
  const back = inText.size ? common / inText.size : 0;
  if (share >= COMMON_MIN && back >= COMMON_MIN) return [];
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  const missing = [...inHtml].filter((word) => !inText.has(word));
  return [
    {
      rule: 'hygiene/text-part',
      severity: 'warning',
      message:
        share < COMMON_MIN
          ? `The text part says something else: it has ${percent(share)} of the HTML's ${plural(inHtml.size, 'word')}.`
          : `The text part says more than the HTML: ${percent(1 - back)} of its words are not in the HTML.`,
      fix: 'Make the text part from the HTML.',
      details: { wordsOfHtml: inHtml.size, wordsOfText: inText.size, common, missing: missing.slice(0, 20) },
    },
  ];
}

function checkLinks(mail: MessageUnderCheck, text: string): Finding[] {
  const links = new Set(
    shownElements(mail).flatMap(({ node }) => {
      const address = node.tagName === 'a' ? attributeOf(node, 'href')?.trim() : undefined;
      return address && /^https?:/i.test(address) ? [address] : [];
    }),
  );
  if (!links.size) return [];
  const missing = [...links].filter((link) => !text.includes(link) && !text.includes(link.replace(/[?#].*$/s, '')));
  if (missing.length * 2 <= links.size) return [];
  return [
    {
      rule: 'hygiene/text-part-links',
      severity: missing.length === links.size ? 'warning' : 'info',
      message:
        missing.length === links.size
          ? `The text part has no link; the HTML has ${links.size === 1 ? 'one' : links.size}.`
          : `${missing.length} of the HTML's ${plural(links.size, 'link')} are not in the text part.`,
      fix: 'Write the addresses into the text part.',
      details: { links: links.size, missing: missing.slice(0, 20) },
    },
  ];
}

export function textPartPassed({ text }: MessageUnderCheck): string | undefined {
  return text === undefined ? undefined : 'The text part says what the HTML says.';
}

// Sizes that a message must stay below.

import type { Finding } from '../findings/index.ts';
import { readCss } from '../css/index.ts';
import { attributeOf, kilobytes, shownElements, type MessageUnderCheck } from '../source/index.ts';

/** Gmail shows about so much of the HTML, then "[Message clipped]" (hteumeuleu/email-bugs#41). */
const GMAIL_CLIP_BYTES = 102 * 1024;
/**
 * Gmail drops the `<style>` element that reaches beyond, all such elements counted together (hteumeuleu/email-bugs#90).
 */
const GMAIL_STYLE_BYTES = 16 * 1024;
/** From here on a message is close to the limit: links grow when they are tracked. */
const NEAR = 0.9;
/** The smallest of the large providers' limits for a whole message, Outlook.com's and iCloud's, is 20 to 25 MB. */
const MESSAGE_BYTES_MAX = 20 * 1024 * 1024;
const MESSAGE_BYTES_LARGE = 1024 * 1024;

export function checkClipping(mail: MessageUnderCheck): Finding[] {
  const bytes = Buffer.byteLength(mail.html);
  const finding = {
    rule: 'hygiene/gmail-clipping',
    source: 'hteumeuleu/email-bugs#41',
    clients: ['Gmail'],
    details: { bytes, limit: GMAIL_CLIP_BYTES },
  };
  if (bytes > GMAIL_CLIP_BYTES) {
    const cut = clipOffset(mail.html);
    const lost = lostByClip(mail, cut);
    return [
      {
        ...finding,
        severity: 'error',
        message:
          `Gmail cuts this message off: the HTML has ${kilobytes(bytes)}, ${kilobytes(bytes - GMAIL_CLIP_BYTES)} ` +
          `more than the 102 KB that it shows.${lost}`,
        where: mail.placeAt(cut, cut + 120),
        fix: 'Take out white space, comments and repeated styles, or end the message with a link to the rest.',
      },
    ];
  }
  if (bytes <= GMAIL_CLIP_BYTES * NEAR) return [];
  return [
    {
      ...finding,
      severity: 'warning',
      message:
        `The HTML has ${kilobytes(bytes)} of the 102 KB that Gmail shows; links that are rewritten for ` +
        'tracking may push it over.',
      fix: 'Take out white space, comments and repeated styles.',
    },
  ];
}

export function sizePassed({ html }: MessageUnderCheck): string {
  return `The HTML has ${kilobytes(Buffer.byteLength(html))} of the 102 KB that Gmail shows.`;
}

/** The first character that Gmail does not show; the length of the message when it shows all. */
export function clipOffset(html: string): number {
  const head = Buffer.from(html).subarray(0, GMAIL_CLIP_BYTES).toString('utf8');
  return head.endsWith('\ufffd') && html[head.length - 1] !== '\ufffd' ? head.length - 1 : head.length;
}

function lostByClip(mail: MessageUnderCheck, cut: number): string {
  const late = shownElements(mail).filter(({ node, base }) => base + node.sourceCodeLocation!.startOffset >= cut);
  const lost: string[] = [];
  if (
    late.some(({ node }) => node.tagName === 'a' && /unsub|opt-?out|preferences/i.test(attributeOf(node, 'href') ?? ''))
  )
    lost.push('the unsubscribe link');
  if (late.some(({ node }) => node.tagName === 'img' && attributeOf(node, 'width') === '1'))
    lost.push('the tracking pixel');
  return lost.length ? ` What goes: ${lost.join(' and ')}.` : '';
}

export function checkStyleSize(mail: MessageUnderCheck): Finding[] {
  let bytes = 0;
  let first: Finding | undefined;
  for (const element of shownElements(mail)) {
    const { node } = element;
    if (node.tagName !== 'style') continue;
    bytes += styleText(mail, element.node.sourceCodeLocation).bytes;
    if (bytes > GMAIL_STYLE_BYTES && !first) {
      first = {
        rule: 'hygiene/gmail-style-size',
        severity: 'warning',
        message: '',
        where: mail.placeOf(element),
        clients: ['Gmail'],
        source: 'hteumeuleu/email-bugs#90',
      };
    }
  }
  if (!first) return [];
  return [
    {
      ...first,
      message:
        `Gmail drops this style element and those after it: the style sheets have ${kilobytes(bytes)} in ` +
        'all, and it reads 16 KB.',
      fix: 'Put the rules for small screens into the first 16 KB, inline the rest.',
      details: { bytes, limit: GMAIL_STYLE_BYTES },
    },
  ];
}

export function stylesPassed(mail: MessageUnderCheck): string | undefined {
  const styles = shownElements(mail).filter(({ node }) => node.tagName === 'style');
  if (!styles.length) return undefined;
  const bytes = styles.reduce((sum, { node }) => sum + styleText(mail, node.sourceCodeLocation).bytes, 0);
  return `The style sheets have ${kilobytes(bytes)} of the 16 KB that Gmail reads.`;
}

function styleText(
  { html }: MessageUnderCheck,
  place: MessageUnderCheck['message']['document']['sourceCodeLocation'],
): { text: string; start: number; bytes: number } {
  const located = place as { startTag?: { endOffset: number }; endTag?: { startOffset: number }; endOffset: number };
  const start = located.startTag?.endOffset ?? located.endOffset;
  const text = html.slice(start, located.endTag?.startOffset ?? located.endOffset);
  return { text, start, bytes: Buffer.byteLength(text) };
}

/** Gmail drops a whole style element that has an at-rule inside an at-rule (hteumeuleu/email-bugs#21). */
export function checkNestedAtRules(mail: MessageUnderCheck): Finding[] {
  return shownElements(mail)
    .filter(({ node }) => node.tagName === 'style')
    .flatMap(({ node }) => {
      const { text, start } = styleText(mail, node.sourceCodeLocation);
      const nested: Finding[] = [];
      readCss(text, 'sheet', {
        rule: () => {},
        declaration: () => {},
        atRule: (name, prelude, at) => {
          if (!at.around.some((block) => block !== 'rule') || nested.length) return;
          nested.push({
            rule: 'hygiene/gmail-nested-at-rule',
            severity: 'warning',
            clients: ['Gmail'],
            source: 'hteumeuleu/email-bugs#21',
            message: `Gmail drops this whole style element: @${name} is nested in another at-rule.`,
            where: mail.placeAt(start + at.start, start + prelude.start + prelude.text.length),
            fix: `Take the @${name} out, or put both into a style element of their own.`,
          });
        },
      });
      return nested;
    });
}

export function checkMessageSize({ rawBytes }: MessageUnderCheck): Finding[] {
  if (rawBytes === undefined || rawBytes <= MESSAGE_BYTES_LARGE) return [];
  const size = `${Math.round((rawBytes / 1024 / 1024) * 10) / 10} MB`;
  const isTooLarge = rawBytes > MESSAGE_BYTES_MAX;
  return [
    {
      rule: 'hygiene/message-size',
      severity: isTooLarge ? 'error' : 'info',
      details: { bytes: rawBytes, limit: MESSAGE_BYTES_MAX },
      message: isTooLarge
        ? `The message has ${size}; large providers refuse messages of more than 20 to 25 MB.`
        : `The message has ${size}, which is much for a newsletter and slow on a phone.`,
      fix: 'Host pictures and files, and link to them.',
    },
  ];
}

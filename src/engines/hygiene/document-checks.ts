// What a document needs around its content, and what no client runs.

import type { Finding } from '../findings/index.ts';
import { attributeOf, quoted, shownElements, type MessageUnderCheck } from '../source/index.ts';

/** Browsers look for the encoding in the first 1,024 bytes (HTML Standard §4.2.5.4). */
const CHARSET_BYTES = 1024;

function firstOf(mail: MessageUnderCheck, name: string) {
  return shownElements(mail).find(({ node }) => node.tagName === name);
}

function start(mail: MessageUnderCheck) {
  return mail.placeAt(0, Math.min(80, mail.html.length));
}

function htmlPlace(mail: MessageUnderCheck) {
  const html = firstOf(mail, 'html');
  return html ? mail.placeOf(html) : start(mail);
}

export function checkDoctype(mail: MessageUnderCheck): Finding[] {
  if (mail.message.doctype) return [];
  return [
    {
      rule: 'hygiene/doctype',
      severity: 'warning',
      where: start(mail),
      source: 'HTML Standard §13.1.1',
      message:
        'There is no doctype: clients that keep it lay the message out in quirks mode, with other sizes for ' +
        'fonts, images and tables.',
      fix: 'Start with <!doctype html>.',
    },
  ];
}

export function checkLanguage(mail: MessageUnderCheck): Finding[] {
  const html = firstOf(mail, 'html');
  const language = html && attributeOf(html.node, 'lang')?.trim();
  if (language) return [];
  return [
    {
      rule: 'hygiene/lang',
      severity: 'warning',
      where: htmlPlace(mail),
      source: 'WCAG 2.2, 3.1.1',
      message:
        language === ''
          ? 'The lang attribute is empty.'
          : 'The message does not say its language: screen readers guess how to speak it, and ' +
            'clients offer to translate it.',
      fix: 'Write <html lang="en">, and the same on the first element inside the body.',
    },
  ];
}

export function checkDirection(mail: MessageUnderCheck): Finding[] {
  const hasDirection = shownElements(mail).some(
    ({ node }) => ['html', 'body', 'div', 'table'].includes(node.tagName) && attributeOf(node, 'dir'),
  );
  if (hasDirection) return [];
  return [
    {
      rule: 'hygiene/dir',
      severity: 'info',
      where: htmlPlace(mail),
      source: 'WCAG 2.2, 1.3.2',
      message:
        'The message does not say its direction: in a client that is set to Arabic or Hebrew it is ' +
        'shown from right to left.',
      fix: 'Write <html dir="ltr">, and the same on the first element inside the body.',
    },
  ];
}

export function checkCharset(mail: MessageUnderCheck): Finding[] {
  const metas = shownElements(mail).filter(({ node }) => node.tagName === 'meta');
  const meta = metas.find(
    ({ node }) =>
      attributeOf(node, 'charset') !== undefined || /content-type/i.test(attributeOf(node, 'http-equiv') ?? ''),
  );
  const rule = { rule: 'hygiene/charset', source: 'HTML Standard §4.2.5.4' };
  if (!meta) {
    return [
      {
        ...rule,
        severity: 'warning',
        where: start(mail),
        message: 'The HTML does not say its encoding: saved or forwarded, accents and symbols may turn to gibberish.',
        fix: 'Put <meta charset="utf-8"> first in the head.',
      },
    ];
  }
  const charset =
    attributeOf(meta.node, 'charset') ??
    /charset\s*=\s*["']?([\w-]+)/i.exec(attributeOf(meta.node, 'content') ?? '')?.[1] ??
    '';
  if (!/^utf-?8$/i.test(charset.trim())) {
    return [
      {
        ...rule,
        severity: 'warning',
        where: mail.placeOf(meta),
        message: `The HTML says that it is in ${quoted(charset || 'nothing')}; use UTF-8, which holds every character.`,
        fix: 'Write <meta charset="utf-8"> and send the part in UTF-8.',
      },
    ];
  }
  const before = Buffer.byteLength(mail.html.slice(0, meta.node.sourceCodeLocation!.endOffset));
  if (before <= CHARSET_BYTES) return [];
  return [
    {
      ...rule,
      severity: 'info',
      where: mail.placeOf(meta),
      message: `The encoding comes after ${before.toLocaleString('en-US')} bytes; browsers look for it in the first 1,024.`,
      fix: 'Put <meta charset="utf-8"> first in the head.',
    },
  ];
}

export function checkViewport(mail: MessageUnderCheck): Finding[] {
  const viewport = shownElements(mail).find(
    ({ node }) => node.tagName === 'meta' && /^\s*viewport\s*$/i.test(attributeOf(node, 'name') ?? ''),
  );
  const content = viewport && attributeOf(viewport.node, 'content');
  if (!viewport || !content) {
    return [
      {
        rule: 'hygiene/viewport',
        severity: 'warning',
        where: viewport ? mail.placeOf(viewport) : start(mail),
        message:
          'There is no viewport: phones draw the message as wide as a desk screen and shrink it, and media queries ' +
          'for small screens do nothing.',
        fix: 'Put <meta name="viewport" content="width=device-width,initial-scale=1"> into the head.',
      },
    ];
  }
  if (/width\s*=/i.test(content)) return [];
  return [
    {
      rule: 'hygiene/viewport',
      severity: 'warning',
      where: mail.placeOf(viewport),
      message: `The viewport ${quoted(content)} does not set a width.`,
      fix: 'Write width=device-width.',
    },
  ];
}

export function checkTitle(mail: MessageUnderCheck): Finding[] {
  const title = shownElements(mail).find(({ node }) => node.tagName === 'title' && node.namespaceURI.endsWith('xhtml'));
  const text = title && mail.message.texts.find(({ parent }) => parent === title.node)?.value.trim();
  if (text) return [];
  return [
    {
      rule: 'hygiene/title',
      severity: 'warning',
      where: title ? mail.placeOf(title) : start(mail),
      source: 'WCAG 2.2, 2.4.2',
      message: title
        ? 'The title is empty.'
        : "The message has no title: the web version's tab and screen readers have nothing to say.",
      fix: 'Put the subject into <title>.',
    },
  ];
}

const removed = new Set(['script', 'iframe', 'frame', 'frameset', 'embed', 'applet']);

/** What every client removes, and what makes filters suspicious. */
export function checkActiveContent(mail: MessageUnderCheck): Finding[] {
  return mail.message.elements.flatMap((element): Finding[] => {
    const { node } = element;
    const handler = node.attrs.find(({ name }) => /^on[a-z]{3,}$/.test(name))?.name;
    const link = /^\s*(?:javascript|vbscript):/i.test(attributeOf(node, 'href') ?? '')
      ? 'A link that runs a script'
      : undefined;
    const what = removed.has(node.tagName) ? `<${node.tagName}>` : (handler ?? link);
    if (!what || (node.tagName === 'script' && /ld\+json/i.test(attributeOf(node, 'type') ?? ''))) return [];
    return [
      {
        rule: 'hygiene/active-content',
        severity: 'error',
        where: mail.placeOf(element),
        message: `${what} is removed by every client, and makes spam filters suspicious.`,
        fix: 'Leave it out, and link to a page that does it.',
      },
    ];
  });
}

/** A longer relative address is not taken for the name of a file next to the message. */
const ADDRESS_LENGTH_MAX = 1_000;

/** Reports relative addresses: a message has no base address to resolve them with. */
export function checkRelativeAddresses(mail: MessageUnderCheck): Finding[] {
  const hasBase = shownElements(mail).some(
    ({ node }) => node.tagName === 'base' && URL.canParse(attributeOf(node, 'href') ?? ''),
  );
  if (hasBase) return [];
  return mail.message.elements.flatMap((element): Finding[] => {
    const name =
      element.node.tagName === 'a' || element.node.tagName === 'area'
        ? 'href'
        : element.node.tagName === 'img'
          ? 'src'
          : undefined;
    const value = name && attributeOf(element.node, name)?.trim();
    if (!name || value === undefined || !isRelative(value)) return [];
    return [
      {
        rule: 'hygiene/relative-address',
        severity: 'error',
        where: mail.placeOf(element),
        message:
          value === ''
            ? `The ${name} of <${element.node.tagName}> is empty.`
            : `${quoted(value)} is a relative address: in a client it leads nowhere.`,
        fix: 'Write the address in full, with https://.',
        ...(name !== 'href' && value !== '' && { details: { address: value.slice(0, ADDRESS_LENGTH_MAX) } }),
      },
    ];
  });
}

/** Neither a scheme nor a fragment nor a tag that is to be replaced. */
function isRelative(address: string): boolean {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(address)) return false;
  return !/^(?:\{|\*\||%|<%|\[|\$\{|#\{|«)/.test(address);
}

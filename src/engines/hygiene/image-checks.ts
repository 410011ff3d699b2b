// Images in the message's code: images that replace the message, images inside the source, images that count opens.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Finding } from '../findings/index.ts';
import { clipOffset } from './size-checks.ts';
import {
  attributeOf,
  kilobytes,
  lineOf,
  plural,
  shownElements,
  wordCharacters,
  type MessageUnderCheck,
} from '../source/index.ts';

/** Letters that a message has when it says something besides its footer. */
const LETTERS_MIN = 100;

export function checkImageOnly(mail: MessageUnderCheck): Finding[] {
  const images = shownElements(mail).filter(({ node }) => node.tagName === 'img' && !isPixel(node));
  const letters = wordCharacters(lineOf(mail.runs.filter(({ isHidden }) => !isHidden)));
  if (!images.length || letters >= LETTERS_MIN) return [];
  const alternatives = wordCharacters(images.map(({ node }) => attributeOf(node, 'alt') ?? '').join(' '));
  return [
    {
      rule: 'hygiene/image-only',
      severity: 'warning',
      where: mail.placeOf(images[0]!),
      source: 'WCAG 2.2, 1.4.5',
      message:
        `The message is made of pictures: ${plural(images.length, 'picture')} and ${plural(letters, 'letter')} of ` +
        `text. Where pictures are blocked ${alternatives ? 'only their alternative texts show' : 'nothing shows'}, ` +
        "and filters can't read it.",
      fix: 'Write headings, text and buttons as text.',
      details: { images: images.length, letters, lettersOfAlternatives: alternatives },
    },
  ];
}

/** Pictures inside the source: many clients don't show them, and they count toward Gmail's 102 KB. */
export function checkInlineImages(mail: MessageUnderCheck): Finding[] {
  const found: Finding[] = [];
  for (const element of mail.message.elements) {
    for (const { name, value } of element.node.attrs) {
      if (!isAddress(name) && name !== 'style') continue;
      const data = /data:image\/([\w.+-]{1,40})[^,]{0,100},/i.exec(value);
      if (!data) continue;
      const bytes = Buffer.byteLength(value) - data.index;
      found.push({
        rule: 'hygiene/inline-image',
        severity: 'warning',
        where: mail.placeOf(element),
        clients: ['Gmail', 'Outlook for Windows'],
        details: { bytes, format: data[1]!.toLowerCase() },
        message:
          `A ${data[1]!.toUpperCase()} picture of ${kilobytes(bytes)} is inside the source: Gmail doesn't show it, ` +
          "Outlook for Windows not in all versions, and it counts toward Gmail's 102 KB.",
        fix: 'Host the picture, or attach it and refer to it by cid:.',
      });
    }
  }
  return found;
}

function isAddress(name: string): boolean {
  return name === 'src' || name === 'srcset' || name === 'background' || name === 'poster' || name === 'href';
}

/** A picture of one pixel, as attributes or styles say. */
function isPixel(node: Tree.Element): boolean {
  const style = (attributeOf(node, 'style') ?? '').toLowerCase();
  const isTiny = (name: 'width' | 'height') => {
    const size =
      new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`).exec(style)?.[1] ?? attributeOf(node, name);
    return size !== undefined && /^\s*[01](?:\.0+)?(?:px)?\s*$/.test(size);
  };
  return isTiny('width') && isTiny('height');
}

export function checkTrackingPixels(mail: MessageUnderCheck): Finding[] {
  const cut = clipOffset(mail.html);
  return shownElements(mail)
    .filter(({ node }) => node.tagName === 'img' && isPixel(node))
    .flatMap((element) => {
      const trouble = pixelTrouble(element.node);
      const isLate = element.base + element.node.sourceCodeLocation!.startOffset >= cut;
      const problems = [
        ...trouble,
        ...(isLate ? ['it stands behind the place where Gmail cuts the message off, so opens are not counted'] : []),
      ];
      if (!problems.length) return [];
      return [
        {
          rule: 'hygiene/tracking-pixel',
          severity: 'warning' as const,
          where: mail.placeOf(element),
          message: `A tracking pixel can be noticed or lost: ${problems.join('; ')}.`,
          fix: 'Write <img width="1" height="1" alt="" style="display:block;border:0"> at the end of a short body.',
        },
      ];
    });
}

function pixelTrouble(node: Tree.Element): string[] {
  const alternative = attributeOf(node, 'alt');
  const style = (attributeOf(node, 'style') ?? '').toLowerCase();
  const trouble: string[] = [];
  if (alternative === undefined) trouble.push('without alt screen readers read its address out');
  else if (alternative.trim() !== '')
    trouble.push(`its alt ${JSON.stringify(alternative.slice(0, 40))} shows where pictures are blocked`);
  if (Number(attributeOf(node, 'border') ?? 0) > 0 || /border\s*:\s*[1-9]/.test(style))
    trouble.push('its border shows');
  if (/display\s*:\s*none/.test(style)) trouble.push('clients that skip hidden pictures never load it');
  return trouble;
}

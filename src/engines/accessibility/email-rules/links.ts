// Rules for links: they have a name, the name says where they lead, they differ from text, and they are large enough.

import { contrastOf } from '../../color/index.ts';
import { attr, below, isSeen, linksOf, nameOf, plain, quoted, sizeOf, textOf } from '../elements.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { textBlocks, type TextBlock } from '../text-blocks.ts';
import type { EmailRule, Spot } from '../types.ts';
import { GENERIC_LINK_TEXTS } from '../words.ts';
import { doubting, failing, NOTHING } from './verdict.ts';

export const linkName: EmailRule = {
  id: 'link-name',
  criteria: ['2.4.4', '4.1.2'],
  impact: 'serious',
  description: 'Every link has a name: text, or the alternative text of its image.',
  fix: 'Give the link text, or its image an alt that says where the link leads.',
  check(mail) {
    const links = linksOf(mail);
    const spots = links
      .filter((link) => nameOf(link) === '' && (attr(link, 'aria-labelledby') ?? '') === '')
      .map((at): Spot => {
        const hasImage = [...below(at)].some(({ tag }) => tag === 'img');
        return {
          at,
          message:
            `The link to ${quoted(attr(at, 'href')!, 80)} ` +
            `has no name${hasImage ? ': its image has no alternative text' : ''}.`,
        };
      });
    return failing(spots, links.length > 0);
  },
};

/** A link's text as compared: lower case, without arrows and punctuation at its ends. */
function wordsOf(link: MailElement): string {
  return nameOf(link)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

export const linkTextGeneric: EmailRule = {
  id: 'link-text-generic',
  criteria: ['2.4.4'],
  impact: 'moderate',
  description: 'Link texts say where the link leads: no “click here”, no “read more”.',
  fix: 'Say in the link’s text, or in aria-label, what is found behind it.',
  check(mail) {
    const links = linksOf(mail).filter((link) => nameOf(link) !== '');
    return failing(
      links
        .filter((link) => GENERIC_LINK_TEXTS.has(wordsOf(link)))
        .map((at) => ({
          at,
          message: `The link text ${quoted(nameOf(at))} says nothing about ${quoted(attr(at, 'href')!, 60)}.`,
        })),
      links.length > 0,
    );
  },
};

/** An address without what only counts visits. */
function targetOf(href: string): string {
  return href
    .trim()
    .replace(/#.*$/s, '')
    .replace(/([?&])(?:utm_\w+|mc_[ce]id|fbclid|gclid|trk\w*|ref)=[^&]*/gi, '$1')
    .replace(/[?&]+$/, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

export const linkTextAmbiguous: EmailRule = {
  id: 'identical-links-same-purpose',
  criteria: ['2.4.9'],
  impact: 'minor',
  description: 'Links with the same text lead to the same place.',
  fix: 'Tell the links apart by their text or by aria-label.',
  check(mail) {
    const byWords = new Map<string, MailElement[]>();
    for (const link of linksOf(mail)) {
      const words = wordsOf(link);
      if (words !== '' && !GENERIC_LINK_TEXTS.has(words))
        byWords.set(words, [...(byWords.get(words) ?? []).slice(0, 50), link]);
    }
    const spots = [...byWords.values()].flatMap((links) => {
      const targets = new Set(links.map((link) => targetOf(attr(link, 'href')!)));
      if (targets.size < 2) return [];
      return links.map((at): Spot => ({
        at,
        message: `${links.length} links are called ${quoted(nameOf(at))}, and lead to ${targets.size} places.`,
      }));
    });
    return doubting(spots, byWords.size > 0);
  },
};

const ADDRESS_LENGTH_MAX = 30;

export const linkTextAddress: EmailRule = {
  id: 'link-text-address',
  criteria: ['2.4.4'],
  isBestPractice: true,
  impact: 'minor',
  description: 'Link texts are words, not long addresses that are read out letter by letter.',
  fix: 'Name what is found behind the link; keep the address in href.',
  check(mail) {
    const links = linksOf(mail);
    return failing(
      links
        .filter((link) => /^(?:https?:\/\/|www\.)\S+$/i.test(nameOf(link)) && nameOf(link).length > ADDRESS_LENGTH_MAX)
        .map((at) => ({ at, message: `The link’s text is an address of ${nameOf(at).length} characters.` })),
      links.length > 0,
    );
  },
};

const CONTRAST_TO_TEXT_MIN = 3;

export const linkInTextBlock: EmailRule = {
  id: 'link-in-text-block',
  criteria: ['1.4.1'],
  impact: 'serious',
  description: 'Links inside text differ from it by more than color.',
  fix: 'Underline the link, or set it apart by weight, size or a border.',
  check(mail) {
    const inText = textBlocks(mail).flatMap((block) => linksInside(mail, block).map((link) => ({ block, link })));
    const spots = inText
      .filter(({ block, link }) => !standsOut(mail, link, block))
      .flatMap(({ block, link: at }): Spot[] => {
        const contrast = contrastOf(mail.styleOf(textElement(at)).color, mail.styleOf(textAround(block, at)).color);
        if (contrast >= CONTRAST_TO_TEXT_MIN) return [];
        return [
          {
            at,
            message:
              `The link ${quoted(textOf(at))} differs from the text around only by its color, with a ` +
              `contrast of ${round(contrast)}:1.`,
            details: { contrast: round(contrast) },
          },
        ];
      });
    return failing(spots, inText.length > 0);
  },
};

const TEXT_AROUND_MIN = 15;

/** Links of a block that also has other text. */
function linksInside(mail: Mail, { texts, element }: TextBlock): MailElement[] {
  const links = new Set<MailElement>();
  let around = 0;
  for (const { parent, value } of texts) {
    const link = linkOf(parent, element);
    if (link && attr(link, 'href') !== undefined && isSeen(mail, link)) links.add(link);
    else around += plain(value).length;
  }
  return around >= TEXT_AROUND_MIN ? [...links] : [];
}

function linkOf(element: MailElement, block: MailElement): MailElement | undefined {
  for (let at: MailElement | undefined = element; at && at !== block; at = at.parent) if (at.tag === 'a') return at;
  return undefined;
}

/** The element that the link's first text stands in. */
function textElement(link: MailElement): MailElement {
  let at = link;
  while (at.children[0] && textOf(at.children[0]) === textOf(at)) at = at.children[0];
  return at;
}

function textAround({ texts, element }: TextBlock, link: MailElement): MailElement {
  return (
    texts.find(({ parent }) => linkOf(parent, element) !== link && linkOf(parent, element) === undefined)?.parent ??
    element
  );
}

function standsOut(mail: Mail, link: MailElement, block: TextBlock): boolean {
  const own = mail.styleOf(textElement(link));
  const outer = mail.styleOf(textAround(block, link));
  const parts = [link, ...below(link)].map((part) => mail.styleOf(part));
  return (
    parts.some(
      (part) =>
        (part.isUnderlined && !outer.isUnderlined) ||
        part.hasBottomBorder ||
        part.hasBorder ||
        part.backgroundColor.a > 0,
    ) ||
    Math.abs(own.fontWeight - outer.fontWeight) >= 200 ||
    Math.abs(own.fontSizePx - outer.fontSizePx) >= 2
  );
}

function round(ratio: number): number {
  return Math.floor(ratio * 100) / 100;
}

const TARGET_PX_MIN = 24;
const TARGET_PX_WISHED = 44;

/** The size of a link's target, as far as it is written; only for links made of one picture, and for buttons. */
function targetSize(mail: Mail, link: MailElement): { width: number; height: number } | undefined {
  const style = mail.styleOf(link);
  const [top, right, bottom, left] = style.paddingPx;
  const images = [...below(link)].filter(({ tag }) => tag === 'img');
  if (textOf(link) === '' && images.length === 1) {
    const { width, height = width } = sizeOf(mail, images[0]!);
    return width === undefined || height === undefined
      ? undefined
      : { width: width + left + right, height: height + top + bottom };
  }
  // Some buttons are padded with a thick border, whose width isn't known here.
  if ((style.display !== 'inline-block' && style.display !== 'block') || style.hasBorder) return undefined;
  const inner = mail.styleOf(textElement(link));
  const height = Math.max(style.heightPx ?? 0, (inner.lineHeight ?? 1.2) * inner.fontSizePx) + top + bottom;
  // Half an em a character is less than any text takes.
  return { width: Math.max(style.widthPx ?? 0, 0.5 * inner.fontSizePx * textOf(link).length) + left + right, height };
}

function targetSpots(mail: Mail, isTooSmall: (px: number) => boolean): { spots: Spot[]; applies: boolean } {
  const sized = linksOf(mail)
    .filter((link) => isSeen(mail, link))
    .map((at) => ({ at, size: targetSize(mail, at) }))
    .filter(({ size }) => size !== undefined);
  const spots = sized
    .filter(({ size }) => isTooSmall(Math.min(size!.width, size!.height)))
    .map(({ at, size }) => ({
      at,
      message:
        `The link ${quoted(nameOf(at), 40)} can be hit on ${Math.round(size!.width)} × ` +
        `${Math.round(size!.height)} pixels.`,
      details: { ...size! },
    }));
  return { spots, applies: sized.length > 0 };
}

export const targetSizeMinimum: EmailRule = {
  id: 'target-size',
  criteria: ['2.5.8'],
  impact: 'serious',
  description: `Links outside text are at least ${TARGET_PX_MIN} × ${TARGET_PX_MIN} pixels, or have room around them.`,
  fix: `Make the picture or the padding larger, or leave ${TARGET_PX_MIN} pixels between the links.`,
  check(mail) {
    // Room around a link counts as well, and that is known to a browser only.
    const { spots, applies } = targetSpots(mail, (px) => px < TARGET_PX_MIN);
    return doubting(spots, applies);
  },
};

export const targetSizeEnhanced: EmailRule = {
  id: 'target-size-enhanced',
  criteria: ['2.5.5'],
  impact: 'minor',
  description: `Links outside text are at least ${TARGET_PX_WISHED} × ${TARGET_PX_WISHED} pixels, the size of a fingertip.`,
  fix: `Make the picture or the padding larger, up to ${TARGET_PX_WISHED} pixels.`,
  check(mail) {
    const { spots, applies } = targetSpots(mail, (px) => px >= TARGET_PX_MIN && px < TARGET_PX_WISHED);
    return doubting(spots, applies);
  },
};

export const linkWithoutTarget: EmailRule = {
  id: 'link-without-target',
  criteria: ['2.4.4'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'Links lead somewhere: none has an empty address or “#”.',
  fix: 'Give the link an address, or make it plain text.',
  check(mail) {
    const links = linksOf(mail);
    if (links.length === 0) return NOTHING;
    return failing(
      links
        .filter(
          (link) => /^\s*(?:#|javascript:.*)?\s*$/is.test(attr(link, 'href')!) && !hasMergeTag(attr(link, 'href')!),
        )
        .map((at) => ({
          at,
          message: `The link ${quoted(nameOf(at), 40)} leads nowhere: its address is ${quoted(attr(at, 'href')!)}.`,
        })),
    );
  },
};

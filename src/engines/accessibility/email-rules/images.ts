// Pictures: what stands for them, and what is lost without them.

import { altFault, imageFiles, type AltFault } from '../../html/index.ts';
import {
  attr,
  below,
  imageNameOf,
  isAriaHidden,
  isPresentational,
  isRead,
  linksOf,
  nameOf,
  plain,
  quoted,
  sizeOf,
  textOf,
  wordAttr,
} from '../elements.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { isSpacer } from '../spacers.ts';
import { textBlocks } from '../text-blocks.ts';
import type { EmailRule, Spot } from '../types.ts';
import { doubting, failing, NOTHING } from './verdict.ts';

/** Images that assistive technology reaches, including images that only Word reads. */
export function imagesOf(mail: Mail): MailElement[] {
  return mail.elements.filter(
    (element) =>
      element.tag === 'img' &&
      !element.isRepeated &&
      (element.isCommented ? !isAriaHidden(element) : isRead(mail, element)),
  );
}

/**
 * Everything whose name is read out in place of a picture: images, image buttons, areas of a map, pictures for Word.
 */
function spokenPictures(mail: Mail): MailElement[] {
  const others = mail.elements.filter(
    (element) =>
      !element.isRepeated &&
      (element.isCommented
        ? element.tag.startsWith('v:') && !isAriaHidden(element)
        : (element.tag === 'area' || (element.tag === 'input' && wordAttr(element, 'type') === 'image')) &&
          isRead(mail, element)),
  );
  return [...imagesOf(mail), ...others].toSorted((one, other) => one.index - other.index);
}

function fileOf(image: MailElement): string {
  const src = (attr(image, 'src') ?? '').trim();
  if (src === '') return 'an image without address';
  return /^data:/i.test(src)
    ? 'an inline image'
    : quoted(src.replace(/[?#].*$/s, '').replace(/^.*\/(?=[^/])/s, ''), 50);
}

function isNamed(element: MailElement): boolean {
  return (
    (attr(element, 'aria-label') ?? '').trim() !== '' ||
    (attr(element, 'aria-labelledby') ?? '').trim() !== '' ||
    (attr(element, 'title') ?? '').trim() !== ''
  );
}

export const imageAlt: EmailRule = {
  id: 'image-alt',
  criteria: ['1.1.1'],
  impact: 'critical',
  description: 'Every image has alt: a text that says the same, or alt="" for decoration.',
  fix: 'Add alt with what the image says, or alt="" if it is decoration.',
  check(mail) {
    const images = imagesOf(mail);
    const spots = images
      .filter((image) => attr(image, 'alt') === undefined && !isPresentational(image) && !isNamed(image))
      .map((at): Spot => {
        if (isSpacer(mail, at))
          return {
            at,
            impact: 'moderate',
            message: `The spacer ${fileOf(at)} has no alt; some screen readers read its address.`,
            correctAny: ['Add alt="".'],
          };
        return { at, message: `The image ${fileOf(at)} has no alt.` };
      });
    return failing(spots, images.length > 0);
  },
};

const FAULTS: Record<AltFault, string> = {
  'file-name': 'is the name of a file',
  address: 'is an address',
  placeholder: 'says nothing about the image',
};

export const imageAltQuality: EmailRule = {
  id: 'image-alt-quality',
  criteria: ['1.1.1'],
  impact: 'serious',
  description: 'Alternative texts say what the image says: no file names, no “image”.',
  fix: 'Write what the image tells the reader, or alt="" if it is decoration.',
  check(mail) {
    const named = spokenPictures(mail)
      .flatMap((at) => ({ at, name: imageNameOf(mail, at) }))
      .filter(({ name }) => name && plain(name.text) !== '' && !hasMergeTag(name.text));
    const spots = named.flatMap(({ at, name }): Spot[] => {
      const { text, from } = name!;
      const fault = altFault(text, ...imageFiles(at.node));
      const what = from === 'alt' ? 'The alternative text' : `The name that ${from} gives,`;
      return fault
        ? [
            {
              at,
              message: `${what} ${quoted(text)} ${FAULTS[fault]}.`,
              details: { alt: text, fault, ...(from !== 'alt' && { from }) },
            },
          ]
        : [];
    });
    return failing(spots, named.length > 0);
  },
};

export const spacerAlt: EmailRule = {
  id: 'spacer-alt',
  criteria: ['1.1.1'],
  impact: 'minor',
  description: 'Spacers and tracking pixels have an empty alternative text.',
  fix: 'Use alt="".',
  check(mail) {
    const spacers = imagesOf(mail).filter((image) => !isPresentational(image) && isSpacer(mail, image));
    return failing(
      spacers
        .filter((image) => plain(attr(image, 'alt') ?? '') !== '')
        .map((at) => ({ at, message: `The spacer ${fileOf(at)} is read out as ${quoted(attr(at, 'alt')!)}.` })),
      spacers.length > 0,
    );
  },
};

const ALT_LENGTH_MAX = 150;

export const imageAltLength: EmailRule = {
  id: 'image-alt-length',
  criteria: ['1.1.1'],
  isBestPractice: true,
  impact: 'minor',
  description: `Alternative texts are short: at most ${ALT_LENGTH_MAX} characters.`,
  fix: 'Shorten it, and put the rest into the text of the message.',
  check(mail) {
    const images = imagesOf(mail).filter((image) => plain(attr(image, 'alt') ?? '') !== '');
    const long = images
      .map((at) => ({ at, length: plain(attr(at, 'alt')!).length }))
      .filter(({ length }) => length > ALT_LENGTH_MAX);
    return doubting(
      long.map(({ at, length }) => ({
        at,
        message: `The alternative text has ${length} characters; screen readers can’t pause in it.`,
      })),
      images.length > 0,
    );
  },
};

export const imageRedundantAlt: EmailRule = {
  id: 'image-redundant-alt',
  criteria: ['1.1.1'],
  isBestPractice: true,
  impact: 'minor',
  description: 'The alternative text of an image in a link does not repeat the link’s text.',
  fix: 'Use alt="" for an image beside text that says the same.',
  check(mail) {
    const links = linksOf(mail).filter((link) => [...below(link)].some(({ tag }) => tag === 'img'));
    const spots = links.flatMap((link) => {
      const text = textOf(link).toLowerCase();
      if (text === '') return [];
      return [...below(link)]
        .filter((image) => image.tag === 'img' && plain(attr(image, 'alt') ?? '').toLowerCase() === text)
        .map((at): Spot => ({ at, message: `The alternative text repeats the link’s text ${quoted(text)}.` }));
    });
    return failing(spots, links.length > 0);
  },
};

const SMALL_PX = 50;

export const backgroundImageAlt: EmailRule = {
  id: 'background-image-alt',
  criteria: ['1.1.1'],
  impact: 'moderate',
  description: 'Background pictures carry nothing that the text does not say.',
  fix: 'If the picture tells something, use an img with alt, or role="img" with aria-label on the element.',
  check(mail) {
    const painted = mail.elements.filter(
      (element) =>
        !element.isCommented &&
        element.tag !== 'body' &&
        element.tag !== 'html' &&
        (mail.styleOf(element).backgroundImage ?? '').startsWith('url(') &&
        isRead(mail, element),
    );
    const bare = painted.filter((element) => {
      const { width = 999, height = 999 } = sizeOf(mail, element);
      const isEmpty = nameOf(element) === '' && ![...below(element)].some(({ tag }) => tag === 'img');
      return isEmpty && width > SMALL_PX && height > SMALL_PX && wordAttr(element, 'role') !== 'img';
    });
    return doubting(
      bare.map((at) => ({
        at,
        message: 'The background picture stands alone: nothing inside is read out in its place.',
      })),
      painted.length > 0,
    );
  },
};

export const vmlAlt: EmailRule = {
  id: 'vml-alt',
  criteria: ['1.1.1'],
  impact: 'moderate',
  description: 'Pictures drawn for Outlook (VML) have an alternative text unless they stand behind text.',
  fix: 'Add alt to the VML element, alt="" for decoration.',
  check(mail) {
    const shapes = mail.elements.filter(
      (element) => element.isCommented && /^v:(?:image|rect|roundrect|oval|shape)$/.test(element.tag),
    );
    const pictures = shapes.filter(
      (shape) =>
        shape.tag === 'v:image' ||
        commentedBelow(mail, shape).some(
          ({ tag, node }) => tag === 'v:fill' && node.attrs.some(({ name }) => name === 'src'),
        ),
    );
    const spots = pictures
      .filter(
        (shape) =>
          attr(shape, 'alt') === undefined && !commentedBelow(mail, shape).some(({ tag }) => tag === 'v:textbox'),
      )
      .map((at): Spot => ({
        at,
        message: `The picture ${quoted(attr(at, 'src') ?? at.tag, 40)} for Outlook has no alt.`,
      }));
    return failing(spots, pictures.length > 0);
  },
};

function commentedBelow(mail: Mail, shape: MailElement): MailElement[] {
  // They are not among the children; what follows until the first element outside is below.
  const found: MailElement[] = [];
  const inside = new Set([shape]);
  for (let i = shape.index + 1; i < mail.elements.length && inside.has(mail.elements[i]!.parent!); i++) {
    inside.add(mail.elements[i]!);
    found.push(mail.elements[i]!);
  }
  return found;
}

const FEW_CHARACTERS = 60;
const PICTURE_PX = 100;

export const imageOnly: EmailRule = {
  id: 'image-only',
  criteria: ['1.4.5'],
  impact: 'serious',
  description: 'The message says what it says in text, not in pictures of text.',
  fix: 'Write the text as text over or beside the pictures.',
  check(mail) {
    const large = imagesOf(mail).filter(
      (image) =>
        !image.isCommented &&
        !isSpacer(mail, image) &&
        (sizeOf(mail, image).width ?? PICTURE_PX) >= PICTURE_PX &&
        (sizeOf(mail, image).height ?? PICTURE_PX) >= PICTURE_PX,
    );
    if (large.length === 0) return NOTHING;
    const length = textBlocks(mail).reduce((sum, { text }) => sum + text.length, 0);
    const pictures = large.length === 1 ? '1 large picture' : `${large.length} large pictures`;
    const spot: Spot = {
      at: large[0]!,
      message: `The message has ${length} characters of text and ${pictures}.`,
      details: { length, pictures: large.length },
    };
    if (length < FEW_CHARACTERS) return failing([spot]);
    return doubting(length < 150 * large.length && length < 400 ? [spot] : []);
  },
};

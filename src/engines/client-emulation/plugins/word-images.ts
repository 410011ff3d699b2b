// Images in Word: sized by their attributes, else by the file.

import {
  attributeOf,
  inlineStyleOf,
  inlineValueOf,
  setInlineDeclaration,
  valueOf,
  type Element,
  type WorkingDocument,
} from '../working-document.ts';
import { lengthOf, pixelsOf } from './word-values.ts';

/** Above this height Word cuts an image: 18 inches (blogs.msdn.microsoft.com/sfellman, 2008-09-17). */
const IMAGE_HEIGHT_MAX_PX = 1728;

export interface ImageFacts {
  gifs: number;
  tall: number;
  /** With a margin or padding of their own. */
  spaced: number;
}

/**
 * Sizes an image as Word does: `width` and `height` attributes in pixels; a percentage is one of the file's own size,
 * not of the column (caniemail html-width#1); CSS width never counts (css-width#1), CSS height does (css-height#2).
 */
export function sizeImage(doc: WorkingDocument, img: Element, facts: ImageFacts): void {
  const src = attributeOf(img, 'src') ?? '';
  if (/\.gif(?:[?#]|$)/i.test(src.slice(-2000))) facts.gifs++;
  if (hasSpace(doc, img)) facts.spaced++;
  const width = dimension(attributeOf(img, 'width'));
  const height = dimension(attributeOf(img, 'height'));
  if (width?.unit === '%' || (!width && height?.unit === '%')) {
    const percent = (width ?? height)!.amount;
    if (percent !== 100) setInlineDeclaration(doc, img, 'zoom', String(percent / 100), true);
    return;
  }
  if (width) setInlineDeclaration(doc, img, 'width', `${width.amount}px`, true);
  if (height && height.unit !== '%') {
    if (height.amount > IMAGE_HEIGHT_MAX_PX) facts.tall++;
    setInlineDeclaration(doc, img, 'height', `${height.amount}px`, true);
    // For the rule that cuts images in exact lines.
    setInlineDeclaration(doc, img, '--word-h', `${height.amount}px`);
    return;
  }
  const css = inlineValueOf(doc, img, 'height');
  const isFixed = css !== undefined && pixelsOf(css) !== undefined;
  if (!isFixed && (width || css !== undefined)) setInlineDeclaration(doc, img, 'height', 'auto', true);
}

const hasSpace = (doc: WorkingDocument, img: Element): boolean =>
  inlineStyleOf(doc, img)?.children.some(
    (node) => node.type === 'Declaration' && /^(?:margin|padding)/i.test(node.property) && /[1-9]/.test(valueOf(node)),
  ) ?? false;

/** A size attribute; a zero or unreadable one counts as missing. */
function dimension(attribute: string | undefined): { amount: number; unit: string } | undefined {
  const text = /^\s*\d+(?:\.\d+)?\s*%?/.exec(attribute?.slice(0, 40) ?? '')?.[0];
  const length = text === undefined ? undefined : lengthOf(text.replace(/\s+/g, ''));
  return length && length.amount > 0 ? length : undefined;
}

/** What to tell the reader about images of one Word version. */
export function imageNotes(facts: ImageFacts, year: number): string[] {
  const notes: string[] = [];
  if (facts.gifs > 0) {
    // caniemail image-gif#1 and #2.
    notes.push(
      year < 2019
        ? 'Animated GIFs do not move in this version: only the first frame is shown.'
        : 'Animated GIFs play three times at most here, then stop; the picture shows the first frame.',
    );
  }
  if (facts.tall > 0) {
    notes.push(
      `Images taller than ${IMAGE_HEIGHT_MAX_PX.toLocaleString('en-US')} px are cut by Word, in some versions scaled down; ` +
        'here they are cut.',
    );
  }
  if (facts.spaced > 0) {
    // caniemail css-margin, css-padding (2019 and later) against github.com/julie-ng/antwort-cli/issues/34, 2015.
    notes.push(
      'Sources disagree about margin and padding of pictures in Word: some say that neither counts, some that margins ' +
        'do. Here margins count and padding does not; cells with padding are safe.',
    );
  }
  return notes;
}

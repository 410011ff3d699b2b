// Headings: there are some, they are real ones, and their levels follow each other.

import { around, attr, isRead, nameOf, quoted, textOf, wordAttr } from '../elements.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { textBlocks, usualFontSizePx, type TextBlock } from '../text-blocks.ts';
import type { EmailRule, Spot } from '../types.ts';
import { doubting, failing, NOTHING } from './verdict.ts';

/** `h1`–`h6` and `role="heading"` that are read out. */
export function headingsOf(mail: Mail): MailElement[] {
  return mail.elements.filter(
    (element) => isHeading(element) && !element.isCommented && !element.isRepeated && isRead(mail, element),
  );
}

export function isHeading(element: MailElement): boolean {
  const role = wordAttr(element, 'role');
  return role === 'heading' || (role === '' && /^h[1-6]$/.test(element.tag));
}

/** 1–6; 2 for a role without a level (WAI-ARIA 1.2). */
export function levelOf(heading: MailElement): number {
  const level = Number(attr(heading, 'aria-level'));
  if (Number.isInteger(level) && level > 0) return level;
  return /^h[1-6]$/.test(heading.tag) ? Number(heading.tag[1]) : 2;
}

const LONG_CHARACTERS = 500;

/** Characters of text that a reader sees. */
function lengthOf(mail: Mail): number {
  return textBlocks(mail).reduce((sum, { text }) => sum + text.length, 0);
}

export const headingMissing: EmailRule = {
  id: 'heading-missing',
  criteria: ['1.3.1', '2.4.6'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'A message of some length has headings, by which screen readers jump and summaries are made.',
  fix: 'Mark the headings up as h1, h2 and so on; the look can stay.',
  check(mail) {
    const length = lengthOf(mail);
    if (length < LONG_CHARACTERS || !mail.body) return NOTHING;
    return failing(
      headingsOf(mail).length > 0 ? [] : [{ at: mail.body, message: `${length} characters of text have no heading.` }],
    );
  },
};

export const headingOne: EmailRule = {
  id: 'page-has-heading-one',
  criteria: ['1.3.1'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'A message with headings has one of level 1, which says what it is about.',
  fix: 'Make the main heading an h1.',
  check(mail) {
    const headings = headingsOf(mail);
    if (headings.length === 0) return NOTHING;
    const highest = Math.min(...headings.map(levelOf));
    return failing(highest === 1 ? [] : [{ at: headings[0]!, message: `The highest heading is of level ${highest}.` }]);
  },
};

export const headingOrder: EmailRule = {
  id: 'heading-order',
  criteria: ['1.3.1'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'Heading levels go down one at a time.',
  fix: 'Use the next level; how large it looks is up to the style.',
  check(mail) {
    const headings = headingsOf(mail);
    const spots = headings.flatMap((at, index): Spot[] => {
      const [level, before] = [levelOf(at), index > 0 ? levelOf(headings[index - 1]!) : undefined];
      return before !== undefined && level > before + 1
        ? [{ at, message: `The heading ${quoted(textOf(at), 40)} is of level ${level}, after one of level ${before}.` }]
        : [];
    });
    return failing(spots, headings.length > 0);
  },
};

export const emptyHeading: EmailRule = {
  id: 'empty-heading',
  criteria: ['1.3.1', '2.4.6'],
  isBestPractice: true,
  impact: 'minor',
  description: 'Headings have text.',
  fix: 'Remove the empty heading, or use padding for the space.',
  check(mail) {
    const headings = headingsOf(mail);
    return failing(
      headings
        .filter((heading) => nameOf(heading) === '')
        .map((at) => ({ at, message: `This ${at.tag} has no text.` })),
      headings.length > 0,
    );
  },
};

const HEADING_LENGTH_MAX = 80;
const HEADING_PX_MIN = 20;
const TIMES_TEXT = 1.3;

/** Blocks that look like headings without being one. */
export function fakeHeadings(mail: Mail): TextBlock[] {
  const usual = usualFontSizePx(mail);
  return textBlocks(mail).filter((block) => {
    const { text, main, element } = block;
    if (text.length < 3 || text.length > HEADING_LENGTH_MAX || !/\p{L}{2}/u.test(text)) return false;
    const { fontSizePx, fontWeight } = mail.styleOf(main);
    const isLarge = fontSizePx >= HEADING_PX_MIN && fontSizePx >= TIMES_TEXT * usual;
    const isStrong = fontWeight >= 600 && fontSizePx >= 1.15 * usual && fontSizePx >= 16 && text.length <= 60;
    if (!isLarge && !isStrong) return false;
    const isOther = (candidate: MailElement) =>
      isHeading(candidate) ||
      candidate.tag === 'a' ||
      candidate.tag === 'button' ||
      candidate.tag === 'th' ||
      candidate.tag === 'li';
    return (
      !isOther(main) &&
      !around(main, isOther) &&
      !isOther(element) &&
      !element.children.some((child) => child.tag === 'a' && textOf(child).length > text.length / 2)
    );
  });
}

export const headingFake: EmailRule = {
  id: 'heading-fake',
  criteria: ['1.3.1'],
  impact: 'moderate',
  description: 'What looks like a heading is marked up as one.',
  fix: 'Use h1 to h6, or role="heading" with aria-level.',
  check(mail) {
    const spots = fakeHeadings(mail).map(({ element, main, text }): Spot => {
      const { fontSizePx, fontWeight } = mail.styleOf(main);
      return {
        at: element,
        message:
          `${quoted(text)} looks like a heading (${Math.round(fontSizePx)} ` +
          `px${fontWeight >= 600 ? ', bold' : ''}), but is none.`,
      };
    });
    return doubting(spots, textBlocks(mail).length > 0);
  },
};

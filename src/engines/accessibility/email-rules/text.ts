// Text: that it can be read, and that paragraphs and lists are such.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { around, isAriaHidden, isSeen, plain, quoted } from '../elements.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { textBlocks, type TextBlock } from '../text-blocks.ts';
import type { EmailRule, Spot } from '../types.ts';
import { failing, NOTHING } from './verdict.ts';

/** One place for each block that the finding is about. */
function checkBlocks(mail: Mail, messageOf: (block: TextBlock) => string | undefined): ReturnType<EmailRule['check']> {
  const blocks = textBlocks(mail);
  const spots = blocks.flatMap((block): Spot[] => {
    const message = messageOf(block);
    return message === undefined ? [] : [{ at: block.element, message }];
  });
  return failing(spots, blocks.length > 0);
}

export const paragraphBreaks: EmailRule = {
  id: 'paragraph-breaks',
  criteria: ['1.3.1'],
  impact: 'minor',
  description: 'Paragraphs are p elements, not text with two line breaks between.',
  fix: 'Put each paragraph into a p; set its margin for the space.',
  check(mail) {
    const spots = mail.elements
      .filter(
        (element) =>
          !element.isCommented && !element.isRepeated && element.children.length > 1 && isSeen(mail, element),
      )
      .flatMap((at): Spot[] => {
        const count = doubleBreaks(at.node);
        return count > 0
          ? [
              {
                at,
                message:
                  `${count === 1 ? 'Two line breaks stand' : `Two line breaks stand ${count} times`} between texts ` +
                  'here.',
              },
            ]
          : [];
      });
    return failing(spots, mail.texts.length > 0);
  },
};

/** How often two `<br>` in a row have text before and after them. */
function doubleBreaks(node: Tree.Element): number {
  let count = 0;
  let breaks = 0;
  let hasText = false;
  for (const child of node.childNodes) {
    if ('tagName' in child && child.tagName === 'br') breaks += 1;
    else if (saysSomething(child)) {
      const isText = isInlineText(child);
      if (hasText && isText && breaks > 1) count += 1;
      hasText = isText;
      breaks = 0;
    }
  }
  return count;
}

function saysSomething(node: Tree.Node): boolean {
  return 'tagName' in node
    ? node.tagName !== 'style'
    : node.nodeName === '#text' && 'value' in node && plain(node.value) !== '';
}

const INLINE = new Set(['a', 'b', 'strong', 'i', 'em', 'u', 'span', 'font', 'small', 'big', 'code']);

/** Text, or an element with some that does not break the line by itself. */
function isInlineText(node: Tree.Node): boolean {
  return !('tagName' in node) || INLINE.has(node.tagName);
}

const BULLET = /^(?:[•·▪■◦‣∙●○►▶✓✔➤–—*-]|\d{1,2}[.)])\s*\p{L}/u;

export const listFake: EmailRule = {
  id: 'list-fake',
  criteria: ['1.3.1'],
  impact: 'minor',
  description: 'Lists are ul or ol, not lines that begin with a bullet character.',
  fix: 'Use ul or ol with li; the bullets can be styled.',
  check(mail) {
    const groups = new Map<MailElement, { first: TextBlock; lines: string[] }>();
    for (const block of textBlocks(mail)) {
      const lines = block.lines.filter((line) => BULLET.test(line));
      if (lines.length === 0 || block.element.tag === 'li' || around(block.element, ({ tag }) => tag === 'li'))
        continue;
      const group = around(block.element, ({ tag }) => tag === 'table' || tag === 'body') ?? block.element;
      const known = groups.get(group);
      if (known) known.lines.push(...lines);
      else groups.set(group, { first: block, lines });
    }
    const lists = [...groups.values()].filter(({ lines }) => lines.length > 1);
    return failing(
      lists.map(({ first, lines }) => ({
        at: first.element,
        message: `${lines.length} lines begin with a bullet or number, such as ${quoted(lines[0]!, 40)}.`,
      })),
      mail.texts.length > 0,
    );
  },
};

export const FONT_PX_MIN = 14;
const FONT_PX_TINY = 11;

export const textSize: EmailRule = {
  id: 'text-size',
  criteria: ['1.4.4'],
  isBestPractice: true,
  impact: 'minor',
  description: `Text is at least ${FONT_PX_MIN} pixels high.`,
  fix: `Use a font size of ${FONT_PX_MIN} pixels or more, 16 for running text.`,
  check(mail) {
    const blocks = textBlocks(mail);
    const spots = blocks.flatMap(({ element, main, text }): Spot[] => {
      const { fontSizePx } = mail.styleOf(main);
      if (fontSizePx >= FONT_PX_MIN - 0.01 || /^(?:sup|sub)$/.test(main.tag)) return [];
      const size = Math.round(fontSizePx * 10) / 10;
      return [
        {
          at: element,
          impact: fontSizePx < FONT_PX_TINY ? 'moderate' : 'minor',
          message: `${quoted(text, 40)} is ${size} px high.`,
          details: { fontSizePx: size },
        },
      ];
    });
    return failing(spots, blocks.length > 0);
  },
};

const PARAGRAPH_LENGTH_MIN = 120;
export const LINE_HEIGHT_MIN = 1.5;

export const lineHeight: EmailRule = {
  id: 'line-height',
  criteria: ['1.4.8'],
  impact: 'minor',
  description: `Lines of a paragraph are at least ${LINE_HEIGHT_MIN} times the font size apart.`,
  fix: `Set line-height: ${LINE_HEIGHT_MIN} or more.`,
  check(mail) {
    return checkBlocks(mail, ({ main, text }) => {
      const { lineHeight: times } = mail.styleOf(main);
      if (text.length < PARAGRAPH_LENGTH_MIN || (times !== undefined && times >= LINE_HEIGHT_MIN - 0.01))
        return undefined;
      return (
        `The paragraph ${quoted(text, 40)} has ` +
        `${times === undefined ? 'no line-height' : `a line height of ${Math.round(times * 100) / 100}`}.`
      );
    });
  },
};

export const textJustify: EmailRule = {
  id: 'text-justify',
  criteria: ['1.4.8'],
  impact: 'minor',
  description: 'Text is not justified, which tears holes into the lines.',
  fix: 'Use text-align: left.',
  check(mail) {
    return checkBlocks(mail, ({ main, text }) =>
      text.length >= 60 && mail.styleOf(main).textAlign === 'justify'
        ? `The paragraph ${quoted(text, 40)} is justified.`
        : undefined,
    );
  },
};

const CENTERED_LENGTH_MAX = 200;

export const textCentered: EmailRule = {
  id: 'text-centred',
  criteria: ['1.4.8'],
  isBestPractice: true,
  impact: 'minor',
  description: 'Long paragraphs are not centered, so that every line begins where the eye looks for it.',
  fix: 'Use text-align: left for paragraphs of more than two or three lines.',
  check(mail) {
    return checkBlocks(mail, ({ main, text, lines }) =>
      Math.max(...lines.map(({ length }) => length)) > CENTERED_LENGTH_MAX && mail.styleOf(main).textAlign === 'center'
        ? `The paragraph ${quoted(text, 40)} is centered and has ${text.length} characters.`
        : undefined,
    );
  },
};

export const textSpacing: EmailRule = {
  id: 'text-spacing',
  criteria: ['1.4.12'],
  isBestPractice: true,
  impact: 'minor',
  description: 'Letters and words stand neither too close nor too far apart.',
  fix: 'Leave letter-spacing and word-spacing out of running text.',
  check(mail) {
    return checkBlocks(mail, ({ main, text }) => {
      const { letterSpacingPx, wordSpacingPx, fontSizePx } = mail.styleOf(main);
      const [letters, words] = [letterSpacingPx / fontSizePx, wordSpacingPx / fontSizePx].map(
        (em) => Math.round(em * 100) / 100,
      ) as [number, number];
      if (text.length < 20) return undefined;
      if (letters <= -0.05 || (letters > 0.2 && text.length > 60))
        return `${quoted(text, 40)} has a letter-spacing of ${letters} em.`;
      return words < -0.05 || words > 0.5 ? `${quoted(text, 40)} has a word-spacing of ${words} em.` : undefined;
    });
  },
};

export const textAllCaps: EmailRule = {
  id: 'text-all-caps',
  criteria: [],
  principle: 'Perceivable',
  impact: 'minor',
  description: 'Sentences are not written in capitals, which are slower to read and may be spelled out.',
  fix: 'Write it in normal case; use weight or size for emphasis.',
  check(mail) {
    return checkBlocks(mail, ({ main, text }) => {
      const letters = text.match(/\p{L}/gu)?.length ?? 0;
      const isTyped =
        letters >= 25 && text.split(' ').length >= 4 && text === text.toUpperCase() && text !== text.toLowerCase();
      const isStyled = letters >= 60 && mail.styleOf(main).textTransform === 'uppercase';
      return isTyped || isStyled
        ? `${quoted(text, 40)} is all in capitals${isTyped ? '' : ', by text-transform'}.`
        : undefined;
    });
  },
};

/** What preview texts are padded with. */
const FILLER = /[\u200b-\u200f\ufeff\u2007\u2060\u00ad\u2800\u00a0]|\u034f/g;
const FILLER_MIN = 10;
const CLIMB_MAX = 20;

/** Text that is read out although nobody sees it: preview texts and their padding. The outermost such elements. */
function unseenTexts(mail: Mail): MailElement[] {
  const found = new Set<MailElement>();
  for (const [index, { parent, value }] of mail.texts.entries()) {
    const style = mail.styleOf(parent);
    const isHidden = style.isUnseen || style.fontSizePx <= 1 || style.color.a === 0;
    // Only what stands first, and padding: other hidden text may be meant for screen readers.
    if (
      style.isGone ||
      !isHidden ||
      !(index === 0 || (value.match(FILLER)?.length ?? 0) >= FILLER_MIN) ||
      isAriaHidden(parent)
    )
      continue;
    let outermost = parent;
    for (
      let climb = 0;
      climb < CLIMB_MAX &&
      outermost.parent &&
      outermost.parent.tag !== 'body' &&
      textOnly(outermost.parent) === textOnly(parent);
      climb++
    )
      outermost = outermost.parent;
    found.add(outermost);
  }
  return [...found];
}

const TEXT_LENGTH_MAX = 2_000;

/** All text below, also what is padding. */
function textOnly({ node }: MailElement): string {
  const stack: Tree.Node[] = node.childNodes.toReversed();
  let text = '';
  for (let at = stack.pop(); at && text.length < TEXT_LENGTH_MAX; at = stack.pop()) {
    if ('value' in at) text += at.value;
    else if ('childNodes' in at) for (let i = at.childNodes.length - 1; i >= 0; i--) stack.push(at.childNodes[i]!);
  }
  return text.trim();
}

export const preheaderHidden: EmailRule = {
  id: 'preheader-hidden',
  criteria: ['1.3.1'],
  isBestPractice: true,
  impact: 'minor',
  description: 'Preview text that nobody sees is not read out again at the start of the message.',
  fix: 'Add aria-hidden="true" to it, or hide it with display:none.',
  check(mail) {
    if (mail.texts.length === 0) return NOTHING;
    return failing(
      unseenTexts(mail).map((at) => ({
        at,
        message: `The hidden text ${quoted(textOnly(at), 40)} is read out, though it isn’t seen.`,
      })),
    );
  },
};

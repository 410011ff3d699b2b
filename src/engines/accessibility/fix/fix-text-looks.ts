// Repairs of text that change how it looks: size, line height, justified lines, capitals, links that only color sets
// apart.

import { around, wordAttr } from '../elements.ts';
import { linkInTextBlock } from '../email-rules/links.ts';
import { FONT_PX_MIN, LINE_HEIGHT_MIN, lineHeight, textAllCaps, textJustify, textSize } from '../email-rules/text.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { textBlocks, type TextBlock } from '../text-blocks.ts';
import type { EmailRule } from '../types.ts';
import { mustBeImportant, obstacle, reachOf, sourceOf, type Proposal } from './retouch.ts';

interface Placing {
  property: string;
  /** Whether a text may change, too. */
  isFine: (text: MailElement) => boolean;
}

/**
 * Where to say a property of a text, so that it reaches the text and none that must stay: where it is said in a style
 * attribute now, else at the block, else at the text.
 */
function placeFor(
  mail: Mail,
  text: MailElement,
  { block, property, isFine }: Placing & { block: MailElement },
): MailElement | undefined {
  const source = sourceOf(mail, text, property);
  const candidates = [...(source?.origin.level === 3 ? [source.element] : []), block, text];
  const usable = candidates.filter((candidate) => obstacle(mail, candidate) === undefined);
  return (
    usable.find((candidate) => {
      const reached = reachOf(mail, candidate, property);
      return reached.includes(text) && reached.every(isFine);
    }) ?? usable.find((candidate) => candidate === text)
  );
}

const UNREACHED = 'Nothing in the source carries it alone.';

function failingBlocks(mail: Mail, rule: EmailRule): TextBlock[] {
  const failing = new Set(rule.check(mail, {}).failures.map(({ at }) => at));
  return failing.size === 0 ? [] : textBlocks(mail).filter(({ element }) => failing.has(element));
}

/** Lines of raised text stand at least this far apart. */
const LINES_APART_MIN = 1.2;
/** What is much smaller than the text around is a mark, such as ®. */
const MARK_SIZE = 0.9;

/** Small text becomes as large as the rule asks for. */
export function proposeSizes(mail: Mail): Proposal {
  const proposal: Proposal = { retouches: [], left: [] };
  const sizeOf = (element: MailElement): number => mail.styleOf(element).fontSizePx;
  const isSmall = (element: MailElement): boolean => sizeOf(element) < FONT_PX_MIN - 0.01;
  const done = new Set<MailElement>();
  for (const { element, main, texts } of failingBlocks(mail, textSize)) {
    const small = [...new Set(texts.map(({ parent }) => parent))].filter(
      (text) => isSmall(text) && sizeOf(text) >= sizeOf(main) * MARK_SIZE,
    );
    for (const text of small) {
      const at = placeFor(mail, text, {
        block: element,
        property: 'font-size',
        isFine: (reached) => isSmall(reached) || sizeOf(reached) <= 1,
      });
      if (!at) proposal.left.push({ rule: textSize.id, at: element.index, reason: obstacle(mail, text) ?? UNREACHED });
      if (!at || done.has(at)) continue;
      done.add(at);
      const isImportant = mustBeImportant(sourceOf(mail, text, 'font-size')?.origin);
      const was = Math.round(sizeOf(text) * 10) / 10;
      proposal.retouches.push({
        rule: textSize.id,
        note: `From ${was} to ${FONT_PX_MIN} pixels.`,
        at: at.index,
        change: { property: 'font-size', value: `${FONT_PX_MIN}px`, isImportant },
      });
      const { lineHeightPx } = mail.styleOf(text);
      const line = sourceOf(mail, text, 'line-height');
      const apart = Math.ceil(FONT_PX_MIN * LINES_APART_MIN);
      if (
        lineHeightPx !== undefined &&
        lineHeightPx >= was &&
        lineHeightPx < apart &&
        line?.element === at &&
        line.origin.level === 3
      ) {
        proposal.retouches.push({
          rule: textSize.id,
          note: `Its lines stay ${LINES_APART_MIN} times its size apart.`,
          at: at.index,
          change: { property: 'line-height', value: `${apart}px` },
        });
      }
    }
  }
  return proposal;
}

/** Lines of paragraphs are set as far apart as the rule asks for, in the unit that they are written in. */
export function proposeLines(mail: Mail): Proposal {
  const proposal: Proposal = { retouches: [], left: [] };
  const blocks = failingBlocks(mail, lineHeight);
  const failing = new Set(blocks.flatMap(({ texts }) => texts.map(({ parent }) => parent)));
  const done = new Set<MailElement>();
  for (const { element, main } of blocks) {
    const at = placeFor(mail, main, {
      block: element,
      property: 'line-height',
      isFine: (reached) => failing.has(reached),
    });
    if (!at) proposal.left.push({ rule: lineHeight.id, at: element.index, reason: obstacle(mail, main) ?? UNREACHED });
    if (!at || done.has(at)) continue;
    done.add(at);
    const origin = sourceOf(mail, main, 'line-height')?.origin;
    const written = origin?.value ?? 'normal';
    const px = `${Math.ceil(LINE_HEIGHT_MIN * mail.styleOf(main).fontSizePx - 0.01)}px`;
    const value = written.endsWith('px')
      ? px
      : written.endsWith('%')
        ? `${LINE_HEIGHT_MIN * 100}%`
        : `${LINE_HEIGHT_MIN}`;
    const note =
      written === 'normal' ? `Lines stand ${LINE_HEIGHT_MIN} times the size apart.` : `From ${written} to ${value}.`;
    proposal.retouches.push({
      rule: lineHeight.id,
      note,
      at: at.index,
      change: { property: 'line-height', value, isImportant: mustBeImportant(origin) },
    });
  }
  return proposal;
}

/** Justified text begins where lines begin; capitals that are only a style are taken back. */
export function proposeAlignmentAndCase(mail: Mail): Proposal {
  const proposal: Proposal = { retouches: [], left: [] };
  for (const block of failingBlocks(mail, textJustify)) {
    const value = isRightToLeftAt(block.element) ? 'right' : 'left';
    const isFine = (text: MailElement): boolean => mail.styleOf(text).textAlign === 'justify';
    propose(mail, block, {
      proposal,
      rule: textJustify.id,
      property: 'text-align',
      value,
      isFine,
      note: 'Words keep their distance.',
    });
  }
  for (const block of failingBlocks(mail, textAllCaps)) {
    if (block.text === block.text.toUpperCase()) {
      proposal.left.push({
        rule: textAllCaps.id,
        at: block.element.index,
        reason: 'It is written in capitals: only a person knows which of them are names.',
      });
      continue;
    }
    const own = new Set(block.texts.map(({ parent }) => parent));
    propose(mail, block, {
      proposal,
      rule: textAllCaps.id,
      property: 'text-transform',
      value: 'none',
      isFine: (text) => own.has(text),
      note: 'It is shown as it is written.',
    });
  }
  return proposal;
}

interface Proposing extends Placing {
  proposal: Proposal;
  rule: string;
  value: string;
  note: string;
}

function propose(
  mail: Mail,
  { element, main }: TextBlock,
  { proposal, rule, property, value, isFine, note }: Proposing,
): void {
  const at = placeFor(mail, main, { block: element, property, isFine });
  if (!at) proposal.left.push({ rule, at: element.index, reason: obstacle(mail, main) ?? UNREACHED });
  else
    proposal.retouches.push({
      rule,
      note,
      at: at.index,
      change: { property, value, isImportant: mustBeImportant(sourceOf(mail, main, property)?.origin) },
    });
}

function isRightToLeftAt(element: MailElement): boolean {
  const says = (candidate: MailElement): boolean => ['ltr', 'rtl'].includes(wordAttr(candidate, 'dir'));
  const saying = says(element) ? element : around(element, says);
  return saying !== undefined && wordAttr(saying, 'dir') === 'rtl';
}

/** Links that only color sets apart are underlined. */
export function proposeUnderlines(mail: Mail): Proposal {
  const proposal: Proposal = { retouches: [], left: [] };
  for (const { at: link } of linkInTextBlock.check(mail, {}).failures) {
    const reason = obstacle(mail, link);
    if (reason) proposal.left.push({ rule: linkInTextBlock.id, at: link.index, reason });
    else {
      const isImportant = mustBeImportant(mail.styleOf(link).origins.get('text-decoration'));
      proposal.retouches.push({
        rule: linkInTextBlock.id,
        note: 'The link is underlined.',
        at: link.index,
        change: { property: 'text-decoration', value: 'underline', isImportant },
      });
    }
  }
  return proposal;
}

// Changes of looks before they are made: what each does to a tag, and whether it can be done there at all.

import type { Color } from '../../color/index.ts';
import { attr } from '../elements.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import type { Origin } from '../computed-style.ts';
import { applyEdits, createSourceEdits, type SourceEdits } from './source-edits.ts';
import { withDeclaration, withGround } from './style-attribute.ts';

export type Change =
  | { property: string; value: string; isImportant?: boolean }
  | { attribute: string; value: string }
  | { ground: Color; becomes: Color };

/** One change of one element. Elements are numbered: a message keeps their number while only attributes change. */
export interface Retouch {
  rule: string;
  note: string;
  at: number;
  change: Change;
  /** For colors: what was done, and the elements whose text stands out otherwise after it. */
  way?: Way;
  texts?: readonly number[];
}

/**
 * What a contrast is repaired by: another text in its direction, another ground, a text on the other side of the
 * ground.
 */
export type Way = 'text' | 'ground' | 'across';

/** What a fixer proposes: changes, and what is left to people. */
export interface Proposal {
  retouches: Retouch[];
  left: { rule: string; at: number; reason: string }[];
}

/** As far as `readStyleAttribute` reads. */
const STYLE_LENGTH_MAX = 20_000;

/** Why an element's style cannot be changed; undefined when it can. */
export function obstacle(mail: Mail, element: MailElement): string | undefined {
  const style = attr(element, 'style') ?? '';
  if (element.start === undefined || element.isRepeated) return 'The element has no tag of its own in the source.';
  if (hasMergeTag(style)) return 'Its style is filled in later.';
  if (style.length > STYLE_LENGTH_MAX) return 'Its style is too long.';
  if (isSelectedByStyle(mail.css, style)) return 'The style sheet selects by [style], so that more could change.';
  return undefined;
}

/** Whether a selector such as `div[style*="margin: 16px 0"]` looks at the style. */
function isSelectedByStyle(css: string, style: string): boolean {
  for (const [, operator, double, single, word] of css.matchAll(
    /\[\s*style\s*([~|^$*]?=)?\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))/gi,
  )) {
    const value = double ?? single ?? word ?? '';
    if (operator === undefined || (value !== '' && style.includes(value))) return true;
  }
  return false;
}

/** What an element's attributes are after the changes, those of them that differ. */
export function attributesAfter(element: MailElement, changes: readonly Change[]): Record<string, string> {
  const after: Record<string, string> = {};
  for (const change of changes) {
    if ('attribute' in change) after[change.attribute] = change.value;
    else {
      const style = after['style'] ?? attr(element, 'style') ?? '';
      after['style'] =
        'ground' in change
          ? withGround(style, change.ground, change.becomes)
          : withDeclaration(style, change.property, change);
    }
  }
  return after;
}

/** The source with the changes made. */
export function retouched(mail: Mail, retouches: readonly Retouch[]): string {
  if (retouches.length === 0) return mail.html;
  const edits: SourceEdits = createSourceEdits(mail.html);
  for (const [at, changes] of changesByElement(retouches)) {
    const element = mail.elements[at]!;
    for (const [name, value] of Object.entries(attributesAfter(element, changes)))
      edits.setAttribute(element, name, value);
  }
  return applyEdits(mail.html, edits.list());
}

export function changesByElement(retouches: readonly Retouch[]): Map<number, Change[]> {
  const byElement = new Map<number, Change[]>();
  for (const { at, change } of retouches) {
    const changes = byElement.get(at);
    if (changes) changes.push(change);
    else byElement.set(at, [change]);
  }
  return byElement;
}

// ---- Where a value comes from, and whom it reaches ----------------------------------------------------------------

/** The element that a text has a property from, itself or one around; undefined when nothing says it. */
export function sourceOf(
  mail: Mail,
  text: MailElement,
  property: string,
): { element: MailElement; origin: Origin } | undefined {
  for (let element: MailElement | undefined = text; element; element = element.parent) {
    const origin = mail.styleOf(element).origins.get(property);
    if (origin) return { element, origin };
  }
  return undefined;
}

const holdersOfMail = new WeakMap<Mail, readonly MailElement[]>();

/** Elements that hold text of their own, in document order. */
function textHolders(mail: Mail): readonly MailElement[] {
  let holders = holdersOfMail.get(mail);
  if (!holders)
    holdersOfMail.set(
      mail,
      (holders = [...new Set(mail.texts.map(({ parent }) => parent))].sort((a, b) => a.index - b.index)),
    );
  return holders;
}

/** Font sizes that follow that of the element around. */
const RELATIVE = /[\d.](?:em|ex|ch|%)$|^(?:smaller|larger)$/;

/** Elements whose text would follow `element` in a property that was said there. */
export function reachOf(mail: Mail, element: MailElement, property: string): MailElement[] {
  const holders = textHolders(mail);
  return holders
    .slice(firstFrom(holders, element.index))
    .slice(0, firstFrom(holders, element.last + 1) - firstFrom(holders, element.index))
    .filter((holder) => {
      for (let at: MailElement | undefined = holder; at && at !== element; at = at.parent) {
        const origin = mail.styleOf(at).origins.get(property);
        if (origin && !(property === 'font-size' && RELATIVE.test(origin.value))) return false;
      }
      return true;
    });
}

/** Position of the first holder with at least this index. */
function firstFrom(holders: readonly MailElement[], index: number): number {
  let [low, high] = [0, holders.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holders[middle]!.index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What has to be `!important` to count against what says it now. */
export function mustBeImportant(origin: Origin | undefined): boolean {
  return origin?.isImportant === true && origin.level === 2;
}

// Rewrites the declarations of a rule or a style attribute into ones that make Chromium do what Word does with the
// originals. It works block by block: the cascade stays Chromium's.

import type { CssNode, Declaration, List, ListItem } from 'css-tree';
import { declarationOf, setValue, valueOf } from '../working-document.ts';
import { fontFamilyInWord, type FontRules } from './word-fonts.ts';
import { lengthOf, pixelsOf, round, sidesOf } from './word-values.ts';

export interface DeclarationRules {
  fonts: FontRules;
  /** A style attribute: declarations with `!important` don't count there (caniemail css-important, email-bugs #31). */
  isInline: boolean;
  isDark: boolean;
}

type Declarations = List<CssNode>;

/** One declaration being rewritten, and where it stands. */
interface Edit {
  list: Declarations;
  item: ListItem<CssNode>;
  node: Declaration;
  rules: DeclarationRules;
}

type Rewrite = (edit: Edit) => void;

/** Edits one block in place. */
export function rewriteDeclarations(list: Declarations, rules: DeclarationRules): void {
  list.forEach((node, item) => {
    if (node.type !== 'Declaration') return;
    if (rules.isInline && node.important) {
      list.remove(item);
      return;
    }
    rewrites.get(node.property.toLowerCase())?.({ list, item, node, rules });
  });
  // Alternatives win wherever they stand in the block, so they come when the rest is done.
  let left = ALTERNATIVES_MAX;
  list.forEach((node, item) => {
    if (node.type !== 'Declaration') return;
    const target = alternatives.get(node.property.toLowerCase());
    if (!target) return;
    list.remove(item);
    if (left-- > 0) replaceByAlternative({ list, item, node, rules }, target);
  });
}

/** Each looks through its block; more of them in one block is an attack. */
const ALTERNATIVES_MAX = 32;

/**
 * `mso-…-alt` and `mso-ansi-…`: Word takes them instead of the standard property, in whatever order they stand; only a
 * standard one with `!important` in a style sheet is stronger (idigemail.com/297-2 after Campaign Monitor's "Fixing
 * bugs with Outlook-specific CSS"; goodemailcode.com, "Using MSO- styles in email", both read 2026-11-21).
 */
const alternatives = new Map<string, string>([
  ['mso-padding-alt', 'padding'],
  ['mso-border-alt', 'border'],
  ['mso-line-height-alt', 'line-height'],
  ['mso-ansi-font-size', 'font-size'],
  ['mso-ansi-font-weight', 'font-weight'],
  ['mso-ansi-font-style', 'font-style'],
  ['mso-ascii-font-family', 'font-family'],
  ['mso-color-alt', 'color'],
  ['mso-shading', 'background-color'],
  ['mso-text-indent-alt', 'text-indent'],
  ['mso-para-margin', 'margin'],
  ...['top', 'right', 'bottom', 'left'].flatMap((side): [string, string][] => [
    [`mso-padding-${side}-alt`, `padding-${side}`],
    [`mso-border-${side}-alt`, `border-${side}`],
    [`mso-margin-${side}-alt`, `margin-${side}`],
    [`mso-para-margin-${side}`, `margin-${side}`],
  ]),
]);

function replaceByAlternative({ list, node, rules }: Edit, target: string): void {
  let value = valueOf(node).trim();
  // `auto` is Word's paragraph spacing of HTML, which the standard property already gives.
  if (value === '' || /^auto$/i.test(value)) return;
  let isBeaten = false;
  list.forEach((other, at) => {
    if (other.type !== 'Declaration') return;
    const property = other.property.toLowerCase();
    const longhands = target === 'line-height' ? '--word-line' : target;
    if (property !== longhands && !property.startsWith(`${longhands}-`)) return;
    if (property === 'border-collapse' || property === 'border-spacing') return;
    if (other.important) isBeaten = true;
    else list.remove(at);
  });
  if (isBeaten) return;
  // Bare numbers are points (goodemailcode.com on mso-ansi-font-size).
  if (target === 'font-size' && lengthOf(value)?.unit === '') value += 'pt';
  const winner = declarationOf(target, value, node.important === true);
  const item = list.createItem(winner);
  list.append(item);
  rewrites.get(target)?.({ list, item, node: winner, rules });
}

const rewrites = new Map<string, Rewrite>([
  ['line-height', rewriteLineHeight],
  ['font', rewriteFont],
  ['font-family', ({ node, rules }) => setValue(node, fontFamilyInWord(valueOf(node), rules.fonts))],
  ['margin', rewriteMargin],
  ['mso-hide', hide],
  ['mso-line-height-rule', (edit) => insert(edit, '--word-exactly', /exactly/i.test(valueOf(edit.node)) ? '1' : '0')],
  ['mso-text-raise', raise],
  ['mso-style-textfill-fill-color', fillText],
  ['mso-style-textfill-fill-gradientfill-stoplist', fillText],
  ['mso-style-textfill-type', emptyText],
  ['mso-highlight', (edit) => insert(edit, 'background-color', valueOf(edit.node))],
  ['mso-table-lspace', (edit) => insertSpace(edit, '--word-lspace')],
  ['mso-table-rspace', (edit) => insertSpace(edit, '--word-rspace')],
  ['mso-table-tspace', (edit) => insertSpace(edit, '--word-tspace')],
  ['mso-table-bspace', (edit) => insertSpace(edit, '--word-bspace')],
  ['mso-cellspacing', spaceCells],
  ['mso-element-frame-width', (edit) => insert(edit, '--word-frame', valueOf(edit.node))],
  ...['margin-top', 'margin-right', 'margin-bottom', 'margin-left'].map((side): [string, Rewrite] => [
    side,
    rewriteMarginSide,
  ]),
  ...['', '-top', '-right', '-bottom', '-left'].flatMap((side): [string, Rewrite][] => [
    [`border${side}`, clampBorder],
    [`border${side}-width`, clampBorder],
  ]),
]);

/** Puts a declaration before the one being rewritten, as important as that. */
function insert({ list, item, node }: Edit, property: string, value: string): void {
  list.insertData(declarationOf(property, value, node.important === true), item);
}

/** [k] `mso-hide:all` hides text and tables alike. */
function hide({ list, item, node }: Edit): void {
  if (/^\s*all\s*$/i.test(valueOf(node))) list.insertData(declarationOf('display', 'none', true), item);
}

/**
 * A text fill covers the color, whatever stands in the block; dark mode takes it away and changes the color
 * (idevie.com, "How to fix Outlook dark mode problems", 2021-12). Of a gradient its first color is shown.
 */
function fillText({ list, node, rules }: Edit): void {
  const color = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/i.exec(valueOf(node))?.[0];
  // Inline, what is important counts for nothing; the last one wins there.
  if (color && !rules.isDark) list.appendData(declarationOf('color', color, !rules.isInline));
}

/** `none` leaves the letters empty (goodemailcode.com, "Using MSO- styles in email", 2023-03-01). */
function emptyText({ list, node, rules }: Edit): void {
  if (/^\s*none\s*$/i.test(valueOf(node))) list.appendData(declarationOf('color', 'transparent', !rules.isInline));
}

/** Bare numbers are pixels (goodemailcode.com, "Using MSO- styles in email", 2023-03-01). */
function spaceCells(edit: Edit): void {
  const value = valueOf(edit.node).trim();
  insert(edit, 'border-collapse', 'separate');
  insert(edit, 'border-spacing', lengthOf(value)?.unit === '' ? `${value}px` : value);
}

function insertSpace(edit: Edit, property: string): void {
  const pixels = pixelsOf(valueOf(edit.node), 'pt');
  if (pixels !== undefined) insert(edit, property, `${pixels}px`);
}

/** Raised text makes its line taller, as `vertical-align` does. */
function raise(edit: Edit): void {
  const length = lengthOf(valueOf(edit.node));
  if (!length) return;
  const value =
    length.unit === '%' ? `${round(length.amount / 100)}em` : `${round(length.amount)}${length.unit || 'px'}`;
  insert(edit, 'vertical-align', value);
}

// ---- Line height ----------------------------------------------------------------------------------------------

/**
 * One line of most fonts is 1.15 em high (Arial and Times New Roman: 2355/2048). Word's line spacing is a multiple of
 * that when given as a number or percentage, and a minimum when given as a length ("at least"), unless
 * `mso-line-height-rule:exactly` (caniemail css-line-height; aspose forum 84979 on the percentage: 285 twips of 240 is
 * written as 118.75%). The rule may stand elsewhere in the cascade, so it takes part as a variable.
 */
const SINGLE = 1.15;

function wordLine(value: string): string | undefined {
  const text = value.trim().toLowerCase();
  if (/^(?:normal|inherit|initial|unset)$/.test(text)) return text;
  const length = lengthOf(text);
  if (!length || length.amount < 0) return undefined;
  const pixels = length.unit === '' ? undefined : pixelsOf(text);
  if (pixels !== undefined) return `max(${pixels}px,calc(${SINGLE}em*(1 - var(--word-exactly,0))))`;
  const factor = round(
    length.unit === '%' ? length.amount / 100 : length.unit === 'ex' ? length.amount / 2 : length.amount,
  );
  return `calc(${factor}em*(${SINGLE} - ${round(SINGLE - 1)}*var(--word-exactly,0)))`;
}

function rewriteLineHeight(edit: Edit): void {
  const line = wordLine(valueOf(edit.node));
  if (line === undefined) return;
  insert(edit, '--word-line', line);
  edit.list.remove(edit.item);
}

/** Everything up to the size, the line height, the family. */
const FONT =
  /^([^/]*?(?:\d(?:px|pt|pc|in|cm|mm|em|ex|%)|small|medium|large|smaller|larger))(?:\s*\/\s*(\S+))?\s+(\D.*)$/i;

function rewriteFont(edit: Edit): void {
  const value = valueOf(edit.node).trim();
  const parts = value.length > 1000 ? undefined : FONT.exec(value);
  if (!parts) return;
  insert(edit, '--word-line', wordLine(parts[2] ?? 'normal') ?? 'normal');
  setValue(edit.node, `${parts[1]} ${fontFamilyInWord(parts[3]!, edit.rules.fonts)}`);
}

// ---- Boxes ----------------------------------------------------------------------------------------------------

/** [c] css-margin: no `auto`, no negative values. */
function rewriteMargin(edit: Edit): void {
  const value = valueOf(edit.node);
  if (!/auto|-/i.test(value)) return;
  const sides = sidesOf(value);
  if (!sides) return;
  ['top', 'right', 'bottom', 'left'].forEach((side, i) => {
    const one = sides[i]!;
    if (one.toLowerCase() !== 'auto') insert(edit, `margin-${side}`, one.startsWith('-') ? '0' : one);
  });
  edit.list.remove(edit.item);
}

function rewriteMarginSide({ list, item, node }: Edit): void {
  const value = valueOf(node).trim();
  if (/^auto$/i.test(value)) list.remove(item);
  else if (value.startsWith('-')) setValue(node, '0');
}

const BORDER_MAX_PX = 8;

/** [c] css-border: not more than 8px. */
function clampBorder({ node }: Edit): void {
  const value = valueOf(node);
  if (value.length > 300 || !/\d{2}|[1-9](?:\.\d+)?(?:pt|pc|in|cm|mm)/i.test(value)) return;
  const clamped = value
    .split(/(\s+)/)
    .map((word) => ((pixelsOf(word) ?? 0) > BORDER_MAX_PX ? `${BORDER_MAX_PX}px` : word))
    .join('');
  if (clamped !== value) setValue(node, clamped);
}

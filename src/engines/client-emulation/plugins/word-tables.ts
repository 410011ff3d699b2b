// Tables and boxes in Word.

import {
  attributeOf,
  elementsOf,
  inlineStyleOf,
  inlineValueOf,
  isElement,
  removeAttribute,
  removeInlineDeclaration,
  setInlineDeclaration,
  textOf,
  valueOf,
  type Element,
  type Node,
  type WorkingDocument,
} from '../working-document.ts';
import { pixelsOf, sidesOf } from './word-values.ts';

/** All cells of a row get the row's largest top and bottom padding (caniemail css-padding#2). */
export function levelRow(doc: WorkingDocument, row: Element): void {
  const cells = row.childNodes.filter(
    (node): node is Element => isElement(node) && (node.tagName === 'td' || node.tagName === 'th'),
  );
  if (cells.length < 2) return;
  for (const side of ['top', 'bottom'] as const) {
    const paddings = cells.map((cell) => paddingOf(doc, cell, side));
    const largest = Math.max(...paddings.slice(0, 1000).map((padding) => padding ?? 0));
    if (largest <= 0) continue;
    cells.forEach((cell, i) => {
      if (paddings[i] !== largest) setInlineDeclaration(doc, cell, `padding-${side}`, `${largest}px`);
    });
  }
}

/** A cell's own vertical padding in pixels, as far as its style attribute says. */
function paddingOf(doc: WorkingDocument, cell: Element, side: 'top' | 'bottom'): number | undefined {
  let pixels: number | undefined;
  inlineStyleOf(doc, cell)?.children.forEach((node) => {
    if (node.type !== 'Declaration') return;
    const property = node.property.toLowerCase();
    if (property === 'padding') pixels = pixelsOf(sidesOf(valueOf(node))?.[side === 'top' ? 0 : 2] ?? '') ?? pixels;
    else if (property === `padding-${side}`) pixels = pixelsOf(valueOf(node)) ?? pixels;
  });
  return pixels;
}

/** Pictures as low as this are lower than a line of text. */
const LINE_PX = 15;

/**
 * A cell without text is as high as a line of its text all the same, unless that has no size; so is one that holds
 * only a low picture (litmus.com, discussion 293, "Why declare font-size and line-height to be zero").
 */
export function heightenEmptyCell(doc: WorkingDocument, cell: Element): void {
  if (inlineValueOf(doc, cell, 'mso-line-height-rule') !== undefined) return;
  if (cell.childNodes.some((node) => isElement(node) && node.tagName !== 'img')) return;
  for (const node of cell.childNodes) {
    if (isElement(node)) {
      const height = Number.parseFloat(attributeOf(node, 'height') ?? '');
      if (!(height < LINE_PX)) return;
    } else if (textOf(node).trim() !== '') return;
  }
  const written = pixelsOf(inlineValueOf(doc, cell, 'height') ?? attributeOf(cell, 'height') ?? '') ?? 0;
  setInlineDeclaration(doc, cell, 'height', `max(${written}px,1.15em)`);
}

/** What Word adds to the margins beside an aligned table or picture. */
const FLOAT_GAP_PX = 3;

/**
 * Beside an aligned table or picture the gap comes on top of its own margins, down to none; -lspace and -rspace are
 * taken in their place (github.com/hteumeuleu/caniemail/issues/604, 2026-09-22, Outlook 2019).
 */
export function widenFloat(doc: WorkingDocument, el: Element): void {
  if (!/^\s*(?:left|right)\s*$/i.test(attributeOf(el, 'align') ?? '')) return;
  const all = sidesOf(inlineValueOf(doc, el, 'margin') ?? '');
  for (const [side, space, nth] of [
    ['left', '--word-lspace', 3],
    ['right', '--word-rspace', 1],
  ] as const) {
    if (inlineValueOf(doc, el, space) !== undefined) continue;
    const margin = pixelsOf(inlineValueOf(doc, el, `margin-${side}`) ?? all?.[nth] ?? '');
    if (margin) setInlineDeclaration(doc, el, space, `${Math.max(0, margin + FLOAT_GAP_PX)}px`);
  }
}

/** Word breaks pages, also where nobody prints: after about so many pixels. */
const PAGE_PX = 1800;
const LINE_HEIGHT_PX = 20;
const LINE_CHARACTERS = 75;

/** Whether a table has columns and is longer than a page, as far as its text and the sizes of its pictures tell. */
export function isLongerThanPage(table: Element): boolean {
  let height = 0;
  let hasColumns = false;
  for (const el of elementsOf(table)) {
    if (el.tagName === 'tr')
      hasColumns ||= el.childNodes.filter((node) => isElement(node) && /^t[dh]$/.test(node.tagName)).length > 1;
    if (el.tagName === 'img') height += pixelsOf(`${Number.parseFloat(attributeOf(el, 'height') ?? '') || 0}px`) ?? 0;
  }
  return hasColumns && height + (textOf(table).length / LINE_CHARACTERS) * LINE_HEIGHT_PX > PAGE_PX;
}

/** A table in a padded cell in a VML text box ignores the padding on its left (email-bugs#32, 2025-04-04). */
export function shiftInVml(doc: WorkingDocument, table: Element): void {
  const cell = table.parentNode as Element | null;
  if (!cell || !isElement(cell) || (cell.tagName !== 'td' && cell.tagName !== 'th')) return;
  let steps = 0;
  let up: Element | null = cell;
  while (up && up.tagName !== 'vml-text' && steps++ < 100) up = up.parentNode as Element | null;
  if (up?.tagName !== 'vml-text') return;
  const all = sidesOf(inlineValueOf(doc, cell, 'padding') ?? '')?.[3];
  const left = pixelsOf(inlineValueOf(doc, cell, 'padding-left') ?? all ?? '');
  if (left && left > 0) setInlineDeclaration(doc, table, 'margin-left', `-${left}px`, true);
}

/** The `background` attribute draws an image on `<body>` only (caniemail html-background#2). */
export function dropBackgroundAttribute(el: Element): void {
  if (el.tagName !== 'body') removeAttribute(el, 'background');
}

const BLEEDING = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote']);

/** A background color covers the margins too, those of paragraphs inside it as well (caniemail css-margin#3). */
export function bleedBackground(doc: WorkingDocument, el: Element): void {
  if (!BLEEDING.has(el.tagName)) return;
  const color = inlineValueOf(doc, el, 'background-color') ?? inlineValueOf(doc, el, 'background');
  if (color === undefined || /^\s*(?:transparent|none|inherit|initial)\s*$/i.test(color)) return;
  const margin = inlineValueOf(doc, el, 'margin');
  const all = margin === undefined ? undefined : sidesOf(margin);
  ['top', 'right', 'bottom', 'left'].forEach((side, i) => {
    const value = inlineValueOf(doc, el, `margin-${side}`) ?? all?.[i];
    if (value === undefined || !((pixelsOf(value) ?? 0) > 0)) return;
    setInlineDeclaration(doc, el, `padding-${side}`, value, true);
    setInlineDeclaration(doc, el, `margin-${side}`, '0', true);
  });
  if (el.tagName === 'div' && inlineValueOf(doc, el, 'display') === undefined)
    setInlineDeclaration(doc, el, 'display', 'flow-root');
}

/**
 * `display:none` isn't handed on to tables inside, and doesn't work on images (caniemail css-display-none#1, #2): what
 * is left of a hidden element are its tables. Row and cell stay hidden [k].
 */
export function showNestedTables(doc: WorkingDocument, el: Element): void {
  if (!isHidden(doc, el) || isHiddenForGood(doc, el)) return;
  if (el.tagName === 'img') {
    removeInlineDeclaration(doc, el, 'display');
    return;
  }
  if (el.tagName === 'tr' || el.tagName === 'td' || el.tagName === 'th') return;
  const tables = elementsOf(el).filter((inner) => inner.tagName === 'table' && !isHidden(doc, inner));
  if (tables.length === 0) return;
  const kept = new Set<Node>();
  for (const table of tables) {
    for (
      let node: Element | null = table;
      node && node !== el && !kept.has(node);
      node = node.parentNode as Element | null
    )
      kept.add(node);
  }
  prune(el, kept);
  removeInlineDeclaration(doc, el, 'display');
}

/** Removes what leads to no table; what is in a table stays. */
function prune(root: Element, kept: Set<Node>): void {
  const stack: Element[] = [root];
  for (let el = stack.pop(); el; el = stack.pop()) {
    el.childNodes = el.childNodes.filter((child) => kept.has(child));
    for (const child of el.childNodes) if (isElement(child) && child.tagName !== 'table') stack.push(child);
  }
}

export function isHidden(doc: WorkingDocument, el: Element): boolean {
  if (attributeOf(el, 'style') === undefined) return false;
  return inlineValueOf(doc, el, 'display')?.trim().toLowerCase() === 'none';
}

/** Whether `mso-hide:all` hides the element; it left an important `display:none`. */
function isHiddenForGood(doc: WorkingDocument, el: Element): boolean {
  let found = false;
  inlineStyleOf(doc, el)?.children.forEach((node) => {
    if (node.type === 'Declaration' && node.important && node.property === 'display') found = true;
  });
  return found;
}

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
  if (el.tagName === 'div') setInlineDeclaration(doc, el, 'display', 'flow-root');
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

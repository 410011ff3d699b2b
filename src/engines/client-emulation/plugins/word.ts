// Classic Outlook for Windows shows messages with Word. This plug-in makes Chromium lay them out like Word: what
// caniemail says Word doesn't support is gone by now; here is what Word does with the rest. Where each behavior is
// known from stands beside it; [c] is caniemail's outlook.windows, [k] common knowledge without a source.

import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  inlineStyleOf,
  insertBefore,
  type Element,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import type { CssNode, List } from 'css-tree';
import { rewriteDeclarations, type DeclarationRules } from './word-declarations.ts';
import { imageNotes, sizeImage, type ImageFacts } from './word-images.ts';
import { officeSettingsOf, wordYearOf } from './word-settings.ts';
import { wordDefaults, wordRules } from './word-sheet.ts';
import {
  bleedBackground,
  dropBackgroundAttribute,
  heightenEmptyCell,
  isHidden,
  isLongerThanPage,
  levelRow,
  shiftInVml,
  showNestedTables,
  widenFloat,
} from './word-tables.ts';
import { hideFields } from './word-elements.ts';
import { boxRaisedLink, dropHidden, flatten, stretchSpaces } from './word-text.ts';
import { vmlPlugin } from './vml.ts';

/** Outlook 2019 follows font stacks that start with a web font; earlier ones don't. */
const FONT_STACKS_SINCE = 2019;

/** Word's box model, images, text and VML. Run it after the support filter, and before image blocking and dark mode. */
export const wordPlugin: Plugin = (doc, client, options) => {
  const year = wordYearOf(client);
  const settings = officeSettingsOf(doc);
  const replaced = new Map<string, string>();
  const fonts = { webFonts: year < FONT_STACKS_SINCE ? settings.webFonts : new Map(), replaced };
  setDoctype(doc);
  hideFields(doc);
  vmlPlugin(doc, client, options);
  const isDark = client.colorScheme === 'dark';
  rewriteSheets(doc, { fonts, isInline: false, isDark });
  const images = rewriteElements(doc, { fonts, isInline: true, isDark });
  const defaults = styleElement(wordDefaults);
  const first = doc.head.childNodes[0];
  if (first) insertBefore(first, defaults);
  else append(doc.head, defaults);
  append(doc.head, styleElement(wordRules));
  doc.notes.push(...imageNotes(images, year));
  if (settings.brokenConditions > 0) {
    doc.notes.push(
      'A conditional comment is broken by a line break or a wrong end: what stands in it, and where its end is ' +
        'broken as well the rest of the message, is not shown.',
    );
  }
  if (tablesOnTop(doc).some(isLongerThanPage)) {
    doc.notes.push(
      'A table with columns seems to be longer than about 1,800 px. Word breaks it there as it breaks pages, and may ' +
        'leave a gap, which this picture does not show; several shorter tables one after the other are safe.',
    );
  }
  if (hasShortColors(doc)) {
    doc.notes.push(
      'Some Outlook versions show a bgcolor of three digits, such as #ccf, as black; six digits are safe.',
    );
  }
  for (const [family, shown] of replaced) {
    doc.notes.push(
      `The web font ${family} is shown as ${shown}: this version does not look at the rest of its font stack.`,
    );
  }
};

/**
 * Word knows no rendering modes (caniemail html-doctype#2). Limited quirks is nearest: standard boxes, but a cell that
 * holds only an image is as high as the image [k].
 */
function setDoctype(doc: WorkingDocument): void {
  doc.document.childNodes = doc.document.childNodes.filter((node) => node.nodeName !== '#documentType');
  doc.document.childNodes.unshift({
    nodeName: '#documentType',
    name: 'html',
    publicId: '-//W3C//DTD XHTML 1.0 Transitional//EN',
    systemId: 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd',
    parentNode: doc.document,
  });
}

function styleElement(css: string): Element {
  const style = createElement('style');
  append(style, createText(css));
  return style;
}

function rewriteSheets(doc: WorkingDocument, rules: DeclarationRules): void {
  for (const sheet of doc.styles) {
    const stack: List<CssNode>[] = [sheet.ast.children];
    for (let list = stack.pop(); list; list = stack.pop()) {
      list.forEach((node) => {
        if (node.type === 'Rule') rewriteDeclarations(node.block.children, rules);
        else if (node.type === 'Atrule' && node.block && node.name.toLowerCase() !== 'font-face')
          stack.push(node.block.children);
      });
    }
  }
}

/**
 * Tables that stand in no other. The break: github.com/foundation/foundation-emails/issues/534, 2016-07-22;
 * github.com/M-J-Robbins/get-off-the-table/issues/7, 2018-01-24.
 */
function tablesOnTop(doc: WorkingDocument): Element[] {
  const inside = new Set<Element>();
  const tables: Element[] = [];
  for (const el of elementsOf(doc.body)) {
    const parent = el.parentNode as Element | null;
    const isInside = parent !== null && (parent.tagName === 'table' || inside.has(parent));
    if (isInside) inside.add(el);
    else if (el.tagName === 'table') tables.push(el);
  }
  return tables;
}

/** sundog.areavoices.com, "Email, Mobile, Web Development", 2013-05-07; which versions isn't known. */
function hasShortColors(doc: WorkingDocument): boolean {
  return elementsOf(doc.html).some(
    (el) =>
      /^(?:body|table|tr|td|th)$/.test(el.tagName) && /^\s*#[0-9a-f]{3}\s*$/i.test(attributeOf(el, 'bgcolor') ?? ''),
  );
}

/** Each hidden element is searched for tables; more of them, nested, is an attack. */
const HIDDEN_MAX = 100;

function rewriteElements(doc: WorkingDocument, rules: DeclarationRules): ImageFacts {
  const images: ImageFacts = { gifs: 0, tall: 0, spaced: 0 };
  let hidden = 0;
  const elements = elementsOf(doc.body);
  rewriteInline(doc, doc.body, rules);
  for (const el of elements) {
    if (isDrawing(el)) continue;
    if (flatten(el)) continue;
    if (el.attrs.length > 0) {
      dropHidden(el);
      dropBackgroundAttribute(el);
      rewriteInline(doc, el, rules);
    }
    if (el.tagName === 'img') sizeImage(doc, el, images);
  }
  for (const el of elements) {
    if (el.tagName === 'tr') levelRow(doc, el);
    if (el.tagName === 'td' || el.tagName === 'th') heightenEmptyCell(doc, el);
    if (el.tagName === 'table') shiftInVml(doc, el);
    if (el.tagName === 'table' || el.tagName === 'img') widenFloat(doc, el);
    if (isDrawing(el) || !inlineStyleOf(doc, el)) continue;
    bleedBackground(doc, el);
    if (isHidden(doc, el) && hidden++ < HIDDEN_MAX) showNestedTables(doc, el);
    stretchSpaces(doc, el);
    boxRaisedLink(doc, el);
  }
  return images;
}

/** Boxes that vml.ts made, and the pictures right in them, carry their own geometry. */
function isDrawing(el: Element): boolean {
  if (el.tagName.startsWith('vml-')) return true;
  return (
    (el.tagName === 'img' || el.tagName === 'svg' || el.tagName === 'path' || el.tagName === 'line') &&
    (el.parentNode as Element | null)?.tagName === 'vml-shape'
  );
}

function rewriteInline(doc: WorkingDocument, el: Element, rules: DeclarationRules): void {
  const style = inlineStyleOf(doc, el);
  if (style) rewriteDeclarations(style.children, rules);
}

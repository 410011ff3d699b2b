// Outlook on a display set to 125 % (120 dpi): Word scales what is given in CSS and points, but not what is given in
// HTML attributes or VML, unless the message carries `<o:PixelsPerInch>96` (emailonacid.com, "Coding for DPI scaling in
// Outlook 2007-2013"; blog.jmwhite.co.uk, 2014-03-28; caniemail html-width#2).

import {
  append,
  createElement,
  createText,
  elementsOf,
  inlineStyleOf,
  insertBefore,
  setValue,
  valueOf,
  type Plugin,
} from '../working-document.ts';
import type { CssNode, List } from 'css-tree';
import { officeSettingsOf } from './word-settings.ts';
import { round } from './word-values.ts';

const SCALE = 120 / 96;
const LENGTHS = /(?<![\w#.-])(-?(?:\d+\.?\d*|\.\d+))(px|pt|pc|in|cm|mm)\b/gi;
/** `<font size>` 1 to 7 in pixels at 96 dpi. */
const FONT_SIZES_PX = [10, 13, 16, 18, 24, 32, 48];

/** Run it after `wordPlugin`. */
export const word120DpiPlugin: Plugin = (doc) => {
  const style = createElement('style');
  if (officeSettingsOf(doc).pixelsPerInch === 96) {
    append(style, createText(`html{zoom:${SCALE}}`));
    append(doc.head, style);
    return;
  }
  const fonts = FONT_SIZES_PX.map((px, i) => `:where(font[size="${i + 1}"]){font-size:${px * SCALE}px}`).join('');
  append(style, createText(`html{font-size:${16 * SCALE}px}:where(ul,ol){margin-left:60px}${fonts}`));
  const first = doc.head.childNodes.find((node) => node.nodeName === 'style') ?? doc.head.childNodes[0];
  if (first) insertBefore(first, style);
  else append(doc.head, style);
  for (const sheet of doc.styles) scaleRules(sheet.ast.children);
  for (const el of elementsOf(doc.document)) {
    if (el.tagName.startsWith('vml-')) continue;
    const inline = inlineStyleOf(doc, el);
    // An image's size comes from its attributes by now.
    if (inline) scaleBlock(inline.children, el.tagName === 'img' ? /^(?:width|height)$/ : undefined);
  }
  doc.notes.push(
    'At 120 dpi Word enlarges text and CSS sizes by a quarter, but not sizes in HTML attributes; ' +
      '<o:PixelsPerInch>96</o:PixelsPerInch> in the message makes it enlarge everything alike.',
  );
};

function scaleRules(rules: List<CssNode>): void {
  const stack = [rules];
  for (let list = stack.pop(); list; list = stack.pop()) {
    list.forEach((node) => {
      if (node.type === 'Rule') scaleBlock(node.block.children);
      else if (node.type === 'Atrule' && node.block) stack.push(node.block.children);
    });
  }
}

function scaleBlock(list: List<CssNode>, except?: RegExp): void {
  list.forEach((node) => {
    if (node.type !== 'Declaration' || except?.test(node.property)) return;
    const value = valueOf(node);
    if (value.length > 2000 || !/\d/.test(value) || value.includes('url(')) return;
    const scaled = value.replace(
      LENGTHS,
      (_all, amount: string, unit: string) => `${round(Number(amount) * SCALE)}${unit}`,
    );
    if (scaled !== value) setValue(node, scaled);
  });
}

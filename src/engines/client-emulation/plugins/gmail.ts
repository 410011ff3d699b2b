// Gmail, on the web and in its apps. Sources stand in data/clients/sources.json under gmail-*.

import type { ClientProfile } from '../types.ts';
import { walk, type CssNode } from 'css-tree';
import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  insertBefore,
  removeAttribute,
  removeNode,
  textOf,
  type Element,
  type EmbeddedStyle,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import { dropDataPictures, inStyleAttributes, inStyleElements, wrapsPre } from './client-habits.ts';
import { clipMessage } from './gmail-clip.ts';
import { linkText, type TextKind } from './link-text.ts';
import {
  hasDoctype,
  renameInSelectors,
  renameNames,
  scopeSelectors,
  unmatchBody,
  useClientDoctype,
  wrapBody,
} from './message-scope.ts';

/** All style elements together, in UTF-8 bytes; one that reaches beyond is removed (email-bugs#90, caniemail#144). */
const STYLE_BYTES_MAX = 16_384;

/** Gmail's own differ from message to message; these only have to be the same every time. */
const PREFIX = 'm_7301';
const SCOPE = 'msg7301';

/** Gmail with a Google account: styles are kept, under conditions. */
export const gmailPlugin: Plugin = (doc, client) => {
  dropStyles(doc);
  showAsGmail(doc, client, true);
};

/** Gmail's app with an account of another provider: no style sheet survives (caniemail html-style#2). */
export const gmailImapPlugin: Plugin = (doc, client) => {
  removeStyles(doc, doc.styles);
  // goodemailcode.com, "Visually hidden text", 2022: what overflows is seen.
  inStyleAttributes(doc, (property) => (property.startsWith('overflow') ? null : undefined));
  showAsGmail(doc, client, false);
};

/** Gmail in a phone's browser: no style sheet survives either. */
export const gmailPlainPlugin: Plugin = gmailImapPlugin;

function showAsGmail(doc: WorkingDocument, client: ClientProfile, scoped: boolean): void {
  dropVectors(doc);
  dropDataPictures(doc);
  inStyleAttributes(doc, wrapsPre);
  inStyleElements(doc, wrapsPre);
  if (scoped) {
    prefixNames(doc);
    unmatchBody(doc);
    scopeSelectors(doc, { class: SCOPE });
  }
  linkText(doc, { kinds: linkedKinds(client), attributes: () => ({}) });
  // The doctype becomes <u></u> beside the div that was the body: "u + .body" in a selector finds Gmail.
  const hadDoctype = hasDoctype(doc);
  // Its attributes stand on a div, where a color of the page paints nothing (caniemail issue 212, 2021-11-30).
  for (const name of ['bgcolor', 'text', 'background']) removeAttribute(doc.body, name);
  const message = wrapBody(doc, [{ class: `a3s ${SCOPE}` }], 'div');
  if (hadDoctype) insertBefore(message, createElement('u'));
  useClientDoctype(doc);
  clipMessage(doc, message, client.category === 'Mobile' ? 'app' : 'web');
}

function linkedKinds(client: ClientProfile): TextKind[] {
  if (client.category !== 'Mobile') return ['url', 'email', 'domain'];
  return client.support?.platform === 'ios'
    ? ['url', 'email', 'domain', 'phone', 'date', 'address']
    : ['url', 'email', 'domain', 'phone'];
}

// ---- Styles ---------------------------------------------------------------------------------------------------

function dropStyles(doc: WorkingDocument): void {
  const dropped: EmbeddedStyle[] = [];
  let bytes = 0;
  for (const style of doc.styles) {
    const text = textOf(style.element);
    if (isInBody(style.element, doc)) dropped.push(style);
    else if (hasNestedAtRule(text) || text.includes('\\0')) {
      dropped.push(style);
      doc.notes.push('Gmail drops a style element that holds an at-rule inside an at-rule, or "\\0".');
    } else {
      bytes += style.sourceBytes;
      if (bytes > STYLE_BYTES_MAX) dropped.push(style);
    }
  }
  if (bytes > STYLE_BYTES_MAX) {
    const kilobytes = (bytes / 1024).toFixed(1);
    doc.notes.push(
      `Gmail reads 16 KB of styles; this message has ${kilobytes} KB, so the style elements that ` +
        'reach beyond are dropped.',
    );
  }
  removeStyles(doc, dropped);
}

function removeStyles(doc: WorkingDocument, styles: readonly EmbeddedStyle[]): void {
  const gone = new Set(styles);
  doc.styles = doc.styles.filter((style) => !gone.has(style));
  for (const style of gone) removeNode(style.element);
}

function isInBody(el: Element, doc: WorkingDocument): boolean {
  for (let node = el.parentNode; node && 'parentNode' in node; node = node.parentNode)
    if (node === doc.body) return true;
  return false;
}

/** An `@` inside a block that an at-rule opened; strings and comments don't count (email-bugs#21). */
function hasNestedAtRule(css: string): boolean {
  const blocks: boolean[] = [];
  let atRulesOpen = 0;
  let pending = false;
  for (let i = 0; i < css.length; i++) {
    const character = css[i];
    if (character === '"' || character === "'") i = endOf(css, character, i + 1);
    else if (character === '/' && css[i + 1] === '*') i = endOf(css, '*/', i + 2);
    else if (character === '@') {
      if (atRulesOpen > 0) return true;
      pending = true;
    } else if (character === ';') pending = false;
    else if (character === '{') {
      blocks.push(pending);
      if (pending) atRulesOpen++;
      pending = false;
    } else if (character === '}' && blocks.pop()) atRulesOpen--;
  }
  return false;
}

function endOf(css: string, mark: string, from: number): number {
  const at = css.indexOf(mark, from);
  return at < 0 ? css.length : at + mark.length - 1;
}

function prefixNames(doc: WorkingDocument): void {
  renameNames(doc.body, (name) => PREFIX + name);
  renameInSelectors(doc, (name) => PREFIX + name);
  // [class~="x"] is the one attribute selector that Gmail keeps; it means the message's class.
  for (const style of doc.styles) {
    walk(style.ast, (node: CssNode) => {
      if (node.type !== 'AttributeSelector' || node.name.name !== 'class' || node.matcher !== '~=' || !node.value)
        return;
      if (node.value.type === 'String') node.value.value = PREFIX + node.value.value;
      else node.value.name = PREFIX + node.value.name;
    });
  }
}

// ---- Content --------------------------------------------------------------------------------------------------

/** SVG is not shown, neither as an element nor as a picture: Gmail's image proxy doesn't fetch it. */
function dropVectors(doc: WorkingDocument): void {
  for (const el of elementsOf(doc.body)) {
    if (el.tagName === 'svg') {
      removeNode(el);
      continue;
    }
    const source = el.tagName === 'img' ? attributeOf(el, 'src') : undefined;
    if (source === undefined || !/^[^?#]*\.svg(?:[?#]|$)|^data:image\/svg/i.test(source)) continue;
    const alt = attributeOf(el, 'alt');
    const stand = createElement('span');
    if (alt) append(stand, createText(alt));
    insertBefore(el, stand);
    removeNode(el);
  }
}

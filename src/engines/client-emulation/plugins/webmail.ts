// Webmail and apps that show a message inside their own page without further habits of their own.

import { generate } from 'css-tree';
import { followsComment } from '../../css/index.ts';
import {
  attributeOf,
  elementsOf,
  fragmentOf,
  removeAttribute,
  replaceNode,
  setInlineDeclaration,
  type Node,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import {
  inStyleAttributes,
  inStyleElements,
  removeElements,
  unwrapElements,
  wrapsPre,
  type Habit,
} from './client-habits.ts';
import {
  renameInSelectors,
  renameNames,
  scopeSelectors,
  unmatchBody,
  useClientDoctype,
  wrapBody,
} from './message-scope.ts';

/** The body becomes a div with its attributes (caniemail html-body#1). */
export const bodyToDivPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  scopeSelectors(doc, { class: 'message-7301' });
  wrapBody(doc, [{ class: 'message-7301' }], 'div');
  useClientDoctype(doc);
};

/** The body goes, with what it said about colors and margins (caniemail html-body, "not supported"). */
export const bodyRemovedPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  scopeSelectors(doc, { class: 'message-7301' });
  wrapBody(doc, [{ class: 'message-7301' }], 'nothing');
  useClientDoctype(doc);
};

/** Proton Mail: selectors stay as they are, and `#proton-root .x` in them finds the client. */
export const protonPlugin: Plugin = (doc) => {
  transformAsProton(doc);
  unmatchBody(doc);
  wrapBody(doc, [{ id: 'proton-root' }], 'nothing');
  useClientDoctype(doc);
};

/**
 * What Proton Mail publishes of how it shows messages (github.com/ProtonMail/WebClients, packages/mail-renderer:
 * transformStyleAttributes, transformStylesheet, MessageIframe.raw.scss; read 2026-11-26). Facts, in our words.
 */
function transformAsProton(doc: WorkingDocument): void {
  inStyleAttributes(doc, (property, value) => {
    if (property === 'position') return value === 'absolute' ? 'relative' : value === 'fixed' ? 'inherit' : undefined;
    if (/^(?:left|right|top|inset-.*)$/.test(property)) return null;
    if (property === 'height' && value.includes('vh')) return 'auto';
    if (/^min-(?:height|block-size)$/.test(property) && value === '100vh') return 'auto';
    if (property.startsWith('margin-') && value.startsWith('-')) return null;
    if (property === 'margin') return withoutNegative(value);
    return wrapsPre(property, value);
  });
  inStyleElements(doc, (property, value) => {
    if (property === 'position' && /^(?:fixed|sticky)$/.test(value)) return 'inherit';
    return /^min-(?:height|block-size)$/.test(property) && value === '100vh' ? 'auto' : undefined;
  });
  // Of the rules at the top of a sheet, those whose condition names a height.
  for (const style of doc.styles) {
    style.ast.children.forEach((node, item, list) => {
      if (node.type !== 'Atrule' || !/^(?:media|container)$/i.test(node.name) || !node.prelude) return;
      if (generate(node.prelude).includes('height')) list.remove(item);
    });
  }
  for (const el of elementsOf(doc.body)) {
    if (el.tagName === 'img' && /%\s*$/.test(attributeOf(el, 'height') ?? '')) removeAttribute(el, 'height');
    if (el.tagName === 'a' && attributeOf(el, 'href') === undefined)
      setInlineDeclaration(doc, el, 'color', 'inherit', true);
  }
}

function withoutNegative(value: string): string | undefined {
  if (!/(?:^|\s)-\d/.test(value)) return undefined;
  return value.replace(/(^|\s)-[\d.]+[a-z%]*/g, '$10');
}

/** GMX and WEB.DE take `<s>` away with what it says (goodemailcode.com, "Text", 2022-03-10). */
export const unitedInternetPlugin: Plugin = (doc) => unwrapElements(doc, new Set(['s']));

/** Fastmail: nothing may lie over its own page, and there are no frames (its author, 2014-02-04). */
export const fastmailPlugin: Plugin = (doc, client, options) => {
  const fixed: Habit = (property, value) => (property === 'position' && value === 'fixed' ? null : undefined);
  inStyleAttributes(doc, fixed);
  inStyleElements(doc, fixed);
  removeElements(doc, (el) => el.tagName === 'iframe' || el.tagName === 'frame');
  bodyRemovedPlugin(doc, client, options);
};

/**
 * T-Online shows what stands in conditional comments, whatever the condition (email-bugs#43, 2018-05-30; Good Email
 * Code, "Columns", says the same in 2025).
 */
export const tonlinePlugin: Plugin = (doc) => {
  const comments: Node[] = [];
  for (const el of [doc.body, ...elementsOf(doc.body)])
    for (const node of el.childNodes) if (node.nodeName === '#comment' && 'data' in node) comments.push(node);
  for (const comment of comments) {
    const shown = 'data' in comment && /^\[if[^\]]{0,400}\]>([\s\S]*)<!\[endif\]$/i.exec(comment.data)?.[1];
    if (shown) replaceNode(comment, ...fragmentOf(shown));
  }
};

/** IONOS (Open-Xchange): `.mail-detail-content` is around the message (howtotarget, 2021-10-29). */
export const ionosPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  wrapBody(doc, [{ class: 'mail-detail-content' }], 'div');
  useClientDoctype(doc);
};

/**
 * Orange: a media query after a comment is broken (email-bugs#35, 2018-03-07); its own styles stand in
 * `appearances.json`.
 */
export const orangePlugin: Plugin = (doc, client, options) => {
  for (const style of doc.styles) {
    style.ast.children.forEach((node, item, list) => {
      if (node.type === 'Atrule' && followsComment(node)) list.remove(item);
    });
  }
  bodyToDivPlugin(doc, client, options);
};

/** Free (Roundcube's sanitizer): names are prefixed with `v1` unless they begin so. */
export const freeFrPlugin: Plugin = (doc) => {
  renameNames(doc.body, (name) => `v1${name}`);
  renameInSelectors(doc, (name) => (name.startsWith('v1') ? name : `v1${name}`));
  unmatchBody(doc);
  wrapBody(doc, [{ class: 'rcmBody' }], 'div');
  useClientDoctype(doc);
};

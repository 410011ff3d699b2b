// Samsung Email. Sources: samsung-wrapper, flattened-head.

import { linkText } from './link-text.ts';
import { append, elementsOf, type Element, type Plugin, type WorkingDocument } from '../working-document.ts';
import { wrapBody } from './message-scope.ts';

/** The message stands in `#MessageViewBody`, and the head's elements beside the body's. */
export const samsungPlugin: Plugin = (doc) => {
  // Domains become links, also where a word joiner stands before the dot (blog.teknkl.com, read 2026-11-26).
  for (const el of [doc.body, ...elementsOf(doc.body)])
    for (const node of el.childNodes)
      if (node.nodeName === '#text' && 'value' in node) node.value = node.value.replaceAll('\u2060.', '.');
  linkText(doc, { kinds: ['url', 'email', 'domain', 'phone'], attributes: () => ({}) });
  flattenHead(doc, wrapBody(doc, [{ id: 'MessageViewBody' }], 'div'));
};

/** Puts the head's meta and title elements before the content. Styles stay: where they are makes no difference. */
function flattenHead(doc: WorkingDocument, content: Element): void {
  const moved = doc.head.childNodes.filter((node) => node.nodeName === 'meta' || node.nodeName === 'title');
  const after = content.childNodes;
  content.childNodes = [];
  append(content, ...moved);
  content.childNodes = [...content.childNodes, ...after];
}

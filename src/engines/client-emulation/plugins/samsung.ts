// Samsung Email, and the flattened head that Thunderbird shares with it. Sources: samsung-wrapper, flattened-head.

import { append, type Element, type Plugin, type WorkingDocument } from '../working-document.ts';
import { wrapBody } from './message-scope.ts';

/** The message stands in `#MessageViewBody`, and the head's elements beside the body's. */
export const samsungPlugin: Plugin = (doc) => {
  flattenHead(doc, wrapBody(doc, [{ id: 'MessageViewBody' }], 'div'));
};

/** Head and body are one: `meta ~ * .x` in a selector finds the client. */
export const flattenedHeadPlugin: Plugin = (doc) => {
  flattenHead(doc, doc.body);
};

/** Puts the head's meta and title elements before the content. Styles stay: where they are makes no difference. */
function flattenHead(doc: WorkingDocument, content: Element): void {
  const moved = doc.head.childNodes.filter((node) => node.nodeName === 'meta' || node.nodeName === 'title');
  const after = content.childNodes;
  content.childNodes = [];
  append(content, ...moved);
  content.childNodes = [...content.childNodes, ...after];
}

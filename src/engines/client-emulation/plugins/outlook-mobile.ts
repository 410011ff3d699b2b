// Outlook for iOS, Android and macOS: one way of showing messages. Sources: outlook-mobile-wrapper, body-element.

import { generate } from 'css-tree';
import type { Plugin, WorkingDocument } from '../working-document.ts';
import { styleRulesOf, unmatchBody, useClientDoctype, wrapBody } from './message-scope.ts';

const FRAGMENT = 'olm-fragment-custom';

export const outlookMobilePlugin: Plugin = (doc, client) => {
  forgetFragmentInHead(doc);
  unmatchBody(doc);
  wrapBody(doc, [{ id: 'converted-body', class: FRAGMENT }], client.support?.platform === 'macos' ? 'nothing' : 'div');
  useClientDoctype(doc);
};

/** `.olm-fragment-custom` in a selector finds this client, but only in a style element of the body. */
function forgetFragmentInHead(doc: WorkingDocument): void {
  const inHead = new Set(doc.styles.filter((style) => style.element.parentNode === doc.head));
  if (inHead.size === 0) return;
  for (const rule of styleRulesOf({ ...doc, styles: [...inHead] })) {
    if (generate(rule.prelude).includes(FRAGMENT)) rule.block.children.clear();
  }
}

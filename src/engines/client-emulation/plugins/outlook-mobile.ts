// Outlook for iOS, Android and macOS: one way of showing messages. Sources: outlook-mobile-wrapper, body-element.

import { generate } from 'css-tree';
import {
  elementsOf,
  inlineValueOf,
  setInlineDeclaration,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import { styleRulesOf, unmatchBody, useClientDoctype, wrapBody } from './message-scope.ts';

const FRAGMENT = 'olm-fragment-custom';

export const outlookMobilePlugin: Plugin = (doc, client) => {
  forgetFragmentInHead(doc);
  if (client.support?.platform === 'ios') showOnPhone(doc);
  unmatchBody(doc);
  const isPhone = client.support?.platform === 'ios';
  const clip = isPhone ? { style: 'max-height:5000px;overflow:hidden' } : undefined;
  wrapBody(
    doc,
    [...(clip ? [clip] : []), { id: 'converted-body', class: FRAGMENT }],
    client.support?.platform === 'macos' ? 'nothing' : 'div',
  );
  useClientDoctype(doc);
};

/**
 * On an iPhone images are never narrower than their column for `max-width` (email-bugs#93, 2024-01-14), text with a
 * size is a quarter larger (email-bugs#100, 2021-09-28), and nothing is shown after 5,000 px (email-bugs#108,
 * 2022-02-09).
 */
function showOnPhone(doc: WorkingDocument): void {
  for (const el of elementsOf(doc.body)) {
    if (el.tagName === 'img') setInlineDeclaration(doc, el, 'max-width', '100%', true);
    const size = /^(\d+(?:\.\d+)?)px$/.exec(inlineValueOf(doc, el, 'font-size')?.trim() ?? '')?.[1];
    if (size !== undefined) setInlineDeclaration(doc, el, 'font-size', `${Number(size) * 1.25}px`);
  }
}

/** `.olm-fragment-custom` in a selector finds this client, but only in a style element of the body. */
function forgetFragmentInHead(doc: WorkingDocument): void {
  const inHead = new Set(doc.styles.filter((style) => style.element.parentNode === doc.head));
  if (inHead.size === 0) return;
  for (const rule of styleRulesOf({ ...doc, styles: [...inHead] })) {
    if (generate(rule.prelude).includes(FRAGMENT)) rule.block.children.clear();
  }
}

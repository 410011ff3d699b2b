// Outlook.com, Outlook on the web and the new Outlook for Windows. Sources: data/clients/sources.json, outlook-com-*.

import type { CssNode, Selector } from 'css-tree';
import {
  elementsOf,
  inlineStyleOf,
  inlineValueOf,
  setInlineDeclaration,
  type Element,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import { renameNames, selectorsOf, styleRulesOf, useClientDoctype, wrapBody } from './message-scope.ts';

const PREFIX = 'x_';
/** The client's own differs from message to message; this one only has to be the same every time. */
const SCOPE = 'rps_7301';

export const outlookWebPlugin: Plugin = (doc) => {
  renameNames(doc.body, (name) => PREFIX + name);
  for (const rule of styleRulesOf(doc)) for (const selector of selectorsOf(rule)) rewriteSelector(selector);
  for (const el of elementsOf(doc.body)) fixBoxSizing(doc, el);
  wrapBody(doc, [{ class: SCOPE }], 'div');
  useClientDoctype(doc);
};

/**
 * Prefixes the first class or id of each compound, and only that: `.a.b` becomes `.x_a.b`, which matches nothing
 * (email-bugs#61). `a[href]` becomes `ax_[href]` (email-bugs#38). `body` is the scope's child (email-bugs#88).
 */
function rewriteSelector(selector: Selector): void {
  let isPrefixed = false;
  let type: (CssNode & { name: string }) | undefined;
  let startsWithBody = false;
  let index = 0;
  selector.children.forEach((part) => {
    if (part.type === 'Combinator') {
      isPrefixed = false;
      type = undefined;
    } else if (part.type === 'TypeSelector') {
      type = part;
      if (/^(?:body|html)$/i.test(part.name)) {
        if (index === 0 && /^body$/i.test(part.name)) startsWithBody = true;
        part.name = 'div';
      }
    } else if (part.type === 'ClassSelector' || part.type === 'IdSelector') {
      // "\0" in a name is cleaned away, which makes it a way to find this client.
      part.name = part.name.replace(/\\0 ?|\ufffd/g, '');
      if (!isPrefixed) part.name = PREFIX + part.name;
      isPrefixed = true;
    } else if (part.type === 'AttributeSelector' && type) {
      type.name += PREFIX;
      type = undefined;
    }
    index++;
  });
  if (startsWithBody) selector.children.prependData({ type: 'Combinator', name: '>' });
  else selector.children.prependData({ type: 'Combinator', name: ' ' });
  selector.children.prependData({ type: 'ClassSelector', name: SCOPE });
}

/** A size together with padding gets `box-sizing: border-box !important`. */
function fixBoxSizing(doc: WorkingDocument, el: Element): void {
  const style = inlineStyleOf(doc, el);
  if (!style) return;
  let hasSize = false;
  let hasPadding = false;
  style.children.forEach((node) => {
    if (node.type !== 'Declaration') return;
    if (/^(?:width|height)$/i.test(node.property)) hasSize = true;
    if (/^padding(?:-|$)/i.test(node.property)) hasPadding = true;
  });
  if (hasSize && hasPadding && inlineValueOf(doc, el, 'box-sizing') === undefined) {
    setInlineDeclaration(doc, el, 'box-sizing', 'border-box', true);
  }
}

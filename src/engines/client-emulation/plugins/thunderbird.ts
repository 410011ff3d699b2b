// Thunderbird: the page that it puts a message into, and what its own style sheets say about it. Seen in Thunderbird
// 153 (source: thunderbird-page); its dark mode is in thunderbird-dark.ts.

import type { CssNode, List } from 'css-tree';
import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  insertBefore,
  setInlineDeclaration,
  type Element,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import { useClientDoctype } from './message-scope.ts';

/** Thunderbird's sheets come first and have their weight: what counts more in the message wins, `!important` does not. */
const RULES = [
  // Messages of Outlook said `line-height: 0` on the body.
  'body{line-height:initial!important}',
  // Every image can be zoomed, but those that are links; until then it fits the window, whatever it says itself.
  'img:not([href] img){max-inline-size:calc(100vw - 16px)!important}',
  'body blockquote[type="cite"]{margin-block:1ex;margin-inline:0;padding:.4ex 1ex;color:#1373d9!important;' +
    'border-inline-start:2px solid #729fcf}',
];
const BODY_MARGINS_PX = 16;
/** Links around a picture are looked for so far up. */
const DEPTH_MAX = 100;
/** The page has no ground of its own, so that the body's covers it. */
const LIGHT_RULES = ['html{background-color:transparent}'];
const DARK_RULES = [
  ':root{color-scheme:dark}',
  'html{background-color:#18181b;color:#eeeef0}',
  'a:link{color:#58c9ff}',
  'body blockquote[type="cite"]{color:#58c9ff!important}',
];

/**
 * The message stands in `.moz-text-html`, in a document of HTML5, and the head's elements beside it in the body:
 * `meta ~ * .x` in a selector finds the client.
 */
export const thunderbirdPlugin: Plugin = (doc, client) => {
  const message = createElement('div', { class: 'moz-text-html', lang: 'x-unicode' });
  const moved = doc.head.childNodes;
  // Not by `append`, which takes children out one by one: that costs the square of their number.
  for (const child of doc.body.childNodes) child.parentNode = message;
  message.childNodes = doc.body.childNodes;
  doc.body.childNodes = [];
  doc.head.childNodes = [];
  for (const node of moved) node.parentNode = doc.body;
  doc.body.childNodes = [...moved];
  append(doc.body, message);
  const sheet = createElement('style');
  keepShapes(doc, client.viewport.width - BODY_MARGINS_PX);
  append(sheet, createText([...RULES, ...(client.colorScheme === 'dark' ? DARK_RULES : LIGHT_RULES)].join('\n')));
  const [first] = doc.head.childNodes;
  if (first) insertBefore(first, sheet);
  else append(doc.head, sheet);
  useClientDoctype(doc);
  for (const { ast } of doc.styles) dropConditional(ast.children);
};

/**
 * A picture that is shrunk is not distorted. Thunderbird compares its file's width with the room that it gets; here only
 * the attribute is known, and a picture that it makes wider than the window is taken for one.
 */
function keepShapes(doc: WorkingDocument, room: number): void {
  for (const el of elementsOf(doc.body))
    if (el.tagName === 'img' && Number(attributeOf(el, 'width')) > room && !isInLink(el))
      setInlineDeclaration(doc, el, 'object-fit', 'scale-down');
}

function isInLink(el: Element): boolean {
  let steps = 0;
  for (let up = el.parentNode as Element | null; up && steps < DEPTH_MAX; up = up.parentNode as Element | null, steps++)
    if ('attrs' in up && attributeOf(up, 'href') !== undefined) return true;
  return false;
}

/** Rules that hold under a condition, or in a layer, are taken out of a message before it is shown. */
const CONDITIONAL = /^(?:media|supports|layer|container|scope|starting-style|(?:-moz-)?document)$/i;

function dropConditional(nodes: List<CssNode>): void {
  nodes.forEach((node, item) => {
    if (node.type === 'Atrule' && CONDITIONAL.test(node.name)) nodes.remove(item);
  });
}

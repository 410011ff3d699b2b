// Gmail shows about the first 102 KB of a message's HTML and offers the rest behind a link (email-bugs#41).

import {
  append,
  createElement,
  createText,
  isElement,
  type Element,
  type Node,
  type WorkingDocument,
} from '../working-document.ts';

const CLIP_BYTES = 102 * 1024;

/**
 * Cuts what lies beyond the limit of the message's source and adds Gmail's line about it. The source isn't at hand any
 * more, so what is too much is taken away from the end, measured as the tree would be written: exact but for spelling
 * differences such as `&nbsp;`, quotes and white space inside tags.
 */
export function clipMessage(doc: WorkingDocument, message: Element, kind: 'web' | 'app'): void {
  const excess = doc.sourceBytes - CLIP_BYTES;
  if (excess <= 0) return;
  const characters = cutFromEnd(message, excess);
  doc.clippedCharacters = characters;
  doc.notes.push(`Clipped at 102 KB: ${characters.toLocaleString('en-US')} characters of text are not shown.`);
  append(message, noticeOf(kind));
}

function noticeOf(kind: 'web' | 'app'): Element {
  const notice = createElement('div', {
    style: 'font:13px/1.5 Arial,Helvetica,sans-serif;color:#222222;margin:16px 0;clear:both',
  });
  const link = createElement('a', { href: '#', style: 'color:#1155cc;text-decoration:underline' });
  append(link, createText(kind === 'app' ? 'VIEW ENTIRE MESSAGE' : 'View entire message'));
  append(notice, createText(kind === 'app' ? '' : '[Message clipped]\u00a0\u00a0'), link);
  return notice;
}

const voidElements = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** Takes the last `bytes` of an element's source away. Returns how many characters of text went. */
function cutFromEnd(root: Element, bytes: number): number {
  let left = bytes;
  let characters = 0;
  const path: Element[] = [root];
  while (left > 0) {
    const parent = path.at(-1)!;
    const last: Node | undefined = parent.childNodes.at(-1);
    if (!last) {
      if (parent === root) break;
      // All inside is gone: so is its start tag.
      path.pop();
      path.at(-1)!.childNodes.pop();
      left -= startTagBytes(parent);
    } else if (isElement(last)) {
      if (!voidElements.has(last.tagName)) left -= last.tagName.length + 3;
      path.push(last);
    } else {
      const text = last.nodeName === '#text' && 'value' in last ? last : undefined;
      const size = Buffer.byteLength(text?.value ?? ('data' in last ? `<!--${last.data}-->` : ''));
      const kept = text && size > left ? Math.floor(text.value.length * (1 - left / size)) : 0;
      characters += (text?.value.length ?? 0) - kept;
      if (text && kept > 0) text.value = text.value.slice(0, kept);
      else parent.childNodes.pop();
      left -= size;
    }
  }
  return characters;
}

function startTagBytes(el: Element): number {
  return el.attrs.reduce(
    (sum, attr) => sum + Buffer.byteLength(attr.value) + attr.name.length + 4,
    el.tagName.length + 2,
  );
}

// Writes a working document as HTML (WHATWG "serializing HTML fragments"), in a loop, so that depth can't overflow the
// stack, and with the whole doctype, because its identifiers choose the rendering mode.

import { generate } from 'css-tree';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { editedInlineStyle, isElement, type Element, type WorkingDocument } from './working-document.ts';

const voidElements = new Set([
  'area',
  'base',
  'basefont',
  'bgsound',
  'br',
  'col',
  'embed',
  'frame',
  'hr',
  'img',
  'input',
  'keygen',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);
const rawTextElements = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
const newlineEaters = new Set(['pre', 'textarea', 'listing']);

/** The document as HTML text, with edited style sheets and style attributes written back. */
export function serialize(doc: WorkingDocument): string {
  const sheets = new Map(doc.styles.map((style) => [style.element, style]));
  const parts: string[] = [];
  const stack: (Tree.Node | string)[] = [doc.document];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    if (!isElement(next as Element)) {
      parts.push(leafText(next));
      if ('childNodes' in next) pushChildren(stack, next.childNodes);
      continue;
    }
    const el = next as Element;
    parts.push(startTag(el));
    if (voidElements.has(el.tagName) && el.namespaceURI.endsWith('xhtml')) continue;
    const sheet = sheets.get(el);
    if (sheet) {
      parts.push(styleText(generate(sheet.ast)), '</style>');
      continue;
    }
    stack.push(`</${el.tagName}>`);
    const children = 'content' in el ? (el as Tree.Template).content.childNodes : el.childNodes;
    const first = children[0];
    if (first && newlineEaters.has(el.tagName) && 'value' in first && first.value.startsWith('\n')) parts.push('\n');
    pushChildren(stack, children);
  }
  return parts.join('');
}

function pushChildren(stack: (Tree.Node | string)[], children: Tree.ChildNode[]): void {
  for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
}

function startTag(el: Element): string {
  let tag = `<${el.tagName}`;
  const edited = editedInlineStyle(el);
  for (const attr of el.attrs) {
    const value = edited !== undefined && attr.name === 'style' ? edited : attr.value;
    if (edited === '' && attr.name === 'style') continue;
    const name = attr.prefix ? `${attr.prefix}:${attr.name}` : attr.name;
    tag += ` ${name}="${value.replace(attributeSpecials, escapeOf)}"`;
  }
  return `${tag}>`;
}

function leafText(node: Tree.Node): string {
  switch (node.nodeName) {
    case '#text': {
      const text = node as Tree.TextNode;
      const parent = text.parentNode as Element | null;
      if (parent && rawTextElements.has(parent.nodeName)) return text.value;
      return text.value.replace(textSpecials, escapeOf);
    }
    case '#comment':
      return `<!--${(node as Tree.CommentNode).data}-->`;
    case '#documentType': {
      const { name, publicId, systemId } = node as Tree.DocumentType;
      if (!publicId && !systemId) return `<!DOCTYPE ${name}>`;
      const first = publicId ? `PUBLIC ${quoted(publicId)}` : 'SYSTEM';
      return `<!DOCTYPE ${name} ${first}${systemId ? ` ${quoted(systemId)}` : ''}>`;
    }
    default:
      return '';
  }
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

const textSpecials = /[&<>\u00a0]/g;
const attributeSpecials = /[&"<>\u00a0]/g;
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };

function escapeOf(character: string): string {
  return escapes[character] ?? character;
}

/** CSS text that can't end its element: an escaped `</style>` inside a string comes out of css-tree unescaped. */
function styleText(css: string): string {
  return css.replace(/<(?=[/!])/g, '\\3c ');
}

// Looks for a needle in an emulated document, parsed anew, with nothing of the filter's own code.

import { generate, parse as parseCss, type CssNode } from 'css-tree';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

export interface ProbedPage {
  elements: Tree.Element[];
  /** Text of the message's own style sheets. */
  css: string;
  text: string;
  doctype: boolean;
  comments: string;
}

/** Reads a document. The client's default styles, which every rule of is wrapped in `:where()`, are left out. */
export function readPage(html: string): ProbedPage {
  const page: ProbedPage = { elements: [], css: '', text: '', doctype: false, comments: '' };
  const stack: Tree.Node[] = [parse(html, { scriptingEnabled: false })];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#documentType') page.doctype = true;
    if (node.nodeName === '#comment') page.comments += (node as Tree.CommentNode).data;
    if (node.nodeName === '#text') page.text += (node as Tree.TextNode).value;
    if ('tagName' in node) page.elements.push(node);
    if ('tagName' in node && node.tagName === 'style') {
      const [child] = node.childNodes;
      page.css += ownRules(child && 'value' in child ? child.value : '');
    } else if ('childNodes' in node) stack.push(...[...node.childNodes].reverse());
  }
  return page;
}

function ownRules(text: string): string {
  if (text.startsWith(':root{color-scheme:')) return '';
  return normalized(parseCss(text, { parseValue: false }));
}

function normalized(ast: CssNode): string {
  return generate(ast)
    .replaceAll(/\s*([{};:,])\s*/g, '$1')
    .replaceAll(' !important', '!important');
}

/**
 * `inline:margin:7px` a declaration of a style attribute · `css:a:hover{` text of a style sheet · `style:color` a style
 * sheet that says so · `doctype` · `comment:x` · `text:x` · `td[align]`, `a[href=#]` elements.
 */
export function finds(page: ProbedPage, needle: string): boolean {
  const [kind] = needle.split(':', 1);
  const rest = needle.slice(kind!.length + 1);
  if (needle === 'doctype') return page.doctype;
  if (kind === 'inline') return page.elements.some((el) => declares(el, rest));
  if (kind === 'css' || kind === 'style')
    return page.css.includes(rest.replaceAll(/\s*([{};:,])\s*/g, '$1').replaceAll(' !important', '!important'));
  if (kind === 'comment') return page.comments.includes(rest);
  if (kind === 'text') return page.text.includes(rest);
  const [, tag, name, value] = /^([a-z0-9]+)(?:\[([a-z-]+)(?:=(.*))?\])?$/s.exec(needle) ?? [];
  if (!tag) throw new Error(`not a needle: ${needle}`);
  return page.elements.some(
    (el) =>
      el.tagName === tag &&
      (!name || el.attrs.some((attr) => attr.name === name && (value === undefined || attr.value === value))),
  );
}

function declares(el: Tree.Element, declaration: string): boolean {
  const style = el.attrs.find((attr) => attr.name === 'style')?.value;
  if (style === undefined) return false;
  const wanted = squeezed(declaration);
  return squeezed(style).split(';').includes(wanted) || squeezed(style) === wanted;
}

function squeezed(text: string): string {
  return text
    .replaceAll("'", '"')
    .replaceAll(/\s*([:,;!])\s*/g, '$1')
    .trim();
}

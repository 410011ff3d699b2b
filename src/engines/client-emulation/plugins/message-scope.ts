// What most clients do before they show a message inside their own page: the body becomes a part of that page, names
// get a prefix, selectors a scope.

import { List, walk, type CssNode, type Rule, type Selector } from 'css-tree';
import { formatColor, parseLegacyColor } from '../../color/index.ts';
import {
  append,
  attributeOf,
  createElement,
  editedInlineStyle,
  elementsOf,
  removeAttribute,
  setAttribute,
  type Element,
  type WorkingDocument,
} from '../working-document.ts';

/** Attributes of body that a div may carry. Colors and backgrounds come as its style. */
const KEPT_ATTRIBUTES = new Set(['class', 'id', 'style', 'dir', 'lang', 'title', 'align']);

const styleOfAttribute: Record<string, (value: string) => [string, string]> = {
  bgcolor: (value) => ['background-color', colorText(value)],
  text: (value) => ['color', colorText(value)],
  background: (value) => ['background-image', `url("${value.replace(/["\\\n]/g, '\\$&')}")`],
};

function colorText(attribute: string): string {
  const color = parseLegacyColor(attribute);
  return color ? formatColor(color) : '';
}

/**
 * Moves everything in the body into wrappers, outermost first; the body itself keeps nothing.
 * @param keep `div`: a div inside the wrappers takes over the body's attributes; `nothing`: they are lost.
 * @returns the innermost element, which holds the message.
 */
export function wrapBody(doc: WorkingDocument, wrappers: Record<string, string>[], keep: 'div' | 'nothing'): Element {
  const children = [...doc.body.childNodes];
  const chain = wrappers.map((attributes) => createElement('div', attributes));
  if (keep === 'div') chain.push(divOf(doc));
  if (chain.length === 0) chain.push(createElement('div'));
  removeAttribute(doc.body, 'style');
  doc.body.attrs = [];
  doc.body.childNodes = [];
  chain.reduce((outer, inner) => {
    append(outer, inner);
    return inner;
  }, doc.body);
  const inner = chain.at(-1)!;
  // Not by `append`, which takes children out one by one: that costs the square of their number.
  for (const child of children) child.parentNode = inner;
  inner.childNodes = children;
  return inner;
}

function divOf(doc: WorkingDocument): Element {
  const div = createElement('div');
  const colors = doc.body.attrs.flatMap((attr) => {
    const [property, value] = styleOfAttribute[attr.name]?.(attr.value) ?? [];
    return property && value ? [`${property}:${value}`] : [];
  });
  for (const attr of doc.body.attrs) if (KEPT_ATTRIBUTES.has(attr.name)) setAttribute(div, attr.name, attr.value);
  // An attribute counts less than the style that stands after it.
  const style = [...colors, editedInlineStyle(doc.body) ?? attributeOf(doc.body, 'style') ?? '']
    .filter(Boolean)
    .join(';');
  if (style) setAttribute(div, 'style', style);
  return div;
}

/** The page around the message is the client's: HTML5, whatever the message says. */
export function useClientDoctype(doc: WorkingDocument): void {
  const others = doc.document.childNodes.filter((node) => node.nodeName !== '#documentType');
  doc.document.childNodes = [
    { nodeName: '#documentType', name: 'html', publicId: '', systemId: '', parentNode: doc.document },
    ...others,
  ];
}

export function hasDoctype(doc: WorkingDocument): boolean {
  return doc.document.childNodes.some((node) => node.nodeName === '#documentType');
}

function classesOf(el: Element): string[] {
  return (
    attributeOf(el, 'class')
      ?.split(/[\t\n\f\r ]+/)
      .filter(Boolean) ?? []
  );
}

/** Renames every class and id below an element; a class that `rename` gives nothing for is removed. */
export function renameNames(root: Element, rename: (name: string) => string | undefined): void {
  for (const el of [root, ...elementsOf(root)]) {
    const names = classesOf(el);
    if (names.length > 0) setAttribute(el, 'class', names.map(rename).filter(Boolean).join(' '));
    const id = attributeOf(el, 'id');
    if (id) setAttribute(el, 'id', rename(id) ?? id);
    const target = el.tagName === 'label' ? attributeOf(el, 'for') : undefined;
    if (target) setAttribute(el, 'for', rename(target) ?? target);
  }
}

// ---- Style sheets ---------------------------------------------------------------------------------------------

const GROUPING = /^(?:media|supports|layer|container|scope)$/i;

/** Every style rule of the message that stands alone or in a grouping rule; rules nested in rules are not visited. */
export function styleRulesOf(doc: WorkingDocument): Rule[] {
  const rules: Rule[] = [];
  const lists: List<CssNode>[] = doc.styles.map((style) => style.ast.children).reverse();
  for (let list = lists.pop(); list; list = lists.pop()) {
    const inner: List<CssNode>[] = [];
    list.forEach((node) => {
      if (node.type === 'Rule') rules.push(node);
      if (node.type === 'Atrule' && node.block && GROUPING.test(node.name)) inner.push(node.block.children);
    });
    lists.push(...inner.reverse());
  }
  return rules;
}

/** The selectors of a rule; none when css-tree could not read them. */
export function selectorsOf(rule: Rule): Selector[] {
  if (rule.prelude.type !== 'SelectorList') return [];
  return rule.prelude.children.toArray().filter((node) => node.type === 'Selector');
}

/** Puts a class or id before the selectors of every rule: `p` becomes `.root p`. */
export function scopeSelectors(doc: WorkingDocument, root: { class: string } | { id: string }): void {
  for (const rule of styleRulesOf(doc)) {
    for (const selector of selectorsOf(rule)) prependRoot(selector, root);
  }
}

export function prependRoot(selector: Selector, root: { class: string } | { id: string }): void {
  selector.children.prependData({ type: 'Combinator', name: ' ' });
  selector.children.prependData(
    'class' in root ? { type: 'ClassSelector', name: root.class } : { type: 'IdSelector', name: root.id },
  );
}

/** Renames every class and id in the selectors of the message. */
export function renameInSelectors(doc: WorkingDocument, rename: (name: string) => string): void {
  for (const style of doc.styles) {
    walk(style.ast, (node: CssNode) => {
      if (node.type === 'ClassSelector' || node.type === 'IdSelector') node.name = rename(node.name);
    });
  }
}

/** Makes `body` and `html` in selectors match nothing, as in a page where the message has neither. */
export function unmatchBody(doc: WorkingDocument): void {
  for (const style of doc.styles) {
    walk(style.ast, (node: CssNode) => {
      if (node.type === 'TypeSelector' && /^(?:body|html)$/i.test(node.name))
        node.name = `removed-${node.name.toLowerCase()}`;
    });
  }
}

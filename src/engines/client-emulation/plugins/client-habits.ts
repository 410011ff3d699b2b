// Small habits that several clients share: what they do to style attributes and to text before they show a message.

import type { CssNode, Declaration } from 'css-tree';
import { walk } from 'css-tree';
import {
  attributeOf,
  elementsOf,
  inlineStyleOf,
  removeNode,
  setValue,
  valueOf,
  type Element,
  type WorkingDocument,
} from '../working-document.ts';

/** What becomes of one declaration: another value, `null` when it goes, undefined when it stays. */
export type Habit = (property: string, value: string) => string | null | undefined;

/** Applies a habit to every style attribute of the body. */
export function inStyleAttributes(doc: WorkingDocument, habit: Habit): void {
  for (const el of elementsOf(doc.body)) {
    const list = inlineStyleOf(doc, el)?.children;
    list?.forEach((node, item) => {
      if (node.type !== 'Declaration') return;
      const changed = habit(node.property.toLowerCase(), valueOf(node).trim().toLowerCase());
      if (changed === null) list.remove(item);
      else if (changed !== undefined) setValue(node, changed);
    });
  }
}

/** Applies a habit to every declaration of the message's style elements. */
export function inStyleElements(doc: WorkingDocument, habit: Habit): void {
  for (const style of doc.styles) {
    const gone: Declaration[] = [];
    walk(style.ast, (node: CssNode) => {
      if (node.type !== 'Declaration') return;
      const changed = habit(node.property.toLowerCase(), valueOf(node).trim().toLowerCase());
      if (changed === null) gone.push(node);
      else if (changed !== undefined) setValue(node, changed);
    });
    if (gone.length === 0) continue;
    const dropped = new Set<CssNode>(gone);
    walk(style.ast, {
      visit: 'Block',
      enter: (block) =>
        block.children.forEach((node, item) => {
          if (dropped.has(node)) block.children.remove(item);
        }),
    });
  }
}

/** `white-space: pre` lets text run out of the message: it wraps instead. */
export const wrapsPre: Habit = (property, value) =>
  property === 'white-space' && value === 'pre' ? 'pre-wrap' : undefined;

/** Takes elements out of the body, with what they say; their content stays. */
export function unwrapElements(doc: WorkingDocument, names: ReadonlySet<string>): void {
  for (const el of elementsOf(doc.body)) {
    if (!names.has(el.tagName)) continue;
    el.tagName = el.nodeName = 'span';
    el.attrs = [];
  }
}

/** Pictures whose bytes stand in their address are not shown. */
export function dropDataPictures(doc: WorkingDocument): void {
  for (const el of elementsOf(doc.body))
    if (el.tagName === 'img' && /^\s*data:/i.test(attributeOf(el, 'src') ?? '')) el.attrs = withoutSource(el);
}

const withoutSource = (el: Element): Element['attrs'] => el.attrs.filter(({ name }) => name !== 'src');

/** Elements that are gone, with their content. */
export function removeElements(doc: WorkingDocument, isGone: (el: Element) => boolean): void {
  for (const el of elementsOf(doc.body)) if (isGone(el)) removeNode(el);
}

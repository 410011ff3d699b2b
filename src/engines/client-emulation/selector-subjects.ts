// Which elements a rule may style, judged by the last compound of its selectors.

import type { CssNode, Rule } from 'css-tree';
import { attributeOf, elementsOf, type Element, type WorkingDocument } from './working-document.ts';

/** Elements looked at per document: a hostile sheet may have ten thousand rules that name every element. */
const LOOKS_MAX = 200_000;

/** Elements by what selectors name them by, as they were when the index was made. */
export interface ElementIndex {
  looks: number;
  byTag: Map<string, Element[]>;
  byClass: Map<string, Element[]>;
  byId: Map<string, Element[]>;
}

/**
 * The elements that match the type, classes and id of the last compound of a rule's selectors. Combinators, attributes
 * and pseudo-classes are not looked at, so it may name too many.
 */
export function subjectsOf(index: ElementIndex, rule: Rule): Element[] {
  if (rule.prelude.type !== 'SelectorList') return [];
  const found = new Set<Element>();
  rule.prelude.children.forEach((selector) => {
    if (selector.type === 'Selector')
      for (const el of matching(index, lastCompound(selector.children.toArray()))) found.add(el);
  });
  return [...found];
}

interface Compound {
  tag?: string;
  id?: string;
  classes: string[];
}

function lastCompound(parts: CssNode[]): Compound {
  const compound: Compound = { classes: [] };
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    if (part.type === 'Combinator') break;
    if (part.type === 'TypeSelector' && part.name !== '*') compound.tag = part.name.toLowerCase();
    if (part.type === 'IdSelector') compound.id = part.name;
    if (part.type === 'ClassSelector') compound.classes.push(part.name);
  }
  return compound;
}

function matching(index: ElementIndex, { tag, id, classes }: Compound): Element[] {
  if (index.looks > LOOKS_MAX) return [];
  const candidates = candidatesOf(index, { tag, id, classes });
  index.looks += candidates?.length ?? 0;
  return (candidates ?? []).filter(
    (el) => (tag === undefined || el.tagName === tag) && classes.every((name) => classesOf(el).includes(name)),
  );
}

function candidatesOf(index: ElementIndex, { tag, id, classes }: Compound): Element[] | undefined {
  if (id !== undefined) return index.byId.get(id);
  if (classes[0] !== undefined) return index.byClass.get(classes[0]);
  return tag === undefined ? undefined : index.byTag.get(tag);
}

export function indexElements(doc: WorkingDocument): ElementIndex {
  const index: ElementIndex = { looks: 0, byTag: new Map(), byClass: new Map(), byId: new Map() };
  const put = (map: Map<string, Element[]>, key: string, el: Element) => {
    const list = map.get(key);
    if (list) list.push(el);
    else map.set(key, [el]);
  };
  for (const el of elementsOf(doc.html)) {
    put(index.byTag, el.tagName, el);
    const id = attributeOf(el, 'id');
    if (id) put(index.byId, id, el);
    for (const name of new Set(classesOf(el))) put(index.byClass, name, el);
  }
  return index;
}

function classesOf(el: Element): string[] {
  return (
    attributeOf(el, 'class')
      ?.split(/[\t\n\f\r ]+/)
      .filter(Boolean) ?? []
  );
}

// CSS selectors that find one element in a document.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** Ancestors named at most: deeper elements get no selector. */
const DEPTH_MAX = 80;
const PLAIN_ID = /^[a-z_][\w-]*$/i;

interface Known {
  ids: ReadonlyMap<string, number>;
  paths: Map<Tree.Element, string>;
  /** `:nth-of-type()`, and 0 for an only one of its type; worked out for all children of a parent at once. */
  positions: Map<Tree.Element, number>;
}

/** Makes selectors for the elements of one document; what was worked out once is kept. */
export function elementPaths(elements: Iterable<Tree.Element>): (element: Tree.Element) => string | undefined {
  const known: Known = { ids: countIds(elements), paths: new Map(), positions: new Map() };
  return (element) => pathOf(element, known);
}

function countIds(elements: Iterable<Tree.Element>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const element of elements) {
    for (const { name, value } of element.attrs) if (name === 'id') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function pathOf(element: Tree.Element, known: Known): string | undefined {
  const steps: Tree.Element[] = [];
  let path = '';
  for (let at: Tree.ParentNode | null = element; at && 'tagName' in at; at = at.parentNode) {
    const found = known.paths.get(at) ?? anchorOf(at, known.ids);
    if (found !== undefined) {
      path = found;
      break;
    }
    steps.push(at);
    if (steps.length > DEPTH_MAX) return undefined;
  }
  for (let step = steps.pop(); step; step = steps.pop()) {
    path = path ? `${path} > ${stepOf(step, known)}` : stepOf(step, known);
    known.paths.set(step, path);
  }
  return path;
}

/** A name that needs no path before it. */
function anchorOf(element: Tree.Element, ids: ReadonlyMap<string, number>): string | undefined {
  if (element.tagName === 'html' || element.tagName === 'head' || element.tagName === 'body') return element.tagName;
  const id = element.attrs.find(({ name }) => name === 'id')?.value;
  return id !== undefined && PLAIN_ID.test(id) && ids.get(id) === 1 ? `#${id}` : undefined;
}

function stepOf(element: Tree.Element, known: Known): string {
  const name = element.tagName.replaceAll(/[^a-z\d-]/gi, (character) => `\\${character}`);
  if (!known.positions.has(element)) numberChildren(element.parentNode, known.positions);
  const nth = known.positions.get(element);
  return nth ? `${name}:nth-of-type(${nth})` : name;
}

function numberChildren(parent: Tree.ParentNode | null, positions: Map<Tree.Element, number>): void {
  const byName = new Map<string, Tree.Element[]>();
  for (const child of parent?.childNodes ?? []) {
    if (!('tagName' in child)) continue;
    const list = byName.get(child.tagName);
    if (list) list.push(child);
    else byName.set(child.tagName, [child]);
  }
  for (const list of byName.values())
    list.forEach((child, nth) => positions.set(child, list.length === 1 ? 0 : nth + 1));
}

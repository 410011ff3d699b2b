// What `mso-element` makes of the content after it.

import {
  elementsOf,
  inlineValueOf,
  isElement,
  removeNode,
  type Element,
  type Node,
  type WorkingDocument,
} from '../working-document.ts';

type Mark = 'begin' | 'end' | 'none';

const MARKS = new Map<string, Mark>([
  ['field-begin', 'begin'],
  ['field-end', 'end'],
  ['none', 'none'],
]);

/**
 * `mso-element:field-begin` starts a field, whose code is not shown up to `field-end`
 * (github.com/customerio/howtotarget, 2019-04-01-outlook); `mso-element:none` ends the message
 * (goodemailcode.com, "Using MSO- styles in email", 2023-03-01).
 */
export function hideFields(doc: WorkingDocument): void {
  const marks = new Map<Element, Mark>();
  for (const el of elementsOf(doc.body)) {
    const mark = MARKS.get(inlineValueOf(doc, el, 'mso-element')?.trim().toLowerCase() ?? '');
    if (mark) marks.set(el, mark);
  }
  if (marks.size > 0) dropBetween(doc.body, marks);
}

function dropBetween(body: Element, marks: ReadonlyMap<Element, Mark>): void {
  const holders = new Set<Node>();
  for (const mark of marks.keys())
    for (let node: Node | null = mark; node && node !== body; node = node.parentNode as Element | null) {
      if (holders.has(node)) break;
      holders.add(node);
    }
  let isHidden = false;
  let isOver = false;
  const stack: Node[] = [...body.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    const mark = isElement(node) ? marks.get(node) : undefined;
    if (mark === 'none') isOver = true;
    if (isOver || (isHidden && !holders.has(node))) removeNode(node);
    else if (isElement(node)) for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
    if (mark === 'begin') isHidden = true;
    else if (mark === 'end') isHidden = false;
  }
}

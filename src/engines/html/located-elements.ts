// All elements of a message with their place in the source, also those in conditional comments.
import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { ReadDocument } from './read-document.ts';
import { attributeOf, conditionalContent } from './walk-elements.ts';

/** Conditional comments inside conditional comments: honest mails have two levels at most. */
const COMMENT_DEPTH_MAX = 3;

export interface LocatedElement {
  element: Tree.Element;
  /** Place of the start tag in the source; undefined for an element that the parser added. */
  offset: number | undefined;
  /** The element around it; that of a conditional comment for what stands directly in one. */
  parent: Tree.Element | undefined;
  /** Such as `mso`, when it stands in a conditional comment; then it is no part of the document. */
  condition: string | undefined;
}

type Waiting = Omit<LocatedElement, 'element' | 'offset'> & { node: Tree.Node; base: number; depth: number };

/** In document order. `known` is the same HTML, read already. */
export function* locatedElements(html: string, known?: ReadDocument): Generator<LocatedElement> {
  const stack: Waiting[] = [];
  const pushAll = (nodes: Tree.Node[], from: Omit<Waiting, 'node'>) => {
    for (let index = nodes.length - 1; index >= 0; index--) stack.push({ ...from, node: nodes[index]! });
  };
  const options = { scriptingEnabled: false, sourceCodeLocationInfo: true };
  const document = known?.isComplete ? known.document : parse(html, options);
  pushAll(document.childNodes, { parent: undefined, condition: undefined, base: 0, depth: 0 });
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, ...from } = top;
    if (node.nodeName === '#comment') {
      const inner = contentOf(node as Tree.CommentNode, html, from.base);
      if (!inner || from.depth >= COMMENT_DEPTH_MAX) continue;
      const fragment = parseFragment(inner.html, options);
      pushAll(fragment.childNodes, {
        parent: from.parent,
        condition: from.condition ?? inner.condition,
        base: inner.offset,
        depth: from.depth + 1,
      });
    } else if ('tagName' in node) {
      const start = node.sourceCodeLocation?.startTag?.startOffset ?? node.sourceCodeLocation?.startOffset;
      yield {
        element: node,
        offset: start === undefined ? undefined : from.base + start,
        parent: from.parent,
        condition: from.condition,
      };
      if ('content' in node) pushAll(node.content.childNodes, { ...from, parent: node });
      pushAll(node.childNodes, { ...from, parent: node });
    }
  }
}

/** The HTML in a conditional comment as it stands in the source, since the parser changes line ends. */
function contentOf(
  comment: Tree.CommentNode,
  html: string,
  base: number,
): { html: string; offset: number; condition: string } | undefined {
  const location = comment.sourceCodeLocation;
  if (!location || conditionalContent(comment.data) === undefined) return undefined;
  const start = base + location.startOffset;
  const source = html.slice(start, base + location.endOffset).replace(/(?:<!\[endif\]\s*)?(?:--!?>)?$/i, '');
  const opening = /^<!--\s*\[if\s([^\]]*)\]>/i.exec(source);
  if (!opening) return undefined;
  return { html: source.slice(opening[0].length), offset: start + opening[0].length, condition: opening[1]!.trim() };
}

export interface LineColumn {
  line: number;
  column: number;
}

/** Turns offsets into lines and columns, both from 1. */
export function lineFinder(source: string): (offset: number) => LineColumn {
  const starts = [0];
  for (const match of source.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

/** Steps of a selector; honest mails nest less deep, and a longer one helps nobody. */
const STEPS_MAX = 40;

/** Makes a CSS selector that finds an element of one parsed document; remembers the order of siblings between calls. */
export function selectorMaker(): (element: Tree.Element) => string {
  const indexes = new Map<Tree.Element, { index: number; isOnly: boolean }>();
  const count = (parent: Tree.ParentNode) => {
    const byName = new Map<string, Tree.Element[]>();
    for (const node of parent.childNodes) {
      if (!('tagName' in node)) continue;
      const list = byName.get(node.tagName);
      if (list) list.push(node);
      else byName.set(node.tagName, [node]);
    }
    for (const list of byName.values())
      list.forEach((element, position) => indexes.set(element, { index: position + 1, isOnly: list.length === 1 }));
  };
  return (element) => {
    const steps: string[] = [];
    for (let at: Tree.Node | null = element; at && 'tagName' in at && steps.length < STEPS_MAX; at = at.parentNode) {
      if (!indexes.has(at) && at.parentNode) count(at.parentNode);
      const { index = 1, isOnly = true } = indexes.get(at) ?? {};
      const name = at.tagName.replace(/[^\w-]/g, (character) => `\\${character}`);
      steps.unshift(isOnly ? name : `${name}:nth-of-type(${index})`);
    }
    return steps.join(' > ');
  };
}

const SNIPPET_LENGTH_MAX = 200;

/** The start tag at an offset, shortened. */
export function startTagAt(html: string, offset: number): string {
  const tag = /^<(?:[^"'>]|"[^"]*"|'[^']*')*>?/.exec(html.slice(offset, offset + 4 * SNIPPET_LENGTH_MAX))?.[0] ?? '';
  return tag.length > SNIPPET_LENGTH_MAX ? `${tag.slice(0, SNIPPET_LENGTH_MAX)}…` : tag;
}

/** Whether the message itself says, by an absolute address, what its relative ones are relative to. */
export function hasBaseOf(located: readonly LocatedElement[]): boolean {
  return located.some(({ element }) => element.tagName === 'base' && URL.canParse(attributeOf(element, 'href') ?? ''));
}

/** What relative URLs are relative to: the first usable `base`, itself relative to `baseUrl`. */
export function baseOf(located: readonly LocatedElement[], baseUrl: string | undefined): string | undefined {
  for (const { element } of located) {
    const href = element.tagName === 'base' ? attributeOf(element, 'href') : undefined;
    if (href !== undefined && URL.canParse(href, baseUrl)) return new URL(href, baseUrl).href;
  }
  return baseUrl;
}

// A message as the rules see it: every element with its place in the source, also those in conditional comments; texts;
// styles.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { elementPaths, lineColumnAt, lineStartsOf, messageHtml, snippetOf, type MessageHtml } from '../source/index.ts';
import { boundedParser, type BoundedParser } from '../html/index.ts';
import { computeStyles, type ComputedStyle } from './computed-style.ts';

/** More elements than any email has; later elements are not checked. */
const ELEMENTS_MAX = 30_000;
const DEPTH_MAX = 2_000;
/** Conditional comments inside conditional comments: honest mails have two levels at most. */
const COMMENT_DEPTH_MAX = 3;

export interface MailElement {
  node: Tree.Element;
  /** Position among all elements, and that of the last one inside. */
  index: number;
  last: number;
  /** Lower case. */
  tag: string;
  /** The element around; for the outermost in a conditional comment, the one that the comment stands in. */
  parent: MailElement | undefined;
  /** Elements without those in conditional comments. */
  children: MailElement[];
  /** Its start tag in the source; undefined for elements that the parser added. */
  start: number | undefined;
  end: number | undefined;
  /** Stands in a conditional comment, so that only Word sees it. */
  isCommented: boolean;
  /** The parser made it again from the tag of another element, which was misnested. */
  isRepeated: boolean;
}

/** A text node that is not only white space. */
export interface MailText {
  value: string;
  parent: MailElement;
  /** How many `<br>` stand before it in the message: texts with the same number are on one line. */
  line: number;
}

interface Place {
  line: number;
  column: number;
  offset: number;
  selector: string;
  snippet: string;
}

export interface Mail {
  html: string;
  /** In document order. */
  elements: readonly MailElement[];
  texts: readonly MailText[];
  root: MailElement | undefined;
  head: MailElement | undefined;
  body: MailElement | undefined;
  isQuirks: boolean;
  complete: boolean;
  /** The style elements' CSS, all in one. */
  css: string;
  styleOf(element: MailElement): ComputedStyle;
  placeOf(element: MailElement): Place;
}

interface ReadOptions {
  /** For media queries. Default light, 640. */
  colorScheme?: 'light' | 'dark';
  widthPx?: number;
}

interface Reading {
  html: string;
  elements: MailElement[];
  texts: MailText[];
  starts: Set<number>;
  breaks: number;
  parser: BoundedParser;
}

/** The document, and a parser for what stands in its comments, which counts with the rest. */
function parsed({ html, document: known }: MessageHtml): { document: Tree.Document; parser: BoundedParser } {
  const { elements, depth } = known.made;
  const isWithin = known.isComplete && elements <= ELEMENTS_MAX && depth <= DEPTH_MAX;
  const elementsMax = isWithin ? ELEMENTS_MAX - elements : ELEMENTS_MAX;
  const parser = boundedParser({ elementsMax, depthMax: DEPTH_MAX, isLocated: true });
  return { document: isWithin ? known.document : parser.parse(html), parser };
}

/** Reads a message's HTML. Never throws; what is beyond the limits is left out, and `complete` is false. */
export function readMail(given: string | MessageHtml, options: ReadOptions = {}): Mail {
  const read = messageHtml(given);
  const { html } = read;
  const { document, parser } = parsed(read);
  const reading: Reading = { html, elements: [], texts: [], starts: new Set(), breaks: 0, parser };
  collect(reading, document);
  const { elements, texts } = reading;
  for (const { parent, last } of elements.toReversed()) if (parent) parent.last = Math.max(parent.last, last);
  const find = (tag: string) => elements.find((element) => element.tag === tag && !element.isCommented);
  const isQuirks = document.mode === 'quirks';
  const css = elements
    .filter(({ tag, isCommented }) => tag === 'style' && !isCommented)
    .map(({ node }) => textInside(node))
    .join('\n');
  const root = find('html');
  let styles: ReadonlyMap<MailElement, ComputedStyle> | undefined;
  let paths: ReturnType<typeof elementPaths> | undefined;
  let lines: number[] | undefined;
  return {
    html,
    elements,
    texts,
    root,
    head: find('head'),
    body: find('body'),
    isQuirks,
    css,
    complete: parser.isComplete,
    styleOf(element) {
      styles ??= computeStyles(elements, {
        isQuirks,
        colorScheme: options.colorScheme ?? 'light',
        widthPx: options.widthPx ?? 640,
      });
      return styles.get(element)!;
    },
    placeOf(element) {
      lines ??= lineStartsOf(html);
      paths ??= elementPaths(elements.filter(({ isCommented }) => !isCommented).map(({ node }) => node));
      const offset = element.start ?? nearestStart(element) ?? 0;
      let visible: MailElement | undefined = element;
      while (visible?.isCommented) visible = visible.parent;
      const snippet = element.start === undefined ? '' : snippetOf(html, element.start, element.end!);
      return {
        ...lineColumnAt(lines, offset),
        offset,
        snippet,
        selector: (visible && shortened(paths(visible.node))) ?? element.tag,
      };
    },
  };
}

const SELECTOR_LENGTH_MAX = 1_000;

/** The inner end of a selector, which still fits the element. */
function shortened(selector: string | undefined): string | undefined {
  if (selector === undefined || selector.length <= SELECTOR_LENGTH_MAX) return selector;
  return selector.slice(selector.indexOf(' > ', selector.length - SELECTOR_LENGTH_MAX) + 3);
}

/** Where the first thing inside an element that has no tag of its own stands. */
function nearestStart(element: MailElement): number | undefined {
  for (let at: MailElement | undefined = element.children[0]; at; at = at.children[0]) {
    if (at.start !== undefined) return at.start;
  }
  return undefined;
}

interface Step {
  node: Tree.Node;
  parent: MailElement | undefined;
  /** Offset of the fragment that the node stands in. */
  base: number;
  commentDepth: number;
}

/** A loop, so that no nesting is too deep. */
function collect(reading: Reading, document: Tree.ParentNode): void {
  const stack: Step[] = [];
  const pushAll = (nodes: readonly Tree.Node[], from: Omit<Step, 'node'>) => {
    for (let i = nodes.length - 1; i >= 0; i--) stack.push({ ...from, node: nodes[i]! });
  };
  pushAll(document.childNodes, { parent: undefined, base: 0, commentDepth: 0 });
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, ...from } = step;
    if ('tagName' in node) {
      const element = elementOf(reading, step, node);
      if (element.tag === 'br') reading.breaks += 1;
      pushAll(node.childNodes, { ...from, parent: element });
    } else if (node.nodeName === '#comment') {
      const inner =
        from.commentDepth < COMMENT_DEPTH_MAX
          ? conditionalSource(reading.html, node as Tree.CommentNode, from.base)
          : undefined;
      if (!inner) continue;
      const fragment = reading.parser.parseFragment(inner.html);
      pushAll(fragment.childNodes, { parent: from.parent, base: inner.offset, commentDepth: from.commentDepth + 1 });
    } else if ('value' in node && from.parent && from.commentDepth === 0 && /\S/.test(node.value)) {
      reading.texts.push({ value: node.value, parent: from.parent, line: reading.breaks });
    }
  }
}

function elementOf(
  { elements, starts }: Reading,
  { parent, base, commentDepth }: Step,
  node: Tree.Element,
): MailElement {
  const tag = node.sourceCodeLocation?.startTag;
  const start = tag && base + tag.startOffset;
  const isCommented = commentDepth > 0;
  const element: MailElement = {
    node,
    index: elements.length,
    last: elements.length,
    tag: node.tagName.toLowerCase(),
    parent,
    children: [],
    start,
    end: tag && base + tag.endOffset,
    isCommented,
    isRepeated: start !== undefined && starts.has(start),
  };
  if (start !== undefined) starts.add(start);
  if (!isCommented) parent?.children.push(element);
  elements.push(element);
  return element;
}

/** The HTML of a conditional comment as it stands in the source, since the parser changes line ends. */
function conditionalSource(
  html: string,
  comment: Tree.CommentNode,
  base: number,
): { html: string; offset: number } | undefined {
  const place = comment.sourceCodeLocation;
  if (!place || !/^\s*\[if\s/i.test(comment.data)) return undefined;
  const start = base + place.startOffset;
  const source = html.slice(start, base + place.endOffset);
  const opening = /^<!--\s*\[if\s[^\]]*\]>/i.exec(source);
  if (!opening) return undefined;
  const closing = source.lastIndexOf('<![');
  const inner = source.slice(opening[0].length, closing > opening[0].length ? closing : source.length);
  return inner.includes('<') ? { html: inner, offset: start + opening[0].length } : undefined;
}

function textInside(node: Tree.Element): string {
  return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

// The HTML of a reply without what it quotes: what is left stays as it was written, to the byte.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { boundedParser } from '../html/index.ts';
import { LINES_MAX, quotationIn } from './quotations.ts';

/** Longer ones, deeper ones and those of more elements stay as they are. */
const LENGTH_MAX = 1_000_000;
const MARKED_MAX = 50;
const LIMITS = { elementsMax: 20_000, depthMax: 300, isLocated: true } as const;

/** A stretch of the source. */
type Range = [from: number, to: number];

const BLOCKS = new Set(
  'address article aside blockquote br center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const UNSEEN = new Set(['head', 'style', 'script', 'title', 'template', 'noscript']);

const QUOTED_CLASS =
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|WordSection1_quote)(?:\s|$)/;
const QUOTED_ID =
  /^(?:OLK_SRC_BODY_SECTION|reply-intro|mail-editor-reference-message-container|isReplyContent|orig-msg|divtagdefaultwrapper_quote)$/;
/** It, and what follows it beside it. */
const FOLLOWED_ID = /^(?:divRplyFwdMsg|appendonsend|stopSpelling)$/;
const OUTLOOK_BORDER = /border:\s*none;\s*border-top:\s*solid\s+#?\w+\s+1\.0pt/i;

const attribute = (element: Tree.Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? '';
const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node;
const childrenOf = (node: Tree.Node): Tree.ChildNode[] => ('childNodes' in node ? node.childNodes : []);

function rangeOf(node: Tree.Node): Range | undefined {
  const place = (node as Tree.Element).sourceCodeLocation;
  return place ? [place.startOffset, place.endOffset] : undefined;
}

/** Every node in the order of the document, with its way up. */
function* nodesOf(root: Tree.Node): Generator<Tree.Node> {
  const stack: Tree.Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (const child of childrenOf(node).toReversed()) stack.push(child);
  }
}

const textIn = (node: Tree.Node): string => {
  let text = '';
  for (const one of nodesOf(node)) if (one.nodeName === '#text') text += (one as Tree.TextNode).value;
  return text;
};

/** From a node to the end of what it stands in; of a node that begins its parent, of that. */
function restFrom(node: Tree.Element): Range | undefined {
  let first: Tree.Element = node;
  for (let up = 0; up < 2; up += 1) {
    const { parentNode: parent } = first;
    if (!parent || !isElement(parent) || parent.tagName === 'body') break;
    const before = parent.childNodes.slice(0, parent.childNodes.indexOf(first));
    if (before.some((one) => textIn(one).trim() !== '')) break;
    first = parent;
  }
  const { parentNode: parent } = first;
  const beside = parent ? parent.childNodes.slice(parent.childNodes.indexOf(first)) : [first];
  const ranges = beside.flatMap((one) => {
    const range = rangeOf(one);
    return range ? [range] : [];
  });
  const begin = ranges[0]?.[0];
  return begin === undefined ? undefined : [begin, Math.max(...ranges.map(([, to]) => to))];
}

function quotedBy(element: Tree.Element): Range | undefined {
  const [name, id, style] = [attribute(element, 'class'), attribute(element, 'id'), attribute(element, 'style')];
  if (QUOTED_CLASS.test(name) || QUOTED_ID.test(id))
    return /^\s*-+ *Forwarded message/i.test(textIn(element).slice(0, 200)) ? undefined : rangeOf(element);
  if (FOLLOWED_ID.test(id) || attribute(element, 'data-marker') === '__DIVIDER__') return restFrom(element);
  return element.tagName === 'div' && OUTLOOK_BORDER.test(style.slice(0, 300)) ? restFrom(element) : undefined;
}

/** Stretches that programs mark as quoted. */
function markedIn(document: Tree.Document): Range[] {
  const marked: Range[] = [];
  // What Thunderbird writes before what it quotes.
  const cites: Range[] = [];
  let lastQuote: Range | undefined;
  for (const node of nodesOf(document)) {
    if (!isElement(node)) continue;
    const range = rangeOf(node);
    // Within what is cut already, nothing is looked for.
    if (range && marked.some(([from, to]) => range[0] >= from && range[1] <= to)) continue;
    const quoted = marked.length < MARKED_MAX ? quotedBy(node) : undefined;
    if (range && cites.length < MARKED_MAX && /\bmoz-cite-prefix\b/.test(attribute(node, 'class'))) cites.push(range);
    if (quoted) marked.push(quoted);
    else if (node.tagName === 'blockquote' && range && !(lastQuote && range[0] < lastQuote[1])) lastQuote = range;
  }
  return marked.length === 0 && lastQuote ? [...cites, lastQuote] : marked;
}

interface Line {
  text: string;
  ranges: Range[];
}

/** What is read in lines, as blocks and breaks part them, without what is cut. */
function linesOf(document: Tree.Document, cut: readonly Range[]): Line[] {
  const lines: Line[] = [{ text: '', ranges: [] }];
  const stack: (Tree.Node | 'end')[] = [document];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === 'end') {
      if (lines.at(-1)!.text !== '') lines.push({ text: '', ranges: [] });
      continue;
    }
    const range = rangeOf(node);
    if (range && cut.some(([from, to]) => range[0] >= from && range[1] <= to)) continue;
    if (isElement(node) && UNSEEN.has(node.tagName)) continue;
    if (node.nodeName === '#text' && range) {
      const line = lines.at(-1)!;
      line.text += (node as Tree.TextNode).value.replaceAll(/\s+/g, ' ');
      line.ranges.push(range);
    }
    const isBlock = isElement(node) && BLOCKS.has(node.tagName);
    if (isBlock) stack.push('end');
    if (isBlock && lines.at(-1)!.text.trim() !== '') lines.push({ text: '', ranges: [] });
    for (const child of childrenOf(node).toReversed()) stack.push(child);
  }
  return lines;
}

function without(html: string, cut: readonly Range[]): string {
  let kept = '';
  let at = 0;
  for (const [from, to] of [...cut].sort(([one], [other]) => one - other)) {
    if (to <= at) continue;
    kept += html.slice(at, Math.max(at, from));
    at = to;
  }
  return kept + html.slice(at);
}

/**
 * The HTML without what it quotes. Where nothing would be left, or it is longer or deeper than any reply, it stays as
 * it is.
 */
export function stripHtml(html: string): string {
  if (html.length > LENGTH_MAX) return html;
  const parser = boundedParser(LIMITS);
  const document = parser.parse(html);
  if (!parser.isComplete) return html;
  const marked = markedIn(document);
  const lines = linesOf(document, marked);
  const texts = lines.slice(0, LINES_MAX).map(({ text }) => text.trim());
  const quoted = quotationIn(texts);
  const cutLines = quoted ? lines.slice(quoted.from, quoted.to === texts.length ? lines.length : quoted.to) : [];
  const isCut = new Set(cutLines);
  const left = lines.filter((line) => !isCut.has(line));
  if (!left.some(({ text }) => text.trim() !== '')) return html;
  return without(html, [...marked, ...cutLines.flatMap(({ ranges }) => ranges)]);
}

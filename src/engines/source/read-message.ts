// Reads a message's HTML into elements that know their place in the source, those in comments for Word included.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { boundedParser, DOCUMENT_LIMITS, readDocument, type BoundedParser, type ReadDocument } from '../html/index.ts';
import { readConditionals, type ConditionalMarker, type ConditionalRanges } from './conditional-ranges.ts';
import type { Readers } from './readers.ts';

export interface LocatedElement {
  node: Tree.Element;
  /** Add to the node's offsets to get those of the source. */
  base: number;
  /** In SVG or MathML. */
  isForeign: boolean;
  inBody: boolean;
  /** Inside a comment that only these read; undefined outside of such comments. */
  readers: Readers | undefined;
}

interface LocatedText {
  /** Entities undone. */
  value: string;
  start: number;
  end: number;
  parent: Tree.Node;
  /** Same as in `LocatedElement`. */
  readers: Readers | undefined;
}

export interface LocatedMessage {
  source: string;
  document: Tree.Document;
  /** In the order of the document; those in comments for Word at the end. */
  elements: LocatedElement[];
  /** Text that is not blank, style sheets and scripts included. */
  texts: LocatedText[];
  doctype: Tree.DocumentType | undefined;
  /** Comments proper, conditional ones included; `<![if …]>` is none. */
  comments: { start: number; end: number }[];
  conditionals: ConditionalRanges;
  /** False when the message nests or repeats elements beyond any client's limits, and was read in part. */
  complete: boolean;
}

/** Conditional comments inside conditional comments: honest mails have two levels at most. */
const COMMENT_DEPTH_MAX = 3;
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/**
 * Reads a message with the place of every element and attribute; its document is parsed unless it is known. Never
 * throws for what the message holds.
 */
export function readMessage(source: string, known: ReadDocument = readDocument(source)): LocatedMessage {
  const { elementsMax, depthMax } = DOCUMENT_LIMITS;
  // What stands in comments counts with the rest.
  const parser = boundedParser({ elementsMax: elementsMax - known.made.elements, depthMax, isLocated: true });
  const { document } = known;
  const message: LocatedMessage = {
    source,
    document,
    elements: [],
    texts: [],
    doctype: undefined,
    comments: [],
    conditionals: { markers: [], hidden: [], revealed: [] },
    complete: true,
  };
  const markers = walk(message, document, { base: 0, readers: undefined, inBody: false });
  message.conditionals = readConditionals(markers, source);
  readHidden(message, parser);
  message.complete = known.isComplete && parser.isComplete;
  return message;
}

/** HTML inside comments for Word; what nests in them is read likewise. */
function readHidden(message: LocatedMessage, parser: BoundedParser): void {
  let blocks = message.conditionals.hidden;
  for (let level = 0; blocks.length && level < COMMENT_DEPTH_MAX; level++) {
    const inner: typeof blocks = [];
    for (const { start, end, word, inBody } of blocks) {
      const text = message.source.slice(start, end);
      if (!word.length || !text.includes('<')) continue;
      const root = parser.parseFragment(text);
      const markers = walk(message, root, { base: start, readers: { word, others: false }, inBody });
      inner.push(
        ...readConditionals(markers, message.source).hidden.map((block) => ({
          ...block,
          word: block.word.filter((version) => word.includes(version)),
        })),
      );
    }
    blocks = inner;
  }
}

interface Context {
  base: number;
  readers: Readers | undefined;
  /** Place of the root. */
  inBody: boolean;
}

/**
 * Collects what is below a root; a loop, so that no nesting is too deep. Answers the markers of conditional comments.
 */
function walk(
  message: LocatedMessage,
  root: Tree.ParentNode,
  { base, readers, inBody: startsInBody }: Context,
): ConditionalMarker[] {
  const markers: ConditionalMarker[] = [];
  const seen = new Set<number>();
  const stack: Tree.Node[] = [];
  // In document order, nothing of the head comes after the body has begun.
  let inBody = startsInBody;
  const pushAll = (nodes: readonly Tree.Node[]) => {
    for (let i = nodes.length - 1; i >= 0; i--) stack.push(nodes[i]!);
  };
  pushAll(root.childNodes);
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node) {
      // Parsers repeat misnested elements, and add those that the source leaves out: neither has a place of its own.
      const start = node.sourceCodeLocation?.startOffset;
      if (start !== undefined && !seen.has(start)) {
        seen.add(start);
        message.elements.push({ node, base, isForeign: node.namespaceURI !== HTML_NAMESPACE, inBody, readers });
      }
      inBody ||= node.tagName === 'body';
      if ('content' in node) pushAll(node.content.childNodes);
      pushAll(node.childNodes);
    } else if (node.nodeName === '#text') readText(message, node as Tree.TextNode, { base, readers });
    else if (node.nodeName === '#documentType') message.doctype ??= node as Tree.DocumentType;
    else if (node.nodeName === '#comment') readComment(message, node as Tree.CommentNode, { base, markers, inBody });
  }
  return markers.sort((a, b) => a.start - b.start);
}

function readText(
  message: LocatedMessage,
  node: Tree.TextNode,
  { base, readers }: Pick<Context, 'base' | 'readers'>,
): void {
  const place = node.sourceCodeLocation;
  if (!place || node.value.trim() === '' || !node.parentNode) return;
  message.texts.push({
    value: node.value,
    start: base + place.startOffset,
    end: base + place.endOffset,
    parent: node.parentNode,
    readers,
  });
}

function readComment(
  message: LocatedMessage,
  node: Tree.CommentNode,
  { base, markers, inBody }: { base: number; markers: ConditionalMarker[]; inBody: boolean },
): void {
  const place = node.sourceCodeLocation;
  if (!place) return;
  const start = base + place.startOffset;
  const end = base + place.endOffset;
  if (message.source.startsWith('<!--', start)) message.comments.push({ start, end });
  if (/^\s*(?:<!\s*)?\[(?:if|\s*endif)/i.test(node.data)) markers.push({ start, end, data: node.data, inBody });
}

// Parses a message once, and hands out cheap copies that a client's rules may edit.

import { clone, type StyleSheet } from 'css-tree';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { boundedParser, DOCUMENT_LIMITS } from '../html/index.ts';
import { messageHtml, resolveConditionals, type MessageHtml } from '../source/index.ts';
import {
  append,
  attributeOf,
  createElement,
  isElement,
  parseStyleSheet,
  textOf,
  type Document,
  type Element,
  type EmbeddedStyle,
  type Node,
  type WorkingDocument,
} from './working-document.ts';

/**
 * A message's HTML. It is parsed when the first client asks, at most once for each text its conditional comments leave.
 */
export interface ParsedMessage {
  readonly html: string;
  readonly subject: string;
  /** UTF-8 bytes of `html`. */
  readonly sourceBytes: number;
}

interface ParsedVariant {
  document: Document;
  sheets: Map<Element, { ast: StyleSheet; sourceBytes: number }>;
  notes: string[];
  memory: MessageMemory;
}

/** What was once worked out about pieces of a message's CSS text; shared by all the clients that it is shown in. */
export interface MessageMemory {
  values: Map<string, unknown>;
  inlineStyles: Map<string, unknown>;
}

interface Variants {
  texts: Map<number | null, string>;
  byText: Map<string, ParsedVariant>;
  /** What others read, too; undefined: nobody else reads the message. */
  shared: MessageHtml | undefined;
}

const parsed = new WeakMap<ParsedMessage, Variants>();
/** For as long as somebody holds what was read. */
const variantsOf = new WeakMap<MessageHtml, Variants>();

/**
 * Takes a message for emulation: the decoded text of its HTML part, or the same as others read it, which is parsed for
 * all of them once.
 */
export function parseMessage(given: string | MessageHtml, subject = ''): ParsedMessage {
  const { html } = messageHtml(given);
  const message: ParsedMessage = { html, subject, sourceBytes: Buffer.byteLength(html) };
  const shared = typeof given === 'string' ? undefined : given;
  const variants = (shared && variantsOf.get(shared)) ?? { texts: new Map(), byText: new Map(), shared };
  if (shared) variantsOf.set(shared, variants);
  parsed.set(message, variants);
  return message;
}

function variantFor(message: ParsedMessage, mso: number | null): ParsedVariant {
  const {
    texts,
    byText: variants,
    shared,
  } = parsed.get(message) ?? {
    texts: new Map<number | null, string>(),
    byText: new Map<string, ParsedVariant>(),
  };
  let text = texts.get(mso);
  if (text === undefined) texts.set(mso, (text = resolveConditionals(message.html, { mso })));
  let variant = variants.get(text);
  if (!variant) variants.set(text, (variant = parseVariant(text, shared?.html === text ? shared : undefined)));
  return variant;
}

/**
 * A fresh copy for one client to edit.
 * @param mso the version that the client's conditional comments are read with (12, 14, 15, 16), or null when it is not
 *   Word.
 */
export function workOn(message: ParsedMessage, mso: number | null = null): WorkingDocument {
  const variant = variantFor(message, mso);
  const sheets: EmbeddedStyle[] = [];
  const document = copyTree(variant.document, (original, copy) => {
    const sheet = variant.sheets.get(original);
    if (sheet) sheets.push({ element: copy, ast: clone(sheet.ast) as StyleSheet, sourceBytes: sheet.sourceBytes });
  });
  const html = childElement(document, 'html')!;
  const doc: WorkingDocument = {
    document,
    html,
    head: childElement(html, 'head')!,
    body: childElement(html, 'body')!,
    styles: sheets,
    notes: [...variant.notes],
    forceDark: false,
    sourceBytes: message.sourceBytes,
  };
  memories.set(doc, variant.memory);
  return doc;
}

const memories = new WeakMap<WorkingDocument, MessageMemory>();

/** The message's memory behind a working document. */
export function memoryOf(doc: WorkingDocument): MessageMemory {
  let memory = memories.get(doc);
  if (!memory) memories.set(doc, (memory = { values: new Map(), inlineStyles: new Map() }));
  return memory;
}

/** What others read is not changed: a document that lacks its skeleton is read once more. */
function parseText(text: string, shared: MessageHtml | undefined): { document: Document; isComplete: boolean } {
  if (shared?.document.isComplete && hasSkeleton(shared.document.document)) return shared.document;
  const parser = boundedParser({ ...DOCUMENT_LIMITS, isLocated: false });
  const document = parser.parse(text);
  ensureSkeleton(document);
  return { document, isComplete: parser.isComplete };
}

function parseVariant(text: string, shared: MessageHtml | undefined): ParsedVariant {
  const { document, isComplete } = parseText(text, shared);
  const sheets: ParsedVariant['sheets'] = new Map();
  const stack: Node[] = [...document.childNodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    if (node.tagName === 'style' && isCss(node)) {
      const css = textOf(node);
      sheets.set(node, { ast: parseStyleSheet(css), sourceBytes: Buffer.byteLength(css) });
    } else for (const child of node.childNodes) stack.push(child);
  }
  const notes = isComplete
    ? []
    : ["The message nests or repeats elements beyond any client's limits; the rest is not shown."];
  return { document, sheets, notes, memory: { values: new Map(), inlineStyles: new Map() } };
}

function isCss(style: Element): boolean {
  const type = attributeOf(style, 'type')?.trim().toLowerCase();
  return !type || type === 'text/css';
}

function hasSkeleton(document: Document): boolean {
  const html = childElement(document, 'html');
  return html !== undefined && childElement(html, 'head') !== undefined && childElement(html, 'body') !== undefined;
}

/** `html`, `head` and `body` exist even when the parser was stopped or the message is a frame set. */
function ensureSkeleton(document: Document): void {
  let html = childElement(document, 'html');
  if (!html) {
    html = createElement('html');
    html.parentNode = document;
    document.childNodes.push(html);
  }
  if (!childElement(html, 'head')) {
    const head = createElement('head');
    head.parentNode = html;
    html.childNodes.unshift(head);
  }
  if (!childElement(html, 'body')) append(html, createElement('body'));
}

function childElement(parent: Document | Element, name: string): Element | undefined {
  return parent.childNodes.find((node): node is Element => isElement(node) && node.tagName === name);
}

/** A deep copy, made in a loop; calls `seen` for every element in document order. */
function copyTree(source: Document, seen: (original: Element, copy: Element) => void): Document {
  const copy: Document = { nodeName: '#document', mode: source.mode, childNodes: [] };
  const stack: [Tree.ParentNode, Tree.ParentNode, number][] = [[source, copy, 0]];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const [from, to] = top;
    const child = from.childNodes[top[2]++];
    if (!child) {
      stack.pop();
      continue;
    }
    const twin = copyNode(child, to);
    to.childNodes.push(twin);
    if (!isElement(child)) continue;
    seen(child, twin as Element);
    if ('content' in child) stack.push([(child as Tree.Template).content, (twin as Tree.Template).content, 0]);
    if (child.childNodes.length) stack.push([child, twin as Element, 0]);
  }
  return copy;
}

function copyNode(node: Node, parent: Tree.ParentNode): Node {
  if (!isElement(node)) return { ...node, parentNode: parent } as Node;
  const attrs = node.attrs.map((attr) => ({ ...attr }));
  const copy: Element = {
    nodeName: node.nodeName,
    tagName: node.tagName,
    attrs,
    namespaceURI: node.namespaceURI,
    childNodes: [],
    parentNode: parent,
  };
  if ('content' in node) (copy as Tree.Template).content = { nodeName: '#document-fragment', childNodes: [] };
  return copy;
}

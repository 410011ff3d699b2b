// Parses a message once, and hands out cheap copies that a client's rules may edit.

import { clone, type StyleSheet } from 'css-tree';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { boundedParser } from '../html/index.ts';
import { resolveConditionals } from '../source/index.ts';
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

/** More elements than any email has: adoption of misnested tags can multiply a small source beyond all memory. */
const ELEMENTS_MAX = 200_000;
/** Open elements at once. The parser's work grows with its square; browsers flatten what is deeper than 512. */
const DEPTH_MAX = 12_000;

const parsed = new WeakMap<
  ParsedMessage,
  { texts: Map<number | null, string>; variants: Map<string, ParsedVariant> }
>();

/**
 * Takes a message for emulation.
 * @param html decoded text of the HTML part.
 */
export function parseMessage(html: string, subject = ''): ParsedMessage {
  const message: ParsedMessage = { html, subject, sourceBytes: Buffer.byteLength(html) };
  parsed.set(message, { texts: new Map(), variants: new Map() });
  return message;
}

function variantFor(message: ParsedMessage, mso: number | null): ParsedVariant {
  const { texts, variants } = parsed.get(message) ?? {
    texts: new Map<number | null, string>(),
    variants: new Map<string, ParsedVariant>(),
  };
  let text = texts.get(mso);
  if (text === undefined) texts.set(mso, (text = resolveConditionals(message.html, { mso })));
  let variant = variants.get(text);
  if (!variant) variants.set(text, (variant = parseVariant(text)));
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

function parseVariant(text: string): ParsedVariant {
  const parser = boundedParser({ elementsMax: ELEMENTS_MAX, depthMax: DEPTH_MAX, isLocated: false });
  const document = parser.parse(text);
  ensureSkeleton(document);
  const sheets: ParsedVariant['sheets'] = new Map();
  const stack: Node[] = [...document.childNodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    if (node.tagName === 'style' && isCss(node)) {
      const css = textOf(node);
      sheets.set(node, { ast: parseStyleSheet(css), sourceBytes: Buffer.byteLength(css) });
    } else for (const child of node.childNodes) stack.push(child);
  }
  const notes = parser.isComplete
    ? []
    : ["The message nests or repeats elements beyond any client's limits; the rest is not shown."];
  return { document, sheets, notes, memory: { values: new Map(), inlineStyles: new Map() } };
}

function isCss(style: Element): boolean {
  const type = attributeOf(style, 'type')?.trim().toLowerCase();
  return !type || type === 'text/css';
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

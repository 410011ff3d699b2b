// One client's own editable copy of a message: the parse5 tree, its style sheets, and the few verbs that edit them.
// Every walk is a loop, never a recursion: a hostile message may nest tens of thousands of elements.

import { generate, type CssNode, type Declaration, type DeclarationList, type StyleSheet } from 'css-tree';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { declarationOf, parseDeclarations, valueOf } from '../css/index.ts';
import type { ClientProfile, EmulateOptions } from './types.ts';

export { declarationOf, parseStyleSheet, setValue, valueOf } from '../css/index.ts';

export type Element = Tree.Element;
export type Node = Tree.ChildNode;
export type Document = Tree.Document;
type ParentNode = Tree.ParentNode;

/** One `<style>`, in document order. Edit the `ast`; its text is written when the document is serialized. */
export interface EmbeddedStyle {
  element: Element;
  ast: StyleSheet;
  /** UTF-8 bytes of the style's text as the sender wrote it. */
  sourceBytes: number;
}

/**
 * A message being turned into what one client shows. Declaration values are css-tree `Raw` nodes (text), so that
 * copies are cheap: read and write them with `valueOf` and `setValue`.
 */
export interface WorkingDocument {
  document: Document;
  html: Element;
  head: Element;
  body: Element;
  /** To drop a style, remove it here and its element from the tree. */
  styles: EmbeddedStyle[];
  notes: string[];
  /** Characters of text that the client leaves out because the message is too long for it. */
  clippedCharacters?: number;
  forceDark: boolean;
  /** UTF-8 bytes of the message's HTML. */
  sourceBytes: number;
}

/** A step of the pipeline that edits the document in place. */
export type Plugin = (doc: WorkingDocument, client: ClientProfile, options: EmulateOptions) => void;

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml' as Element['namespaceURI'];

export function isElement(node: Node | ParentNode): node is Element {
  return 'tagName' in node;
}

function childrenOf(node: Node | ParentNode): Node[] | undefined {
  if ('content' in node && node.content) return node.content.childNodes;
  return 'childNodes' in node ? node.childNodes : undefined;
}

/** Every element below `root`, in document order, as a snapshot; the content of `<template>` is included. */
export function elementsOf(root: Node | ParentNode): Element[] {
  return nodesOf(root).filter(isElement);
}

/** Every node below `root` (elements, text, comments), in document order, as a snapshot. */
function nodesOf(root: Node | ParentNode): Node[] {
  const found: Node[] = [];
  const stack: Node[] = [...(childrenOf(root) ?? [])].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    found.push(node);
    const children = childrenOf(node);
    if (children) for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return found;
}

/** The text below a node, as `textContent` gives it. */
export function textOf(root: Node | ParentNode): string {
  if ('value' in root) return root.value;
  let text = '';
  for (const node of nodesOf(root)) if (node.nodeName === '#text' && 'value' in node) text += node.value;
  return text;
}

/** An attribute's value, or undefined. Names are matched as parse5 stores them: lower case in HTML. */
export function attributeOf(el: Element, name: string): string | undefined {
  for (const attr of el.attrs) if (attr.name === name) return attr.value;
  return undefined;
}

export function setAttribute(el: Element, name: string, value: string): void {
  if (name === 'style') inlineStyles.delete(el);
  const attr = el.attrs.find((a) => a.name === name);
  if (attr) attr.value = value;
  else el.attrs.push({ name, value });
}

export function removeAttribute(el: Element, name: string): void {
  if (name === 'style') inlineStyles.delete(el);
  const at = el.attrs.findIndex((a) => a.name === name);
  if (at >= 0) el.attrs.splice(at, 1);
}

// ---- Nodes ----------------------------------------------------------------------------------------------------

export function createElement(name: string, attrs: Record<string, string> = {}): Element {
  const list = Object.entries(attrs).map(([key, value]) => ({ name: key, value }));
  return { nodeName: name, tagName: name, attrs: list, namespaceURI: HTML_NAMESPACE, childNodes: [], parentNode: null };
}

export function createText(text: string): Tree.TextNode {
  return { nodeName: '#text', value: text, parentNode: null };
}

export function append(parent: Element, ...children: Node[]): void {
  const home = 'content' in parent && parent.content ? (parent.content as Tree.DocumentFragment) : parent;
  for (const child of children) {
    removeNode(child);
    child.parentNode = home;
    home.childNodes.push(child);
  }
}

/** Puts `node` right before `sibling`, under the same parent. */
export function insertBefore(sibling: Node, node: Node): void {
  removeNode(node);
  placeAt(sibling, 0, [node]);
}

export function removeNode(node: Node): void {
  const siblings = node.parentNode?.childNodes;
  const at = siblings ? siblings.indexOf(node) : -1;
  if (at >= 0) siblings!.splice(at, 1);
  node.parentNode = null;
}

export function replaceNode(node: Node, ...nodes: Node[]): void {
  for (const one of nodes) if (one !== node) removeNode(one);
  placeAt(node, 1, nodes);
}

/** Takes the element away and leaves its children in its place. */
export function unwrap(el: Element): void {
  const children = [...(childrenOf(el) ?? [])];
  el.childNodes = [];
  placeAt(el, 1, children);
}

function placeAt(sibling: Node, removed: 0 | 1, nodes: Node[]): void {
  const parent = sibling.parentNode;
  if (!parent) return;
  const at = parent.childNodes.indexOf(sibling);
  if (removed) sibling.parentNode = null;
  for (const node of nodes) node.parentNode = parent;
  // One big spread would overflow the argument stack when an element has very many children.
  parent.childNodes = [...parent.childNodes.slice(0, at), ...nodes, ...parent.childNodes.slice(at + removed)];
}

export function renameElement(el: Element, name: string): void {
  el.nodeName = name;
  el.tagName = name;
}

/** Parsed nodes, without a parent, for plug-ins that insert markup of their own. */
export function fragmentOf(html: string): Node[] {
  const nodes = [...parseFragment(html).childNodes];
  for (const node of nodes) node.parentNode = null;
  return nodes;
}

// ---- Inline styles --------------------------------------------------------------------------------------------

/** Parsed `style` attributes that may have been edited; the serializer writes them back. */
const inlineStyles = new WeakMap<Element, DeclarationList>();

/** The element's parsed `style` attribute, or undefined when it has none. Parsed once; edit it in place. */
export function inlineStyleOf(_doc: WorkingDocument, el: Element): DeclarationList | undefined {
  const known = inlineStyles.get(el);
  if (known) return known;
  const text = attributeOf(el, 'style');
  if (text === undefined) return undefined;
  const parsed = parseDeclarations(text);
  inlineStyles.set(el, parsed);
  return parsed;
}

/** The edited style of an element as text, or undefined when its attribute was never parsed. For the serializer. */
export function editedInlineStyle(el: Element): string | undefined {
  const parsed = inlineStyles.get(el);
  return parsed && generate(parsed);
}

/** Replaces every declaration of `property` by one at the end. `value` is CSS text without `!important`. */
export function setInlineDeclaration(
  doc: WorkingDocument,
  el: Element,
  ...declaration: [property: string, value: string, important?: boolean]
): void {
  const [property, value, important = false] = declaration;
  removeInlineDeclaration(doc, el, property);
  if (attributeOf(el, 'style') === undefined) el.attrs.push({ name: 'style', value: '' });
  inlineStyleOf(doc, el)!.children.appendData(declarationOf(property, value, important));
}

/** The value that wins within the style attribute (the last, important ones first), or undefined. */
export function inlineValueOf(doc: WorkingDocument, el: Element, property: string): string | undefined {
  let winner: Declaration | undefined;
  inlineStyleOf(doc, el)?.children.forEach((node) => {
    if (!isDeclarationOf(node, property)) return;
    if (!winner || node.important || !winner.important) winner = node;
  });
  return winner && valueOf(winner);
}

export function removeInlineDeclaration(doc: WorkingDocument, el: Element, property: string): void {
  const list = inlineStyleOf(doc, el)?.children;
  list?.forEach((node, item) => {
    if (isDeclarationOf(node, property)) list.remove(item);
  });
}

function isDeclarationOf(node: CssNode, property: string): node is Declaration {
  if (node.type !== 'Declaration') return false;
  return node.property === property || (!property.startsWith('--') && node.property.toLowerCase() === property);
}

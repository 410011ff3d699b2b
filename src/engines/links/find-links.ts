// Every link of a message as it is written, with its place and what it shows.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  attributeOf,
  baseOf,
  completionOf,
  isRelativeAddress,
  lineFinder,
  selectorMaker,
  startTagAt,
  type Completion,
  type LineColumn,
  type LocatedElement,
} from '../html/index.ts';
import { messageHtml, type MessageHtml } from '../source/index.ts';

type LinkKind = 'a' | 'area' | 'form' | 'vml' | 'svg' | 'text';

export interface FoundLink extends LineColumn {
  kind: LinkKind;
  /** As written, entities decoded, white space around it gone. */
  url: string;
  /** Absolute where the message says what it is relative to; else as written. */
  target: string;
  /** What made a relative address absolute; undefined for every other one. */
  completedBy: Completion | undefined;
  /** Characters from the start of the source, from 0. */
  offset: number;
  /** Undefined inside a conditional comment, which is no part of the document. */
  selector: string | undefined;
  /** The start tag, shortened. */
  snippet: string;
  /** Such as `mso`, when it stands in a conditional comment. */
  condition: string | undefined;
  /** What it shows: its text with the alternatives of its images, or its name for assistive technology. */
  text: string;
  /** It holds images and no text. */
  isImageOnly: boolean;
}

export interface LinksOfMessage {
  links: FoundLink[];
  /** Names that links into the message itself may lead to. */
  anchors: Set<string>;
  /** There were more links than are listed. */
  isCut: boolean;
}

/** More links than this are not listed: each costs a request and some kilobytes of a result. */
export const LINKS_MAX = 25_000;
const ANCHORS_MAX = 20_000;
const URL_LENGTH_MAX = 8_192;
const TEXT_LENGTH_MAX = 300;
/** What a link shows is short; what is not found in this many nodes is not looked for. */
const NODES_MAX = 500;

/**
 * Every link of an HTML message in document order: `a`, `area`, forms and their buttons, VML shapes, also in
 * conditional comments; the same URL as often as it is written. `baseUrl` makes relative URLs absolute. At most 25,000.
 */
export function findLinks(given: string | MessageHtml, baseUrl?: string): LinksOfMessage {
  const { html, written: located } = messageHtml(given);
  const page = {
    html,
    base: baseOf(located, baseUrl),
    completion: completionOf(located, baseUrl),
    place: lineFinder(html),
    selector: selectorMaker(),
  };
  const found: LinksOfMessage = { links: [], anchors: new Set(), isCut: false };
  for (const one of located) {
    noteAnchors(one.element, found.anchors);
    const reference = referenceOf(one.element);
    if (!reference) continue;
    if (found.links.length >= LINKS_MAX) return { ...found, isCut: true };
    found.links.push(describe(reference, one, page));
  }
  return found;
}

function noteAnchors(element: Tree.Element, anchors: Set<string>): void {
  for (const name of [attributeOf(element, 'id'), element.tagName === 'a' ? attributeOf(element, 'name') : undefined]) {
    if (name && anchors.size < ANCHORS_MAX) anchors.add(name);
  }
}

interface Page {
  html: string;
  base: string | undefined;
  completion: Completion | undefined;
  place: (offset: number) => LineColumn;
  selector: (element: Tree.Element) => string;
}

function describe(
  { kind, url }: { kind: LinkKind; url: string },
  { element, condition, offset = 0 }: LocatedElement,
  page: Page,
): FoundLink {
  const written = url.trim().slice(0, URL_LENGTH_MAX);
  return {
    kind,
    url: written,
    target: absolute(written, page.base),
    completedBy: isRelativeAddress(written) ? page.completion : undefined,
    offset,
    condition,
    ...page.place(offset),
    selector: condition === undefined ? page.selector(element) : undefined,
    snippet: startTagAt(page.html, offset),
    ...shownBy(element),
  };
}

/** Only what is plainly relative: a URL that is wrong in itself must stay wrong. */
function absolute(url: string, base: string | undefined): string {
  if (
    base === undefined ||
    url === '' ||
    url.startsWith('#') ||
    /^[a-z][a-z0-9+.-]*:/i.test(url) ||
    !URL.canParse(url, base)
  )
    return url;
  return new URL(url, base).href;
}

function referenceOf(element: Tree.Element): { kind: LinkKind; url: string } | undefined {
  const { tagName } = element;
  const of = (attribute: string, kind: LinkKind) => {
    const url = attributeOf(element, attribute);
    return url === undefined ? undefined : { kind, url };
  };
  // The parser gives `xlink:href` the name `href` as well.
  if (tagName === 'a') return of('href', element.namespaceURI.endsWith('svg') ? 'svg' : 'a');
  if (tagName === 'area') return of('href', 'area');
  if (tagName === 'form') return of('action', 'form');
  if (tagName === 'button' || tagName === 'input') return of('formaction', 'form');
  return tagName.startsWith('v:') ? of('href', 'vml') : undefined;
}

function shownBy(element: Tree.Element): { text: string; isImageOnly: boolean } {
  const said: string[] = [];
  const alternatives: string[] = [];
  let [hasText, hasImage] = [false, false];
  const stack: Tree.Node[] = [element];
  for (let seen = 0; stack.length > 0 && seen < NODES_MAX; seen++) {
    const node = stack.pop()!;
    if (node.nodeName === '#text') {
      const { value } = node as Tree.TextNode;
      said.push(value.slice(0, TEXT_LENGTH_MAX));
      hasText ||= SAYING.test(value);
    } else if ('tagName' in node) {
      const isImage =
        node.tagName === 'img' ||
        node.tagName === 'area' ||
        (node.tagName === 'input' && attributeOf(node, 'type') === 'image');
      hasImage ||= isImage && node !== element;
      if (isImage) said.push(' ', attributeOf(node, 'alt') ?? '', ' ');
      if (node.tagName === 'input' && !isImage) said.push(attributeOf(node, 'value') ?? '');
      if (node.tagName === 'br') said.push(' ');
      alternatives.push(attributeOf(node, 'aria-label') ?? '', attributeOf(node, 'title') ?? '');
      if (!HIDDEN.has(node.tagName)) stack.push(...node.childNodes.slice(0, NODES_MAX).reverse());
    }
  }
  const text = clean(said.join(''));
  return {
    text: text || clean(alternatives.find((name) => SAYING.test(name)) ?? ''),
    isImageOnly: hasImage && !hasText,
  };
}

const HIDDEN = new Set(['style', 'script', 'select', 'textarea', 'template']);
/** Anything but white space and invisible padding. */
const SAYING = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u;

function clean(text: string): string {
  const line = text
    .replace(/[\p{Default_Ignorable_Code_Point}\u2800]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > TEXT_LENGTH_MAX ? `${line.slice(0, TEXT_LENGTH_MAX)}…` : line;
}

/** Addresses as mail programs make them clickable: with a scheme, or starting with `www.`. */
const CLICKABLE = /\b(?:https?:\/\/|www\.|mailto:)[^\s<>"']{2,2000}/gi;

/** The links of a plain text message (or part), at most 25,000. Brackets and stops at an end belong to the sentence. */
export function findTextLinks(text: string): LinksOfMessage {
  const place = lineFinder(text);
  const found: LinksOfMessage = { links: [], anchors: new Set(), isCut: false };
  for (const match of text.matchAll(CLICKABLE)) {
    if (found.links.length >= LINKS_MAX) return { ...found, isCut: true };
    const url = withoutStops(match[0]);
    const target = /^www\./i.test(url) ? `http://${url}` : url;
    found.links.push({
      kind: 'text',
      url,
      target,
      offset: match.index,
      ...place(match.index),
      selector: undefined,
      snippet: url.slice(0, 200),
      condition: undefined,
      text: url,
      isImageOnly: false,
      completedBy: undefined,
    });
  }
  return found;
}

function withoutStops(url: string): string {
  const trimmed = url.replace(/[.,;:!?'"*_]+$/, '');
  const hasOpening = trimmed.includes('(');
  return hasOpening ? trimmed : trimmed.replace(/[)\]}]+[.,;:!?]*$/, '');
}

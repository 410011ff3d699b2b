// Looks for features in a message: elements, attributes, images, style sheets and style attributes.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { imageFormatOfType } from '../caniemail/index.ts';
import { attributePlace, type AttributePlace } from './attribute-places.ts';
import { detectors } from './detectors.ts';
import type { LocatedElement, LocatedMessage } from '../source/index.ts';
import {
  imageKeysOf,
  newCssMemory,
  searchInlineStyle,
  searchMedia,
  searchStyleSheet,
  type CssMemory,
  type CssSource,
} from './search-css.ts';

/** A use of a feature, or (`slug#2`) of what one of its notes is about. */
export interface Hit {
  key: string;
  start: number;
  end: number;
  /** Undefined in style sheets. */
  element: LocatedElement | undefined;
  /** The element that the hit stands in: it says who reads it. */
  home: LocatedElement | undefined;
  /** Inside `@media`; undefined outside of style sheets. */
  isInMedia: boolean | undefined;
}

interface Search {
  message: LocatedMessage;
  memory: CssMemory;
  imageFormats: ReadonlyMap<string, string> | undefined;
  hits: Hit[];
  /** Style elements of the body that nothing follows. */
  stylesOfBody: LocatedElement[];
  tagsOf: (name: string) => readonly string[];
}

/** Every use of every feature that HTML can show, in no particular order. */
export function searchMessage(message: LocatedMessage, imageFormats?: ReadonlyMap<string, string>): Hit[] {
  const search: Search = {
    message,
    memory: newCssMemory(),
    imageFormats,
    hits: [],
    stylesOfBody: [],
    tagsOf: tagsByName(message),
  };
  for (const { start, end } of message.comments)
    search.hits.push({ key: 'html-comments', start, end, element: undefined, home: undefined, isInMedia: undefined });
  searchDoctype(search);
  for (const element of message.elements) searchElement(search, element);
  for (const style of search.stylesOfBody)
    for (const key of detectors.styleElements['after-content']) hitElement(search, style, key);
  return search.hits;
}

/** The HTML5 doctype; those of HTML 4 and XHTML 1 are no feature of the data. */
function searchDoctype({ message, hits }: Search): void {
  const { doctype } = message;
  const place = doctype?.sourceCodeLocation;
  if (
    !doctype ||
    !place ||
    doctype.name !== 'html' ||
    doctype.publicId ||
    (doctype.systemId && doctype.systemId !== 'about:legacy-compat')
  )
    return;
  hits.push({
    key: 'html-doctype',
    start: place.startOffset,
    end: place.endOffset,
    element: undefined,
    home: undefined,
    isInMedia: undefined,
  });
}

/** Names of the elements with a class or id; worked out when first asked. */
function tagsByName({ elements }: LocatedMessage): (name: string) => readonly string[] {
  let index: Map<string, Set<string>> | undefined;
  return (name) => [...((index ??= indexNames(elements)).get(name) ?? [])];
}

function indexNames(elements: readonly LocatedElement[]): Map<string, Set<string>> {
  const index = new Map<string, Set<string>>();
  const put = (name: string, tag: string) => {
    const tags = index.get(name);
    if (tags) tags.add(tag);
    else index.set(name, new Set([tag]));
  };
  for (const { node } of elements) {
    for (const { name, value } of node.attrs) {
      if (name === 'id') put(`#${value}`, node.tagName);
      else if (name === 'class') for (const one of value.split(/[\t\n\f\r ]+/)) if (one) put(`.${one}`, node.tagName);
    }
  }
  return index;
}

function searchElement(search: Search, element: LocatedElement): void {
  const { node } = element;
  const { tagName } = node;
  for (const { key, when } of detectors.elements.get(tagName) ?? []) {
    if (!when || when((name) => attributeOf(node, name), node.parentNode?.nodeName ?? ''))
      hitElement(search, element, key);
  }
  if (tagName === 'style') searchStyle(search, element);
  else if (element.inBody) search.stylesOfBody = [];
  if (tagName === 'body') for (const key of ['html-body', ...detectors.bodyElement]) hitElement(search, element, key);
  // VML and Office elements follow rules of their own; what is in SVG is drawn by its own rules too, but for CSS.
  if (tagName.includes(':')) return;
  for (const { name, value } of node.attrs) {
    if (name === 'style') searchStyleAttribute(search, element, value);
    else if (!element.isForeign) searchAttribute(search, element, { name, value });
  }
}

function hitElement(search: Search, element: LocatedElement, key: string): void {
  const place = element.node.sourceCodeLocation!;
  const tag = place.startTag ?? place;
  search.hits.push({
    key,
    start: element.base + tag.startOffset,
    end: element.base + tag.endOffset,
    element,
    home: element,
    isInMedia: undefined,
  });
}

function attributeOf(node: Tree.Element, name: string): string | undefined {
  for (const attr of node.attrs) if (attr.name === name) return attr.value;
  return undefined;
}

/** The place of an attribute; undefined for an attribute that the parser adds. */
function placeOf(
  { message }: Search,
  element: LocatedElement,
  attr: { name: string; value: string },
): AttributePlace | undefined {
  const place = element.node.sourceCodeLocation?.attrs?.[attr.name];
  if (!place) return undefined;
  const start = element.base + place.startOffset;
  return attributePlace(message.source.slice(start, element.base + place.endOffset), start, attr.value);
}

// ---- Style sheets and style attributes --------------------------------------------------------------------------

function searchStyle(search: Search, element: LocatedElement): void {
  const { node, base } = element;
  for (const key of detectors.styleElements.everywhere) hitElement(search, element, key);
  if (element.inBody) {
    for (const key of detectors.styleElements.body) hitElement(search, element, key);
    search.stylesOfBody.push(element);
  }
  const type = attributeOf(node, 'type')?.trim().toLowerCase();
  if (type && type !== 'text/css') return;
  const place = node.sourceCodeLocation!;
  const start = base + (place.startTag ?? place).endOffset;
  // The source, not the node's text: the parser makes one character of `\r\n`.
  const text = search.message.source.slice(start, base + (place.endTag?.startOffset ?? place.endOffset));
  for (const hit of searchStyleSheet({ ...cssSource(search), text })) {
    search.hits.push({
      key: hit.key,
      start: start + hit.start,
      end: start + hit.end,
      element: undefined,
      home: element,
      isInMedia: hit.isInMedia ?? false,
    });
  }
}

function cssSource({ memory, imageFormats, tagsOf }: Search): Omit<CssSource, 'text'> {
  return { memory, imageFormats, tagsOf };
}

function searchStyleAttribute(search: Search, element: LocatedElement, value: string): void {
  const found = searchInlineStyle({ ...cssSource(search), text: value }, element.node.tagName);
  if (!found.length) return;
  const place = placeOf(search, element, { name: 'style', value });
  if (!place) return;
  for (const { key, start, end } of found) {
    search.hits.push({
      key,
      start: place.offsetOf(start),
      end: place.offsetOf(end),
      element,
      home: element,
      isInMedia: undefined,
    });
  }
}

// ---- Attributes -------------------------------------------------------------------------------------------------

const imageAttributes = new Set(['src', 'srcset', 'background', 'poster']);

function searchAttribute(search: Search, element: LocatedElement, attr: { name: string; value: string }): void {
  const { tagName } = element.node;
  const keys: string[] = [];
  for (const { key, elements, when } of detectors.attributes.get(attr.name) ?? []) {
    if (elements && ('only' in elements ? !elements.only.includes(tagName) : elements.except.includes(tagName)))
      continue;
    if (!when || when(attr.value)) keys.push(key);
  }
  if (imageAttributes.has(attr.name)) keys.push(...imageKeys(search, tagName, attr));
  if (attr.name === 'type' && tagName === 'source')
    keys.push(...typeKeys(attr.value, element.node.parentNode?.nodeName));
  if (attr.name === 'media') keys.push(...searchMedia(attr.value).map(({ key }) => key));
  if (!keys.length) return;
  const place = placeOf(search, element, attr);
  if (!place) return;
  for (const key of new Set(keys))
    search.hits.push({ key, start: place.start, end: place.end, element, home: element, isInMedia: undefined });
}

function imageKeys(search: Search, tagName: string, { name, value }: { name: string; value: string }): string[] {
  if (name === 'src' && tagName !== 'img' && tagName !== 'input') return [];
  if (name !== 'srcset') return imageKeysOf(value, search.imageFormats);
  // A comma inside an address is followed by no white space.
  return value
    .split(/,(?=\s)|,$/)
    .flatMap((candidate) => imageKeysOf(candidate.trim().split(/\s/, 1)[0] ?? '', search.imageFormats));
}

function typeKeys(type: string, parentName: string | undefined): string[] {
  const format = parentName === 'picture' ? imageFormatOfType(type) : undefined;
  return format ? (detectors.images.get(format) ?? []).filter(({ when }) => !when).map(({ key }) => key) : [];
}

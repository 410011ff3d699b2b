// Every image of a message as it is written, with its place and what decides how it is shown.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { findCssUrls } from '../css/index.ts';
import {
  attributeOf,
  baseOf,
  completionOf,
  imageFiles,
  imageName,
  isRelativeAddress,
  lineFinder,
  parseSrcset,
  selectorMaker,
  startTagAt,
  textInside,
  type Completion,
  type ImageName,
  type LineColumn,
  type LocatedElement,
} from '../html/index.ts';
import { messageHtml, type MessageHtml } from '../source/index.ts';
import { displaySizeOf, type DisplaySize } from './display-size.ts';
import { linkAround, surroundingsOf, type ImageLink, type Surroundings } from './surroundings.ts';

/**
 * `background`: the attribute. `css`: a property, in an attribute or a style sheet. `srcset`: a candidate besides
 * `src`.
 */
type ImageKind = 'img' | 'srcset' | 'background' | 'css' | 'vml' | 'input' | 'poster' | 'svg';

export interface FoundImage extends LineColumn {
  kind: ImageKind;
  /** As written, entities decoded, white space around it gone. */
  url: string;
  /** Absolute http(s) URL without fragment, or a `cid:` or `data:` URL; undefined for what nothing can load. */
  resolvedUrl: string | undefined;
  /** What made a relative address absolute; undefined for every other one. */
  completedBy: Completion | undefined;
  /** Characters from the start of the source, from 0. */
  offset: number;
  /** Undefined inside a conditional comment, which is no part of the document. */
  selector: string | undefined;
  /** The start tag, shortened. */
  snippet: string;
  /** The element and attribute or property, such as `img src`, `td background`, `div background-image`. */
  where: string;
  /** Such as `mso`, when it stands in a conditional comment. */
  condition: string | undefined;
  /** Undefined where there is no such thing: backgrounds, posters, candidates of a srcset. */
  alt: { state: 'missing' | 'empty' | 'text'; text: string } | undefined;
  /** What assistive technology calls it, where something gives a name. */
  name: ImageName | undefined;
  /** Addresses of every file that the same element can show. */
  files: readonly string[];
  /** Hidden from assistive technology by `role` or `aria-hidden`. */
  isPresentational: boolean;
  /** `width` and `height` as written. */
  attributes: { width: string | undefined; height: string | undefined };
  size: DisplaySize;
  /** Pixels per CSS pixel that a candidate of a srcset is for; 1 elsewhere. */
  density: number;
  link: ImageLink | undefined;
  /** Color behind it, `#rrggbb`; undefined where another picture may be. */
  behind: string | undefined;
}

/** More images than this are not listed: each costs a request and some kilobytes of a result. */
export const IMAGES_MAX = 25_000;
const DATA_URL_LENGTH_MAX = 14_000_000;

/** An image of an element, before its place is known. */
interface Reference {
  kind: ImageKind;
  url: string;
  where: string;
  density?: number;
}

/**
 * Every image of an HTML message in document order, also each candidate of a srcset, backgrounds, VML, and what stands
 * in conditional comments; the same URL as often as it is written, but a background that an element has as an attribute
 * and as a property, for Word and the others, once. `baseUrl` makes relative URLs absolute. At most 25,000.
 */
export function findImages(given: string | MessageHtml, baseUrl?: string): FoundImage[] {
  return imagesOfMessage(given, baseUrl).images;
}

interface ImagesOfMessage {
  images: FoundImage[];
  /** There were more images than are listed. */
  isCut: boolean;
}

/** The same, and whether these are all. */
export function imagesOfMessage(given: string | MessageHtml, baseUrl?: string): ImagesOfMessage {
  const read = messageHtml(given);
  const { html, written: located } = read;
  const page: Page = {
    html,
    base: baseOf(located, baseUrl),
    completion: completionOf(located, baseUrl),
    place: lineFinder(html),
    selector: selectorMaker(),
    around: surroundingsOf(read),
    textOfId: textsById(located),
  };
  const images: FoundImage[] = [];
  for (const one of located) {
    for (const reference of referencesOf(one.element, one.parent)) {
      if (images.length >= IMAGES_MAX) return { images, isCut: true };
      images.push(describe(reference, one, page));
    }
  }
  return { images, isCut: false };
}

interface Page {
  html: string;
  base: string | undefined;
  completion: Completion | undefined;
  place: (offset: number) => LineColumn;
  selector: (element: Tree.Element) => string;
  around: Surroundings;
  textOfId: (id: string) => string | undefined;
}

/** The text of the first element with an id. Ids are looked for when one is asked for, which few messages do. */
function textsById(located: readonly LocatedElement[]): (id: string) => string | undefined {
  let elements: Map<string, Tree.Element> | undefined;
  return (id) => {
    if (!elements) {
      elements = new Map();
      for (const { element } of located) {
        const own = attributeOf(element, 'id');
        if (own !== undefined && !elements.has(own)) elements.set(own, element);
      }
    }
    const target = elements.get(id);
    return target && textInside(target);
  };
}

function describe(reference: Reference, one: LocatedElement, page: Page): FoundImage {
  const { element, parent, condition } = one;
  const { kind, where, density = 1 } = reference;
  const url = reference.url.trim();
  const tagStart = one.offset ?? 0;
  const offset =
    kind === 'css' && element.tagName === 'style' ? Math.max(page.html.indexOf(url, tagStart), tagStart) : tagStart;
  const attributes = { width: attributeOf(element, 'width'), height: attributeOf(element, 'height') };
  const isSized = kind === 'img' || kind === 'srcset' || kind === 'input';
  return {
    kind,
    url,
    where,
    condition,
    density,
    attributes,
    offset,
    ...page.place(offset),
    resolvedUrl: resolveUrl(url, page.base),
    completedBy: isRelativeAddress(url) ? page.completion : undefined,
    selector: condition === undefined ? page.selector(element) : undefined,
    snippet: startTagAt(page.html, tagStart),
    ...(kind === 'img' || kind === 'input' ? named(element, page) : UNNAMED),
    isPresentational:
      /^(?:presentation|none)$/i.test(attributeOf(element, 'role') ?? '') ||
      attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true',
    size: displaySizeOf(isSized ? { ...attributes, style: page.around.styleOf(element) } : { style: '' }),
    link: isSized ? linkAround(element, parent) : undefined,
    behind: page.around.behind(element),
  };
}

const UNNAMED: Pick<FoundImage, 'alt' | 'name' | 'files'> = { alt: undefined, name: undefined, files: [] };

function named(element: Tree.Element, { textOfId }: Page): Pick<FoundImage, 'alt' | 'name' | 'files'> {
  const name = imageName(element, textOfId);
  const written = attributeOf(element, 'alt');
  // A name given in another way is as good to assistive technology; what is seen while images are blocked is alt.
  const text = (written?.trim() || (name?.from === 'title' ? '' : name?.text)) ?? '';
  const state = text !== '' ? 'text' : written === undefined ? 'missing' : 'empty';
  return { alt: { state, text }, name, files: imageFiles(element) };
}

function resolveUrl(url: string, base: string | undefined): string | undefined {
  if (/^cid:/i.test(url)) return `cid:${url.slice(4)}`;
  if (/^data:/i.test(url)) return url.length <= DATA_URL_LENGTH_MAX ? url : undefined;
  // Without a base, "//host" means what the clients' own pages make of it: https.
  const against = base ?? (url.startsWith('//') ? 'https://base.invalid/' : undefined);
  if (url === '' || url.startsWith('#') || !URL.canParse(url, against)) return undefined;
  const absolute = new URL(url, against);
  if (absolute.protocol !== 'http:' && absolute.protocol !== 'https:') return undefined;
  absolute.hash = '';
  return absolute.href;
}

function* referencesOf(element: Tree.Element, parent: Tree.Element | undefined): Generator<Reference> {
  const { tagName } = element;
  const of = (attribute: string, kind: ImageKind): Reference[] => {
    const url = attributeOf(element, attribute);
    return url === undefined ? [] : [{ kind, url, where: `${tagName} ${attribute}` }];
  };
  const candidates = () =>
    parseSrcset(attributeOf(element, 'srcset') ?? '').map(({ url, density }): Reference => ({
      kind: 'srcset',
      url,
      density,
      where: `${tagName} srcset`,
    }));
  if (tagName === 'img') {
    // An image without any source is a fault worth a report, even if there is nothing to load.
    yield* attributeOf(element, 'src') === undefined && attributeOf(element, 'srcset') === undefined
      ? [{ kind: 'img' as const, url: '', where: 'img src' }]
      : of('src', 'img');
    yield* candidates();
  } else if (tagName === 'source' && parent?.tagName === 'picture') yield* candidates();
  else if (tagName === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'image') yield* of('src', 'input');
  else if (tagName === 'video') yield* of('poster', 'poster');
  // The parser gives `xlink:href` the name `href` as well.
  else if (tagName === 'image' || tagName === 'feImage') yield* of('href', 'svg');
  else if (tagName.startsWith('v:')) yield* of('src', 'vml');
  else if (tagName === 'style')
    yield* findCssUrls(textInside(element))
      .filter(({ kind }) => kind === 'image')
      .map(({ url, property }): Reference => ({ kind: 'css', url, where: `style ${property}` }));
  yield* of('background', 'background');
  const style = attributeOf(element, 'style');
  if (style === undefined) return;
  const background = attributeOf(element, 'background')?.trim();
  for (const { url, kind, property } of findCssUrls(style))
    if (kind === 'image' && url !== background) yield { kind: 'css', url, where: `${tagName} ${property}` };
}

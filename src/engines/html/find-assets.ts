// Everything a message makes a client load, found without loading anything.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { findCssUrls } from '../css/index.ts';
import { beginsWithMergeTag } from '../merge-tags/index.ts';
import type { ReadDocument } from './read-document.ts';
import { attributeOf, textInside, walkElements } from './walk-elements.ts';

type AssetKind = 'image' | 'style' | 'font' | 'media';

interface FoundAsset {
  /** Absolute, without fragment, in the form browsers ask for; or `cid:` followed by the id as written. */
  url: string;
  kind: AssetKind;
  /** The element and attribute it was first seen in, such as `img src`, `td style`, `style`. */
  where: string;
}

/** More distinct assets than this are not listed; such a message is an attack. */
const ASSETS_MAX = 5_000;

interface Reference {
  url: string;
  kind: AssetKind;
  where: string;
}

/**
 * Every distinct URL that an HTML message may load, in document order: images in all their forms, VML, style sheets,
 * fonts, audio and video; also from inside conditional comments. Relative URLs count only when `baseUrl` or a base
 * element makes them absolute. Links, scripts, frames, icons and cursors are not loaded by mail clients. `known` is the
 * same HTML, read already.
 */
export function findAssets(html: string, baseUrl?: string, known?: ReadDocument): FoundAsset[] {
  const references: Reference[] = [];
  let base = baseUrl;
  let hasBase = false;
  for (const element of walkElements(html, known)) {
    const href = element.tagName === 'base' && !hasBase ? attributeOf(element, 'href') : undefined;
    if (href !== undefined && URL.canParse(href, baseUrl)) {
      base = new URL(href, baseUrl).href;
      hasBase = true;
    }
    for (const reference of referencesOf(element)) references.push(reference);
  }
  return resolveAll(references, base);
}

/** The same for a fetched style sheet; `baseUrl` is where it was fetched from. */
export function findStyleAssets(css: string, baseUrl: string): FoundAsset[] {
  const references = findCssUrls(css).map(({ url, kind, property }) => ({ url, kind, where: property }));
  return resolveAll(references, baseUrl);
}

function resolveAll(references: Reference[], base: string | undefined): FoundAsset[] {
  const found = new Map<string, FoundAsset>();
  for (const { url: written, kind, where } of references) {
    const url = resolveUrl(written, base);
    if (url === undefined) continue;
    const key = `${kind} ${url}`;
    if (!found.has(key)) found.set(key, { url, kind, where });
    if (found.size >= ASSETS_MAX) break;
  }
  return [...found.values()];
}

/** Absolute http(s) URL without fragment, or `cid:…`; undefined for what cannot or need not be fetched. */
function resolveUrl(written: string, base: string | undefined): string | undefined {
  const text = written.trim();
  if (/^cid:/i.test(text)) return `cid:${text.slice(4)}`;
  // Without a base, "//host" means what the clients' own pages make of it: https.
  const against = base ?? (text.startsWith('//') ? 'https://base.invalid/' : undefined);
  if (text === '' || text.startsWith('#') || beginsWithMergeTag(text) || !URL.canParse(text, against)) return undefined;
  const url = new URL(text, against);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href;
}

function* referencesOf(element: Tree.Element): Generator<Reference> {
  const { tagName } = element;
  const of = (attribute: string, kind: AssetKind): Reference[] => {
    const url = attributeOf(element, attribute);
    return url === undefined ? [] : [{ url, kind, where: `${tagName} ${attribute}` }];
  };
  yield* LOADERS.get(tagName)?.({ element, of }) ?? (tagName.startsWith('v:') ? of('src', 'image') : []);
  yield* of('background', 'image');
  const style = attributeOf(element, 'style');
  if (style !== undefined) {
    for (const { url, kind } of findCssUrls(style)) yield { url, kind, where: `${tagName} style` };
  }
}

interface Loading {
  element: Tree.Element;
  of(attribute: string, kind: AssetKind): Reference[];
}

const image = ({ of }: Loading) => of('src', 'image');
const media = ({ of }: Loading) => of('src', 'media');
/** The parser gives `xlink:href` the name `href` as well. */
const vectorImage = ({ of }: Loading) => of('href', 'image');

/** What an element loads by its attributes or content, by lower-case tag name. */
const LOADERS = new Map<string, (loading: Loading) => Reference[]>([
  ['img', (loading) => [...image(loading), ...candidates(loading)]],
  ['source', (loading) => (isInPicture(loading.element) ? candidates(loading) : media(loading))],
  ['input', (loading) => (attributeOf(loading.element, 'type')?.toLowerCase() === 'image' ? image(loading) : [])],
  ['video', (loading) => [...loading.of('poster', 'image'), ...media(loading)]],
  ['audio', media],
  ['image', vectorImage],
  ['feImage', vectorImage],
  ['link', (loading) => (isStyleSheet(loading.element) ? loading.of('href', 'style') : [])],
  ['style', ({ element }) => findCssUrls(textInside(element)).map(({ url, kind }) => ({ url, kind, where: 'style' }))],
]);

function isInPicture(element: Tree.Element): boolean {
  return (element.parentNode as Tree.Element | null)?.tagName === 'picture';
}

function isStyleSheet(element: Tree.Element): boolean {
  return attributeOf(element, 'rel')?.toLowerCase().split(/\s+/).includes('stylesheet') ?? false;
}

function candidates({ element }: Loading): Reference[] {
  const where = `${element.tagName} srcset`;
  return parseSrcset(attributeOf(element, 'srcset') ?? '').map((url) => ({ url, kind: 'image', where }));
}

/** The URLs of a srcset attribute (HTML §4.8.4.3.13); one may hold commas, but not end with one. */
function parseSrcset(srcset: string): string[] {
  const urls: string[] = [];
  const candidate = /[\s,]*([^\s,]\S*)([^,]*)/gy;
  for (let match = candidate.exec(srcset); match; match = candidate.exec(srcset)) {
    const written = match[1]!;
    const url = written.replace(/,+$/, '');
    urls.push(url);
    // A comma at the end of the URL is the end of the candidate, so what follows is the next one.
    if (url.length < written.length) candidate.lastIndex -= match[2]!.length;
  }
  return urls;
}

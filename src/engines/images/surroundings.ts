// What the elements around an image do to it: its styles from the style sheets, the color behind it, the link it is
// in.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { formatColor, parseColor, parseLegacyColor, type Color } from '../color/index.ts';
import { parseStyleAttribute } from '../css/index.ts';
import { attributeOf, inlinedAttributes } from '../html/index.ts';
import type { MessageHtml } from '../source/index.ts';

export interface Surroundings {
  /** The style attribute of an element with the document's style sheets applied. */
  styleOf(element: Tree.Element): string;
  /** The color behind an element, `#rrggbb`; undefined where a picture is, or may be. */
  behind(element: Tree.Element): string | undefined;
}

export interface ImageLink {
  href: string;
  /** The link says something besides this image: text, or another image's alternative. */
  hasOtherText: boolean;
}

const GROUND = '#ffffff';

const known = new WeakMap<MessageHtml, Surroundings>();

/** Reads what a message needs, once for all who ask; elements in comments keep their own styles. */
export function surroundingsOf(read: MessageHtml): Surroundings {
  const surroundings = known.get(read) ?? readSurroundings(read);
  known.set(read, surroundings);
  return surroundings;
}

function readSurroundings(read: MessageHtml): Surroundings {
  const styles = inlinedStyles(read);
  const styleOf = (element: Tree.Element) => styles.get(element) ?? attributeOf(element, 'style') ?? '';
  const grounds = new Map<Tree.Element, string | undefined>();
  // Parents stand before their children, so that each looks one step up only.
  for (const { element, parent } of read.written) {
    const own = groundOf(element, styleOf(element));
    const inherited = parent && grounds.has(parent) ? grounds.get(parent) : GROUND;
    grounds.set(element, own === 'none' ? inherited : own);
  }
  return { styleOf, behind: (element) => grounds.get(element) };
}

/** Style attributes of the document after its style sheets were moved into them. */
function inlinedStyles({ html, written, document }: MessageHtml): Map<Tree.Element, string> {
  const styles = new Map<Tree.Element, string>();
  if (!written.some(({ element }) => element.tagName === 'style')) return styles;
  const changed = inlinedAttributes(html, document);
  for (const { element, offset, condition } of written) {
    const style = condition === undefined && offset !== undefined ? changed.get(offset) : undefined;
    if (style !== undefined) styles.set(element, style);
  }
  return styles;
}

/** `#rrggbb` of an element's own opaque ground, undefined for a picture or a mixture, `none` when it has no ground. */
function groundOf(element: Tree.Element, style: string): string | undefined {
  if (element.tagName === 'html') return 'none';
  if ((attributeOf(element, 'background') ?? '').trim() !== '') return undefined;
  const declarations = /background/i.test(style)
    ? parseStyleAttribute(style).filter(
        ({ property, isValid }) => isValid && /^background(?:-color|-image)?$/.test(property),
      )
    : [];
  let color: Color | undefined = parseLegacyColor(attributeOf(element, 'bgcolor') ?? '');
  let hasPicture = false;
  for (const { property, value } of declarations) {
    const isPicture = /url\(|gradient\(|image-set\(/i.test(value);
    if (property !== 'background-color') hasPicture = isPicture;
    if (property !== 'background-image') color = isPicture ? undefined : colorIn(value);
  }
  if (hasPicture) return undefined;
  if (!color || color.a === 0) return 'none';
  return color.a === 1 ? formatColor(color) : undefined;
}

/** The color in the value of `background`, which may hold other words as well. */
function colorIn(value: string): Color | undefined {
  const whole = parseColor(value);
  if (whole) return whole;
  const parts = value.match(/[a-z-]+\([^()]*\)|[^\s,/]+/gi) ?? [];
  return parts.map((part) => parseColor(part)).find((color) => color !== undefined);
}

/** The link around an image; undefined when it stands in none. */
export function linkAround(image: Tree.Element, parent: Tree.Element | undefined): ImageLink | undefined {
  let anchor: Tree.Node | null | undefined = parent;
  while (anchor && !('tagName' in anchor && anchor.tagName === 'a'))
    anchor = 'parentNode' in anchor ? anchor.parentNode : undefined;
  const href = anchor ? attributeOf(anchor, 'href') : undefined;
  if (!anchor || href === undefined) return undefined;
  const named = ['aria-label', 'aria-labelledby', 'title'].some(
    (name) => (attributeOf(anchor, name) ?? '').trim() !== '',
  );
  return { href, hasOtherText: named || saysSomething(anchor, image) };
}

/** The text of a link is short: no more nodes than this are searched for it. */
const NODES_MAX = 2_000;

function saysSomething(anchor: Tree.Element, image: Tree.Element): boolean {
  const stack: Tree.Node[] = [...anchor.childNodes];
  for (let seen = 0; stack.length > 0 && seen < NODES_MAX; seen++) {
    const node = stack.pop()!;
    if (node === image) continue;
    if ('value' in node && node.value.trim() !== '') return true;
    if ('tagName' in node && node.tagName === 'img' && (attributeOf(node, 'alt') ?? '').trim() !== '') return true;
    if ('childNodes' in node) stack.push(...node.childNodes.slice(0, NODES_MAX));
  }
  return false;
}

// Images off: what a client shows instead of pictures that it doesn't load. Pictures that travel inside the message
// (cid:, data:) are shown, as clients do.

import { walk, type CssNode, type List } from 'css-tree';
import { appearanceOf, type Appearance, type Declarations } from './appearance.ts';
import type { ClientProfile } from './types.ts';
import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  inlineStyleOf,
  insertBefore,
  isElement,
  removeAttribute,
  removeNode,
  renameElement,
  setAttribute,
  setValue,
  unwrap,
  valueOf,
  type Element,
  type WorkingDocument,
} from './working-document.ts';

/**
 * What an image becomes. It is an element of its own, so that the message's rules for `img` can go on styling it (they
 * are renamed too) and its box keeps the size that the message gives it.
 */
const PLACEHOLDER = 'blocked-image';
/** The box drawn in it: no element that a message or a plug-in has rules for. */
const FRAME = 'blocked-frame';
/** Out-ranks the rules by which the Word plug-in takes padding from everything. */
const RANK = ':not(#_)'.repeat(4);

/** Smaller boxes, tracking pixels above all, show nothing. */
const FRAME_PX_MIN = 10;

/** An image narrower than this, of unknown height, is taken for a square icon. */
const NARROW_PX = 160;

/** Replaces remote images by the client's placeholders, and drops remote background images, in place. */
export function blockImages(doc: WorkingDocument, client: ClientProfile): void {
  const appearance = appearanceOf(client);
  const sizes = new Set<string>();
  let replaced = 0;
  let kept = 0;
  for (const el of elementsOf(doc.html)) {
    const isImage = el.tagName === 'img';
    if (isImage && isRemote(attributeOf(el, 'src'))) {
      replaceImage(doc, el, { appearance, sizes });
      replaced++;
    } else {
      if (isImage) kept++;
      blockElement(el);
    }
    const style = inlineStyleOf(doc, el);
    if (style) dropRemoteImages(style.children);
  }
  for (const style of doc.styles) blockInSheet(style.ast.children, kept > 0 ? `:is(img,${PLACEHOLDER})` : PLACEHOLDER);
  // A message without images is the same message with images off.
  if (replaced > 0) addRules(doc, [...frameRules(appearance, client), ...[...sizes].map(sizeRule)]);
}

/** Before everything of the message, so that any rule of its own wins. */
function addRules(doc: WorkingDocument, rules: string[]): void {
  const sheet = createElement('style');
  append(sheet, createText(rules.join('\n')));
  const [first] = doc.head.childNodes;
  if (first) insertBefore(first, sheet);
  else append(doc.head, sheet);
}

function isRemote(url: string | undefined): boolean {
  return url === undefined || !/^\s*(?:cid|data):/i.test(url);
}

// ---- Elements -------------------------------------------------------------------------------------------------

interface Replacing {
  appearance: Appearance;
  /** `width=600` and `height=20` attributes seen. */
  sizes: Set<string>;
}

function replaceImage(doc: WorkingDocument, img: Element, { appearance, sizes }: Replacing): void {
  const alt = attributeOf(img, 'alt')?.trim() ?? '';
  const width = pixelsOf(doc, img, 'width');
  const height = pixelsOf(doc, img, 'height');
  const isTiny = (width ?? Infinity) < FRAME_PX_MIN || (height ?? Infinity) < FRAME_PX_MIN;
  const lengths = (['width', 'height'] as const).map((name) => [name, lengthOf(attributeOf(img, name) ?? '')] as const);
  for (const name of ['src', 'srcset', 'sizes', 'alt', 'usemap', 'ismap', 'border', 'loading', 'width', 'height'])
    removeAttribute(img, name);
  for (const [name, length] of lengths) {
    if (!length) continue;
    setAttribute(img, name, length);
    sizes.add(`${name}=${length}`);
  }
  renameElement(img, PLACEHOLDER);
  if (isTiny) return;
  const frame = frameOf(appearance, alt);
  // A warning in a narrow box would grow to a column; most small pictures are about as high as wide.
  if (appearance.blocked.notice && height === undefined && (width ?? Infinity) < NARROW_PX)
    setAttribute(frame, 'style', `height:${width}px`);
  append(img, frame);
}

/** Images in other elements: pictures in sources, inputs, video posters, background attributes. */
function blockElement(el: Element): void {
  const background = attributeOf(el, 'background');
  if (background !== undefined && isRemote(background)) removeAttribute(el, 'background');
  switch (el.tagName) {
    case 'img':
      removeAttribute(el, 'srcset');
      return;
    case 'source':
    case 'object':
    case 'embed':
      if (el.tagName === 'source' || !el.childNodes.some(isElement)) removeNode(el);
      else unwrap(el);
      return;
    case 'video':
      removeAttribute(el, 'poster');
      removeAttribute(el, 'src');
      return;
    case 'input':
      if (attributeOf(el, 'type')?.toLowerCase() === 'image') removeAttribute(el, 'src');
      return;
    case 'image':
      if (el.namespaceURI.endsWith('svg')) removeNode(el);
      return;
    default:
  }
}

/** The width or height that the message gives an image, in pixels, when it does. */
function pixelsOf(doc: WorkingDocument, img: Element, name: 'width' | 'height'): number | undefined {
  let styled: string | undefined;
  inlineStyleOf(doc, img)?.children.forEach((node) => {
    if (node.type === 'Declaration' && node.property.toLowerCase() === name) styled = valueOf(node);
  });
  const match = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(styled ?? attributeOf(img, name) ?? '');
  return match ? Number(match[1]) : undefined;
}

/** A dimension attribute as CSS (HTML, "rules for parsing dimension values"); empty when it is none. */
function lengthOf(value: string): string {
  const match = /^\s*(\d{1,5}(?:\.\d{1,3})?)\s*(%?)/.exec(value);
  return match ? `${match[1]}${match[2] || 'px'}` : '';
}

// ---- Looks ----------------------------------------------------------------------------------------------------

function frameOf({ blocked }: Appearance, alt: string): Element {
  const frame = createElement(FRAME);
  if (blocked.notice) append(frame, textIn('blocked-notice', blocked.notice));
  if (alt && blocked.alt !== 'none') append(frame, textIn(`blocked-${blocked.alt}`, alt));
  return frame;
}

function textIn(className: string, text: string): Element {
  const el = createElement('span', { class: className });
  append(el, createText(text));
  return el;
}

/** Small signs, drawn here; clients have their own of the same meaning. */
function iconOf(icon: Appearance['blocked']['icon'], dark: boolean): string {
  const [paper, line] = dark ? ['#3a3a3a', '#bdbdbd'] : ['#ffffff', '#8a8a8a'];
  const sheet = `<rect x='1.5' y='1.5' width='13' height='13' fill='${paper}' stroke='${line}'/>`;
  const landscape =
    "<circle cx='5.5' cy='5.5' r='1.5' fill='#e0a030'/><path d='M3 12l3.5-4.5L9 10.5l2-2.5 2.5 4z' fill='#5a9e5a'/>";
  switch (icon) {
    case 'red-x':
      return `${sheet}<path d='M4.5 4.5l7 7M11.5 4.5l-7 7' stroke='#c00000' stroke-width='2'/>`;
    case 'question':
      return (
        "<rect x='1' y='1' width='14' height='14' rx='3' fill='#5b9bd5'/><path d='M5.7 6a2.3 2.3 0 1 1 " +
        "3.300 2.1c-.7.4-1 .7-1 1.5' " +
        "fill='none' stroke='#ffffff' stroke-width='1.6'/><circle cx='8' cy='12' r='1' fill='#ffffff'/>"
      );
    case 'broken':
      return `${sheet}${landscape}<path d='M15 9l-4 2-3-1-3 3.5V15h10z' fill='${dark ? '#1f1f1f' : '#e8e8e8'}'/>`;
    default:
      return `${sheet}${landscape}`;
  }
}

function frameRules({ blocked }: Appearance, client: ClientProfile): string[] {
  const dark = client.colorScheme === 'dark';
  const frame = dark ? inDark(blocked.frame) : blocked.frame;
  const notice = dark ? inDark(blocked.noticeStyle ?? {}) : (blocked.noticeStyle ?? {});
  const drawing = `<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16'>${iconOf(blocked.icon, dark)}</svg>`;
  return [
    // No specificity: the message's own sizes, margins and display win, as they do for an image.
    `:where(${PLACEHOLDER}){display:inline-block;overflow:hidden;vertical-align:baseline}`,
    `${FRAME}{display:block;box-sizing:border-box;width:100%;height:100%;min-height:20px;` +
      `overflow:hidden;${cssOf(frame)}}`,
    frame['padding'] ? `${FRAME}${RANK}{padding:${frame['padding']}!important}` : '',
    blocked.icon === 'none'
      ? ''
      : `${FRAME}::before{content:"";display:inline-block;width:16px;height:16px;margin-right:4px;` +
        `vertical-align:text-bottom;background:url("data:image/svg+xml,${encodeURIComponent(drawing)}") no-repeat}`,
    blocked.notice ? `.blocked-notice{margin-right:4px;${cssOf(notice)}}` : '',
    '.blocked-plain{font:13px/1.3 Arial,Helvetica,sans-serif;letter-spacing:normal;text-transform:none}',
  ].filter(Boolean);
}

function inDark(frame: Declarations): Declarations {
  return {
    ...frame,
    ...(frame['border'] ? { border: '1px solid #5c5c5c' } : {}),
    ...(frame['background-color'] ? { 'background-color': '#2b2b2b' } : {}),
    ...(frame['color'] ? { color: '#e0e0e0' } : {}),
  };
}

/** What a width or height attribute says, at the weight of an attribute. */
function sizeRule(size: string): string {
  const [name, length] = size.split('=') as [string, string];
  return `:where(${PLACEHOLDER}[${name}="${length}"]){${name}:${length}}`;
}

function cssOf(declarations: Declarations): string {
  return Object.entries(declarations)
    .map(([property, value]) => `${property}:${value}`)
    .join(';');
}

// ---- Style sheets ---------------------------------------------------------------------------------------------

/** Renames `img` in selectors and drops remote images from declarations. */
function blockInSheet(nodes: List<CssNode>, imageSelector: string): void {
  nodes.forEach((top) => {
    walk(top, (node: CssNode) => {
      if (node.type === 'TypeSelector' && node.name.toLowerCase() === 'img') node.name = imageSelector;
      if (node.type === 'Block') dropRemoteImages(node.children);
    });
  });
}

const imageProperties =
  /^(?:background(?:-image)?|list-style(?:-image)?|border-image(?:-source)?|(?:-webkit-)?mask(?:-image)?|content)$/i;

function dropRemoteImages(nodes: List<CssNode>): void {
  nodes.forEach((node, item, list) => {
    if (node.type !== 'Declaration' || !imageProperties.test(node.property)) return;
    const before = valueOf(node);
    if (/image-set\(/i.test(before)) list.remove(item);
    else if (/url\(/i.test(before)) setValue(node, withoutRemoteUrls(before));
  });
}

/** `none` in the place of each `url()` that isn't inside the message. */
function withoutRemoteUrls(value: string): string {
  return value.replace(/url\(\s*("[^"]*"|'[^']*'|[^)"']*)\s*\)?/gi, (found, inside: string) =>
    isRemote(inside.replace(/^["']/, '')) ? 'none' : found,
  );
}

// Questions that rules ask about elements.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { imageName, type ImageName } from '../html/index.ts';
import type { Mail, MailElement } from './read-mail.ts';

/** An attribute's value, or undefined. */
export function attr(element: MailElement, name: string): string | undefined {
  for (const attribute of element.node.attrs) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** Lower case, trimmed; empty when there is none. */
export function wordAttr(element: MailElement, name: string): string {
  return (attr(element, name) ?? '').trim().toLowerCase();
}

/** Whether `role` takes the element's own meaning away. */
export function isPresentational(element: MailElement): boolean {
  const [role = ''] = wordAttr(element, 'role').split(/\s+/);
  return role === 'presentation' || role === 'none';
}

/** Hidden from assistive technology by the attribute, here or further out. */
export function isAriaHidden(element: MailElement): boolean {
  for (let at: MailElement | undefined = element; at; at = at.parent)
    if (wordAttr(at, 'aria-hidden') === 'true') return true;
  return false;
}

/** Whether assistive technology reads the element. */
export function isRead(mail: Mail, element: MailElement): boolean {
  return !mail.styleOf(element).isGone && !isAriaHidden(element);
}

/** Whether a reader sees what is in the element. */
export function isSeen(mail: Mail, element: MailElement): boolean {
  const style = mail.styleOf(element);
  return !style.isGone && !style.isUnseen;
}

/** The nearest element around that fits, without the element itself. */
export function around(element: MailElement, fits: (candidate: MailElement) => boolean): MailElement | undefined {
  for (let at = element.parent; at; at = at.parent) if (fits(at)) return at;
  return undefined;
}

/** Whether an element is the other, or lies in it. */
export function isInside(element: MailElement, scope: MailElement): boolean {
  return element.index >= scope.index && element.index <= scope.last;
}

/** Everything below, in document order. */
export function* below(element: MailElement): Generator<MailElement> {
  const stack = element.children.toReversed();
  for (let at = stack.pop(); at; at = stack.pop()) {
    yield at;
    for (let i = at.children.length - 1; i >= 0; i--) stack.push(at.children[i]!);
  }
}

/** Text and names are read up to this many characters. */
const TEXT_LENGTH_MAX = 5_000;

/** Preheaders are padded with these; nobody sees or hears a word in them. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text on one line, without invisible characters. */
export function plain(text: string): string {
  return text.replace(IGNORABLE, '').replace(/\s+/g, ' ').trim();
}

const NOT_TEXT = new Set(['style', 'script', 'title', 'template', 'noframes', 'head']);

const texts = { plain: new WeakMap<MailElement, string>(), withAlt: new WeakMap<MailElement, string>() };

/** The text below an element; pictures count as their alternative text when asked for. */
export function textOf(element: MailElement, { withAlt = false } = {}): string {
  const known = withAlt ? texts.withAlt : texts.plain;
  let text = known.get(element);
  if (text === undefined) known.set(element, (text = readText(element, withAlt)));
  return text;
}

function readText(element: MailElement, withAlt: boolean): string {
  let text = '';
  const stack: Tree.Node[] = element.node.childNodes.toReversed();
  for (let node = stack.pop(); node && text.length < TEXT_LENGTH_MAX; node = stack.pop()) {
    if ('value' in node) text += node.value;
    else if ('tagName' in node) {
      if (NOT_TEXT.has(node.tagName)) continue;
      const alt = withAlt ? altOf(node) : '';
      if (alt) text += ` ${alt} `;
      else if (node.tagName === 'br' || BREAKS.has(node.tagName)) text += ' ';
      for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
    }
  }
  return plain(text);
}

/** Elements that end a word. */
const BREAKS = new Set([
  'p',
  'div',
  'td',
  'th',
  'tr',
  'table',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'center',
  'blockquote',
]);

function altOf(node: Tree.Element): string {
  const value = (name: string) => node.attrs.find((attribute) => attribute.name === name)?.value.trim() ?? '';
  if (value('aria-hidden').toLowerCase() === 'true') return '';
  return (
    value('aria-label') ||
    (node.tagName === 'img' || node.tagName === 'area' || node.tagName === 'input'
      ? value('alt') || value('title')
      : '')
  );
}

/** What assistive technology calls an element (the parts of Accessible Name 1.2 that emails use). */
export function nameOf(element: MailElement): string {
  return (
    plain(attr(element, 'aria-label') ?? '') ||
    textOf(element, { withAlt: true }) ||
    plain(attr(element, 'title') ?? '')
  );
}

const byId = new WeakMap<Mail, Map<string, MailElement>>();

/** The name of an image, an image button or an area, and where it comes from; undefined for a decoration or none. */
export function imageNameOf(mail: Mail, image: MailElement): ImageName | undefined {
  let ids = byId.get(mail);
  if (!ids) {
    ids = new Map();
    for (const element of mail.elements) {
      const id = attr(element, 'id');
      if (id !== undefined && !ids.has(id)) ids.set(id, element);
    }
    byId.set(mail, ids);
  }
  const known = ids;
  return imageName(image.node, (id) => {
    const target = known.get(id);
    return target && textOf(target, { withAlt: true });
  });
}

/** Links that lead somewhere, of the part that everybody sees. */
export function linksOf(mail: Mail): MailElement[] {
  return mail.elements.filter(
    (element) =>
      element.tag === 'a' &&
      !element.isCommented &&
      !element.isRepeated &&
      attr(element, 'href') !== undefined &&
      isRead(mail, element),
  );
}

/** Pixels of a `width` or `height` attribute; undefined for percentages and none. */
export function pixelsOf(element: MailElement, name: 'width' | 'height'): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*$/i.exec(attr(element, name) ?? '');
  return match ? Number(match[1]) : undefined;
}

/** An image's size as its attributes and styles give it. */
export function sizeOf(mail: Mail, image: MailElement): { width: number | undefined; height: number | undefined } {
  const { widthPx, heightPx } = mail.styleOf(image);
  return { width: widthPx ?? pixelsOf(image, 'width'), height: heightPx ?? pixelsOf(image, 'height') };
}

/** Text shortened for a message. */
export function quoted(text: string, length = 60): string {
  const whole = plain(text);
  return `“${whole.length > length ? `${whole.slice(0, length - 1)}…` : whole}”`;
}

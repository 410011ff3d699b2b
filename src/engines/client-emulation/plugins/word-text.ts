// Elements that Word doesn't have, and text that Word stretches.

import {
  append,
  attributeOf,
  createText,
  elementsOf,
  inlineValueOf,
  isElement,
  removeAttribute,
  removeInlineDeclaration,
  renameElement,
  setInlineDeclaration,
  textOf,
  type Element,
  type WorkingDocument,
} from '../working-document.ts';
import { lengthOf, pixelsOf, round } from './word-values.ts';

/** Unknown to Word: the content stays, the element and its style don't count (caniemail html-semantics). */
const UNKNOWN = new Set([
  'article',
  'aside',
  'details',
  'figcaption',
  'figure',
  'footer',
  'header',
  'hgroup',
  'main',
  'mark',
  'nav',
  'section',
  'summary',
  'time',
  'o:p',
  'video',
  'audio',
  'picture',
  'object',
  'canvas',
  'form',
  'fieldset',
  'legend',
  'label',
  'button',
  'dialog',
  'marquee',
]);

/** Elements that are never shown. */
const GONE = new Set([
  'source',
  'track',
  'embed',
  'param',
  'datalist',
  'iframe',
  'svg',
  'math',
  'map',
  'progress',
  'meter',
]);

/** Leaves of an element what Word shows of it, in a plain span. Form controls become text [k]. True when it did. */
export function flatten(el: Element): boolean {
  if (UNKNOWN.has(el.tagName)) becomeSpan(el, el.childNodes);
  else if (GONE.has(el.tagName)) becomeSpan(el, []);
  else {
    const text = controlText(el);
    if (text === undefined) return false;
    becomeSpan(el, []);
    if (text !== '') append(el, createText(text));
  }
  return true;
}

/** Cheaper than taking the element out of a parent that may have very many children. */
function becomeSpan(el: Element, children: Element['childNodes']): void {
  removeAttribute(el, 'style');
  el.attrs = [];
  renameElement(el, 'span');
  el.childNodes = children;
}

function controlText(el: Element): string | undefined {
  switch (el.tagName) {
    case 'input': {
      const type = attributeOf(el, 'type')?.toLowerCase() ?? 'text';
      if (['hidden', 'checkbox', 'radio', 'image', 'file', 'password'].includes(type)) return '';
      return (
        attributeOf(el, 'value') ??
        (type === 'submit' || type === 'reset' ? `${type[0]!.toUpperCase()}${type.slice(1)}` : '')
      );
    }
    case 'textarea':
      return textOf(el);
    case 'select': {
      const options = elementsOf(el).filter((inner) => inner.tagName === 'option');
      const chosen = options.find((option) => attributeOf(option, 'selected') !== undefined) ?? options[0];
      return chosen ? textOf(chosen).trim() : '';
    }
    default:
      return undefined;
  }
}

/** Widths of spaces in em; a zero-width one has none. */
const SPACES: Record<string, number> = {
  '\u00a0': 0.25,
  '\u2000': 0.5,
  '\u2001': 1,
  '\u2002': 0.5,
  '\u2003': 1,
  '\u2004': 0.333,
  '\u2005': 0.25,
  '\u2006': 0.167,
  '\u2007': 0.5,
  '\u2008': 0.25,
  '\u2009': 0.2,
  '\u200a': 0.125,
  '\u200b': 0,
  '\u200c': 0,
  '\u200d': 0,
  '\ufeff': 0,
};

/**
 * `mso-font-width` widens text; senders put it on spaces to pad a link in Word (goodemailcode.com, "Button";
 * react-email issue 1512). Such an element becomes a box of that width. A negative percentage leaves next to nothing of
 * the space itself, so that only `letter-spacing` counts. The `hidden` attribute, there for other clients, is unknown
 * to Word.
 */
export function stretchSpaces(doc: WorkingDocument, el: Element): void {
  const width = inlineValueOf(doc, el, 'mso-font-width');
  const percent = width === undefined ? undefined : lengthOf(width)?.amount;
  if (percent === undefined) return;
  if (el.childNodes.length > 8 || el.childNodes.some(isElement)) return;
  const text = textOf(el).slice(0, 500);
  let em = 0;
  let count = 0;
  for (const character of text) {
    const space = SPACES[character];
    if (space === undefined) {
      if (/\s/.test(character)) continue;
      return;
    }
    em += space;
    if (space > 0) count++;
  }
  const spacing = inlineValueOf(doc, el, 'letter-spacing');
  const pixels = spacing === undefined ? 0 : (pixelsOf(spacing) ?? 0) * count;
  const factor = Math.min(6, Math.max(0.01, percent / 100));
  removeInlineDeclaration(doc, el, 'letter-spacing');
  setInlineDeclaration(doc, el, 'display', 'inline-block');
  setInlineDeclaration(doc, el, 'width', `calc(${round(em * factor)}em + ${round(pixels)}px)`, true);
}

/** A link's color fills its whole line, also where raised text made that taller: it becomes a box. */
export function boxRaisedLink(doc: WorkingDocument, el: Element): void {
  if (inlineValueOf(doc, el, 'mso-text-raise') === undefined) return;
  let steps = 0;
  for (let up = el.parentNode; up && isElement(up) && steps++ < 16; up = up.parentNode) {
    if (up.tagName === 'td' || up.tagName === 'p' || up.tagName === 'div') return;
    if (up.tagName !== 'a') continue;
    setInlineDeclaration(doc, up, 'display', 'inline-block');
    return;
  }
}

/** `hidden` isn't known to Word (caniemail html-hidden). */
export function dropHidden(el: Element): void {
  removeAttribute(el, 'hidden');
}

// The page a message is shown on: the client's default styles, and in dark mode its dark background and light text.

import { generate, type CssNode } from 'css-tree';
import { appearanceOf, type Declarations } from './appearance.ts';
import { formatColor, parseColor, replaceColors } from '../color/index.ts';
import { darkened } from './dark-rule.ts';
import type { ClientProfile } from './types.ts';
import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  inlineStyleOf,
  insertBefore,
  valueOf,
  type Element,
  type WorkingDocument,
} from './working-document.ts';

/**
 * Adds the client's default styles before all others, with no specificity: whatever the message says wins, even by an
 * attribute on `<body>`. In dark mode the page is dark where the client makes it so.
 */
export function applyDefaults(doc: WorkingDocument, client: ClientProfile): void {
  const { page, body, rules } = appearanceOf(client);
  const dark = isPageDark(doc, client);
  const paint = (declarations: Declarations) => (dark ? inDark(declarations, client) : declarations);
  const hinted = new Set(doc.body.attrs.map((attr) => attr.name));
  // Attributes of body count less than any style sheet, so the page gives way to them.
  const root = Object.entries(paint(page)).filter(
    ([name]) => !(name === 'color' && hinted.has('text')) && !(name === 'background-color' && hinted.has('bgcolor')),
  );
  const css = [
    `:root{color-scheme:${schemeOf(client, dark)}}`,
    rule('html', Object.fromEntries(root)),
    rule('body', body),
    // In quirks mode a table takes the engine's text color, which is black.
    dark ? ':where(table){color:inherit}' : '',
    ...linkRules(rules, hinted).map(([selector, declarations]) => rule(selector, paint(declarations))),
  ];
  const sheet = createElement('style');
  append(sheet, createText(css.filter(Boolean).join('\n')));
  const [first] = doc.head.childNodes;
  if (first) insertBefore(first, sheet);
  else append(doc.head, sheet);
}

function linkRules(rules: Readonly<Record<string, Declarations>>, hinted: Set<string>): [string, Declarations][] {
  return Object.entries(rules)
    .filter(([selector]) => !(selector === 'a' && hinted.has('link')))
    .map(([selector, declarations]) => [selector === 'a' ? 'a:any-link' : selector, declarations]);
}

function rule(selector: string, declarations: Declarations): string {
  const text = Object.entries(declarations)
    .map(([property, value]) => `${property}:${value}`)
    .join(';');
  return text && `:where(${selector}){${text}}`;
}

/** Whether form controls, scroll bars and the canvas are the engine's dark ones. */
function schemeOf(client: ClientProfile, dark: boolean): string {
  if (dark) return 'dark';
  // On a page that stays light, the engine's links for dark pages would be pale.
  return client.darkStrategy === 'authored' && client.colorScheme === 'light' ? 'light dark' : 'only light';
}

function inDark(declarations: Declarations, client: ClientProfile): Declarations {
  const base = parseColor(client.darkBase) ?? parseColor('#333333')!;
  return Object.fromEntries(
    Object.entries(declarations).map(([property, value]) => {
      if (property === 'background-color') return [property, formatColor(base)];
      return [property, replaceColors(value, (color) => darkened(color, base))];
    }),
  );
}

// ---- Which messages get a dark page ---------------------------------------------------------------------------

function isPageDark(doc: WorkingDocument, client: ClientProfile): boolean {
  if (client.colorScheme !== 'dark') return false;
  if (client.darkStrategy !== 'authored') return client.darkStrategy !== 'none';
  return declaresDark(doc) || isPlain(doc);
}

/** The sender says that the message can be dark. */
export function declaresDark(doc: WorkingDocument): boolean {
  const declared = elementsOf(doc.head).some(
    (el) =>
      el.tagName === 'meta' &&
      /^(?:supported-)?color-schemes?$/i.test(attributeOf(el, 'name') ?? '') &&
      /\bdark\b/i.test(attributeOf(el, 'content') ?? ''),
  );
  return declared || doc.styles.some((style) => declaresInSheet(style.ast));
}

function declaresInSheet(sheet: CssNode): boolean {
  return /(?:^|[;{])\s*(?:supported-)?color-schemes?:[^;}]*\bdark\b/i.test(generate(sheet));
}

/** A picture of one pixel doesn't make a message more than plain text; one of 2 by 1 does (litmus.com, 2022). */
const isTracker = (img: Element): boolean =>
  ['width', 'height'].every((side) => /^\s*[01]\s*$/.test(attributeOf(img, side) ?? ''));

/** Nothing in the message has a color, and it shows no picture: the clients treat it as if it were plain text. */
function isPlain(doc: WorkingDocument): boolean {
  if (doc.styles.some((style) => /(?:^|[;{])\s*(?:background[\w-]*|color):/i.test(generate(style.ast)))) return false;
  return elementsOf(doc.html).every((el) => {
    if (el.tagName === 'img' && isTracker(el)) return true;
    if (el.tagName === 'img' || el.tagName === 'picture' || el.tagName === 'video') return false;
    if (el.attrs.some((attr) => /^(?:bgcolor|background|color|text)$/.test(attr.name))) return false;
    return !(
      inlineStyleOf(doc, el)?.children.some(
        (node) =>
          node.type === 'Declaration' && /^(?:background|color$)/i.test(node.property) && valueOf(node) !== 'inherit',
      ) ?? false
    );
  });
}

// Dark mode: what a client does to the colors that a message names, in attributes, style attributes and style sheets.
// Pictures, also those in backgrounds, are never touched.

import type { Atrule, CssNode, Declaration, List, Rule } from 'css-tree';
import { generate } from 'css-tree';
import { appearanceOf } from './appearance.ts';
import { formatColor, parseLegacyColor, replaceColors, type Color } from '../color/index.ts';
import { darkRuleOf, type DarkRule } from './dark-rule.ts';
import { declaresDark } from './shell.ts';
import { clearForDark } from './thunderbird-dark.ts';
import { indexElements, subjectsOf, type ElementIndex } from './selector-subjects.ts';
import type { ClientProfile } from './types.ts';
import {
  attributeOf,
  elementsOf,
  inlineStyleOf,
  setAttribute,
  setValue,
  valueOf,
  type Element,
  type WorkingDocument,
} from './working-document.ts';

/**
 * Changes the colors of a message as the client's dark mode does, in place. Clients that leave colors alone (`none`,
 * `authored`), and light ones, change nothing here; the page behind the message is `applyDefaults`' part.
 */
export function applyDarkMode(doc: WorkingDocument, client: ClientProfile): void {
  if (client.family === 'Thunderbird' && client.colorScheme === 'dark') {
    clearForDark(doc);
    return;
  }
  const isDeclared = client.family === 'Apple Mail' && client.darkStrategy === 'authored' && declaresDark(doc);
  const rule = client.colorScheme === 'dark' ? darkRuleOf(client, isDeclared) : undefined;
  if (!rule) return;
  const painter = createPainter(rule, appearanceOf(client).darkGradients === 'kept');
  const marked = client.family === 'Outlook' && client.darkStrategy === 'partial' ? indexElements(doc) : undefined;
  for (const style of doc.styles) darkenSheet(style.ast.children, { painter, marked });
  for (const el of elementsOf(doc.html)) {
    if (el.attrs.length > 0) darkenElement(doc, el, { painter, marked });
  }
}

interface Darkening {
  painter: Painter;
  /** Outlook leaves the original colors in data-ogsc, -ogsb (CSS) and data-ogac, -ogab (attributes) of elements. */
  marked: ElementIndex | undefined;
}

// ---- Values ---------------------------------------------------------------------------------------------------

type Paint = 'background' | 'text' | 'border';

interface Painter {
  rule: DarkRule;
  /** The new value, or the same text when nothing changes. */
  value(value: string, paint: Paint, behind?: Color): string;
  attribute(value: string, paint: Paint): string | undefined;
}

function createPainter(rule: DarkRule, keepGradients: boolean): Painter {
  const known = new Map<string, string>();
  const change = (color: Color, paint: Paint, behind: Color) =>
    paint === 'text' ? rule.text(color, behind) : rule[paint](color);
  return {
    rule,
    value(value, paint, behind = rule.base) {
      const key = `${paint} ${paint === 'text' ? formatColor(behind) : ''} ${value}`;
      let changed = known.get(key);
      if (changed === undefined) {
        changed = replaceColors(value, (color) => change(color, paint, behind), { keepGradients });
        known.set(key, changed);
      }
      return changed;
    },
    attribute(value, paint) {
      const color = parseLegacyColor(value);
      const changed = color && change(color, paint, rule.base);
      return changed && formatColor(changed);
    },
  };
}

const paintOfProperty: ReadonlyMap<string, Paint> = new Map<string, Paint>([
  ['background', 'background'],
  ['background-color', 'background'],
  ['background-image', 'background'],
  ['color', 'text'],
  ['-webkit-text-fill-color', 'text'],
  ['text-decoration', 'text'],
  ['text-decoration-color', 'text'],
  ...['border', 'border-top', 'border-right', 'border-bottom', 'border-left', 'outline'].flatMap(
    (name) =>
      [
        [name, 'border'],
        [`${name}-color`, 'border'],
      ] as [string, Paint][],
  ),
  ['box-shadow', 'border'],
  ['column-rule', 'border'],
  ['column-rule-color', 'border'],
]);

/** Changes a block's colors. Says which of text and background were changed, with their original values. */
function darkenBlock(
  nodes: List<CssNode>,
  painter: Painter,
  attributeBackground?: string,
): { text?: string; background?: string } {
  const found: { text?: string; background?: string } = {};
  let behind = attributeBackground === undefined ? undefined : colorIn(attributeBackground);
  const later: Declaration[] = [];
  nodes.forEach((node) => {
    const paint = node.type === 'Declaration' ? paintOfProperty.get(node.property.toLowerCase()) : undefined;
    if (!paint || node.type !== 'Declaration') return;
    if (paint === 'text') {
      later.push(node);
      return;
    }
    const before = valueOf(node);
    const after = painter.value(before, paint);
    if (paint === 'background' && !node.property.endsWith('image')) behind = colorIn(after) ?? behind;
    if (after === before) return;
    setValue(node, after);
    if (paint === 'background') found.background = before;
  });
  // Text comes second: whether it changes depends on the background of its own block, wherever that is written.
  for (const node of later) {
    const before = valueOf(node);
    const after = painter.value(before, 'text', behind);
    if (after === before) continue;
    setValue(node, after);
    if (node.property.toLowerCase() === 'color') found.text = before;
  }
  return found;
}

/** The first opaque color of a value. */
function colorIn(value: string): Color | undefined {
  let found: Color | undefined;
  replaceColors(
    value,
    (color) => {
      if (color.a === 1) found ??= color;
      return undefined;
    },
    { keepGradients: true },
  );
  return found;
}

// ---- Elements -------------------------------------------------------------------------------------------------

const attributePaint: Record<string, Paint> = {
  bgcolor: 'background',
  color: 'text',
  text: 'text',
  link: 'text',
  vlink: 'text',
  alink: 'text',
  bordercolor: 'border',
};

function darkenElement(doc: WorkingDocument, el: Element, { painter, marked }: Darkening): void {
  let attributeBackground: string | undefined;
  // Marking adds attributes to the list, which must not be walked.
  for (const attr of el.attrs.slice()) {
    const paint = attributePaint[attr.name];
    if (!paint || (paint === 'text' && attr.name !== 'color' && el.tagName !== 'body')) continue;
    const before = attr.value;
    const after = painter.attribute(before, paint);
    if (after) attr.value = after;
    if (attr.name === 'bgcolor') attributeBackground = attr.value;
    if (after && marked && attr.name === 'bgcolor') setAttribute(el, 'data-ogab', before);
    if (after && marked && attr.name === 'color') setAttribute(el, 'data-ogac', before);
  }
  const style = inlineStyleOf(doc, el);
  if (!style) return;
  const changed = darkenBlock(style.children, painter, attributeBackground);
  if (marked) mark(el, changed);
}

function mark(el: Element, changed: { text?: string; background?: string }): void {
  if (changed.text !== undefined && attributeOf(el, 'data-ogsc') === undefined)
    setAttribute(el, 'data-ogsc', changed.text);
  if (changed.background !== undefined && attributeOf(el, 'data-ogsb') === undefined)
    setAttribute(el, 'data-ogsb', changed.background);
}

// ---- Style sheets ---------------------------------------------------------------------------------------------

function darkenSheet(nodes: List<CssNode>, darkening: Darkening): void {
  const lists: List<CssNode>[] = [nodes];
  for (let list = lists.pop(); list; list = lists.pop()) {
    list.forEach((node) => {
      if (node.type === 'Atrule' && node.block && !isAuthoredDark(node)) lists.push(node.block.children);
      if (node.type !== 'Rule') return;
      const prelude = generate(node.prelude);
      // What the sender wrote for Outlook's own dark mode stays.
      if (/\[data-og[as][bc]/i.test(prelude)) return;
      darkenRule(node, darkening);
      lists.push(node.block.children);
    });
  }
}

function darkenRule(rule: Rule, { painter, marked }: Darkening): void {
  const changed = darkenBlock(rule.block.children, painter);
  if (!marked || (changed.text === undefined && changed.background === undefined)) return;
  for (const el of subjectsOf(marked, rule)) mark(el, changed);
}

function isAuthoredDark(rule: Atrule): boolean {
  return rule.prelude !== null && /prefers-color-scheme/i.test(generate(rule.prelude));
}

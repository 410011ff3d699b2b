// The rules of a message's style sheets that apply to a reader with a given screen.

import { generate, ident, type CssNode, type Selector } from 'css-tree';
import { compileSelector, parseDeclarations, parseStyleSheet, valueOf, type CompiledSelector } from '../css/index.ts';
import { holdsOn, type Screen } from './media-query.ts';
import { longhandsOf, type Longhand } from './style-values.ts';

export interface WeightedLonghand {
  longhand: Longhand;
  isImportant: boolean;
}

/** A selector with what its rule sets. */
export interface AppliedRule {
  selector: CompiledSelector;
  longhands: WeightedLonghand[];
  /** Position in the cascade. */
  order: number;
}

/** Rules by what their last compound asks for, so that few have to be tried for an element. */
interface RuleIndex {
  byName: ReadonlyMap<string, readonly AppliedRule[]>;
  others: readonly AppliedRule[];
}

const RULES_MAX = 10_000;
const SHEET_LENGTH_MAX = 300_000;
const STYLE_LENGTH_MAX = 20_000;

interface Reading {
  isQuirks: boolean;
  screen: Screen;
}

/** What the sheets say; rules that set nothing of interest are left out, as are states and pseudo-elements. */
export function readRules(sheets: readonly { css: string; media: string }[], reading: Reading): RuleIndex {
  const byName = new Map<string, AppliedRule[]>();
  const others: AppliedRule[] = [];
  let order = 0;
  const add = (key: string, rule: Omit<AppliedRule, 'order'>): void => {
    if (order >= RULES_MAX) return;
    const list = key === '' ? others : (byName.get(key) ?? []);
    if (key !== '') byName.set(key, list);
    list.push({ ...rule, order });
    order += 1;
  };
  for (const { css, media } of sheets) {
    if (css.length > SHEET_LENGTH_MAX || !holdsOn(reading.screen, media)) continue;
    const stack: CssNode[] = [parseStyleSheet(css)];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node.type === 'StyleSheet' || node.type === 'Block') stack.push(...node.children.toArray().reverse());
      else if (
        node.type === 'Atrule' &&
        node.block &&
        isApplied(node.name, node.prelude ? generate(node.prelude) : '', reading.screen)
      )
        stack.push(node.block);
      else if (node.type === 'Rule') addRule(node, reading, add);
    }
  }
  return { byName, others };
}

function isApplied(name: string, prelude: string, screen: Screen): boolean {
  const atRule = name.toLowerCase();
  return atRule === 'media' ? holdsOn(screen, prelude) : atRule === 'supports' || atRule === 'layer';
}

function addRule(
  node: Extract<CssNode, { type: 'Rule' }>,
  { isQuirks }: Reading,
  add: (key: string, rule: Omit<AppliedRule, 'order'>) => void,
): void {
  const longhands = longhandsIn(node.block);
  if (longhands.length === 0 || node.prelude.type !== 'SelectorList') return;
  for (const written of node.prelude.children) {
    const selector = written.type === 'Selector' ? compileSelector(written, { isQuirks }) : undefined;
    if (selector?.isStatic && written.type === 'Selector') add(keyOf(written), { selector, longhands });
  }
}

/** A class, id or element name of the last compound; empty when it has none. */
function keyOf(selector: Selector): string {
  let key = '';
  for (const node of selector.children) {
    if (node.type === 'Combinator') key = '';
    else if (node.type === 'ClassSelector') key = `.${ident.decode(node.name).toLowerCase()}`;
    else if (node.type === 'IdSelector') key = `#${ident.decode(node.name).toLowerCase()}`;
    else if (node.type === 'TypeSelector' && key === '' && node.name !== '*')
      key = ident.decode(node.name).toLowerCase();
  }
  return key;
}

/** The rules that may be about an element, in the order of the cascade. */
export function rulesFor(
  { byName, others }: RuleIndex,
  { tag, node }: { tag: string; node: { attrs: readonly { name: string; value: string }[] } },
): readonly AppliedRule[] {
  const keys = [tag];
  for (const { name, value } of node.attrs) {
    if (name === 'id') keys.push(`#${value.toLowerCase()}`);
    else if (name === 'class')
      for (const word of new Set(value.toLowerCase().split(/[ \t\n\f\r]+/))) keys.push(`.${word}`);
  }
  const lists = keys.flatMap((key) => byName.get(key) ?? []);
  return lists.length === 0 ? others : [...lists, ...others].sort((a, b) => a.order - b.order);
}

function longhandsIn(block: CssNode): WeightedLonghand[] {
  if (block.type !== 'Block' && block.type !== 'DeclarationList') return [];
  const found: WeightedLonghand[] = [];
  for (const node of block.children) {
    if (node.type !== 'Declaration') continue;
    for (const longhand of longhandsOf(node.property.toLowerCase(), valueOf(node)))
      found.push({ longhand, isImportant: node.important !== false });
  }
  return found;
}

/** The same for a style attribute. */
export function readStyleAttribute(style: string): WeightedLonghand[] {
  return style.trim() === '' || style.length > STYLE_LENGTH_MAX ? [] : longhandsIn(parseDeclarations(style));
}

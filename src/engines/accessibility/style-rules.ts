// The rules of a message's style sheets that apply to a reader with a given screen.

import { generate, type CssNode } from 'css-tree';
import { parseDeclarations, parseStyleSheet, valueOf } from '../client-emulation/style-sheet.ts';
import { compileSelector, type CompiledSelector } from '../html/selectors.ts';
import { holdsOn, type Screen } from './media-query.ts';
import { longhandsOf, type Longhand } from './style-values.ts';

export interface WeightedLonghand {
  longhand: Longhand;
  isImportant: boolean;
}

export interface AppliedRule {
  selectors: CompiledSelector[];
  longhands: WeightedLonghand[];
}

const RULES_MAX = 10_000;
const SHEET_LENGTH_MAX = 300_000;
const STYLE_LENGTH_MAX = 20_000;

/** In the order of the cascade; rules that set nothing of interest are left out, as are states and pseudo-elements. */
export function readRules(sheets: readonly { css: string; media: string }[], { isQuirks, screen }: { isQuirks: boolean; screen: Screen }): AppliedRule[] {
  const rules: AppliedRule[] = [];
  for (const { css, media } of sheets) {
    if (css.length > SHEET_LENGTH_MAX || !holdsOn(screen, media)) continue;
    const stack: CssNode[] = [parseStyleSheet(css)];
    for (let node = stack.pop(); node && rules.length < RULES_MAX; node = stack.pop()) {
      if (node.type === 'StyleSheet' || node.type === 'Block') stack.push(...node.children.toArray().reverse());
      else if (node.type === 'Atrule' && node.block && isApplied(node.name, node.prelude ? generate(node.prelude) : '', screen)) stack.push(node.block);
      else if (node.type === 'Rule') {
        const rule = ruleOf(node, isQuirks);
        if (rule) rules.push(rule);
      }
    }
  }
  return rules;
}

function isApplied(name: string, prelude: string, screen: Screen): boolean {
  const atRule = name.toLowerCase();
  return atRule === 'media' ? holdsOn(screen, prelude) : atRule === 'supports' || atRule === 'layer';
}

function ruleOf(node: Extract<CssNode, { type: 'Rule' }>, isQuirks: boolean): AppliedRule | undefined {
  const longhands = longhandsIn(node.block);
  if (longhands.length === 0 || node.prelude.type !== 'SelectorList') return undefined;
  const selectors = node.prelude.children.toArray()
    .map((selector) => (selector.type === 'Selector' ? compileSelector(selector, { isQuirks }) : undefined))
    .filter((compiled) => compiled?.isStatic === true) as CompiledSelector[];
  return selectors.length > 0 ? { selectors, longhands } : undefined;
}

function longhandsIn(block: CssNode): WeightedLonghand[] {
  if (block.type !== 'Block' && block.type !== 'DeclarationList') return [];
  const found: WeightedLonghand[] = [];
  for (const node of block.children) {
    if (node.type !== 'Declaration') continue;
    for (const longhand of longhandsOf(node.property.toLowerCase(), valueOf(node))) found.push({ longhand, isImportant: node.important !== false });
  }
  return found;
}

/** The same for a style attribute. */
export function readStyleAttribute(style: string): WeightedLonghand[] {
  return style.trim() === '' || style.length > STYLE_LENGTH_MAX ? [] : longhandsIn(parseDeclarations(style));
}

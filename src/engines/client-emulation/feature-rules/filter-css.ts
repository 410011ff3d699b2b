// Takes out of style sheets and style attributes what a client does not support.

import {
  clone,
  generate,
  type Atrule,
  type CssNode,
  type Declaration,
  type List,
  type ListItem,
  type Rule,
  type Selector,
  type SelectorList,
  type StyleSheet,
} from 'css-tree';
import type { MessageMemory } from '../parse-message.ts';
import {
  declarationOf,
  followsComment,
  hasComment,
  isTightImportant,
  parseDeclarations,
  readMediaQuery,
  readMediaText,
  readSelector,
  setValue,
  valueOf,
  type SelectorFacts,
} from '../../css/index.ts';
import type { DeclarationFacts, RuleSet } from '../../caniemail/index.ts';
import { judge, readDeclaration, type Verdict } from './judge-declaration.ts';

export interface CssFilter {
  rules: RuleSet;
  memory: MessageMemory;
  /** Rules that the filter wrote itself, not to be filtered again. */
  written: WeakSet<CssNode>;
}

interface Surroundings {
  /** Names of the at-rules around, `rule` for a style rule. */
  around: readonly string[];
}

/** At-rules whose block holds style rules; the others hold descriptors, which no row of the data is about. */
const ruleHolders = new Set([
  'media',
  'supports',
  'layer',
  'container',
  'scope',
  'document',
  'starting-style',
  'keyframes',
]);

/** Thrown when one declaration takes the whole sheet with it. */
const wholeSheet = Symbol('whole sheet');

/** Edits the sheet in place. False: the client drops it whole. */
export function filterSheet(filter: CssFilter, sheet: StyleSheet): boolean {
  try {
    filterList(filter, sheet.children, { around: [] });
    return true;
  } catch (reason) {
    if (reason !== wholeSheet) throw reason;
    return false;
  }
}

function filterList(filter: CssFilter, list: List<CssNode>, at: Surroundings): void {
  list.forEach((node, item) => {
    if (filter.written.has(node)) return;
    if (node.type === 'Rule') filterRule(filter, node, { list, item, ...at });
    else if (node.type === 'Atrule' && !keepAtRule(filter, node, at)) list.remove(item);
  });
}

interface Position extends Surroundings {
  list: List<CssNode>;
  item: ListItem<CssNode>;
}

function filterRule(filter: CssFilter, rule: Rule, at: Position): void {
  const { rules } = filter;
  const inKeyframes = at.around.at(-1) === 'keyframes';
  if (inKeyframes) {
    if (rules.dropsPercentageKeyframes && generate(rule.prelude).includes('%')) return void at.list.remove(at.item);
  } else if (!keepSelectors(filter, rule)) return void at.list.remove(at.item);
  filterNested(filter, rule, at);
  const before = rule.block.children.size;
  const limited = filterDeclarations(filter, rule.block.children);
  for (const [condition, declarations] of limited) {
    const twin = limitedRule(rule, condition, declarations);
    if (!twin) continue;
    filter.written.add(twin);
    at.list.insert(at.list.createItem(twin), at.item.next);
  }
  if (before > 0 && rule.block.children.isEmpty) at.list.remove(at.item);
}

// ---- Declarations ---------------------------------------------------------------------------------------------

/** Edits a block. Returns what counts on some elements only, by condition. */
function filterDeclarations(filter: CssFilter, list: List<CssNode>): Map<string, Declaration[]> {
  const limited = new Map<string, Declaration[]>();
  list.forEach((node, item) => {
    if (node.type !== 'Declaration') return;
    const facts = readDeclaration(filter.memory, {
      property: node.property,
      value: valueOf(node),
      important: node.important,
      tight: isTightImportant(node),
    });
    const verdict = judge(filter.rules, facts, undefined);
    if (verdict.outcome === 'drop-all') throw wholeSheet;
    if (verdict.outcome === 'drop') return void list.remove(item);
    if (verdict.property !== facts.property) node.property = verdict.property;
    if (verdict.value !== facts.value.text) setValue(node, verdict.value);
    if (!verdict.important) node.important = false;
    if (!verdict.only.length) return;
    list.remove(item);
    const condition = verdict.only.join('');
    const group = limited.get(condition);
    if (group) group.push(node);
    else limited.set(condition, [node]);
  });
  return limited;
}

/** The rule again, for the elements that its declarations work on: `.x` becomes `.x:where(td,th)`. */
function limitedRule(rule: Rule, condition: string, declarations: Declaration[]): Rule | undefined {
  if (rule.prelude.type !== 'SelectorList') return undefined;
  const twin = clone({ ...rule, block: { type: 'Block', children: rule.block.children.copy() } } as Rule) as Rule;
  twin.block.children.clear();
  for (const declaration of declarations) twin.block.children.appendData(declaration);
  (twin.prelude as SelectorList).children.forEach((selector) => {
    if (selector.type === 'Selector') appendCondition(selector, condition);
  });
  return twin;
}

function appendCondition(selector: Selector, condition: string): void {
  let before: ListItem<CssNode> | null = null;
  selector.children.forEachRight((node, item) => {
    if (node.type === 'PseudoElementSelector' && item.next === before) before = item;
  });
  selector.children.insert(selector.children.createItem({ type: 'Raw', value: condition }), before);
}

interface InlineDeclaration {
  facts: DeclarationFacts | undefined;
  text: string;
}

/**
 * What is left of a style attribute.
 * @param tag the element that it stands on.
 */
export function filterInlineStyle(filter: CssFilter, text: string, tag: string): string {
  if (filter.rules.dropsCommentedAttributes && text.includes('/*')) return '';
  const kept: string[] = [];
  let changed = false;
  for (const { facts, text: written } of readInline(filter.memory, text)) {
    const verdict: Verdict | undefined = facts && judge(filter.rules, facts, tag);
    if (verdict?.outcome === 'drop-all') return '';
    if (verdict?.outcome === 'drop') changed = true;
    else if (!verdict || isAsWritten(verdict, facts!)) kept.push(written);
    else {
      changed = true;
      kept.push(`${verdict.property}:${verdict.value}${verdict.important ? ' !important' : ''}`);
    }
  }
  return changed ? kept.join(';') : text;
}

function isAsWritten(verdict: Verdict, facts: DeclarationFacts): boolean {
  return (
    verdict.property === facts.property &&
    verdict.value === facts.value.text &&
    verdict.important === (facts.important !== false)
  );
}

function readInline(memory: MessageMemory, text: string): readonly InlineDeclaration[] {
  const known = memory.inlineStyles.get(text) as InlineDeclaration[] | undefined;
  if (known) return known;
  const read: InlineDeclaration[] = [];
  parseDeclarations(text).children.forEach((node) => {
    if (node.type !== 'Declaration') return void read.push({ facts: undefined, text: generate(node) });
    const important = node.important === true ? 'important' : node.important;
    const facts = readDeclaration(memory, {
      property: node.property,
      value: valueOf(node),
      important,
      tight: isTightImportant(node),
    });
    read.push({ facts, text: `${node.property}:${facts.value.text}${important ? ` !${important}` : ''}` });
  });
  memory.inlineStyles.set(text, read);
  return read;
}

// ---- Selectors ------------------------------------------------------------------------------------------------

/** False: the rule goes. */
function keepSelectors({ rules }: CssFilter, rule: Rule): boolean {
  for (const { when, test } of rules.styleRules) {
    if (when === 'commented' && hasComment(rule)) return false;
    if (when === 'after-comment' && followsComment(rule)) return false;
    if (when === 'grouped' && isGrouped(rule, test)) return false;
  }
  const { prelude } = rule;
  if (prelude.type !== 'SelectorList' || (!rules.selectorTokens.size && !rules.selectorTests.length)) return true;
  prelude.children.forEach((selector, item, list) => {
    if (selector.type !== 'Selector') return;
    const facts = readSelector(selector);
    const effect = effectOn(rules, facts);
    if (effect === 'drop') list.remove(item);
    else if (effect === 'first-class-only') keepFirstClasses(selector);
  });
  return !prelude.children.isEmpty;
}

function isGrouped(rule: Rule, test?: (selectors: readonly SelectorFacts[]) => boolean): boolean {
  if (rule.prelude.type !== 'SelectorList' || rule.prelude.children.size < 2) return false;
  if (!test) return true;
  return test(
    rule.prelude.children
      .toArray()
      .flatMap((selector) => (selector.type === 'Selector' ? [readSelector(selector)] : [])),
  );
}

function effectOn(rules: RuleSet, facts: SelectorFacts): 'keep' | 'drop' | 'first-class-only' {
  let effect: 'keep' | 'first-class-only' = 'keep';
  for (const token of facts.tokens) {
    const rule = rules.selectorTokens.get(token);
    if (!rule) continue;
    if (rule.effect !== 'first-class-only') return 'drop';
    effect = 'first-class-only';
  }
  return rules.selectorTests.some((rule) => rule.when?.(facts)) ? 'drop' : effect;
}

function keepFirstClasses(selector: Selector): void {
  let seen = false;
  selector.children.forEach((node, item, list) => {
    if (node.type === 'Combinator') seen = false;
    if (node.type !== 'ClassSelector' && node.type !== 'IdSelector') return;
    if (seen) list.remove(item);
    seen = true;
  });
}

// ---- At-rules and nesting -------------------------------------------------------------------------------------

function keepAtRule(filter: CssFilter, node: Atrule, at: Surroundings): boolean {
  const name = node.name.toLowerCase().replace(/^-(?:webkit|moz|ms|o)-/, '');
  for (const rule of filter.rules.atRules) {
    if (!rule.names.includes(name)) continue;
    if (rule.nested && !at.around.includes(name)) continue;
    if (rule.when && !(node.block && rule.when(generate(node.block)))) continue;
    return false;
  }
  if (name === 'media' && filter.rules.media.length && !keepMedia(filter, node)) return false;
  if (node.block && ruleHolders.has(name)) filterList(filter, node.block.children, { around: [...at.around, name] });
  return true;
}

/** Takes out the queries that the client can't answer. False: none is left. */
function keepMedia({ rules }: CssFilter, node: Atrule): boolean {
  const { prelude } = node;
  if (!prelude) return true;
  if (prelude.type === 'Raw') {
    const queries = prelude.value
      .split(',')
      .filter((text) => !rules.media.some((rule) => rule.when(readMediaText(text))));
    prelude.value = queries.join(',');
    return queries.length > 0;
  }
  let left = 0;
  prelude.children.forEach((list) => {
    if (list.type !== 'MediaQueryList') return void left++;
    list.children.forEach((query, item) => {
      const facts = readMediaQuery(query);
      if (rules.media.some((rule) => rule.when(facts))) list.children.remove(item);
    });
    left += list.children.size;
  });
  return left > 0;
}

/** Rules inside a style rule. */
function filterNested(filter: CssFilter, rule: Rule, at: Surroundings): void {
  const { children } = rule.block;
  let hoisted: Declaration[] = [];
  children.forEach((node, item) => {
    if ((node.type !== 'Rule' && node.type !== 'Atrule') || filter.written.has(node)) return;
    const effect = nestingEffect(filter.rules, node);
    if (effect === 'hoist' && node.type === 'Rule') hoisted = [...hoisted, ...declarationsOf(node)];
    if (effect !== 'keep') return void children.remove(item);
    const inner = { around: [...at.around, 'rule'] };
    if (node.type === 'Rule') filterRule(filter, node, { ...inner, list: children, item });
    else if (!keepAtRule(filter, node, inner)) children.remove(item);
  });
  for (const declaration of hoisted) children.appendData(declaration);
}

function nestingEffect(rules: RuleSet, node: Rule | Atrule): 'keep' | 'drop' | 'hoist' {
  for (const rule of rules.nesting) {
    if (rule.effect === 'drop-at-rules') {
      if (node.type === 'Atrule') return 'drop';
      continue;
    }
    if (!rule.test) return rule.effect;
    if (node.type === 'Atrule') continue;
    const prelude = generate(node.prelude);
    if (rule.test(prelude.split('&').length - 1, prelude.startsWith('&'))) return rule.effect;
  }
  return 'keep';
}

function declarationsOf(rule: Rule): Declaration[] {
  return rule.block.children.toArray().flatMap((node) => {
    if (node.type === 'Declaration') return [declarationOf(node.property, valueOf(node), node.important !== false)];
    return node.type === 'Rule' ? declarationsOf(node) : [];
  });
}

// Decides what a client leaves of one declaration.

import { tokenize, tokenTypes } from 'css-tree';
import type { MessageMemory } from '../parse-message.ts';
import {
  imageFormatsOf,
  type DeclarationFacts,
  type DeclarationRule,
  type ElementLimit,
  type Place,
  type RuleSet,
} from '../../caniemail/index.ts';
import { readValue, type ValueFacts } from '../../css/index.ts';

export interface Verdict {
  outcome: 'keep' | 'drop' | 'drop-all';
  property: string;
  value: string;
  important: boolean;
  /** In a style sheet: the declaration counts only on elements that match all of these, CSS of no specificity. */
  only: string[];
}

/** Facts of a declaration; those of its value come from the message's memory. */
export function readDeclaration(
  memory: MessageMemory,
  source: { property: string; value: string; important: boolean | string; tight: boolean },
): DeclarationFacts {
  const property = source.property.startsWith('--') ? source.property : source.property.toLowerCase();
  let value = memory.values.get(source.value) as ValueFacts | undefined;
  if (!value) memory.values.set(source.value, (value = readValue(source.value)));
  const important = source.important === true ? 'important' : source.important;
  return { property, base: property.replace(/^-(?:webkit|moz|ms|o)-/, ''), value, important, tight: source.tight };
}

/** @param tag the element of a `style` attribute; undefined in a style sheet. */
export function judge(rules: RuleSet, facts: DeclarationFacts, tag: string | undefined): Verdict {
  const place: Place = tag === undefined ? 'sheet' : 'inline';
  const verdict: Verdict = {
    outcome: 'keep',
    property: facts.property,
    value: facts.value.text,
    important: facts.important !== false,
    only: [],
  };
  const at: Case = { facts, verdict, place, tag };
  apply(rules.byProperty.get(facts.property.startsWith('--') ? '--*' : facts.base), at);
  for (const token of facts.value.tokens) apply(rules.byToken.get(token), at);
  apply(rules.anyDeclaration, at);
  if (facts.value.hasUrl && rules.images.size && verdict.outcome === 'keep')
    verdict.value = breakImages(rules, verdict.value);
  return verdict;
}

interface Case {
  facts: DeclarationFacts;
  verdict: Verdict;
  place: Place;
  tag: string | undefined;
}

function apply(rules: readonly DeclarationRule[] | undefined, at: Case): void {
  if (!rules) return;
  for (const rule of rules) {
    if (at.verdict.outcome === 'drop-all') return;
    if (rule.place && rule.place !== at.place) continue;
    if (rule.token && rule.properties[0] !== '*' && !rule.properties.includes(at.facts.base)) continue;
    if (rule.when && !rule.when(at.facts)) continue;
    if (rule.elements) limit(rule.elements, at);
    else take(rule, at);
  }
}

/** A rule about some elements: decided for a style attribute, turned into a condition for a style sheet. */
function limit(elements: ElementLimit, { verdict, tag }: Case): void {
  const names = 'only' in elements ? elements.only : elements.except;
  if (tag === undefined) {
    const list = `:where(${names.join(',')})`;
    verdict.only.push('only' in elements ? `:not(${list})` : list);
  } else if (names.includes(tag) === 'only' in elements) verdict.outcome = 'drop';
}

function take(rule: DeclarationRule, at: Case): void {
  const { verdict } = at;
  if (rule.effect === 'drop-important') verdict.important = false;
  else if (typeof rule.effect === 'string') verdict.outcome = rule.effect;
  else if (verdict.outcome === 'keep') {
    const changed = rule.effect(at.facts);
    if (!changed) verdict.outcome = 'drop';
    else if (changed.value !== at.facts.value.text || changed.property) {
      Object.assign(verdict, changed);
      // What follows judges what is left, not what was written.
      at.facts = { ...at.facts, value: readValue(changed.value), property: verdict.property, base: verdict.property };
    }
  }
}

/** Pictures of formats that the client can't show become an address that shows nothing. */
function breakImages(rules: RuleSet, value: string): string {
  let out = '';
  let written = 0;
  let opened = -1;
  let url = '';
  tokenize(value, (type, start, end) => {
    const isUrl = type === tokenTypes.Url;
    if (type === tokenTypes.Function) opened = value.slice(start, end).toLowerCase() === 'url(' ? start : -1;
    if (type === tokenTypes.String && opened >= 0) url = value.slice(start + 1, end - 1);
    if (!isUrl && (type !== tokenTypes.RightParenthesis || opened < 0)) return;
    const from = isUrl ? start : opened;
    if (isUnsupportedImage(rules, isUrl ? value.slice(start + 4, end - 1).trim() : url)) {
      out += `${value.slice(written, from)}url("data:,")`;
      written = end;
    }
    opened = -1;
  });
  return out + value.slice(written);
}

export function isUnsupportedImage(rules: RuleSet, url: string): boolean {
  return imageFormatsOf(url).some((format) => rules.images.get(format)?.some((rule) => !rule.when || rule.when(url)));
}

// The words that the tables of this folder are written in: what a client takes away when it lacks a feature.
// A rule is data; `compile-rules.ts` sorts a client's rules into look-ups, `filter-css.ts` and `filter-tree.ts` apply
// them.

import type { MediaFacts, SelectorFacts, ValueFacts } from '../css/index.ts';

/** Where a declaration stands: in a `style` attribute or in a style sheet. */
export type Place = 'inline' | 'sheet';

/** The elements that a rule is about. */
export type ElementLimit = { only: readonly string[] } | { except: readonly string[] };

export interface DeclarationFacts {
  /** Lower case, as written: `-webkit-transition`. */
  property: string;
  /** Without vendor prefix: `transition`. */
  base: string;
  value: ValueFacts;
  /** False, or the keyword as written: `important`, `IMPORTANT`. */
  important: false | string;
  /** `red!important`, without a space. */
  tight: boolean;
}

/**
 * What happens to a declaration: it goes; the whole style attribute or style sheet goes with it; it loses its
 * `!important`; it is rewritten (null means it goes).
 */
type DeclarationEffect =
  | 'drop'
  | 'drop-all'
  | 'drop-important'
  | ((facts: DeclarationFacts) => { property?: string; value: string } | null);

export interface DeclarationRule {
  on: 'declaration';
  /** Names without vendor prefix, `*` for all, `--*` for custom properties. */
  properties: readonly string[];
  /** Words that every matching value holds, such as `unit:vh`; a look-up instead of a test. */
  token?: string;
  when?: (facts: DeclarationFacts) => boolean;
  place?: Place;
  elements?: ElementLimit;
  effect: DeclarationEffect;
}

export interface SelectorRule {
  on: 'selector';
  /** A part that every matching selector has, such as `:hover`, `>` or `.class`. */
  token?: string;
  when?: (facts: SelectorFacts) => boolean;
  /** Default: the selector leaves its list, and the rule goes with its last selector. */
  effect?: 'drop' | 'first-class-only';
}

export interface StyleRuleRule {
  on: 'style-rule';
  when: 'grouped' | 'commented' | 'after-comment';
  /** For `grouped`: only these lists. */
  test?: (selectors: readonly SelectorFacts[]) => boolean;
}

/** A style attribute with a comment anywhere in it goes. */
interface InlineCommentRule {
  on: 'inline-comment';
}

export interface NestingRule {
  on: 'nesting';
  /**
   * `hoist` gives the nested declarations to the parent rule. `drop-at-rules` only drops nested `@media` and the like.
   */
  effect: 'drop' | 'hoist' | 'drop-at-rules';
  /** Only nested rules with such a selector. */
  test?: (nestingSelectors: number, startsWithNesting: boolean) => boolean;
}

export interface AtRuleRule {
  on: 'at-rule';
  names: readonly string[];
  /** Only inside another at-rule of the same name. */
  nested?: boolean;
  /** Only when the text of the block says so. */
  when?: (block: string) => boolean;
}

interface KeyframeRule {
  on: 'keyframe';
  /** Keyframes with percentages go, `from` and `to` stay. */
  effect: 'drop-percentages';
}

export interface MediaRule {
  on: 'media';
  when: (query: MediaFacts) => boolean;
}

export interface ElementRule {
  on: 'element';
  names: readonly string[];
  /** Given a look-up of attributes, and the name of the parent element. */
  when?: (attribute: (name: string) => string | undefined, parent: string) => boolean;
  /** `unwrap` leaves the content, `remove` takes it along, otherwise the element's new name. */
  effect: 'unwrap' | 'remove' | { rename: string };
}

export interface AttributeRule {
  on: 'attribute';
  names: readonly string[];
  elements?: ElementLimit;
  /** Given the value; the attribute stays when it says false. */
  when?: (value: string) => boolean;
  /** Default: the attribute goes. Or the new value, or a new name. */
  effect?: ((value: string) => string) | { rename: string };
}

/** Sets an attribute on every such element. */
export interface ForcedAttributeRule {
  on: 'forced-attribute';
  elements: readonly string[];
  name: string;
  value: string;
}

export interface ImageRule {
  on: 'image';
  /** As `image-formats.ts` names them: `webp`, `base64`. */
  format: string;
  when?: (url: string) => boolean;
  /** `break` shows a broken image, `no-source` renames `src`. */
  effect: 'break' | 'no-source';
}

export interface StyleElementRule {
  on: 'style-element';
  where: 'everywhere' | 'body' | 'after-content';
}

/** Things that happen once per document. */
export interface DocumentRule {
  on: 'document';
  effect: 'drop-doctype' | 'body-to-div' | 'drop-body' | 'resolve-base';
}

export type FeatureRule =
  | DeclarationRule
  | SelectorRule
  | StyleRuleRule
  | InlineCommentRule
  | NestingRule
  | AtRuleRule
  | KeyframeRule
  | MediaRule
  | ElementRule
  | AttributeRule
  | ForcedAttributeRule
  | ImageRule
  | StyleElementRule
  | DocumentRule;

/** What a client does that lacks the feature, by slug. */
export type RuleTable = Record<string, FeatureRule[]>;

// ---- Words for the tables ---------------------------------------------------------------------------------------

type DeclarationTest = (facts: DeclarationFacts) => boolean;

export function property(...properties: string[]): DeclarationRule {
  return { on: 'declaration', properties, effect: 'drop' };
}

/** Declarations of these properties whose value says so go. */
export function propertyWhen(properties: string | string[], when: DeclarationTest): DeclarationRule {
  return { on: 'declaration', properties: [properties].flat(), when, effect: 'drop' };
}

/** Declarations of a property that hold one of the words. */
export function propertyWords(properties: string | string[], ...words: string[]): DeclarationRule {
  return propertyWhen(properties, ({ value }) => words.some((word) => value.words.has(word)));
}

/** Declarations of a property that hold anything but these words. */
export function propertyOnlyWords(properties: string | string[], ...words: string[]): DeclarationRule {
  const allowed = new Set(words);
  return propertyWhen(properties, ({ value }) => value.hasUrl || [...value.words].some((word) => !allowed.has(word)));
}

export function propertyExcept(elements: ElementLimit, ...properties: string[]): DeclarationRule {
  return { on: 'declaration', properties, elements, effect: 'drop' };
}

/** Any declaration whose value holds the token: `unit:vh`, `function:calc`, `is:initial`. */
export function token(...names: string[]): DeclarationRule[] {
  return names.map((name) => ({ on: 'declaration', properties: ['*'], token: name, effect: 'drop' }));
}

export function rewrite(
  properties: string | string[],
  change: (facts: DeclarationFacts) => { property?: string; value: string } | null,
): DeclarationRule {
  return { on: 'declaration', properties: [properties].flat(), effect: change };
}

export function selector(...tokens: string[]): SelectorRule[] {
  return tokens.map((name) => ({ on: 'selector', token: name }));
}

export function unwrapped(...names: string[]): ElementRule {
  return { on: 'element', names, effect: 'unwrap' };
}

export function removed(...names: string[]): ElementRule {
  return { on: 'element', names, effect: 'remove' };
}

export function renamed(name: string): ElementRule {
  return { on: 'element', names: [name], effect: { rename: `no${name}` } };
}

export function attribute(...names: string[]): AttributeRule {
  return { on: 'attribute', names };
}

export function attributeOn(
  names: string | string[],
  elements: ElementLimit,
  when?: (value: string) => boolean,
): AttributeRule {
  const rule: AttributeRule = { on: 'attribute', names: [names].flat(), elements };
  return when ? { ...rule, when } : rule;
}

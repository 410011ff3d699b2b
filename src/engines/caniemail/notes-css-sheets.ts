// What the notes of selectors, at-rules and style sheets mean.

import { kept, instead, reasons, rules, undecided, type NoteTable } from './note-reading.ts';
import type { FeatureRule, SelectorRule } from './rule.ts';
import type { Compound, SelectorFacts } from '../css/index.ts';

const media = (test: (feature: string) => boolean): FeatureRule => ({
  on: 'media',
  when: ({ features }) => features.some(test),
});
const nestedMedia: FeatureRule = { on: 'at-rule', names: ['media'], nested: true };

const dropSelector = (when: (facts: SelectorFacts) => boolean): SelectorRule => ({ on: 'selector', when });
const someAttribute = (test: (attribute: Compound['attributes'][number], compound: Compound) => boolean) =>
  dropSelector(({ compounds }) =>
    compounds.some((compound) => compound.attributes.some((attribute) => test(attribute, compound))),
  );

/** Selectors that combine, and use more than classes and ids to do it. */
const onlyClassesAndIds = (isCombined: (facts: SelectorFacts) => boolean) =>
  dropSelector(
    (facts) =>
      isCombined(facts) && facts.compounds.some((compound) => compound.hasType || (!compound.classes && !compound.ids)),
  );

const yahooMedia = new Set(['min-width', 'max-width', 'min-height', 'max-height']);

export const sheetNotes: NoteTable = {
  'css-at-font-face': {
    1: rules({ on: 'at-rule', names: ['font-face'] }),
    2: kept('a <link> is dropped by its own row'),
    3: undecided('depends on the Internet Explorer that was installed'),
    4: rules({ on: 'at-rule', names: ['font-face'], when: (block) => /url\(/i.test(block) }),
    5: undecided(reasons.plugin),
  },
  'css-at-keyframes': {
    1: rules({ on: 'at-rule', names: ['keyframes'] }),
    2: rules({ on: 'keyframe', effect: 'drop-percentages' }),
  },
  'css-at-media': {
    1: rules(nestedMedia),
    2: rules({
      on: 'media',
      when: ({ type, features }) =>
        (type !== '' && type !== 'screen') || features.some((feature) => !yahooMedia.has(feature)),
    }),
    3: undecided(reasons.heads),
    7: rules(media((feature) => /(?:^|-)height$/.test(feature))),
    8: rules({ on: 'media', when: ({ pairs }) => pairs.includes('orientation:landscape') }),
    10: rules(nestedMedia),
  },
  'css-at-media-orientation': {
    2: rules({ on: 'media', when: ({ pairs }) => pairs.includes('orientation:portrait') }),
  },
  'css-at-media-prefers-reduced-motion': {
    2: rules({
      on: 'element',
      names: ['source'],
      when: (get, parent) => parent === 'picture' && /prefers-reduced-motion/i.test(get('media') ?? ''),
      effect: 'remove',
    }),
  },
  'css-comments': {
    1: undecided(reasons.heads),
    2: kept('follows from the <style> element, which has a row of its own'),
    3: rules({ on: 'inline-comment' }),
    4: kept('follows from the <style> element, which has a row of its own'),
    5: kept('follows from the <style> element, which has a row of its own'),
  },
  'css-nesting': {
    1: rules({ on: 'nesting', effect: 'drop', test: (_count, startsWithNesting) => !startsWithNesting }),
    2: undecided(reasons.prefix),
    3: instead({ on: 'nesting', effect: 'hoist' }),
    5: rules({ on: 'nesting', effect: 'drop-at-rules' }, { on: 'nesting', effect: 'drop', test: (count) => count > 1 }),
  },
  'css-pseudo-class-active': { 2: kept(reasons.static) },
  'css-pseudo-class-default': { 1: undecided(reasons.engine) },
  'css-pseudo-class-link': { 1: undecided(reasons.missing) },
  'css-pseudo-class-target': { 2: kept(reasons.static) },
  'css-pseudo-element-placeholder': { 2: kept('follows from <input>, which has rows of its own') },
  'css-selector-adjacent-sibling': { 2: rules(onlyClassesAndIds(({ tokens }) => tokens.has('+'))) },
  'css-selector-attribute': {
    1: rules(someAttribute((_attribute, compound) => compound.classes > 0)),
    2: rules(someAttribute(({ matcher }) => !['', '=', '~=', '|='].includes(matcher))),
    3: rules(someAttribute(({ name, hasValue }) => name === 'class' && hasValue)),
    4: rules(someAttribute(({ matcher }) => matcher !== '=')),
    5: rules(someAttribute(({ name, matcher }) => matcher !== '~=' || name !== 'class')),
  },
  'css-selector-chaining': {
    2: undecided(reasons.heads),
    3: instead({ on: 'selector', token: '.a.b', effect: 'first-class-only' }),
    5: rules(
      dropSelector(
        (facts) =>
          facts.hasChain && facts.compounds.some((compound) => compound.classes + compound.ids > 1 && compound.hasType),
      ),
    ),
  },
  'css-selector-child': { 2: undecided(reasons.heads) },
  'css-selector-class': { 2: undecided(reasons.heads) },
  'css-selector-descendant': {
    2: undecided(reasons.heads),
    3: rules(onlyClassesAndIds(({ tokens }) => tokens.has(' '))),
  },
  'css-selector-grouping': {
    2: undecided(reasons.heads),
    3: rules({
      on: 'style-rule',
      when: 'grouped',
      test: (selectors) => selectors.some(({ tokens }) => tokens.has('type')),
    }),
  },
  'css-selector-id': { 2: undecided(reasons.heads) },
  'css-selector-type': { 2: undecided(reasons.heads) },
  'css-selector-universal': { 2: undecided(reasons.heads) },
};

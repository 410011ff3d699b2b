// Selectors, at-rules and media features: what a client without the feature drops.

import { selector, type FeatureRule, type RuleTable } from './rule.ts';

const media = (...names: string[]): FeatureRule[] => [
  {
    on: 'media',
    when: ({ features }) =>
      features.some((feature) =>
        names.includes(feature.replace(/^-(?:webkit|moz)-/, '').replace(/^(?:min|max)-+(?:moz-)?/, '')),
      ),
  },
];

export const selectorRules: RuleTable = {
  'css-pseudo-class-active': selector(':active'),
  'css-pseudo-class-checked': selector(':checked'),
  'css-pseudo-class-default': selector(':default'),
  'css-pseudo-class-first-child': selector(':first-child'),
  'css-pseudo-class-first-of-type': selector(':first-of-type'),
  'css-pseudo-class-focus': selector(':focus'),
  'css-pseudo-class-focus-visible': selector(':focus-visible'),
  'css-pseudo-class-focus-within': selector(':focus-within'),
  'css-pseudo-class-has': selector(':has'),
  'css-pseudo-class-hover': selector(':hover'),
  'css-pseudo-class-lang': selector(':lang'),
  'css-pseudo-class-last-child': selector(':last-child'),
  'css-pseudo-class-last-of-type': selector(':last-of-type'),
  'css-pseudo-class-link': selector(':link'),
  'css-pseudo-class-not': selector(':not'),
  'css-pseudo-class-nth-child': selector(':nth-child'),
  'css-pseudo-class-nth-last-child': selector(':nth-last-child'),
  'css-pseudo-class-nth-last-of-type': selector(':nth-last-of-type'),
  'css-pseudo-class-nth-of-type': selector(':nth-of-type'),
  'css-pseudo-class-only-child': selector(':only-child'),
  'css-pseudo-class-only-of-type': selector(':only-of-type'),
  'css-pseudo-class-target': selector(':target'),
  'css-pseudo-class-visited': selector(':visited'),
  'css-pseudo-element-after': selector('::after'),
  'css-pseudo-element-before': selector('::before'),
  'css-pseudo-element-first-letter': selector('::first-letter'),
  'css-pseudo-element-first-line': selector('::first-line'),
  'css-pseudo-element-marker': selector('::marker'),
  'css-pseudo-element-placeholder': selector('::placeholder'),
  'css-selector-adjacent-sibling': selector('+'),
  'css-selector-attribute': selector('[]'),
  'css-selector-chaining': selector('.a.b'),
  'css-selector-child': selector('>'),
  'css-selector-class': selector('.'),
  'css-selector-descendant': selector(' '),
  'css-selector-general-sibling': selector('~'),
  'css-selector-grouping': [{ on: 'style-rule', when: 'grouped' }],
  'css-selector-id': selector('#'),
  'css-selector-type': selector('type'),
  'css-selector-universal': selector('*'),
  'css-nesting': [{ on: 'nesting', effect: 'drop' }],
  'css-comments': [{ on: 'style-rule', when: 'commented' }, { on: 'inline-comment' }],
};

export const atRuleRules: RuleTable = {
  'css-at-font-face': [{ on: 'at-rule', names: ['font-face'] }],
  'css-at-import': [{ on: 'at-rule', names: ['import'] }],
  'css-at-keyframes': [{ on: 'at-rule', names: ['keyframes'] }],
  'css-at-media': [{ on: 'at-rule', names: ['media'] }],
  'css-at-media-device-pixel-ratio': media('device-pixel-ratio'),
  'css-at-media-hover': media('hover', 'any-hover'),
  'css-at-media-orientation': media('orientation'),
  'css-at-media-prefers-color-scheme': media('prefers-color-scheme'),
  'css-at-media-prefers-reduced-motion': media('prefers-reduced-motion'),
  'css-at-supports': [{ on: 'at-rule', names: ['supports'] }],
};

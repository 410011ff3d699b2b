// What the notes of CSS properties and values of type mean: fonts, lines, words and lists.

import { withoutFonts } from './css-properties.ts';
import { kept, reasons, rules, undecided, type NoteTable } from './note-reading.ts';
import {
  property,
  propertyOnlyWords,
  propertyWhen,
  propertyWords,
  rewrite,
  type DeclarationFacts,
  type DeclarationRule,
} from './rule.ts';

const hasUrl = ({ value }: DeclarationFacts) => value.hasUrl;
export const flowRelativeAlignment = propertyWords('text-align', 'start', 'end');

const lineWords = ['none', 'underline', 'overline', 'line-through', 'blink', 'inherit', 'initial', 'unset', 'revert'];
const keepParts = (name: string, words: string[]) =>
  rewrite(name, ({ value }) => {
    const parts = value.parts.filter((part) => words.includes(part));
    return parts.length ? { value: parts.join(' ') } : null;
  });

const listTypes = ({ value }: DeclarationFacts) => {
  const parts = value.parts.filter((part) => !/^(?:url\(|inside$|outside$)/.test(part));
  return parts.length ? { value: parts.join(' ') } : null;
};

/** Declarations written without a vendor prefix. */
function unprefixed(name: string): DeclarationRule {
  return propertyWhen(name, (facts) => facts.property === name);
}

export const textNotes: NoteTable = {
  'css-direction': { 1: undecided(reasons.style) },
  'css-font-size': {
    1: rules({
      on: 'declaration',
      properties: ['font-size'],
      when: ({ value }) => value.tokens.includes('unit:rem'),
      effect: 'drop',
    }),
    2: rules(
      propertyWhen(
        'font-size',
        ({ value }) => value.hasPercentage || value.words.has('smaller') || value.words.has('larger'),
      ),
    ),
  },
  'css-font-size-adjust': {
    1: rules(propertyWhen('font-size-adjust', ({ value }) => value.parts.length > 1)),
    3: rules(rewrite('font-size-adjust', ({ value }) => ({ value: value.parts.at(-1) ?? value.text }))),
  },
  'css-font-weight': {
    1: rules(
      propertyWhen('font-weight', ({ value }) => /^\d/.test(value.text.trim()) && !/^[1-9]00$/.test(value.text.trim())),
    ),
    2: rules(
      rewrite('font-weight', ({ value }) => {
        const weight = Number(value.text);
        return Number.isNaN(weight) ? { value: value.text } : { value: weight < 600 ? 'normal' : 'bold' };
      }),
    ),
  },
  'css-hyphenate-character': {
    1: rules(propertyWhen('hyphenate-character', ({ value }) => value.text.includes('\\'))),
  },
  'css-letter-spacing': { 1: undecided(reasons.plugin), 2: undecided(reasons.plugin) },
  'css-line-height': { 1: undecided(reasons.plugin), 2: rules(propertyWords('line-height', 'normal')) },
  'css-list-style': {
    1: rules(propertyWhen('list-style', hasUrl)),
    2: rules(rewrite('list-style', listTypes)),
    3: rules(
      rewrite('list-style', ({ value }) => {
        const parts = value.parts.filter((part) => !part.startsWith('url('));
        return parts.length ? { value: parts.join(' ') } : null;
      }),
    ),
    4: rules(propertyWhen(['list-style', 'list-style-type'], hasUrl)),
  },
  'css-sytem-ui': {
    1: rules({
      on: 'declaration',
      properties: ['font-family', 'font'],
      when: ({ value }) => [...value.words].some((word) => word.startsWith('ui-')),
      effect: withoutFonts(['ui-serif', 'ui-sans-serif', 'ui-rounded', 'ui-monospace']),
    }),
    2: kept(reasons.engine),
  },
  'css-text-align': {
    1: rules(flowRelativeAlignment),
    3: rules(propertyWords('text-align', 'match-parent')),
    4: kept(reasons.engine),
    5: kept(reasons.engine),
  },
  'css-text-decoration': {
    2: rules(propertyWhen('text-decoration', ({ value }) => value.parts.length > 1)),
    3: rules(propertyWords('text-decoration', 'overline')),
    4: rules(
      keepParts('text-decoration', lineWords),
      property('text-decoration-color', 'text-decoration-style', 'text-decoration-thickness'),
    ),
    5: rules(keepParts('text-decoration', lineWords)),
  },
  'css-text-decoration-color': { 1: rules(unprefixed('text-decoration-color')) },
  'css-text-decoration-thickness': { 1: rules(unprefixed('text-decoration-thickness')) },
  'css-text-indent': {
    1: rules(propertyWhen('text-indent', ({ value }) => value.hasNegative)),
    2: rules(propertyWhen('text-indent', ({ value }) => value.hasNegative)),
  },
  'css-text-justify': {
    2: kept(reasons.engine),
    3: rules(propertyOnlyWords('text-justify', 'inter-character')),
    4: rules(propertyOnlyWords('text-justify', 'inter-word', 'distribute')),
  },
  'css-text-orientation': { 1: rules(propertyWords('text-orientation', 'sideways')) },
  'css-text-transform': { 1: rules(propertyWords('text-transform', 'lowercase')) },
  'css-text-underline-position': { 1: rules(propertyWords('text-underline-position', 'right', 'left')) },
  'css-white-space': { 2: rules(propertyWords('white-space', 'pre')) },
  'css-word-break': {
    2: undecided(reasons.style),
    3: rules(propertyOnlyWords('word-break', 'break-all')),
    4: rules(rewrite('word-break', () => ({ value: 'break-word' }))),
  },
  'css-word-spacing': {
    1: rules(
      propertyWhen(
        'word-spacing',
        ({ value }) => value.tokens.includes('unit:rem') || value.tokens.includes('unit:ch'),
      ),
    ),
  },
  'css-word-wrap': { 1: undecided(reasons.style) },
};

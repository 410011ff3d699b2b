// What the notes of CSS properties and values mean; `notes-css-text.ts` has those of type.

import { marginProperties, paddingProperties } from './css-properties.ts';
import { instead, kept, reasons, rules, undecided, type NoteTable } from './note-reading.ts';
import {
  property,
  propertyExcept,
  propertyOnlyWords,
  propertyWhen,
  propertyWords,
  rewrite,
  token,
  type DeclarationFacts,
  type DeclarationRule,
  type FeatureRule,
} from './rule.ts';

/** Declarations of a property where the value says so take their whole style attribute or sheet with them. */
const dropAll = (
  properties: string[],
  when: (facts: DeclarationFacts) => boolean,
  place?: DeclarationRule['place'],
): DeclarationRule => ({ on: 'declaration', properties, when, effect: 'drop-all', ...(place && { place }) });

const important = (
  effect: DeclarationRule['effect'],
  when: (facts: DeclarationFacts) => boolean,
  place?: DeclarationRule['place'],
): DeclarationRule => ({
  on: 'declaration',
  properties: ['*'],
  when: (facts) => facts.important !== false && when(facts),
  effect,
  ...(place && { place }),
});

const hasUrl = ({ value }: DeclarationFacts) => value.hasUrl;
const hasSlash = ({ value }: DeclarationFacts) => value.hasSlash;
const inlineOnly = (name: string, effect: DeclarationRule['effect'] = 'drop'): DeclarationRule => ({
  on: 'declaration',
  properties: [name],
  place: 'sheet',
  effect,
});

const notOn = (elements: string[], ...properties: string[]) => propertyExcept({ only: elements }, ...properties);
const onlyOn = (elements: string[], ...properties: string[]) => propertyExcept({ except: elements }, ...properties);

/** Level 1 of CSS had sixteen color names; orange came with level 2. */
const firstColors = new Set([
  'aqua',
  'black',
  'blue',
  'fuchsia',
  'gray',
  'green',
  'lime',
  'maroon',
  'navy',
  'olive',
  'purple',
  'red',
  'silver',
  'teal',
  'white',
  'yellow',
  'transparent',
  'inherit',
  'initial',
  'unset',
  'revert',
  'currentcolor',
  'none',
]);

const zeroUnits = (...units: string[]): FeatureRule[] =>
  units.map((unit) => ({
    on: 'declaration',
    properties: ['*'],
    token: `unit:${unit}`,
    effect: ({ value }) => ({
      value: value.text.replace(new RegExp(`(?<![\\w.])[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)${unit}\\b`, 'gi'), '0px'),
    }),
  }));

const modernDisplay = ['flex', 'grid', 'flow-root', 'contents', 'initial', 'revert', 'unset'];
export const displayOfOtherAccounts = propertyWords('display', ...modernDisplay);

const resizeCursors = ['n', 'e', 's', 'w', 'ne', 'nw', 'se', 'sw'].map((direction) => `${direction}-resize`);

/** Declarations with several layers: the client takes the comma away, and what is left is no valid value. */
export const layered = (...properties: string[]) => propertyWhen(properties, ({ value }) => value.layers > 1);
const bareUrls = (...properties: string[]) => propertyWhen(properties, ({ value }) => value.hasBareUrl);

/** A border part wider than 8px becomes 8px. */
const thinBorders = rewrite(
  [
    'border',
    'border-width',
    ...['top', 'right', 'bottom', 'left'].flatMap((side) => [`border-${side}`, `border-${side}-width`]),
  ],
  ({ value }) => ({
    value: value.text.replace(/\b(\d+(?:\.\d+)?)px\b/gi, (text, size: string) => (Number(size) > 8 ? '8px' : text)),
  }),
);

/** Word reads `background` only when it is a color and nothing else; the color beside a picture is lost with it. */
function isMoreThanColor({ value }: DeclarationFacts): boolean {
  const [color = '', ...more] = value.parts;
  return (
    more.length > 0 ||
    value.hasUrl ||
    value.functions.some((name) => name.endsWith('gradient')) ||
    backgroundWords.has(color)
  );
}

const backgroundWords = new Set([
  'repeat',
  'repeat-x',
  'repeat-y',
  'no-repeat',
  'space',
  'round',
  'fixed',
  'local',
  'scroll',
  'center',
  'top',
  'bottom',
  'left',
  'right',
  'cover',
  'contain',
  'auto',
]);

export const valueNotes: NoteTable = {
  'css-animation': {
    1: rules({ on: 'at-rule', names: ['keyframes'] }),
    2: rules({ on: 'keyframe', effect: 'drop-percentages' }),
  },
  'css-background': {
    2: rules(propertyWhen('background', hasSlash)),
    3: rules(propertyWhen('background', isMoreThanColor)),
    4: rules(bareUrls('background')),
    6: rules(propertyWhen('background', hasSlash)),
    7: rules(dropAll(['background'], hasUrl)),
  },
  'css-background-color': {
    1: rules(
      propertyWhen(
        'background-color',
        ({ value }) => /^[a-z]+$/i.test(value.text.trim()) && !firstColors.has(value.text.trim().toLowerCase()),
      ),
    ),
  },
  'css-background-image': {
    2: undecided('needs an <img> anywhere in the message before pictures load'),
    4: rules(bareUrls('background-image')),
    6: rules(dropAll(['background-image'], hasUrl)),
  },
  'css-border': { 1: rules(thinBorders), 2: undecided(reasons.plugin) },
  'css-border-inline-block-individual': {
    1: rules(property('border-inline-color', 'border-block-color', 'border-inline-width', 'border-block-width')),
  },
  'css-border-radius': { 2: rules(propertyWhen('border-radius', hasSlash)) },
  'css-caption-side': { 1: rules({ on: 'element', names: ['caption'], effect: 'unwrap' }) },
  'css-clear': { 1: rules(propertyWords('clear', 'inline-start', 'inline-end')), 2: undecided(reasons.missing) },
  'css-clip-path': {
    1: rules(propertyWhen('clip-path', ({ value }) => value.functions.includes('path'))),
    2: rules(propertyWhen('clip-path', hasUrl)),
  },
  'css-color-scheme': { 2: rules(inlineOnly('color-scheme')) },
  'css-cursor': {
    1: rules(propertyWhen('cursor', hasUrl)),
    4: rules(
      propertyOnlyWords(
        'cursor',
        'crosshair',
        'help',
        'move',
        'pointer',
        'progress',
        'text',
        'wait',
        'auto',
        'default',
        ...resizeCursors,
      ),
    ),
    5: rules(inlineOnly('cursor')),
    6: rules(
      inlineOnly('cursor'),
      propertyOnlyWords('cursor', 'crosshair', 'help', 'move', 'pointer', 'wait', 'auto', 'default', ...resizeCursors),
    ),
  },
  'css-display': {
    2: rules(propertyWords('display', ...modernDisplay, 'inline-flex', 'inline-grid')),
    3: rules(rewrite('display', ({ value }) => ({ value: value.parts[0] ?? value.text }))),
    4: undecided(reasons.plugin),
    5: rules(propertyOnlyWords('display', 'none'), notOn(['img'], 'display')),
    6: rules(
      propertyWords('display', 'flow-root', 'inline-flex', 'inline-grid', 'contents', 'revert'),
      propertyWhen('display', ({ value }) => value.parts.length > 1),
    ),
    7: rules(rewrite('display', ({ value }) => ({ value: value.parts.join('-') }))),
  },
  'css-display-flex': { 2: rules(propertyWords('display', 'inline-flex')) },
  'css-display-none': {
    1: undecided(reasons.plugin),
    2: rules({
      on: 'declaration',
      properties: ['display'],
      when: ({ value }) => value.words.has('none'),
      elements: { only: ['img'] },
      effect: 'drop',
    }),
  },
  'css-filter': { 1: rules(propertyWhen('filter', ({ value }) => value.parts.length > 1)) },
  'css-float': { 2: rules(propertyWords('float', 'inline-start', 'inline-end')) },
  'css-function-light-dark': {
    1: kept(reasons.engine),
    2: rules({
      on: 'declaration',
      properties: ['*'],
      token: 'function:light-dark',
      effect: ({ value }) => ({ value: lightColors(value.text) }),
    }),
  },
  'css-gap': {
    1: rules(property('gap', 'row-gap', 'grid-gap', 'grid-row-gap')),
    2: rules(property('row-gap', 'grid-row-gap')),
  },
  'css-height': {
    1: instead(rewrite('height', ({ value }) => ({ property: 'min-height', value: value.text }))),
    2: rules(notOn(['body', 'span', 'div', 'p'], 'height')),
  },
  'css-important': {
    1: rules(important('drop', (facts) => facts.important !== 'important')),
    2: kept('follows from the <style> element, which has a row of its own'),
    3: instead(
      important('drop', ({ tight }) => tight),
      important('drop-important', () => true),
    ),
    4: rules(important('drop', ({ tight }) => tight)),
    5: rules(important('drop', () => true, 'inline')),
    6: kept('follows from the <style> element, which has a row of its own'),
    7: rules({ ...important('drop', ({ tight }) => tight), properties: ['background-image'] }),
    8: rules(important('drop-important', (facts) => facts.important !== 'important')),
    9: rules(important('drop-important', (facts) => facts.important === 'important')),
  },
  'css-intrinsic-size': {
    1: rules(
      propertyWords(
        ['width', 'height', 'min-width', 'max-width', 'min-height', 'max-height'],
        'max-content',
        '-webkit-max-content',
      ),
    ),
  },
  'css-left-right-top-bottom': {
    1: rules(property('left', 'top')),
    2: rules(propertyWhen(['left', 'right', 'top', 'bottom'], ({ value }) => value.hasPercentage)),
  },
  'css-linear-gradient': { 3: rules(inlineGradient('linear-gradient')) },
  'css-radial-gradient': { 2: rules(inlineGradient('radial-gradient')) },
  'css-margin': {
    1: rules(propertyWhen(marginProperties, ({ value }) => value.hasNegative)),
    2: rules(notOn(['span', 'body'], ...marginProperties)),
    3: undecided(reasons.plugin),
    4: rules(
      rewrite(marginProperties, ({ value }) => {
        if (!value.parts.includes('auto')) return { value: value.text };
        return value.parts.length === 1
          ? null
          : { value: value.parts.map((part) => (part === 'auto' ? '0' : part)).join(' ') };
      }),
    ),
  },
  'css-max-width': { 1: rules(onlyOn(['table'], 'max-width')), 2: rules(notOn(['table'], 'max-width')) },
  'css-modern-color': {
    2: instead(
      dropAll(['*'], ({ value }) => value.functions.some((name) => /^(?:ok)?l(?:ab|ch)$/.test(name)), 'inline'),
      token('function:lch', 'function:oklch', 'function:lab', 'function:oklab'),
    ),
  },
  'css-overflow': {
    1: kept(reasons.static),
    3: kept(reasons.engine),
    4: rules(property('overflow-block', 'overflow-inline')),
  },
  'css-overflow-wrap': { 1: undecided(reasons.style) },
  'css-padding': { 1: rules(onlyOn(['td', 'th'], ...paddingProperties)), 2: undecided(reasons.plugin) },
  'css-position': {
    1: rules(propertyWords('position', 'sticky', '-webkit-sticky', 'fixed')),
    2: rules(propertyWords('position', 'relative', 'absolute', 'fixed')),
    3: rules(propertyWords('position', 'absolute', 'sticky', '-webkit-sticky', 'fixed')),
    4: rules(propertyWords('position', 'absolute', 'fixed')),
    6: rules({
      on: 'declaration',
      properties: ['position'],
      when: ({ value }) => value.words.has('fixed'),
      effect: () => ({ value: 'absolute' }),
    }),
  },
  'css-resize': { 2: rules(propertyWords('resize', 'inline', 'block')) },
  'css-rgb': {
    1: rules(propertyWhen('*', ({ value }) => value.spacedColors.has('rgb'))),
    2: rules(propertyWhen('*', ({ value }) => value.fourArgumentColors.has('rgb'))),
    3: rules(dropAll(['*'], ({ value }) => value.spacedColors.has('rgb'))),
  },
  'css-rgba': {
    1: rules(propertyWhen('*', ({ value }) => value.spacedColors.has('rgba'))),
    2: rules(dropAll(['*'], ({ value }) => value.spacedColors.has('rgba'))),
  },
  'css-transition': {
    1: rules(property('transition-property', 'transition-duration', 'transition-delay', 'transition-timing-function')),
    2: rules(propertyWords(['transition', 'transition-property'], 'all')),
    3: kept(reasons.static),
  },
  'css-unit-initial': { 1: kept(reasons.engine) },
  'css-unit-vh': { 2: rules(zeroUnits('vh')) },
  'css-unit-vmax': { 2: rules(zeroUnits('vmax')) },
  'css-unit-vmin': { 2: rules(zeroUnits('vmin')) },
  'css-user-select': {
    1: kept(reasons.static),
    2: rules(propertyWords('user-select', 'all')),
    4: rules(propertyWords('user-select', 'none')),
  },
  'css-variables': { 1: instead(property('--*')) },
  'css-visibility': { 1: undecided(reasons.plugin), 2: rules(propertyWords('visibility', 'collapse')) },
  'css-width': { 1: rules(notOn(['body', 'span', 'div', 'p', 'img'], 'width')), 2: undecided(reasons.style) },
};

function inlineGradient(name: string): DeclarationRule {
  return {
    on: 'declaration',
    properties: ['background-image'],
    token: `function:${name}`,
    place: 'inline',
    effect: 'drop',
  };
}

/** `light-dark(#fff, #000)` is `#fff`. */
function lightColors(text: string): string {
  return text.replace(/light-dark\(\s*([^(),]*(?:\([^()]*\)[^(),]*)*),[^()]*(?:\([^()]*\)[^()]*)*\)/gi, '$1').trim();
}

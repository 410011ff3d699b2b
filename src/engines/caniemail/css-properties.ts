// CSS properties, values, units and functions: what a client without the feature drops.

import { property, propertyWhen, propertyWords, token, type DeclarationFacts, type RuleTable } from './rule.ts';

const sides = ['top', 'right', 'bottom', 'left'];
const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'];
const sizes = [
  'width',
  'height',
  'min-width',
  'max-width',
  'min-height',
  'max-height',
  'inline-size',
  'block-size',
  'flex-basis',
];

/** `margin`, `margin-top`, … */
export const marginProperties = ['margin', ...sides.map((side) => `margin-${side}`)];
export const paddingProperties = ['padding', ...sides.map((side) => `padding-${side}`)];

const borderParts = ['width', 'style', 'color'];
const borderProperties = [
  'border',
  ...borderParts.map((part) => `border-${part}`),
  ...sides.map((side) => `border-${side}`),
  ...sides.flatMap((side) => borderParts.map((part) => `border-${side}-${part}`)),
];
const logicalBorders = ['border-inline-start', 'border-inline-end', 'border-block-start', 'border-block-end'];

const hasWord =
  (...words: string[]) =>
  ({ value }: DeclarationFacts) =>
    words.some((word) => value.words.has(word));

/** Features that are one property or a family of properties. */
export const propertyRules: RuleTable = {
  'css-accent-color': [property('accent-color')],
  'css-align-items': [property('align-items')],
  'css-animation': [
    property(
      'animation',
      'animation-name',
      'animation-duration',
      'animation-delay',
      'animation-direction',
      'animation-fill-mode',
      'animation-iteration-count',
      'animation-play-state',
      'animation-timing-function',
    ),
  ],
  'css-aspect-ratio': [property('aspect-ratio')],
  'css-backdrop-filter': [property('backdrop-filter')],
  'css-background': [property('background')],
  'css-background-blend-mode': [property('background-blend-mode')],
  'css-background-clip': [property('background-clip')],
  'css-background-color': [property('background-color')],
  'css-background-image': [property('background-image')],
  'css-background-origin': [property('background-origin')],
  'css-background-position': [property('background-position', 'background-position-x', 'background-position-y')],
  'css-background-repeat': [property('background-repeat')],
  'css-background-size': [property('background-size')],
  // `inline-size` has a row of its own, tested later.
  'css-block-inline-size': [property('block-size')],
  'css-border': [property(...borderProperties)],
  'css-border-collapse': [property('border-collapse')],
  'css-border-image': [
    property(
      'border-image',
      'border-image-source',
      'border-image-slice',
      'border-image-width',
      'border-image-outset',
      'border-image-repeat',
    ),
  ],
  'css-border-inline-block': [property('border-inline', 'border-block')],
  'css-border-inline-block-individual': [
    property(...logicalBorders, ...borderParts.flatMap((part) => [`border-inline-${part}`, `border-block-${part}`])),
  ],
  'css-border-inline-block-longhand': [
    property(...logicalBorders.flatMap((name) => borderParts.map((part) => `${name}-${part}`))),
  ],
  'css-border-radius': [property('border-radius', ...corners.map((corner) => `border-${corner}-radius`))],
  'css-border-radius-logical': [
    property(
      'border-start-start-radius',
      'border-start-end-radius',
      'border-end-start-radius',
      'border-end-end-radius',
    ),
  ],
  'css-border-spacing': [property('border-spacing')],
  'css-box-shadow': [property('box-shadow')],
  'css-box-sizing': [property('box-sizing')],
  'css-caption-side': [property('caption-side')],
  'css-clear': [property('clear')],
  'css-clip-path': [property('clip-path')],
  'css-color-scheme': [property('color-scheme')],
  'css-column-count': [property('column-count')],
  'css-column-layout-properties': [
    property(
      'columns',
      'column-fill',
      'column-rule',
      'column-rule-color',
      'column-rule-style',
      'column-rule-width',
      'column-span',
      'column-width',
    ),
  ],
  'css-cursor': [property('cursor')],
  'css-direction': [property('direction')],
  'css-display': [property('display')],
  'css-empty-cells': [property('empty-cells')],
  'css-filter': [property('filter')],
  'css-flex-direction': [property('flex-direction')],
  'css-flex-wrap': [property('flex-wrap')],
  'css-float': [property('float')],
  'css-font': [property('font')],
  'css-font-kerning': [property('font-kerning')],
  'css-font-size': [property('font-size')],
  'css-font-size-adjust': [property('font-size-adjust')],
  'css-font-stretch': [property('font-stretch')],
  'css-font-weight': [property('font-weight')],
  'css-gap': [property('gap', 'row-gap', 'column-gap', 'grid-gap', 'grid-row-gap', 'grid-column-gap')],
  'css-grid-template': [
    property('grid-template', 'grid-template-areas', 'grid-template-columns', 'grid-template-rows'),
  ],
  'css-height': [property('height')],
  'css-hyphenate-character': [property('hyphenate-character')],
  'css-hyphenate-limit-chars': [property('hyphenate-limit-chars')],
  'css-hyphens': [property('hyphens')],
  'css-inline-size': [property('inline-size')],
  'css-inset': [
    property(
      'inset',
      'inset-inline',
      'inset-block',
      'inset-inline-start',
      'inset-inline-end',
      'inset-block-start',
      'inset-block-end',
    ),
  ],
  'css-justify-content': [property('justify-content')],
  'css-left-right-top-bottom': [property(...sides)],
  'css-letter-spacing': [property('letter-spacing')],
  'css-line-height': [property('line-height')],
  'css-list-style': [property('list-style')],
  'css-list-style-image': [property('list-style-image')],
  'css-list-style-position': [property('list-style-position')],
  'css-list-style-type': [property('list-style-type')],
  'css-margin': [property(...marginProperties)],
  'css-margin-block-start-end': [property('margin-block-start', 'margin-block-end')],
  'css-margin-inline-block': [property('margin-inline', 'margin-block')],
  'css-margin-inline-start-end': [property('margin-inline-start', 'margin-inline-end')],
  'css-mask-image': [property('mask-image')],
  'css-max-block-size': [property('max-block-size')],
  'css-max-height': [property('max-height')],
  'css-max-inline-size': [property('max-inline-size')],
  'css-max-width': [property('max-width')],
  'css-min-block-size': [property('min-block-size')],
  'css-min-height': [property('min-height')],
  'css-min-inline-size': [property('min-inline-size')],
  'css-min-width': [property('min-width')],
  'css-mix-blend-mode': [property('mix-blend-mode')],
  'css-object-fit': [property('object-fit')],
  'css-object-position': [property('object-position')],
  'css-opacity': [property('opacity')],
  'css-orphans': [property('orphans')],
  'css-outline': [property('outline', 'outline-color', 'outline-style', 'outline-width')],
  'css-outline-offset': [property('outline-offset')],
  'css-overflow': [property('overflow', 'overflow-x', 'overflow-y', 'overflow-block', 'overflow-inline')],
  'css-overflow-wrap': [property('overflow-wrap')],
  'css-padding': [property(...paddingProperties)],
  'css-padding-block-start-end': [property('padding-block-start', 'padding-block-end')],
  'css-padding-inline-block': [property('padding-inline', 'padding-block')],
  'css-padding-inline-start-end': [property('padding-inline-start', 'padding-inline-end')],
  'css-position': [property('position')],
  'css-resize': [property('resize')],
  'css-scroll-snap': [
    property('scroll-snap-type', 'scroll-snap-align', 'scroll-snap-stop', 'scroll-padding', 'scroll-margin'),
  ],
  'css-shape-margin': [property('shape-margin')],
  'css-shape-outside': [property('shape-outside')],
  'css-tab-size': [property('tab-size')],
  'css-table-layout': [property('table-layout')],
  'css-text-align': [property('text-align')],
  'css-text-align-last': [property('text-align-last')],
  'css-text-decoration': [property('text-decoration')],
  'css-text-decoration-color': [property('text-decoration-color')],
  'css-text-decoration-line': [property('text-decoration-line')],
  'css-text-decoration-skip-ink': [property('text-decoration-skip-ink')],
  'css-text-decoration-style': [property('text-decoration-style')],
  'css-text-decoration-thickness': [property('text-decoration-thickness')],
  'css-text-emphasis': [property('text-emphasis', 'text-emphasis-style', 'text-emphasis-color')],
  'css-text-emphasis-position': [property('text-emphasis-position')],
  'css-text-indent': [property('text-indent')],
  'css-text-justify': [property('text-justify')],
  'css-text-orientation': [property('text-orientation')],
  'css-text-overflow': [property('text-overflow')],
  'css-text-shadow': [property('text-shadow')],
  'css-text-transform': [property('text-transform')],
  'css-text-underline-offset': [property('text-underline-offset')],
  'css-text-underline-position': [property('text-underline-position')],
  'css-text-wrap': [property('text-wrap', 'text-wrap-mode', 'text-wrap-style')],
  'css-transform': [property('transform')],
  'css-transition': [
    property(
      'transition',
      'transition-property',
      'transition-duration',
      'transition-delay',
      'transition-timing-function',
    ),
  ],
  'css-user-select': [property('user-select')],
  'css-vertical-align': [property('vertical-align')],
  'css-visibility': [property('visibility')],
  'css-white-space': [property('white-space')],
  'css-white-space-collapse': [property('white-space-collapse')],
  'css-widows': [property('widows')],
  'css-width': [property('width')],
  'css-word-break': [property('word-break')],
  'css-word-spacing': [property('word-spacing')],
  'css-word-wrap': [property('word-wrap')],
  'css-writing-mode': [property('writing-mode')],
  'css-z-index': [property('z-index')],
};

/** Features that are a value, a unit or a function. */
export const valueRules: RuleTable = {
  'css-conic-gradient': token('function:conic-gradient', 'function:repeating-conic-gradient'),
  'css-display-flex': [
    propertyWords('display', 'flex', 'inline-flex', '-webkit-flex', '-webkit-inline-flex', '-webkit-box'),
  ],
  'css-display-grid': [propertyWords('display', 'grid', 'inline-grid')],
  'css-display-none': [propertyWhen('display', hasWord('none'))],
  'css-function-clamp': token('function:clamp'),
  'css-function-light-dark': token('function:light-dark'),
  'css-function-max': token('function:max'),
  'css-function-min': token('function:min'),
  'css-important': [
    { on: 'declaration', properties: ['*'], when: ({ important }) => important !== false, effect: 'drop-important' },
  ],
  'css-intrinsic-size': [
    propertyWords(
      sizes,
      'fit-content',
      'min-content',
      'max-content',
      '-webkit-fit-content',
      '-moz-fit-content',
      '-webkit-min-content',
      '-webkit-max-content',
    ),
  ],
  'css-linear-gradient': token(
    'function:linear-gradient',
    'function:repeating-linear-gradient',
    'function:-webkit-linear-gradient',
  ),
  'css-modern-color': token('function:lch', 'function:oklch', 'function:lab', 'function:oklab'),
  'css-radial-gradient': token(
    'function:radial-gradient',
    'function:repeating-radial-gradient',
    'function:-webkit-radial-gradient',
  ),
  'css-rgb': token('function:rgb'),
  'css-rgba': token('function:rgba'),
  'css-sytem-ui': [
    {
      on: 'declaration',
      properties: ['font-family', 'font'],
      when: hasWord(...systemFonts()),
      effect: withoutFonts(systemFonts()),
    },
  ],
  'css-unit-calc': token('function:calc', 'function:-webkit-calc', 'function:-moz-calc'),
  'css-unit-ch': token('unit:ch'),
  'css-unit-cm': token('unit:cm'),
  'css-unit-em': token('unit:em'),
  'css-unit-ex': token('unit:ex'),
  'css-unit-in': token('unit:in'),
  'css-unit-initial': token('is:initial'),
  'css-unit-mm': token('unit:mm'),
  'css-unit-pc': token('unit:pc'),
  'css-unit-percent': token('unit:%'),
  'css-unit-pt': token('unit:pt'),
  'css-unit-px': token('unit:px'),
  'css-unit-rem': token('unit:rem'),
  'css-unit-vh': token('unit:vh'),
  'css-unit-vmax': token('unit:vmax'),
  'css-unit-vmin': token('unit:vmin'),
  'css-unit-vw': token('unit:vw'),
  'css-variables': [property('--*'), ...token('function:var')],
};

function systemFonts(): string[] {
  return ['system-ui', 'ui-serif', 'ui-sans-serif', 'ui-rounded', 'ui-monospace'];
}

/** Takes the named families out of a font list: the client falls through to the next one. */
export function withoutFonts(names: string[]): (facts: DeclarationFacts) => { value: string } | null {
  const pattern = new RegExp(`(?:(?<=[\\s,])|^)(?:${names.join('|')})\\s*(?:,\\s*|$)`, 'gi');
  return ({ value }) => {
    const left = value.text.replace(pattern, '').replace(/,\s*$/, '').trim();
    return left ? { value: left } : null;
  };
}

// Reads the CSS values that accessibility depends on: declarations cut into the longhands that are looked at.

import { parseColor, replaceColors, type Color } from '../color/index.ts';

/** `[name, value]`; values are lower case and trimmed. */
export type Longhand = readonly [name: string, value: string];

const SIMPLE = new Set([
  'color',
  'background-color',
  'background-image',
  'font-size',
  'font-weight',
  'line-height',
  'text-align',
  'letter-spacing',
  'word-spacing',
  'text-transform',
  'display',
  'visibility',
  'opacity',
  'width',
  'height',
  'max-height',
  'max-width',
  'overflow',
  'mso-hide',
  'text-indent',
  'position',
  'left',
  'clip',
  'padding-top',
  'padding-right',
  'padding-bottom',
  'padding-left',
]);
const GLOBAL = /^(?:inherit|initial|unset|revert)$/;
const LENGTH = /^-?[\d.]+(?:px|pt|em|rem|%|ex|ch|in|cm|mm|pc|vw|vh)?$/;
const SIZE_WORDS = /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger)$/;

/** What a declaration sets of what matters here; nothing for the rest and for values that browsers drop. */
export function longhandsOf(property: string, written: string): Longhand[] {
  const value = written.trim().toLowerCase();
  if (value === '' || value.length > 2_000) return [];
  if (SIMPLE.has(property)) return isUsable(property, value) ? [[property, value]] : [];
  switch (property) {
    case 'background':
      return backgroundOf(value);
    case 'font':
      return fontOf(value);
    case 'text-decoration':
    case 'text-decoration-line':
      return [['text-decoration', value]];
    case 'padding':
      return boxOf(value);
    case 'border':
    case 'border-width':
    case 'border-style':
      return [
        ['border', hasLine(value)],
        ['border-bottom', hasLine(value)],
      ];
    case 'border-bottom':
    case 'border-bottom-width':
    case 'border-bottom-style':
      return [['border-bottom', hasLine(value)]];
    case 'animation':
    case 'animation-iteration-count':
    case '-webkit-animation':
      return [['animation', value]];
    case '-webkit-text-fill-color':
      return parseColor(value) ? [['color', value]] : [];
    default:
      return [];
  }
}

function isUsable(property: string, value: string): boolean {
  if (GLOBAL.test(value)) return true;
  switch (property) {
    case 'color':
    case 'background-color':
      return value === 'currentcolor' || parseColor(value) !== undefined;
    case 'font-size':
      return (
        SIZE_WORDS.test(value) ||
        (LENGTH.test(value) && !value.startsWith('-') && (/[a-z%]$/.test(value) || Number(value) === 0))
      );
    case 'line-height':
      return value === 'normal' || LENGTH.test(value);
    case 'font-weight':
      return /^(?:normal|bold|bolder|lighter|\d{1,4})$/.test(value);
    case 'letter-spacing':
    case 'word-spacing':
      return value === 'normal' || LENGTH.test(value);
    case 'width':
    case 'height':
    case 'max-width':
    case 'max-height':
    case 'left':
    case 'text-indent':
      return value === 'auto' || value === 'none' || LENGTH.test(value);
    default:
      return true;
  }
}

/** Whether a border's value draws anything. */
function hasLine(value: string): 'yes' | 'no' {
  return /(?:^|\s)(?:none|hidden)(?:\s|$)|^0(?:px)?(?:\s|$)/.test(value) ? 'no' : 'yes';
}

/** `background`: the last color word is the color; an image is anything that paints one. */
function backgroundOf(value: string): Longhand[] {
  if (GLOBAL.test(value))
    return [
      ['background-color', value],
      ['background-image', value],
    ];
  const image = /url\((?!\s*["']?\s*["']?\s*\))[^)]*\)|[a-z-]*(?:gradient|image-set)\(/.exec(value)?.[0];
  let color: Color | undefined;
  if (!/gradient\(/.test(value)) {
    replaceColors(
      value,
      (found) => {
        color ??= found;
        return undefined;
      },
      { keepGradients: true },
    );
  }
  // A value without color, image or any word that belongs there is one that browsers drop.
  if (
    !color &&
    !image &&
    !/\b(?:none|repeat|no-repeat|center|top|left|right|bottom|cover|contain|scroll|transparent)\b|^0/.test(value)
  )
    return [];
  return [
    ['background-color', color ? cssOf(color) : 'transparent'],
    ['background-image', image ?? 'none'],
  ];
}

function cssOf({ r, g, b, a }: Color): string {
  return `rgba(${r},${g},${b},${a})`;
}

/** `font: [style] [weight] size[/line-height] family`. */
function fontOf(value: string): Longhand[] {
  const found =
    /(?:^|\s)(xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger|[\d.]+(?:px|pt|em|rem|%))(?:\s*\/\s*([\d.]+(?:px|pt|em|rem|%)?|normal))?\s+\S/.exec(
      value,
    );
  if (!found) return [];
  const weight = /(?:^|\s)(bold|bolder|lighter|[1-9]00)\s/.exec(value.slice(0, found.index + 1));
  return [
    ['font-size', found[1]!],
    ['line-height', found[2] ?? 'normal'],
    ['font-weight', weight?.[1] ?? 'normal'],
  ];
}

function boxOf(value: string): Longhand[] {
  const [top = '0', right = top, bottom = top, left = right] = value.split(/\s+/);
  return [
    ['padding-top', top],
    ['padding-right', right],
    ['padding-bottom', bottom],
    ['padding-left', left],
  ];
}

const PER_UNIT: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54 };

/** What relative lengths are relative to, in pixels. */
interface LengthBase {
  /** The element's own font size. */
  em: number;
  /** What 100 % is; percentages are unknown without it. */
  percent?: number;
}

/** Pixels of a length; undefined for percentages of something unknown, `auto`, and what is no length. */
export function lengthPx(value: string | undefined, base: LengthBase): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))([a-z%]*)$/.exec(value ?? '');
  if (!match) return undefined;
  const [amount, unit] = [Number(match[1]), match[2]!];
  if (unit === 'em') return amount * base.em;
  if (unit === 'rem') return amount * 16;
  if (unit === 'ex' || unit === 'ch') return (amount * base.em) / 2;
  if (unit === '%') return base.percent === undefined ? undefined : (amount / 100) * base.percent;
  // Numbers without a unit are read as pixels: quirks mode does, and so do most mail clients.
  return unit === '' ? amount : PER_UNIT[unit] === undefined ? undefined : amount * PER_UNIT[unit];
}

const WORD_SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};

/** Pixels of a font size. */
export function fontSizePx(value: string, parentPx: number): number | undefined {
  if (value === 'smaller') return parentPx / 1.2;
  if (value === 'larger') return parentPx * 1.2;
  return WORD_SIZES[value] ?? lengthPx(value, { em: parentPx, percent: parentPx });
}

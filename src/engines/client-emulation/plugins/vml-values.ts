// Attribute values of VML (ECMA-376 part 4, "VML Reference Material").

import { attributeOf, type Element } from '../working-document.ts';
import { lengthOf, pixelsOf, round } from './word-values.ts';

/** Properties of a VML `style` by lower-case name. Word also takes `=` for `:`. */
export function vmlStyleOf(el: Element): Map<string, string> {
  const properties = new Map<string, string>();
  const text = attributeOf(el, 'vml-style') ?? attributeOf(el, 'style') ?? '';
  for (const part of text.slice(0, 4000).split(';')) {
    const at = part.search(/[:=]/);
    if (at > 0)
      properties.set(
        part.slice(0, at).trim().toLowerCase(),
        part
          .slice(at + 1)
          .replace(/!important/i, '')
          .trim(),
      );
  }
  return properties;
}

/** ST_TrueFalse: `t`, `true`, … and their opposites; undefined for anything else. */
export function flagOf(value: string | undefined): boolean | undefined {
  const text = value?.trim().toLowerCase();
  if (text === 't' || text === 'true' || text === '1' || text === 'on' || text === 'yes') return true;
  if (text === 'f' || text === 'false' || text === '0' || text === 'off' || text === 'no') return false;
  return undefined;
}

/** No number or color is longer; the patterns below are slow on what is. */
const TEXT_MAX = 80;

/**
 * A color that CSS understands, `none`, or undefined. Theme references such as `#4f81bd [3204]` lose their bracket.
 */
export function colorOf(value: string | undefined): string | undefined {
  const text =
    value === undefined || value.length > TEXT_MAX
      ? ''
      : value
          .replace(/\[[^\]]*\]\s*$/, '')
          .trim()
          .toLowerCase();
  if (text === '') return undefined;
  if (text === 'transparent') return 'none';
  return /^(?:#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+|rgb\([\d\s,.%]+\))$/.test(text) ? text : undefined;
}

/** `50%`, `.5` or `32768f` (of 65536) as 0.5. */
export function fractionOf(value: string | undefined): number | undefined {
  if (value === undefined || value.length > TEXT_MAX) return undefined;
  const found = /^(-?(?:\d+\.?\d*|\.\d+))\s*(%|f)?$/i.exec(value.trim());
  if (!found) return undefined;
  const amount = Number(found[1]);
  if (found[2] === '%') return amount / 100;
  return found[2] ? amount / 65536 : amount;
}

/** A width or height as CSS: absolute ones in pixels (bare numbers are pixels), percentages as they are. */
export function sizeOf(value: string | undefined): string | undefined {
  const length = value === undefined ? undefined : lengthOf(value);
  if (!length || length.amount < 0) return undefined;
  if (length.unit === '%') return `${length.amount}%`;
  const pixels = pixelsOf(value!);
  return pixels === undefined ? undefined : `${pixels}px`;
}

/** A pair such as `0.5, 0` or `10px,20px`, as text. */
export function pairOf(value: string | undefined): [string, string] | undefined {
  const parts = value?.split(',').map((part) => part.trim());
  return parts?.length === 2 && parts[0] && parts[1] ? [parts[0], parts[1]] : undefined;
}

/** A URL for CSS, quoted so that nothing in it can end the string. */
export function cssUrl(url: string): string {
  return `url("${url.trim().replace(/[\\"\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}")`;
}

export function percent(fraction: number): string {
  return `${round(fraction * 100)}%`;
}

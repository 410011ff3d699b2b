// Colors in CSS and HTML text: reading, writing, CIE L*a*b* lightness, contrast, and replacing them inside a value.

import { colorNames } from './color-names.ts';

/** sRGB, `r g b` 0–255 (may be fractional), `a` 0–1. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

/**
 * Reads one CSS color: a name, `#rgb[a]`, `#rrggbb[aa]`, `rgb[a]()`, `hsl[a]()`, with commas or spaces.
 * @returns undefined for anything else; also for `currentcolor`, `inherit` and other words that stand for a color.
 */
export function parseColor(text: string): Color | undefined {
  const word = text.trim().toLowerCase();
  if (word.startsWith('#')) return parseHex(word.slice(1));
  if (word === 'transparent') return { r: 0, g: 0, b: 0, a: 0 };
  const named = colorNames.get(word);
  if (named) return parseHex(named);
  const call = /^(rgba?|hsla?)\(([^()]*)\)$/.exec(word);
  return call ? parseFunction(call[1]!, call[2]!) : undefined;
}

function parseHex(hex: string): Color | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(hex)) return undefined;
  const long = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
  const byte = (at: number) => parseInt(long.slice(at, at + 2), 16);
  return { r: byte(0), g: byte(2), b: byte(4), a: long.length === 8 ? byte(6) / 255 : 1 };
}

function parseFunction(name: string, inside: string): Color | undefined {
  const parts = inside.split(/[\s,/]+/).filter(Boolean);
  if (parts.length < 3 || parts.length > 4) return undefined;
  const alpha = parts[3] === undefined ? 1 : parseAmount(parts[3], 1);
  if (alpha === undefined) return undefined;
  const a = clamp(alpha, 0, 1);
  if (name.startsWith('rgb')) {
    const [r, g, b] = parts.slice(0, 3).map((part) => parseAmount(part, 255));
    if (r === undefined || g === undefined || b === undefined) return undefined;
    return { r: clamp(r, 0, 255), g: clamp(g, 0, 255), b: clamp(b, 0, 255), a };
  }
  const hue = parseHue(parts[0]!);
  const saturation = parseAmount(parts[1]!, 100);
  const lightness = parseAmount(parts[2]!, 100);
  if (hue === undefined || saturation === undefined || lightness === undefined) return undefined;
  return { ...fromHsl(hue, clamp(saturation, 0, 100) / 100, clamp(lightness, 0, 100) / 100), a };
}

/** A number, or a percentage of `whole`; `none` is 0 (CSS Color 4). */
function parseAmount(part: string, whole: number): number | undefined {
  if (part === 'none') return 0;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)$/.exec(part);
  if (!match) return undefined;
  return match[2] ? (Number(match[1]) / 100) * whole : Number(match[1]);
}

function parseHue(part: string): number | undefined {
  const match = /^(.*?)(deg|grad|rad|turn)?$/.exec(part)!;
  const amount = parseAmount(match[1]!, 360);
  const perUnit = { grad: 0.9, rad: 180 / Math.PI, turn: 360 }[match[2] ?? ''] ?? 1;
  return amount === undefined ? undefined : amount * perUnit;
}

function fromHsl(hue: number, saturation: number, lightness: number): { r: number; g: number; b: number } {
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (((n + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

/**
 * Reads a color attribute (`bgcolor`, `<font color>`): HTML's "rules for parsing a legacy color value", by which
 * `ffffff`, `#fff`, `red` and even `chucknorris` are colors.
 * @returns undefined for an empty value and for `transparent`.
 */
export function parseLegacyColor(text: string): Color | undefined {
  let value = text.trim().toLowerCase();
  if (!value || value === 'transparent') return undefined;
  const named = colorNames.get(value);
  if (named) return parseHex(named);
  if (/^#[0-9a-f]{3}$/.test(value)) return parseHex(value.slice(1));
  value = [...value]
    .slice(0, 128)
    .map((c) => (c > '\uffff' ? '00' : c))
    .join('')
    .replace(/^#/, '')
    .replace(/[^0-9a-f]/g, '0');
  while (value.length === 0 || value.length % 3 !== 0) value += '0';
  const length = value.length / 3;
  const parts = [value.slice(0, length), value.slice(length, 2 * length), value.slice(2 * length)].map((part) =>
    part.slice(-8),
  );
  let digits = parts[0]!.length;
  let start = 0;
  while (digits > 2 && parts.every((part) => part[start] === '0')) {
    start++;
    digits--;
  }
  const [r, g, b] = parts.map((part) => parseInt(part.slice(start, start + 2), 16));
  return { r: r!, g: g!, b: b!, a: 1 };
}

/** CSS text of a color: `#rrggbb`, or `rgba()` when it isn't opaque. */
export function formatColor({ r, g, b, a }: Color): string {
  const [red, green, blue] = [r, g, b].map((channel) => Math.round(clamp(channel, 0, 255)));
  if (a < 1) return `rgba(${red},${green},${blue},${Number(a.toFixed(3))})`;
  return `#${[red!, green!, blue!].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

// ---- Lightness and contrast -----------------------------------------------------------------------------------

const WHITE = { x: 0.950456, y: 1, z: 1.088754 };

interface Lab {
  l: number;
  a: number;
  b: number;
}

/** CIE L*a*b* of an sRGB color, D65 white; alpha is ignored. */
export function toLab(color: Color): Lab {
  const [r, g, b] = [color.r, color.g, color.b].map(linear) as [number, number, number];
  const fx = labCurve((0.412453 * r + 0.35758 * g + 0.180423 * b) / WHITE.x);
  const fy = labCurve(0.212671 * r + 0.71516 * g + 0.072169 * b);
  const fz = labCurve((0.019334 * r + 0.119193 * g + 0.950227 * b) / WHITE.z);
  return { l: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz) };
}

/** The sRGB color of a CIE L*a*b* one; what sRGB can't show is clipped. */
export function fromLab(lab: Lab, alpha = 1): Color {
  const fy = (lab.l + 16) / 116;
  const x = WHITE.x * labUncurve(fy + lab.a / 500);
  const y = labUncurve(fy);
  const z = WHITE.z * labUncurve(fy - lab.b / 200);
  return {
    r: gamma(3.240479 * x - 1.53715 * y - 0.498535 * z),
    g: gamma(-0.969256 * x + 1.875992 * y + 0.041556 * z),
    b: gamma(0.055648 * x - 0.204043 * y + 1.057311 * z),
    a: alpha,
  };
}

/** WCAG 2 contrast ratio, 1–21; alpha is ignored. */
export function contrastOf(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance({ r, g, b }: Color): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function gamma(value: number): number {
  const coded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return clamp(coded, 0, 1) * 255;
}

function labCurve(value: number): number {
  return value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116;
}

function labUncurve(value: number): number {
  const cube = value ** 3;
  return cube > 216 / 24389 ? cube : (116 * value - 16) / (24389 / 27);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

// ---- Colors inside a value -----------------------------------------------------------------------------------

/** A number, a `#hash`, or a word; the word may be a function's name. */
const token = /#[0-9a-z]+|[+-]?(?:\d|\.\d)[\w.%]*|[a-z_-][\w-]*/giy;

interface ReplaceOptions {
  /** Leave the colors inside gradients alone. */
  keepGradients?: boolean;
}

/**
 * Replaces every color in a CSS value; URLs and strings are left alone, as are words that are no colors.
 * @param change returns the new color, or undefined to leave the text as it is.
 */
export function replaceColors(
  value: string,
  change: (color: Color) => Color | undefined,
  options: ReplaceOptions = {},
): string {
  let out = '';
  let at = 0;
  const copyTo = (end: number) => {
    out += value.slice(at, end);
    at = end;
  };
  while (at < value.length) {
    const character = value[at]!;
    if (character === '"' || character === "'") {
      copyTo(stringEnd(value, at));
      continue;
    }
    token.lastIndex = at;
    const word = token.exec(value)?.[0];
    if (!word) {
      copyTo(at + 1);
      continue;
    }
    let end = at + word.length;
    const name = word.toLowerCase();
    if (value[end] === '(') {
      if (name === 'url' || name === 'var' || (options.keepGradients && name.endsWith('-gradient'))) {
        copyTo(closingParenthesis(value, end));
        continue;
      }
      if (!/^(?:rgb|hsl)a?$/.test(name)) {
        copyTo(end + 1);
        continue;
      }
      end = closingParenthesis(value, end);
    }
    const color = parseColor(value.slice(at, end));
    const changed = color && change(color);
    if (changed) {
      out += formatColor(changed);
      at = end;
    } else copyTo(end);
  }
  return out;
}

function stringEnd(value: string, start: number): number {
  const quote = value[start];
  for (let i = start + 1; i < value.length; i++) {
    if (value[i] === '\\') i++;
    else if (value[i] === quote) return i + 1;
  }
  return value.length;
}

/** The index after the parenthesis that closes the one at `open`; the end of the text when none does. */
function closingParenthesis(value: string, open: number): number {
  let depth = 0;
  for (let i = open; i < value.length; i++) {
    const character = value[i];
    if (character === '"' || character === "'") i = stringEnd(value, i) - 1;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return i + 1;
  }
  return value.length;
}

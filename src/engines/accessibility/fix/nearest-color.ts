// The nearest color that stands out enough: the hue is kept, the lightness moves as far as it must. In OKLCH, in which
// equal steps look equal (Björn Ottosson, "A perceptual color space for image processing"; CSS Color 4, sections 9 and
// 13).

import { contrastOf, type Color } from '../../color/index.ts';

export interface NearestColor {
  color: Color;
  /** How far the lightness moved, 0–1. */
  moved: number;
}

/** Browsers and measuring programs round; what just reaches a ratio may be found below it. */
const ROUNDING = 0.03;
/** Halvings of a range of lightness or chroma; the last is far below a step of sRGB. */
const HALVINGS = 20;

interface Oklch {
  l: number;
  c: number;
  /** Radians. */
  h: number;
}

/**
 * The color nearest to `color` whose contrast with `other` is at least `ratio`.
 * @param towards whether it gets lighter or darker
 * @returns undefined when not even white or black is enough
 */
export function nearestColor(
  color: Color,
  other: Color,
  { ratio, towards }: { ratio: number; towards: 'lighter' | 'darker' },
): NearestColor | undefined {
  const from = toOklch(color);
  const enough = (l: number): Color | undefined => {
    const candidate = shown({ ...from, l });
    return contrastOf(candidate, other) >= ratio + ROUNDING ? candidate : undefined;
  };
  let far = towards === 'lighter' ? 1 : 0;
  let found = enough(far);
  if (!found) return undefined;
  let near = from.l;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (near + far) / 2;
    const candidate = enough(middle);
    if (candidate) [far, found] = [middle, candidate];
    else near = middle;
  }
  return { color: found, moved: Math.abs(far - from.l) };
}

/** The sRGB color in whole steps; what sRGB cannot show loses chroma until it can. */
function shown(wanted: Oklch): Color {
  let [low, high] = [0, wanted.c];
  if (!isShowable(linearOf(wanted))) {
    for (let step = 0; step < HALVINGS; step++) {
      const c = (low + high) / 2;
      if (isShowable(linearOf({ ...wanted, c }))) low = c;
      else high = c;
    }
  } else low = wanted.c;
  const [r, g, b] = linearOf({ ...wanted, c: low }).map((value) =>
    Math.round(255 * coded(Math.min(1, Math.max(0, value)))),
  ) as [number, number, number];
  return { r, g, b, a: 1 };
}

function isShowable(channels: readonly number[]): boolean {
  return channels.every((value) => value >= -1e-4 && value <= 1 + 1e-4);
}

function toOklch({ r, g, b }: Color): Oklch {
  const [red, green, blue] = [r, g, b].map((channel) => decoded(channel / 255)) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const greenRed = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(greenRed, blueYellow),
    h: Math.atan2(blueYellow, greenRed),
  };
}

/** Linear sRGB; outside of 0–1 for what cannot be shown. */
function linearOf({ l, c, h }: Oklch): [number, number, number] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function decoded(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function coded(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

// What a picture shows, measured in its pixels.
import sharp from 'sharp';
import { parseColor, toLab } from '../../src/engines/color/index.ts';
import type { Color, ColorTest, Expectation, Range } from './types.ts';

export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  area: number;
}

/** How far a channel may be from what the message says: rounding, and the edges of letters. */
const TOLERANCE = 8;
/** Fewer pixels of a color than these are chance. */
const AREA_MIN = 12;
/** Lightness (CIE L*) from which a color is light, and up to which it is dark. */
const LIGHT_FROM = 65;
const DARK_TO = 45;
/** How far text is looked for beside its picture. */
const INK_REACH = 260;

/** Decodes a picture. */
export async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

type Rgb = readonly [r: number, g: number, b: number];

function channels(color: Color): Rgb {
  const parsed = parseColor(color);
  if (!parsed) throw new TypeError(`${color} is not a color.`);
  return [parsed.r, parsed.g, parsed.b];
}

function pixelAt({ data, width, height }: Pixels, x: number, y: number): Rgb {
  const at = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 3;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

function boxOf({ data, width, height }: Pixels, color: Color): Box | undefined {
  const [r, g, b] = channels(color);
  const box: Box = { left: width, top: height, right: 0, bottom: 0, area: 0 };
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      if (Math.abs(data[at]! - r) > TOLERANCE) continue;
      if (Math.abs(data[at + 1]! - g) > TOLERANCE || Math.abs(data[at + 2]! - b) > TOLERANCE) continue;
      box.area++;
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
      if (y < box.top) box.top = y;
      box.bottom = y + 1;
    }
  }
  return box.area >= AREA_MIN ? box : undefined;
}

const hex = ([r, g, b]: Rgb): string => `#${[r, g, b].map((one) => one.toString(16).padStart(2, '0')).join('')}`;
const lightness = ([r, g, b]: Rgb): number => toLab({ r, g, b, a: 1 }).l;
const distance = (a: Rgb, b: Rgb): number => Math.max(...a.map((one, i) => Math.abs(one - b[i]!)));

function matches(color: Rgb, test: ColorTest): boolean {
  if (test === 'light') return lightness(color) >= LIGHT_FROM;
  if (test === 'dark') return lightness(color) <= DARK_TO;
  if (test.startsWith('not ')) return !matches(color, test.slice(4));
  return distance(color, channels(test)) <= TOLERANCE;
}

/** What is before a picture; after it, where it stands at the edge of the page. */
const groundOf = (pixels: Pixels, { left, right, top }: Box): Rgb =>
  pixelAt(pixels, left >= 3 ? left - 3 : right + 1, top + 3);

/** The pixel that differs most from the ground, in the text that follows a picture. */
function inkBeside(pixels: Pixels, box: Box): Rgb {
  const ground = groundOf(pixels, box);
  let ink = ground;
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.right + 2; x < Math.min(pixels.width, box.right + INK_REACH); x++) {
      const pixel = pixelAt(pixels, x, y);
      if (distance(pixel, ground) > distance(ink, ground)) ink = pixel;
    }
  }
  return ink;
}

function inRange(value: number, range: Range): boolean {
  const [least, most] = typeof range === 'number' ? [range - 1, range + 1] : range;
  return value >= least && value <= most;
}

const rangeText = (range: Range): string => (typeof range === 'number' ? `${range}` : `${range[0]} to ${range[1]}`);

function measured(what: string, value: number, range: Range): string | undefined {
  return inRange(value, range) ? undefined : `${what} is ${value} px, not ${rangeText(range)}`;
}

type Check = (pixels: Pixels, value: never, box: (color: Color) => Box) => string | undefined;

/** Thrown where a color that an expectation measures isn't in the picture. */
class Missing extends Error {}

const checks: Record<string, Check> = {
  sees: (pixels, color: Color) => (boxOf(pixels, color) ? undefined : `${color} is not there`),
  lacks: (pixels, color: Color) => (boxOf(pixels, color) ? `${color} is there` : undefined),
  width: (_p, [color, range]: [Color, Range], box) =>
    measured(`the width of ${color}`, box(color).right - box(color).left, range),
  height: (_p, [color, range]: [Color, Range], box) =>
    measured(`the height of ${color}`, box(color).bottom - box(color).top, range),
  left: (_p, [color, range]: [Color, Range], box) => measured(`the left of ${color}`, box(color).left, range),
  below: (_p, [above, under, gap = [-1, 1e6]]: [Color, Color, Range?], box) =>
    measured(`the gap from ${above} down to ${under}`, box(under).top - box(above).bottom, gap),
  beside(_p, [first, second, gap = [-1, 1e6]]: [Color, Color, Range?], box) {
    const [one, two] = [box(first), box(second)];
    if (one.bottom <= two.top || two.bottom <= one.top) return `${second} is not at the height of ${first}`;
    return measured(`the gap from ${first} to ${second}`, two.left - one.right, gap);
  },
  level: (_p, [one, two]: [Color, Color], box) =>
    measured(`the top of ${two} under that of ${one}`, box(two).top - box(one).top, [-1, 1]),
  sameWidth: (_p, [one, two]: [Color, Color], box) => widthDifference(box(one), box(two), true),
  otherWidth: (_p, [one, two]: [Color, Color], box) => widthDifference(box(one), box(two), false),
  solid: (_p, color: Color, box) => (fillOf(box(color)) >= 0.995 ? undefined : `${color} does not fill its box`),
  round: (_p, color: Color, box) => (fillOf(box(color)) < 0.995 ? undefined : `${color} fills its box to the corners`),
  ground(pixels, [anchor, test]: [Color, ColorTest], box) {
    return compared('the ground', groundOf(pixels, box(anchor)), test);
  },
  ink: (pixels, [anchor, test]: [Color, ColorTest], box) => compared('the text', inkBeside(pixels, box(anchor)), test),
  page: (pixels, test: ColorTest) => compared('the page', pixelAt(pixels, pixels.width - 2, pixels.height - 2), test),
};

function widthDifference(one: Box, two: Box, isSame: boolean): string | undefined {
  const [first, second] = [one.right - one.left, two.right - two.left];
  return Math.abs(first - second) <= 1 === isSame
    ? undefined
    : `the widths are ${first} and ${second} px, ${isSame ? 'not the same' : 'the same'}`;
}

const fillOf = ({ area, left, right, top, bottom }: Box): number => area / ((right - left) * (bottom - top));

function compared(what: string, color: Rgb, test: ColorTest): string | undefined {
  return matches(color, test) ? undefined : `${what} is ${hex(color)}, not ${test.replace(/^not /, 'another than ')}`;
}

/** Undefined when the picture shows what is expected; else one sentence of what it shows instead. */
export function missOf(pixels: Pixels, expectation: Expectation): string | undefined {
  const [[name, value]] = Object.entries(expectation) as [[string, never]];
  const box = (color: Color): Box => {
    const found = boxOf(pixels, color);
    if (!found) throw new Missing(`${color} is not there`);
    return found;
  };
  try {
    return checks[name]!(pixels, value, box);
  } catch (error) {
    if (error instanceof Missing) return error.message;
    throw error;
  }
}

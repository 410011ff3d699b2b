// What a picture shows that a reader could not read or see: places from the document's layout, colors from the picture.
import sharp from 'sharp';

/** Left, top, width and height in CSS pixels from the document's top left corner. */
type Box = [number, number, number, number];

interface Place {
  selector: string;
  box: Box;
}

/** Text, of which it is known what it says. */
interface TextPlace extends Place {
  text: string;
}

/** What the script of `layout-script.ts` answers. */
export interface RawLayout extends Omit<MeasuredLayout, 'contrasts'> {
  suspects: {
    text: string;
    selector: string;
    boxes: Box[];
    size: number;
    /** Red, green and blue, 0 to 255; absent where it can't be told from the styles. */
    color?: number[];
  }[];
}

/** The layout of one rendered document, as far as it may be a fault. */
export interface MeasuredLayout {
  /** False: the document was too long to be looked at whole. */
  isComplete: boolean;
  /** CSS pixels of the whole document, and of the screen. */
  width: number;
  viewportWidth: number;
  /** What makes the document wider than the screen. */
  widest?: { selector: string; width: number };
  /** Texts that lie over each other. */
  overlaps: (TextPlace & { other: string })[];
  /** Texts of which an element shows a part and cuts off so many lines. */
  cuts: (TextPlace & { lines: number })[];
  images: (Place & {
    url: string;
    alt: string;
    fault: 'missing' | 'stretched';
    natural?: number[];
    shown?: number[];
  })[];
  /** Texts whose color is near to what is behind them in the picture. */
  contrasts: (TextPlace & { ratio: number; color: string; behind: string; size: number })[];
}

type Rgb = readonly [number, number, number];

/** Below it a text is told of: what WCAG 1.4.3 asks of large text. */
const CONTRAST_MIN = 3;
/** A text is readable where so many of the pixels around its letters stand apart from it: a picture is not one color. */
const READABLE_SHARE = 0.4;
/** Channels may be so far off the color of letters that are smoothed. */
const INK_TOLERANCE = 24;
/** Letters fill less than that of their lines: above, what is behind has their color. */
const INK_SHARE_MAX = 0.9;
const SAMPLES_PER_BOX = 600;

/** WCAG 2.2, relative luminance. */
function luminanceOf([red, green, blue]: Rgb): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function hex(color: Rgb): string {
  return `#${color
    .slice(0, 3)
    .map((value) => Math.round(value).toString(16).padStart(2, '0'))
    .join('')}`;
}

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  channels: number;
}

/** Some pixels of a place, evenly. */
function pixelsIn(pixels: Pixels, box: Box, scale: number): Rgb[] {
  const [left, top] = [Math.max(0, Math.floor(box[0] * scale)), Math.max(0, Math.floor(box[1] * scale))];
  const right = Math.min(pixels.width, Math.ceil((box[0] + box[2]) * scale));
  const bottom = Math.min(pixels.height, Math.ceil((box[1] + box[3]) * scale));
  const count = Math.max(0, right - left) * Math.max(0, bottom - top);
  // Odd, so that it does not run down the columns of a letter.
  const step = Math.max(1, Math.floor(count / SAMPLES_PER_BOX)) | 1;
  const found: Rgb[] = [];
  for (let at = 0; at < count; at += step) {
    const x = left + (at % (right - left));
    const y = top + Math.floor(at / (right - left));
    const start = (y * pixels.width + x) * pixels.channels;
    found.push([pixels.data[start]!, pixels.data[start + 1]!, pixels.data[start + 2]!]);
  }
  return found;
}

/** The color that most of these pixels have: of the commonest shades the commonest one. */
function commonest(colors: readonly Rgb[]): Rgb {
  const most = (some: readonly Rgb[], bits: number): Rgb[] => {
    const groups = Map.groupBy(some, ([red, green, blue]) => `${red >> bits} ${green >> bits} ${blue >> bits}`);
    return [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one));
  };
  return most(most(colors, 3), 0)[0]!;
}

/** The color of letters that are not known from the styles: what differs most from behind them. */
function inkOf(colors: readonly Rgb[], behind: Rgb): Rgb {
  const ground = luminanceOf(behind);
  const byContrast = colors.toSorted(
    (one, other) => contrastOf(luminanceOf(other), ground) - contrastOf(luminanceOf(one), ground),
  );
  return byContrast[Math.floor(colors.length / 50)] ?? behind;
}

function measureText(pixels: Pixels, text: RawLayout['suspects'][number], scale: number) {
  const colors = text.boxes.flatMap((box) => pixelsIn(pixels, box, scale));
  if (colors.length < 20) return undefined; // beyond the end of the picture
  const ink = (text.color as Rgb | undefined) ?? inkOf(colors, commonest(colors));
  const around = colors.filter((color) => color.some((value, n) => Math.abs(value - ink[n]!) > INK_TOLERANCE));
  const ground = around.length < (1 - INK_SHARE_MAX) * colors.length ? colors : around;
  const behind = commonest(ground);
  const inkLuminance = luminanceOf(ink);
  const readable = ground.filter((color) => contrastOf(luminanceOf(color), inkLuminance) >= CONTRAST_MIN).length;
  const ratio = contrastOf(inkLuminance, luminanceOf(behind));
  if (ratio >= CONTRAST_MIN || readable / ground.length >= READABLE_SHARE) return undefined;
  return { ratio: Math.round(ratio * 100) / 100, color: hex(ink), behind: hex(behind) };
}

/**
 * Measures the contrast of texts that may be hard to read in the picture itself, whatever lies behind them there.
 * `cssWidth` is how many CSS pixels of the document the picture's width shows. Each text is looked at in at most 2,400
 * pixels; a picture without doubtful text is not decoded.
 */
export async function measureLayout(
  { suspects, ...layout }: RawLayout,
  png: Buffer,
  cssWidth: number,
): Promise<MeasuredLayout> {
  if (suspects.length === 0) return { ...layout, contrasts: [] };
  const { data, info } = await sharp(png, { limitInputPixels: false })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels: Pixels = { data, width: info.width, height: info.height, channels: info.channels };
  const scale = info.width / cssWidth;
  const contrasts = suspects.flatMap((text) => {
    const found = measureText(pixels, text, scale);
    const { selector, text: words, size } = text;
    return found ? [{ text: words, selector, box: text.boxes[0]!, size, ...found }] : [];
  });
  return { ...layout, contrasts };
}

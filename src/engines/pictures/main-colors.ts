// The colors that a picture mostly consists of.
import type { Picture } from './compare-pictures.ts';
import { isColorNear } from './difference.ts';

export interface MainColor {
  /** `#1a73e8`. */
  color: string;
  rgb: [red: number, green: number, blue: number];
  /** Of all pixels, 0 to 1. */
  share: number;
}

const COLORS_MAX = 12;
/** Edges of letters have many colors, each of which is rare. */
const SHARE_MIN = 0.005;

const twoDigits = (channel: number): string => channel.toString(16).padStart(2, '0');

/** How far a color may be from a more frequent one and still be counted with it: edges, and what JPEG does. */
const NEAR = 0.1;

/** Most frequent first: colors in bins of 16 steps a channel, near ones as one. */
export function mainColors({ width, height, data }: Picture): MainColor[] {
  const bins = new Float64Array(4096 * 4);
  const pixels = width * height;
  for (let at = 0; at < pixels * 4; at += 4) {
    const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
    const bin = (((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)) * 4;
    bins[bin]!++;
    bins[bin + 1]! += red;
    bins[bin + 2]! += green;
    bins[bin + 3]! += blue;
  }
  const found: { rgb: MainColor['rgb']; count: number }[] = [];
  for (let bin = 0; bin < bins.length; bin += 4) {
    const count = bins[bin] as number;
    const mean = (channel: number): number => Math.round((bins[bin + channel] as number) / count);
    if (count / pixels >= SHARE_MIN) found.push({ rgb: [mean(1), mean(2), mean(3)], count });
  }
  const kept: typeof found = [];
  for (const color of found.toSorted((one, two) => two.count - one.count)) {
    const near = kept.find(({ rgb }) => isColorNear(color.rgb, 0, { to: rgb, threshold: NEAR }));
    if (near) near.count += color.count;
    else kept.push({ ...color });
  }
  return kept.slice(0, COLORS_MAX).map(({ rgb, count }) => ({
    color: `#${rgb.map(twoDigits).join('')}`,
    rgb,
    share: Math.round((count / pixels) * 1000) / 1000,
  }));
}

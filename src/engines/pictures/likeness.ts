// How far a picture of a preview agrees with a picture of the real client. Engines draw the same text a little apart, so
// that neither rows nor pixels are equal: rows are aligned by what stands in them, and judged in small areas.
import type { Picture } from './compare-pictures.ts';
import { contentOf } from './content.ts';
import { differenceOf, isColorNear, type RowPair } from './difference.ts';
import { mainColors, type MainColor } from './main-colors.ts';
import { pairRows } from './pair-rows.ts';

/** How far the mean colors of two areas may be apart, 0 to 1. */
const THRESHOLD = 0.1;
/** Pixels of the side of an area. */
const AREA = 8;
/** Rows of a part that stands in one picture only; less is a matter of line height. */
const PART_ROWS_MIN = 8;
const PARTS_MAX = 50;

/** Says in one sentence what `agreement` is. */
export const LIKENESS_RULE =
  'Both pictures are cut to what stands on their background, and their rows are aligned by what stands in them. ' +
  'Counted are areas of 8 by 8 pixels in which either shows something; an area agrees when its mean colors are at ' +
  'most 10 % apart (YIQ).';

interface Sizes {
  /** Pixels, or a count. */
  captured: number;
  preview: number;
  /** The smaller by the larger, 0 to 1. */
  agreement: number;
}

/** Rows of the content of one picture that the other lacks. */
interface Part {
  /** Of the picture that has it. */
  missing_in: 'captured' | 'preview';
  /** First and last row, in that picture. */
  top: number;
  bottom: number;
}

export interface Likeness {
  /** 0 to 1, by {@link LIKENESS_RULE}. */
  agreement: number;
  width: Sizes;
  height: Sizes;
  /** Runs of rows that show something: lines of text, mostly. More of them is text that wraps. */
  lines: Sizes;
  colors: { agreement: number; only_captured: MainColor[]; only_preview: MainColor[] };
  parts: { agreement: number; missing: Part[]; missing_count: number };
}

interface Compared {
  likeness: Likeness;
  /** Magenta where they differ, what was captured pale elsewhere. */
  difference: Picture;
}

const round = (share: number): number => Math.round(share * 1000) / 1000;

function sizes(captured: number, preview: number): Sizes {
  const larger = Math.max(captured, preview);
  return { captured, preview, agreement: larger === 0 ? 1 : round(Math.min(captured, preview) / larger) };
}

/** Rows with something in them. */
function inkOf({ width, height, data }: Picture, background: readonly number[]): Uint8Array {
  const rows = new Uint8Array(height);
  for (let row = 0, at = 0; row < height; row++)
    for (let x = 0; x < width; x++, at += 4)
      if (!isColorNear(data, at, { to: background, threshold: THRESHOLD })) rows[row] = 1;
  return rows;
}

function runsOf(rows: Uint8Array): number {
  let runs = 0;
  for (let row = 0; row < rows.length; row++) if (rows[row] && !rows[row - 1]) runs++;
  return runs;
}

/** Runs of pairs in which one picture has rows with something in them, and the other none. */
function missingParts(pairs: readonly RowPair[], { a, b }: { a: Uint8Array; b: Uint8Array }) {
  const found: Part[] = [];
  let rows = 0;
  const walk = (side: 'a' | 'b', missingIn: Part['missing_in'], ink: Uint8Array): void => {
    const other = side === 'a' ? 'b' : 'a';
    let run: number[] = [];
    const end = (): void => {
      const inked = run.filter((row) => ink[row]);
      if (inked.length >= PART_ROWS_MIN) {
        rows += inked.length;
        found.push({ missing_in: missingIn, top: inked[0] as number, bottom: inked.at(-1) as number });
      }
      run = [];
    };
    for (const pair of pairs) {
      if (pair[side] >= 0 && pair[other] < 0) run.push(pair[side]);
      else if (pair[side] >= 0) end();
    }
    end();
  };
  walk('a', 'preview', a);
  walk('b', 'captured', b);
  const all = a.reduce((sum, one) => sum + one, 0) + b.reduce((sum, one) => sum + one, 0);
  return {
    agreement: round(1 - rows / Math.max(1, all)),
    missing: found.toSorted((one, two) => one.top - two.top).slice(0, PARTS_MAX),
    missing_count: found.length,
  };
}

/** The mean color of one picture in an area, over the pairs in which it has rows; undefined where it has none. */
function meanOf(
  { width, data }: Picture,
  rows: readonly number[],
  { from, to }: { from: number; to: number },
): [number, number, number] | undefined {
  const end = Math.min(to, width);
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const row of rows) {
    for (let x = from; x < end; x++, count++) {
      const at = (row * width + x) * 4;
      for (let channel = 0; channel < 3; channel++)
        sums[channel] = (sums[channel] as number) + (data[at + channel] as number);
    }
  }
  return count === 0 ? undefined : [sums[0] / count, sums[1] / count, sums[2] / count];
}

interface Sides {
  captured: Picture;
  preview: Picture;
  backgrounds: { captured: readonly number[]; preview: readonly number[] };
}

/** The share of areas with something in them that agree. */
function agreementOf(pairs: readonly RowPair[], { captured, preview, backgrounds }: Sides): number {
  const width = Math.max(captured.width, preview.width);
  const near = (color: readonly number[], to: readonly number[]): boolean =>
    isColorNear(color, 0, { to, threshold: THRESHOLD });
  let [counted, agreeing] = [0, 0];
  for (let top = 0; top < pairs.length; top += AREA) {
    const rows = pairs.slice(top, top + AREA);
    const own = {
      a: rows.flatMap(({ a }) => (a >= 0 ? [a] : [])),
      b: rows.flatMap(({ b }) => (b >= 0 ? [b] : [])),
    };
    for (let from = 0; from < width; from += AREA) {
      const a = meanOf(captured, own.a, { from, to: from + AREA });
      const b = meanOf(preview, own.b, { from, to: from + AREA });
      const isEmpty = (!a || near(a, backgrounds.captured)) && (!b || near(b, backgrounds.preview));
      if (isEmpty) continue;
      counted++;
      if (a && b && near(a, b)) agreeing++;
    }
  }
  return counted === 0 ? 1 : round(agreeing / counted);
}

/** Holds the preview of a message in a client against a picture of that client; both at one CSS pixel a pixel. */
export function compareLikeness(capturedWhole: Picture, previewWhole: Picture): Compared {
  const [first, second] = [contentOf(capturedWhole), contentOf(previewWhole)];
  const [captured, preview] = [first.picture, second.picture];
  const backgrounds = { captured: first.background, preview: second.background };
  const pairs = pairRows(captured, preview, backgrounds);
  const ink = { a: inkOf(captured, backgrounds.captured), b: inkOf(preview, backgrounds.preview) };
  const colors = [mainColors(captured), mainColors(preview)] as const;
  const shared = (own: readonly MainColor[], others: readonly MainColor[]) =>
    own.filter(({ rgb }) => others.some((other) => isColorNear(rgb, 0, { to: other.rgb, threshold: THRESHOLD })));
  const both = [shared(colors[0], colors[1]), shared(colors[1], colors[0])] as const;
  const sum = (list: readonly MainColor[]): number => list.reduce((total, { share }) => total + share, 0);
  const all = sum(colors[0]) + sum(colors[1]);
  const moved = ({ missing, ...rest }: ReturnType<typeof missingParts>) => ({
    ...rest,
    missing: missing.map((part) => {
      const by = part.missing_in === 'preview' ? first.top : second.top;
      return { ...part, top: part.top + by, bottom: part.bottom + by };
    }),
  });
  const { width, height, data } = differenceOf(captured, preview, { threshold: THRESHOLD, pairs });
  return {
    likeness: {
      agreement: agreementOf(pairs, { captured, preview, backgrounds }),
      width: sizes(captured.width, preview.width),
      height: sizes(captured.height, preview.height),
      lines: sizes(runsOf(ink.a), runsOf(ink.b)),
      colors: {
        agreement: all === 0 ? 1 : round((sum(both[0]) + sum(both[1])) / all),
        only_captured: colors[0].filter((color) => !both[0].includes(color)),
        only_preview: colors[1].filter((color) => !both[1].includes(color)),
      },
      parts: moved(missingParts(pairs, ink)),
    },
    difference: { width, height, data: new Uint8Array(data.buffer) },
  };
}

// A picture that only grew has no rows that were put in: pairing its rows one by one tears it into stripes.
// What follows a shift is paired; what was torn is paired from its top, and its rest stands below in one piece.
import type { RowPair } from './difference.ts';
import { change, unlikeness, type Described } from './row-likeness.ts';

/**
 * Rows put in that are no more than this unlike the row beside them are more of the same: padding, or a gap between
 * lines.
 */
const SAME_MAX = 0.25;
/** This many successive rows are an element of their own, such as a line of text. */
const OWN_ROWS_MIN = 8;
/** What lies between two tears keeps its partners when it is this long, */
const ANCHOR_ROWS_MIN = 24;
/** and its rows are so much more like their partners than like each other. */
const ANCHOR_LIKENESS_MIN = 10;

/** Pairs from `from` up to `to`: rows of both, or of one alone. */
interface Stretch {
  from: number;
  to: number;
  isPaired: boolean;
}

function stretchesOf(pairs: readonly RowPair[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, { a, b }] of pairs.entries()) {
    const isPaired = a >= 0 && b >= 0;
    const last = stretches.at(-1);
    if (last?.isPaired === isPaired) last.to = at + 1;
    else stretches.push({ from: at, to: at + 1, isPaired });
  }
  return stretches;
}

/** Whether a row is more of the row above it, or of the row below. */
function isMore(rows: Float32Array, row: number): boolean {
  return change(rows, row) <= SAME_MAX || change(rows, row + 1) <= SAME_MAX;
}

/** Whether rows without a partner are neither more of the same nor something of their own. */
function isTear(pairs: readonly RowPair[], { from, to }: Stretch, { a, b }: Described): boolean {
  if (to - from >= OWN_ROWS_MIN) return false;
  return pairs.slice(from, to).some((pair) => !(pair.a >= 0 ? isMore(a, pair.a) : isMore(b, pair.b)));
}

/** Whether paired rows surely show the same: many, unlike each other, and like their partners. */
function isAnchor(pairs: readonly RowPair[], { from, to }: Stretch, described: Described): boolean {
  if (to - from < ANCHOR_ROWS_MIN) return false;
  let changes = 0;
  let errors = 0;
  for (const { a, b } of pairs.slice(from, to)) {
    changes += change(described.b, b);
    errors += unlikeness(described, a, b);
  }
  return changes > 0 && errors * ANCHOR_LIKENESS_MIN <= changes;
}

/** The rows of a stretch, paired from its top; what is over stands alone, at its end. */
function fromTheTop(pairs: readonly RowPair[]): RowPair[] {
  const a = pairs.flatMap((pair) => (pair.a >= 0 ? [pair.a] : []));
  const b = pairs.flatMap((pair) => (pair.b >= 0 ? [pair.b] : []));
  return Array.from({ length: Math.max(a.length, b.length) }, (_, row) => ({ a: a[row] ?? -1, b: b[row] ?? -1 }));
}

/** Pairs anew what lies between tears that no anchor parts. Every row stays once, in order. */
export function mendTears(pairs: readonly RowPair[], described: Described): RowPair[] {
  const torn: { from: number; to: number }[] = [];
  let isAnchored = true;
  for (const stretch of stretchesOf(pairs)) {
    if (stretch.isPaired) {
      isAnchored ||= isAnchor(pairs, stretch, described);
    } else if (isTear(pairs, stretch, described)) {
      const last = torn.at(-1);
      if (last && !isAnchored) last.to = stretch.to;
      else torn.push({ from: stretch.from, to: stretch.to });
      isAnchored = false;
    }
  }
  const mended: RowPair[] = [];
  let done = 0;
  for (const { from, to } of torn) {
    mended.push(...pairs.slice(done, from), ...fromTheTop(pairs.slice(from, to)));
    done = to;
  }
  return [...mended, ...pairs.slice(done)];
}

// The gate (engines/pictures) and the dashboard's comparison (web) judge pixels by one source. Here both are held to one
// answer, whatever either puts around it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alignRows } from '../src/engines/pictures/align-rows.ts';
import { comparePictures, type Picture } from '../src/engines/pictures/index.ts';
import { differenceOf } from '../web/src/shared/pictures/difference.ts';

type Color = readonly [red: number, green: number, blue: number];

function picture(width: number, rows: readonly Color[]): Picture {
  const data = new Uint8Array(width * rows.length * 4);
  for (const [y, color] of rows.entries()) {
    for (let x = 0; x < width; x++) data.set([...color, 255], (y * width + x) * 4);
  }
  return { width, height: rows.length, data };
}

/** Colors that repeat on every machine, no two rows alike. */
function rowsOf(count: number, seed: number): Color[] {
  const colorOf = (row: number): Color => [(row * 37 + seed * 11) % 256, (row * 101 + seed) % 256, row % 256];
  return Array.from({ length: count }, (_, row) => colorOf(row));
}

/** Each channel moved by so much. */
function moved(rows: readonly Color[], by: number): Color[] {
  return rows.map(([red, green, blue], row) => {
    const step = (row % 3) * by;
    return [Math.min(255, red + step), Math.max(0, green - step), blue];
  });
}

const ROWS = rowsOf(120, 5);
/** Each channel alone, from nothing to all: where a threshold is crossed tells the weights apart. */
const RAMPS = [0, 1, 2].flatMap((channel) =>
  Array.from({ length: 256 }, (_, value): Color => [
    channel === 0 ? value : 0,
    channel === 1 ? value : 0,
    channel === 2 ? value : 0,
  ]),
);
/** `ROWS` with another color in some. */
const changed = (color: Color, ...places: number[]): Color[] =>
  ROWS.map((row, place) => (places.includes(place) ? color : row));
const CASES: Record<string, [before: Picture, now: Picture]> = {
  'equal pictures': [picture(9, ROWS), picture(9, ROWS)],
  'changed rows': [picture(9, ROWS), picture(9, changed([255, 0, 0], 7, 90))],
  'rows put in': [picture(9, ROWS), picture(9, [...ROWS.slice(0, 40), [1, 2, 3], [3, 2, 1], ...ROWS.slice(40)])],
  'rows taken away': [picture(9, ROWS), picture(9, ROWS.slice(30))],
  'another width': [picture(9, ROWS), picture(12, ROWS)],
  'slight changes': [picture(9, ROWS), picture(9, moved(ROWS, 2))],
  'strong changes': [picture(9, ROWS), picture(9, moved(ROWS, 60))],
  'ever larger changes, by channel': [
    picture(
      3,
      RAMPS.map((): Color => [0, 0, 0]),
    ),
    picture(3, RAMPS),
  ],
  'changes near each other and far': [picture(3, ROWS), picture(3, changed([0, 0, 255], 10, 34, 59, 60, 86))],
  'nothing alike': [picture(9, ROWS), picture(9, rowsOf(80, 77))],
};

/** Of each pixel: 2 where it differs, 1 where only one picture has it, 0 where they are equal; told by its magenta. */
function marksOf(data: ArrayLike<number>): number[] {
  const marks: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [red, green] = [data[at] as number, data[at + 1] as number];
    marks.push(red === green ? 0 : green === 0 ? 2 : 1);
  }
  return marks;
}

describe('the difference of two pictures, by the gate and by the dashboard', () => {
  for (const [name, [before, now]] of Object.entries(CASES)) {
    for (const threshold of [0, 0.01, 0.05, 0.1, 0.5]) {
      it(`is the same: ${name}, threshold ${threshold}`, () => {
        const ours = comparePictures(before, now, { threshold });
        const asClamped = ({ data, ...size }: Picture) => ({ ...size, data: new Uint8ClampedArray(data) });
        // Each follows moved rows in its own way, so both are given the same pairs.
        const theirs = differenceOf(asClamped(before), asClamped(now), { threshold, pairs: alignRows(before, now) });
        const share = theirs.differing / theirs.total;
        assert.deepEqual({ share: ours.share, bands: ours.bands }, { share, bands: theirs.bands });
        if (ours.picture) assert.deepEqual(marksOf(ours.picture.data), marksOf(theirs.data));
        else assert.equal(theirs.differing, 0);
      });
    }
  }

  it('finds something to disagree about in these cases', () => {
    const shares = Object.values(CASES).flatMap(([before, now]) =>
      [0, 0.05, 0.5].map((threshold) => comparePictures(before, now, { threshold }).share),
    );
    assert.ok(new Set(shares).size > 10, `only ${new Set(shares).size} different answers`);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alignRows, rowsAsTheyStand } from './align-rows.ts';
import { differenceOf, type Pixels } from './difference.ts';

/** A picture whose rows have these grays, or colors. */
function picture(width: number, rows: (number | [number, number, number])[]): Pixels {
  const data = new Uint8ClampedArray(width * rows.length * 4);
  for (const [y, row] of rows.entries()) {
    const [red, green, blue] = typeof row === 'number' ? [row, row, row] : row;
    for (let x = 0; x < width; x++) data.set([red, green, blue, 255], (y * width + x) * 4);
  }
  return { width, height: rows.length, data };
}

/** Rows that all look different from their neighbors. */
function text(count: number, seed = 1): number[] {
  return Array.from({ length: count }, (_, row) => ((row * 97 * seed) % 11) * 25);
}

const SHARP = { threshold: 0.05 };

describe('the difference of two pictures', () => {
  it('is nothing for equal ones', () => {
    const a = picture(20, text(50));
    const { differing, bands, height } = differenceOf(a, a, { ...SHARP, pairs: alignRows(a, a) });
    assert.deepEqual({ differing, bands, height }, { differing: 0, bands: [], height: 50 });
  });

  it('counts the pixels that differ, paints them magenta, and says where they are', () => {
    const rows = text(200);
    const a = picture(10, rows);
    const b = picture(
      10,
      rows.map((row, y) => (y === 20 || y === 150 ? [255, 0, 0] : row)),
    );
    const found = differenceOf(a, b, { ...SHARP, pairs: rowsAsTheyStand(a, b) });
    assert.equal(found.differing, 20);
    assert.deepEqual(found.bands, [
      { top: 20, bottom: 20 },
      { top: 150, bottom: 150 },
    ]);
    assert.deepEqual([...found.data.subarray(20 * 40, 20 * 40 + 4)], [224, 0, 159, 255]);
  });

  it('lets small differences of color pass, up to the threshold', () => {
    const [a, b] = [picture(4, [100, 100]), picture(4, [104, 140])];
    const pairs = rowsAsTheyStand(a, b);
    assert.equal(differenceOf(a, b, { threshold: 0, pairs }).differing, 8);
    assert.equal(differenceOf(a, b, { threshold: 0.05, pairs }).differing, 4);
    assert.equal(differenceOf(a, b, { threshold: 0.5, pairs }).differing, 0);
  });

  it('counts what only the larger picture has', () => {
    const [a, b] = [picture(10, text(30)), picture(12, text(40))];
    const { differing, total } = differenceOf(a, b, { ...SHARP, pairs: rowsAsTheyStand(a, b) });
    assert.deepEqual({ differing, total }, { differing: 30 * 2 + 10 * 12, total: 40 * 12 });
  });
});

describe('aligned rows', () => {
  it('follow rows that were pushed down, and leave only the new ones without a partner', () => {
    const rows = text(300);
    const a = picture(32, rows);
    const b = picture(32, [...rows.slice(0, 100), ...Array<number>(8).fill(255), ...rows.slice(100)]);
    const pairs = alignRows(a, b);
    const alone = pairs.filter((pair) => pair.a < 0 || pair.b < 0);
    assert.equal(alone.length, 8);
    assert.ok(alone.every((pair) => pair.a < 0 && pair.b >= 98 && pair.b <= 108));
    assert.ok(differenceOf(a, b, { ...SHARP, pairs }).differing <= 8 * 32 + 2 * 32);
  });

  it('name every row once, in order', () => {
    const [a, b] = [picture(16, text(120)), picture(16, text(140, 3))];
    const pairs = alignRows(a, b);
    assert.deepEqual(
      pairs.filter((pair) => pair.a >= 0).map((pair) => pair.a),
      Array.from({ length: 120 }, (_, row) => row),
    );
    assert.deepEqual(
      pairs.filter((pair) => pair.b >= 0).map((pair) => pair.b),
      Array.from({ length: 140 }, (_, row) => row),
    );
  });

  it('stand as they are between a light and a dark picture, which have nothing in common', () => {
    const [a, b] = [picture(16, Array<number>(60).fill(250)), picture(16, Array<number>(60).fill(20))];
    assert.deepEqual(alignRows(a, b), rowsAsTheyStand(a, b));
  });
});

const WIDTH = 96;

/** Rows of letters on white: `lines` of them, `apart` rows from top to top. */
function letters(lines: number, apart: number): number[][] {
  return Array.from({ length: lines * apart }, (_, y) => {
    const [line, within] = [Math.floor(y / apart), y % apart];
    return Array.from({ length: WIDTH }, (_, x) =>
      within >= 3 &&
      within < 14 &&
      (x * 7 + within * 5 + line * 13 + ((x * within) % 5)) % 6 < 2 &&
      x < 40 + ((line * 29) % 50)
        ? 30
        : 255,
    );
  });
}

/** A photo of so many rows: waves, a slope and edges, the same one at every size. */
function photo(rows: number, { grain = 0 } = {}): number[][] {
  return Array.from({ length: rows }, (_, row) => {
    const y = row / rows;
    return Array.from({ length: WIDTH }, (_, column) => {
      const x = column / WIDTH;
      const waves = 40 * Math.sin(x * 9 + y * 14) + 30 * Math.sin(y * 31 - x * 5);
      const edge = y > 0.35 + 0.1 * Math.sin(x * 6) ? -45 : 20;
      return Math.min(
        255,
        Math.max(0, Math.round(140 + waves + edge + grain * Math.sin(row * 12.9898 + column * 78.233) * 20)),
      );
    });
  });
}

function drawn(rows: number[][]): Pixels {
  const data = new Uint8ClampedArray(WIDTH * rows.length * 4);
  for (const [y, row] of rows.entries())
    for (const [x, gray] of row.entries()) data.set([gray, gray, gray, 255], (y * WIDTH + x) * 4);
  return { width: WIDTH, height: rows.length, data };
}

/** How many separate pieces of rows have no partner. */
function pieces(pairs: { a: number; b: number }[]): number {
  return pairs.filter(
    (pair, at) => (pair.a < 0 || pair.b < 0) && !(at > 0 && (pairs[at - 1]!.a < 0 || pairs[at - 1]!.b < 0)),
  ).length;
}

describe('a picture that only grew', () => {
  for (const [name, before, after, grain] of [
    ['by a fifth', 200, 240, 0],
    ['by a fiftieth', 300, 306, 0],
    ['to the double', 120, 240, 0],
    ['and has grain', 200, 230, 1],
    ['smaller', 240, 200, 0],
  ] as const) {
    it(`is shown as a change in one piece, and what follows it stays beside its partner: ${name}`, () => {
      const [head, foot] = [letters(6, 20), letters(10, 18)];
      const a = drawn([...head, ...photo(before, { grain }), ...foot]);
      const b = drawn([...head, ...photo(after, { grain }), ...foot]);
      const pairs = alignRows(a, b);
      assert.ok(pieces(pairs) <= 2, `${pieces(pairs)} pieces`);
      assert.equal(pairs.filter((pair) => pair.a < 0 || pair.b < 0).length, Math.abs(after - before));
      const partnerOf = new Map(pairs.map((pair) => [pair.a, pair.b]));
      for (let row = 0; row < head.length; row++) assert.equal(partnerOf.get(row), row);
      for (let row = 0; row < foot.length; row++)
        assert.equal(partnerOf.get(head.length + before + row), head.length + after + row);
      assert.deepEqual(
        pairs.filter((pair) => pair.a >= 0).map((pair) => pair.a),
        Array.from({ length: a.height }, (_, row) => row),
      );
      assert.deepEqual(
        pairs.filter((pair) => pair.b >= 0).map((pair) => pair.b),
        Array.from({ length: b.height }, (_, row) => row),
      );
    });
  }

  it('is no reason not to follow lines that were set further apart, or a line that was put in', () => {
    const [close, wide] = [drawn(letters(12, 20)), drawn(letters(12, 23))];
    const found = differenceOf(close, wide, { ...SHARP, pairs: alignRows(close, wide) });
    assert.ok(found.differing <= 12 * 3 * WIDTH, `${found.differing} differ`);
    const lines = letters(9, 20);
    const [a, b] = [
      drawn([...lines, ...photo(100)]),
      drawn([...lines.slice(0, 80), ...letters(14, 20).slice(260), ...lines.slice(80), ...photo(100)]),
    ];
    const pairs = alignRows(a, b);
    assert.equal(pieces(pairs), 1);
    assert.ok(differenceOf(a, b, { ...SHARP, pairs }).differing <= 20 * WIDTH);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alignRows, rowsAsTheyStand } from './align-rows.ts';
import { differenceOf, type Pixels } from './difference.ts';

/** A picture whose rows have these greys, or colours. */
function picture(width: number, rows: (number | [number, number, number])[]): Pixels {
  const data = new Uint8ClampedArray(width * rows.length * 4);
  for (const [y, row] of rows.entries()) {
    const [red, green, blue] = typeof row === 'number' ? [row, row, row] : row;
    for (let x = 0; x < width; x++) data.set([red, green, blue, 255], (y * width + x) * 4);
  }
  return { width, height: rows.length, data };
}

/** Rows that all look different from their neighbours. */
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
    const b = picture(10, rows.map((row, y) => (y === 20 || y === 150 ? [255, 0, 0] : row)));
    const found = differenceOf(a, b, { ...SHARP, pairs: rowsAsTheyStand(a, b) });
    assert.equal(found.differing, 20);
    assert.deepEqual(found.bands, [{ top: 20, bottom: 20 }, { top: 150, bottom: 150 }]);
    assert.deepEqual([...found.data.subarray(20 * 40, 20 * 40 + 4)], [224, 0, 159, 255]);
  });

  it('lets small differences of colour pass, up to the threshold', () => {
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
    assert.deepEqual(pairs.filter((pair) => pair.a >= 0).map((pair) => pair.a), Array.from({ length: 120 }, (_, row) => row));
    assert.deepEqual(pairs.filter((pair) => pair.b >= 0).map((pair) => pair.b), Array.from({ length: 140 }, (_, row) => row));
  });

  it('stand as they are between a light and a dark picture, which have nothing in common', () => {
    const [a, b] = [picture(16, Array<number>(60).fill(250)), picture(16, Array<number>(60).fill(20))];
    assert.deepEqual(alignRows(a, b), rowsAsTheyStand(a, b));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Picture } from './compare-pictures.ts';
import { compareLikeness } from './likeness.ts';

type Rgb = [number, number, number];
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  color: Rgb;
}

const [WHITE, BLUE, GREEN, RED, INK]: Rgb[] = [
  [255, 255, 255],
  [26, 115, 232],
  [24, 128, 56],
  [217, 48, 37],
  [32, 33, 36],
] as [Rgb, Rgb, Rgb, Rgb, Rgb];

function draw(boxes: readonly Box[], { width = 320, height = 240, background = WHITE } = {}): Picture {
  const data = new Uint8Array(width * height * 4);
  const paint = (at: number, [r, g, b]: Rgb): void => data.set([r, g, b, 255], at * 4);
  for (let at = 0; at < width * height; at++) paint(at, background as Rgb);
  for (const { x, y, width: wide, height: high, color } of boxes)
    for (let row = y; row < y + high; row++)
      for (let column = x; column < x + wide; column++) paint(row * width + column, color);
  return { width, height, data };
}

const bar = (y: number, height: number, color: Rgb, width = 200): Box => ({ x: 20, y, width, height, color });
/** Marks as letters leave them: no row of them is of one color. */
const line = (y: number, words = 12): Box[] =>
  Array.from({ length: words }, (_, n) => ({ x: 20 + n * 14, y, width: 9 - (n % 3), height: 12, color: INK as Rgb }));
const LETTER = [bar(20, 40, BLUE as Rgb), ...line(72), ...line(96), bar(130, 30, GREEN as Rgb)];
const likenessOf = (captured: Picture, preview: Picture) => compareLikeness(captured, preview).likeness;

describe('the likeness of a preview and a capture', () => {
  it('is whole for equal pictures, whatever stands around them and on whatever background', () => {
    const dark = { background: [32, 32, 32] as Rgb };
    const moved = LETTER.map((box) => ({ ...box, x: box.x + 40, y: box.y + 33 }));
    for (const [captured, preview] of [
      [draw(LETTER), draw(LETTER)],
      [draw(moved, { width: 400, height: 300 }), draw(LETTER)],
      [draw([], dark), draw([], dark)],
      [draw([bar(20, 40, BLUE as Rgb)], dark), draw([bar(60, 40, BLUE as Rgb)], dark)],
    ] as const) {
      const { agreement, width, height, lines, colors, parts } = likenessOf(captured, preview);
      assert.deepEqual(
        [agreement, width.agreement, height.agreement, lines.agreement, colors.agreement, parts.agreement],
        [1, 1, 1, 1, 1, 1],
      );
      assert.deepEqual([colors.only_captured, colors.only_preview, parts.missing], [[], [], []]);
    }
  });

  it('names the trait that differs, and leaves the others alone', () => {
    const narrow = likenessOf(draw([bar(20, 40, BLUE as Rgb, 180)]), draw([bar(20, 40, BLUE as Rgb, 200)]));
    assert.deepEqual(narrow.width, { captured: 180, preview: 200, agreement: 0.9 });
    assert.deepEqual([narrow.height.agreement, narrow.parts.missing_count], [1, 0]);
    assert.ok(narrow.agreement >= 0.88 && narrow.agreement <= 0.92, `${narrow.agreement}`);
    const wrapped = likenessOf(draw([...LETTER, ...line(180)]), draw(LETTER));
    assert.deepEqual(wrapped.lines, { captured: 5, preview: 4, agreement: 0.8 });
    const recolored = likenessOf(draw([bar(20, 40, RED as Rgb)]), draw([bar(20, 40, BLUE as Rgb)]));
    assert.deepEqual([recolored.agreement, recolored.colors.agreement], [0, 0]);
    assert.deepEqual(
      [recolored.colors.only_captured, recolored.colors.only_preview].map((list) => list.map(({ color }) => color)),
      [['#d93025'], ['#1a73e8']],
    );
    assert.deepEqual([recolored.width.agreement, recolored.height.agreement, recolored.lines.agreement], [1, 1, 1]);
  });

  it('says which rows of which picture the other lacks, where they stand in the picture as it was given', () => {
    const without = LETTER.filter(({ color }) => color !== GREEN);
    const { parts, agreement } = likenessOf(draw(LETTER), draw(without));
    assert.deepEqual(parts.missing, [{ missing_in: 'preview', top: 130, bottom: 159 }]);
    assert.ok(agreement > 0.5 && agreement < 0.9, `${agreement}`);
    const other = likenessOf(draw(without), draw(LETTER));
    assert.deepEqual(other.parts.missing, [{ missing_in: 'captured', top: 130, bottom: 159 }]);
  });

  it('follows what only stands lower: a taller line above costs little of what is below', () => {
    const lower = LETTER.map((box) => (box.y > 60 ? { ...box, y: box.y + 7 } : box));
    const { agreement, parts } = likenessOf(draw(lower), draw(LETTER));
    assert.equal(parts.missing_count, 0);
    assert.ok(agreement > 0.9, `${agreement}`);
  });

  it('draws the difference: magenta where they differ, pale elsewhere', () => {
    const { difference } = compareLikeness(draw(LETTER), draw([...LETTER.slice(1), bar(20, 40, RED as Rgb)]));
    const colors = new Set<string>();
    for (let at = 0; at < difference.data.length; at += 4) colors.add(difference.data.subarray(at, at + 3).join());
    assert.ok(colors.has('224,0,159'), [...colors].slice(0, 8).join(' '));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawPixels } from './raw-pixels.ts';
import { DIFFERENCE_MAX, isWithin, visualDifference } from './visual-difference.ts';

/** A picture of 64 × 64 from its color at each place. */
function picture(color: (x: number, y: number) => number[], channels: 3 | 4 = 3): RawPixels {
  const data = Buffer.alloc(64 * 64 * channels);
  for (let at = 0; at < 64 * 64; at++) data.set(color(at % 64, Math.floor(at / 64)), at * channels);
  return { data, width: 64, height: 64, channels };
}
const stripes = (x: number) => (x % 8 < 4 ? [200, 180, 160] : [60, 70, 80]);
const shifted = (by: number) => picture((x) => stripes(x).map((value) => value + by));

describe('visualDifference', () => {
  it('is none between equal pictures, with and without alpha', () => {
    assert.deepEqual(visualDifference(picture(stripes), picture(stripes)), { ssim: 1, deltaE: 0 });
    assert.deepEqual(
      visualDifference(
        picture(stripes),
        picture((x) => [...stripes(x), 255], 4),
      ),
      { ssim: 1, deltaE: 0 },
    );
  });
  it('grows with the change', () => {
    const [small, large] = [visualDifference(shifted(0), shifted(2)), visualDifference(shifted(0), shifted(40))];
    assert.ok(small.deltaE > 0 && small.deltaE < 1.5 && large.deltaE > 8, JSON.stringify([small, large]));
    assert.ok(isWithin(small, DIFFERENCE_MAX) && !isWithin(large, DIFFERENCE_MAX));
  });
  it('sees lost structure where the color on average stays', () => {
    const flat = picture(() => [130, 125, 120]);
    assert.ok(visualDifference(shifted(0), flat).ssim < 0.1);
  });
  it('sees a change of color that leaves the lightness', () => {
    const { ssim, deltaE } = visualDifference(
      picture(() => [200, 60, 60]),
      picture(() => [60, 130, 60]),
    );
    assert.ok(ssim > 0.95 && deltaE > 20, JSON.stringify({ ssim, deltaE }));
  });
  it('sees what becomes transparent on light and on dark grounds', () => {
    for (const value of [255, 20]) {
      const { deltaE } = visualDifference(
        picture(() => [value, value, value, 255], 4),
        picture(() => [value, value, value, 0], 4),
      );
      assert.ok(deltaE > 50, `${value}: ${deltaE}`);
    }
    assert.deepEqual(
      visualDifference(
        picture(() => [255, 0, 0, 0], 4),
        picture(() => [0, 0, 255, 0], 4),
      ),
      { ssim: 1, deltaE: 0 },
    );
  });
  it('takes another size for another picture', () => {
    assert.deepEqual(visualDifference(picture(stripes), { ...picture(stripes), width: 32, height: 128 }), {
      ssim: 0,
      deltaE: 100,
    });
  });
  it('copes with pictures smaller than a block', () => {
    const dot = (value: number): RawPixels => ({
      data: Buffer.from([value, value, value]),
      width: 1,
      height: 1,
      channels: 3,
    });
    assert.deepEqual(visualDifference(dot(9), dot(9)), { ssim: 1, deltaE: 0 });
    assert.ok(visualDifference(dot(0), dot(255)).deltaE > 90);
  });
});

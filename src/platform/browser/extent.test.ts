import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extentOf } from './extent.ts';

const DESKTOP = { width: 800, height: 900, pixelRatio: 1, heightMax: 20_000 };
const PHONE = { width: 390, height: 844, pixelRatio: 3, heightMax: 20_000 };

describe('how much of a document becomes the picture', () => {
  for (const [name, asked, contentHeight, scale, expected] of [
    ['whole by default', DESKTOP, 15_000, 1, [15_000, true, false]],
    ['whole, cut', DESKTOP, 25_000, 1, [20_000, true, true]],
    ['whole, within one bitmap', PHONE, 18_000, 1, [10_666, true, true]],
    ['the first screen of a long one', { ...DESKTOP, extent: 'first_screen' }, 15_000, 1, [900, false, false]],
    ['the first screen of one that is cut', { ...DESKTOP, extent: 'first_screen' }, 25_000, 1, [900, false, true]],
    ['2.6 Mpx are made whole at once', { ...DESKTOP, extent: 'first_screen' }, 3_250, 1, [3_250, true, false]],
    ['a row more is not', { ...DESKTOP, extent: 'first_screen' }, 3_251, 1, [900, false, false]],
    ['2.6 Mpx of a phone', { ...PHONE, extent: 'first_screen' }, 740, 1, [740, true, false]],
    ['what fits into a screen of more pixels', { ...PHONE, extent: 'first_screen' }, 844, 1, [844, true, false]],
    ['a row more than a screen of more', { ...PHONE, extent: 'first_screen' }, 845, 1, [844, false, false]],
    ['a shrunk one has more on a screen', { ...PHONE, extent: 'first_screen' }, 9_000, 0.5, [1_688, false, false]],
    ['shrunk, small enough', { ...PHONE, pixelRatio: 1, extent: 'first_screen' }, 9_000, 0.5, [9_000, true, false]],
  ] as const) {
    it(name, () => {
      const { height, isWhole, isCut } = extentOf(asked, { contentHeight, scale });
      assert.deepEqual([height, isWhole, isCut], expected);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChosen, scaleFor } from './chosen-picture.ts';

describe('a screenshot that a person chose', () => {
  it('is taken to have the scale at which it is as wide as the preview', () => {
    for (const [width, preview, scale] of [
      [640, 640, 1],
      [1280, 640, 2],
      [1298, 640, 2],
      [1170, 390, 3],
      [800, 640, 1.25],
      [1600, 640, 2.5],
      [1000, 640, 1],
      [640, undefined, 1],
    ] as const)
      assert.equal(scaleFor(width, preview), scale, `${width} ${preview}`);
  });

  it('is refused, in words, where it is none, of another kind, or too large', async () => {
    const large = new File([new Uint8Array(10_000_001)], 'a.png', { type: 'image/png' });
    for (const [file, words] of [
      [undefined, /no picture in it.*PNG, JPEG or WebP/],
      [new File(['x'], 'a.gif', { type: 'image/gif' }), /“a.gif” is no picture of a kind that is taken/],
      [large, /has 10.0 MB; 10.0 MB are the most/],
    ] as const)
      await assert.rejects(() => readChosen(file), words);
  });
});

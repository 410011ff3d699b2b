import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { LOOK_COLUMNS, LOOK_ROWS, thumbnailsOf } from './thumbnails.ts';
import { looksAlike, type Sampled } from './looks.ts';

interface Drawn {
  width?: number;
  height?: number;
  shapes?: string;
}

/** A picture as it is kept, of a message with a head, a text and a button. */
async function drawn({ width = 800, height = 1_200, shapes = '' }: Drawn = {}): Promise<Sampled> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 800 1200" preserveAspectRatio="none"><rect width="800" height="1200" fill="#fff"/>
    <rect width="800" height="200" fill="#144a78"/>${[260, 300, 340, 380].map((y) => `<rect x="60" y="${y}" width="600" height="14" fill="#333"/>`).join('')}<rect x="60" y="460" width="200" height="60" fill="#b00020"/>${shapes}</svg>`;
  const { sample } = await thumbnailsOf(await sharp(Buffer.from(svg)).png().toBuffer());
  assert.equal(sample?.length, LOOK_COLUMNS * LOOK_ROWS * 3);
  return { width, height, sample: sample! };
}

describe('looksAlike', () => {
  const cases: [about: string, other: Drawn, isAlike: boolean][] = [
    ['the same picture', {}, true],
    ['a pixel of another color', { shapes: '<rect x="700" y="900" width="1" height="1" fill="#000"/>' }, true],
    [
      'an edge that is smoothed otherwise',
      { shapes: '<rect x="0" y="199" width="800" height="1" fill="#4a7299"/>' },
      true,
    ],
    [
      'a ground that nobody can tell from white',
      { shapes: '<rect x="0" y="600" width="800" height="600" fill="#fefefe"/>' },
      true,
    ],
    ['a width of one per cent more', { width: 808, height: 1_212 }, true],
    [
      'corners that are no longer square',
      { shapes: '<path d="M60 460h8a8 8 0 0 0 -8 8zM260 460h-8a8 8 0 0 1 8 8z" fill="#fff"/>' },
      false,
    ],
    [
      'text that is smoothed otherwise',
      {
        shapes: [259, 274, 299, 314]
          .map((y) => `<rect x="60" y="${y}" width="600" height="1" fill="#333" fill-opacity=".25"/>`)
          .join(''),
      },
      true,
    ],
    ['a width of five per cent more', { width: 840 }, false],
    ['a height of five per cent more', { height: 1_260 }, false],
    ['a line of text more', { shapes: '<rect x="60" y="420" width="600" height="14" fill="#333"/>' }, false],
    ['a button of another color', { shapes: '<rect x="60" y="460" width="200" height="60" fill="#0a7a30"/>' }, false],
    ['a button that is gone', { shapes: '<rect x="60" y="460" width="200" height="60" fill="#fff"/>' }, false],
    ['a ground that is gray', { shapes: '<rect x="0" y="600" width="800" height="600" fill="#f4f4f4"/>' }, false],
    [
      'a ground that is faintly gray everywhere',
      { shapes: '<rect width="800" height="1200" fill="#000" fill-opacity="0.015"/>' },
      false,
    ],
  ];
  for (const [about, other, isAlike] of cases) {
    it(`${isAlike ? 'is true' : 'is false'} for ${about}`, async () =>
      assert.equal(looksAlike(await drawn(), await drawn(other)), isAlike));
  }
  it('is not asked of a picture that is too long to be reduced whole', async () => {
    const long = await sharp({ create: { width: 320, height: 17_000, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    assert.equal((await thumbnailsOf(long)).sample, undefined);
  });
});

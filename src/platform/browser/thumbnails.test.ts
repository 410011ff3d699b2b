import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { pngSize } from './png.ts';
import { thumbnailsOf } from './thumbnails.ts';

/** A picture with a red top of 400 rows over blue. */
async function picture(width: number, height: number): Promise<Buffer> {
  const red = await sharp({ create: { width, height: Math.min(400, height), channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

async function sizeOf(jpeg: Buffer): Promise<unknown[]> {
  const { format, width, height } = await sharp(jpeg).metadata();
  return [format, width, height];
}

describe('thumbnails', () => {
  it('are the top at 240×320 and the whole at a width of 320, both JPEG', async () => {
    const { thumbnail, fullThumbnail, isBlank } = await thumbnailsOf(await picture(800, 4000));
    assert.deepEqual(await sizeOf(thumbnail), ['jpeg', 240, 320]);
    assert.deepEqual(await sizeOf(fullThumbnail), ['jpeg', 320, 1600]);
    assert.equal(isBlank, false);
    const { data } = await sharp(thumbnail)
      .extract({ left: 100, top: 60, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.ok(data[0]! > 200 && data[2]! < 60, 'the top is the top');
  });

  it('are no taller than the picture, and enlarge a narrow one', async () => {
    const { thumbnail, fullThumbnail } = await thumbnailsOf(await picture(160, 100));
    assert.deepEqual(await sizeOf(thumbnail), ['jpeg', 240, 150]);
    assert.deepEqual(await sizeOf(fullThumbnail), ['jpeg', 320, 200]);
  });

  it('stop at 16,000 rows', async () => {
    const { fullThumbnail } = await thumbnailsOf(await picture(320, 20_000));
    assert.deepEqual(await sizeOf(fullThumbnail), ['jpeg', 320, 16_000]);
  });

  it('tell a picture of one color, and put transparency on white', async () => {
    const clear = await sharp({
      create: { width: 300, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { thumbnail, isBlank } = await thumbnailsOf(clear);
    assert.equal(isBlank, true);
    assert.equal((await sharp(thumbnail).raw().toBuffer())[0], 255);
  });

  it('refuse what is no picture', async () => {
    await assert.rejects(thumbnailsOf(Buffer.from('not a picture')));
  });
});

describe('pngSize', () => {
  it('reads width and height, and throws for anything else', async () => {
    assert.deepEqual(pngSize(await picture(123, 45)), { width: 123, height: 45 });
    assert.throws(() => pngSize(Buffer.alloc(40)), TypeError);
    assert.throws(() => pngSize(Buffer.alloc(3)), TypeError);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageSource } from './image-source.ts';
import { pixelFacts, type PixelFacts } from './pixel-facts.ts';

const source = (format: string | null, over: Partial<ImageSource> = {}): ImageSource => ({
  format,
  width: 100,
  height: 100,
  frames: 1,
  isAnimated: false,
  colourSpace: 'rgb',
  orientation: 1,
  hasProfile: false,
  status: 'ok',
  ...over,
});
/** An SVG drawn by the library itself, on a transparent ground of 100 × 100. */
const draw = (shapes: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${shapes}</svg>`))
    .png()
    .toBuffer();

async function measured(bytes: Uint8Array, from: ImageSource = source('png')): Promise<PixelFacts> {
  const outcome = await pixelFacts(bytes, from);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.pixels;
}
/** Where most of a histogram lies. */
const peak = (histogram: number[]) => histogram.indexOf(Math.max(...histogram));

describe('pixelFacts', () => {
  it('measures a dark logo on transparency', async () => {
    const pixels = await measured(await draw('<rect x="25" y="25" width="50" height="50" fill="#111111"/>'));
    assert.deepEqual(
      [pixels.transparentShare, peak(pixels.lightness), peak(pixels.contour), pixels.isBlank],
      [0.75, 5, 5, false],
    );
    // 196 of 10,000 pixels stand at the border of the square.
    assert.equal(pixels.contourShare, 0.0196);
    assert.ok(Math.abs(pixels.meanLuminance - 0.0056) < 0.0002, String(pixels.meanLuminance));
  });
  it('tells the contour from the inside', async () => {
    const pixels = await measured(
      await draw(
        '<rect x="20" y="20" width="60" height="60" fill="#ffffff"/><rect x="30" y="30" width="40" ' +
          'height="40" fill="#000000"/>',
      ),
    );
    assert.deepEqual([peak(pixels.contour), pixels.contour[100], pixels.lightness[0]! > 0.4], [100, 1, true]);
  });
  it('has no contour without transparency', async () => {
    const pixels = await measured(
      await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ffffff' } })
        .jpeg()
        .toBuffer(),
      source('jpeg', { width: 40, height: 20 }),
    );
    assert.deepEqual(
      [pixels.transparentShare, pixels.contourShare, pixels.lightness[100], pixels.meanLuminance, pixels.isBlank],
      [0, 0, 1, 1, true],
    );
  });
  it('calls nothing and one color blank, and a speck not', async () => {
    assert.equal((await measured(await draw(''))).isBlank, true);
    assert.equal((await measured(await draw('<rect width="100" height="100" fill="#abc"/>'))).isBlank, true);
    assert.equal(
      (
        await measured(
          await draw('<rect width="100" height="100" fill="#abc"/><rect x="9" y="9" width="2" height="2"/>'),
        )
      ).isBlank,
      false,
    );
  });
  it('tells what is really transparent from what could be', async () => {
    const shadow = '<rect width="100" height="100" fill="#fff"/>';
    assert.deepEqual(
      [
        (await measured(await draw(shadow))).isOpaque,
        (await measured(await draw('<rect width="100" height="100" fill="#000" opacity="0.7"/>'))).isOpaque,
      ],
      [true, false],
    );
  });
  it('gives the first frame of an animation as PNG', async () => {
    const pixels = Buffer.concat([Buffer.alloc(300, 255), Buffer.alloc(300, 40), Buffer.alloc(300, 120)]);
    const gif = await sharp(pixels, { raw: { width: 10, height: 30, channels: 3, pageHeight: 10 } })
      .gif({ delay: [50, 50, 50] })
      .toBuffer();
    const facts = await measured(gif, source('gif', { width: 10, height: 10, frames: 3, isAnimated: true }));
    const frame = await sharp(facts.firstFrame!).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([facts.isBlank, frame.info.width, frame.info.height, frame.data[0]], [true, 10, 10, 255]);
  });
  it('draws an SVG, and gives up on one that takes forever', async () => {
    const svg = (inside: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${inside}</svg>`);
    assert.equal((await measured(svg('<rect width="50" height="100"/>'), source('svg'))).transparentShare, 0.5);
    const filter =
      '<filter id="a" x="0" y="0" width="1" height="1">' +
      `${'<feTurbulence baseFrequency="0.5" numOctaves="9"/>'.repeat(2_000)}</filter>`;
    const endless = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512">${filter}<rect width="512" height="512" ` +
        'filter="url(#a)"/></svg>',
    );
    assert.deepEqual(await pixelFacts(endless, source('svg', { width: 512, height: 512 }), { timeoutMs: 1_500 }), {
      ok: false,
      problem: 'timeout',
    });
  });
  it('draws no SVG that carries a bomb', { skip: process.platform !== 'linux' }, async () => {
    const chunk = (type: string, data: Buffer): Buffer => {
      const framed = Buffer.alloc(data.length + 12);
      framed.writeUInt32BE(data.length, 0);
      framed.write(type, 4, 'latin1');
      data.copy(framed, 8);
      framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
      return framed;
    };
    const side = 20_000;
    const header = Buffer.from([0, 0, side >> 8, side & 255, 0, 0, side >> 8, side & 255, 1, 0, 0, 0, 0]);
    const png = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc((side / 8 + 1) * side))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    const carrier = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><image width="100" height="100" ' +
        `href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
    );
    assert.ok(carrier.length < 200_000);
    const facts = await pixelFacts(carrier, source('svg'));
    // On a busy machine its time is over first.
    assert.ok(!facts.ok && ['unreadable', 'timeout'].includes(facts.problem), JSON.stringify(facts));
  });
  it('has words for what cannot be decoded', async () => {
    assert.deepEqual(await pixelFacts(Buffer.from('GIF89a'), source('gif')), { ok: false, problem: 'unreadable' });
    assert.deepEqual(await pixelFacts(Buffer.alloc(0), source(null)), { ok: false, problem: 'unsupported' });
    assert.deepEqual(await pixelFacts(Buffer.alloc(100), source('bmp')), { ok: false, problem: 'unsupported' });
    assert.deepEqual(await pixelFacts(Buffer.alloc(100), source('png', { width: 30_000, height: 30_000 })), {
      ok: false,
      problem: 'too_large',
    });
  });
  it('does not decode a bomb whose header was not believed', async () => {
    const bomb = await draw('<circle r="9"/>');
    bomb.writeUInt32BE(9_000, 16);
    bomb.writeUInt32BE(9_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    assert.deepEqual(await pixelFacts(bomb, source('png')), { ok: false, problem: 'unreadable' });
  });
});

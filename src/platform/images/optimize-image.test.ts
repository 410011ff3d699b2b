import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { ImageSource } from './image-source.ts';
import { stripJpeg } from './jpeg-strip.ts';
import { optimize, type OptimizedImage } from './optimize-image.ts';
import { runChild } from './run-child.ts';
import { DIFFERENCE_MAX, isWithin } from './visual-difference.ts';

/** A picture with soft and sharp parts, as photos have, and no noise. */
function scene(width: number, height: number, shift = 0): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const wave = Math.sin((x + shift) / 17) * Math.cos(y / 23);
      const isInside = Math.hypot(x - width / 2 - shift, y - height / 2) < height / 4;
      pixels[at] = isInside ? 210 : 120 + 90 * wave;
      pixels[at + 1] = isInside ? 60 + 40 * wave : 100 + (80 * y) / height;
      pixels[at + 2] = 90 + (120 * x) / width;
    }
  }
  return pixels;
}
const photo = (width = 160, height = 120) => sharp(scene(width, height), { raw: { width, height, channels: 3 } });

function animation(count: number, width: number, height: number): Sharp {
  const pixels = Buffer.concat(Array.from({ length: count }, (_, frame) => scene(width, height, frame * 3)));
  return sharp(pixels, { raw: { width, height: count * height, channels: 3, pageHeight: height } });
}

const drawing = (width: number, height: number, shapes: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`));

async function sourceOf(bytes: Uint8Array, over: Partial<ImageSource> = {}): Promise<ImageSource> {
  const { format, width, height, pageHeight, pages = 1, autoOrient } = await sharp(bytes, { pages: -1 }).metadata();
  return {
    format,
    frames: pages,
    isAnimated: pages > 1,
    colourSpace: 'rgb',
    orientation: 1,
    hasProfile: false,
    status: 'ok',
    ...(pages > 1 ? { width, height: pageHeight ?? height } : autoOrient),
    ...over,
  };
}

/** Whatever comes back must be what it says: decodable, of the size, smaller, and close. */
async function check(
  image: OptimizedImage | undefined,
  expected: { format: string; width: number; height: number; below: number },
): Promise<OptimizedImage> {
  assert.ok(image, 'nothing was made');
  const { format, width, height, pageHeight } = await sharp(image.body, { pages: -1 }).metadata();
  assert.deepEqual(
    [format, width, pageHeight ?? height, image.format, image.width, image.height],
    [expected.format, expected.width, expected.height, expected.format, expected.width, expected.height],
  );
  assert.ok(image.bytes === image.body.length && image.bytes < expected.below, `${image.bytes} of ${expected.below}`);
  assert.ok(isWithin(image.difference, DIFFERENCE_MAX), JSON.stringify(image.difference));
  return image;
}

describe('optimize', () => {
  it('makes a JPEG smaller, without its metadata, and offers WebP', async () => {
    const original = await photo()
      .withExif({ IFD0: { Artist: 'somebody' } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const { sameFormat, alternatives, problem, originalBytes } = await optimize(original, await sourceOf(original));
    const same = await check(sameFormat, { format: 'jpeg', width: 160, height: 120, below: original.length * 0.8 });
    assert.deepEqual(
      [problem, originalBytes, same.encoder, same.savedPercent],
      [undefined, original.length, 'mozjpeg, quality 80', Math.round((1 - same.bytes / original.length) * 1000) / 10],
    );
    assert.equal((await sharp(same.body).metadata()).exif, undefined);
    assert.deepEqual(
      alternatives.map(({ format, mediaType }) => [format, mediaType]),
      [['webp', 'image/webp']],
    );
    await check(alternatives[0], { format: 'webp', width: 160, height: 120, below: same.bytes });
  });
  it('turns the picture the right way up', async () => {
    const original = await photo().withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
    const { sameFormat } = await optimize(original, await sourceOf(original, { orientation: 6 }));
    const same = await check(sameFormat, { format: 'jpeg', width: 120, height: 160, below: original.length });
    assert.equal((await sharp(same.body).metadata()).orientation, undefined);
  });
  it('brings wide colors to sRGB', async () => {
    const pixels = sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } });
    const original = await pixels.withIccProfile('p3').png({ compressionLevel: 0 }).toBuffer();
    const { sameFormat } = await optimize(original, await sourceOf(original, { hasProfile: true }));
    const { data } = await sharp(sameFormat!.body).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.ok(data[0]! < 30 && data[1]! > 240 && data[2]! < 30, String([...data.subarray(0, 3)]));
    assert.equal((await sharp(sameFormat!.body).metadata()).icc, undefined);
  });
  it('scales down to the width asked for, and never up', async () => {
    const original = await photo().jpeg({ quality: 90 }).toBuffer();
    const small = await optimize(original, await sourceOf(original), { maxWidth: 80 });
    await check(small.sameFormat, { format: 'jpeg', width: 80, height: 60, below: original.length / 2 });
    const same = await optimize(original, await sourceOf(original), { maxWidth: 5_000, alternatives: [] });
    await check(same.sameFormat, { format: 'jpeg', width: 160, height: 120, below: original.length });
  });
  it('keeps a JPEG that is small already', async () => {
    const original = await photo().jpeg({ quality: 40, mozjpeg: true }).toBuffer();
    const { sameFormat, attempts } = await optimize(original, await sourceOf(original), { alternatives: [] });
    assert.deepEqual(
      [sameFormat, attempts.map(({ encoder, verdict }) => `${encoder}: ${verdict}`)],
      [undefined, ['mozjpeg, quality 80: not_smaller']],
    );
  });
  it('raises quality where the picture would suffer', async () => {
    const noisy = await sharp({
      create: {
        width: 128,
        height: 96,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 99 })
      .toBuffer();
    const { sameFormat, attempts } = await optimize(noisy, await sourceOf(noisy), { alternatives: [] });
    assert.deepEqual([attempts[0]?.verdict, attempts.at(-1)?.verdict], ['too_different', 'taken']);
    const same = await check(sameFormat, { format: 'jpeg', width: 128, height: 96, below: noisy.length });
    assert.notEqual(same.encoder, 'mozjpeg, quality 80');
  });
  it('makes a PNG smaller with a palette, and keeps its transparency', async () => {
    const original = await drawing(
      200,
      80,
      '<rect x="10" y="10" width="90" height="60" rx="20" fill="#b3402a"/><circle cx="150" cy="40" r="30" ' +
        'fill="#23201b" fill-opacity="0.5"/>',
    )
      .png({ compressionLevel: 3 })
      .toBuffer();
    const { sameFormat } = await optimize(original, await sourceOf(original));
    const same = await check(sameFormat, { format: 'png', width: 200, height: 80, below: original.length });
    const corner = await sharp(same.body)
      .ensureAlpha()
      .extract({ left: 0, top: 0, width: 1, height: 1 })
      .raw()
      .toBuffer();
    assert.equal(corner[3], 0);
  });
  it('changes not one pixel when asked for no loss', async () => {
    const png = await photo().png({ compressionLevel: 1 }).toBuffer();
    const { sameFormat } = await optimize(png, await sourceOf(png), { lossy: false });
    const same = await check(sameFormat, { format: 'png', width: 160, height: 120, below: png.length });
    assert.ok((await sharp(same.body).raw().toBuffer()).equals(await sharp(png).raw().toBuffer()));
    const jpeg = await photo()
      .withExif({ IFD0: { Artist: 'somebody with a very long name indeed' } })
      .jpeg()
      .toBuffer();
    const stripped = await optimize(jpeg, await sourceOf(jpeg), { lossy: false });
    assert.deepEqual(
      [stripped.sameFormat?.encoder, stripped.sameFormat?.difference],
      ['metadata removed', { ssim: 1, deltaE: 0 }],
    );
    assert.ok((await sharp(stripped.sameFormat!.body).raw().toBuffer()).equals(await sharp(jpeg).raw().toBuffer()));
  });
  it('offers JPEG for a photo that was saved as PNG', async () => {
    const original = await photo().png().toBuffer();
    const { alternatives } = await optimize(original, await sourceOf(original), { alternatives: ['jpeg'] });
    await check(alternatives[0], { format: 'jpeg', width: 160, height: 120, below: original.length });
  });
  it('offers first what every client shows, when the original is not that', async () => {
    const opaque = await photo().webp({ quality: 95 }).toBuffer();
    assert.equal((await optimize(opaque, await sourceOf(opaque))).alternatives[0]?.format, 'jpeg');
    const holes = await drawing(64, 64, '<circle cx="32" cy="32" r="20" fill="#b3402a"/>').webp().toBuffer();
    assert.equal((await optimize(holes, await sourceOf(holes))).alternatives[0]?.format, 'png');
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><circle cx="9" cy="9" r="9"/></svg>',
    );
    const { sameFormat, alternatives } = await optimize(svg, {
      ...(await sourceOf(holes)),
      format: 'svg',
      width: 60,
      height: 20,
    });
    assert.deepEqual([sameFormat, alternatives[0]?.format, alternatives[0]?.width], [undefined, 'png', 120]);
  });
  it('makes AVIF only when asked', async () => {
    const original = await photo(96, 64).jpeg({ quality: 95 }).toBuffer();
    const { alternatives } = await optimize(original, await sourceOf(original), { alternatives: ['avif'] });
    assert.deepEqual(
      alternatives.map(({ format, mediaType }) => [format, mediaType]),
      [['avif', 'image/avif']],
    );
  });
  it('makes an animated GIF smaller, with the same frames and times', async () => {
    const ball = (frame: number) =>
      drawing(
        90,
        60,
        `<rect width="90" height="60" fill="#144a78"/><circle cx="${20 + frame * 9}" cy="30" r="12" fill="#c8202a"/>`,
      )
        .removeAlpha()
        .raw()
        .toBuffer();
    const pixels = Buffer.concat(await Promise.all(Array.from({ length: 6 }, (_, frame) => ball(frame))));
    const timing = { delay: [50, 60, 70, 80, 90, 100], loop: 3 };
    const original = await sharp(pixels, { raw: { width: 90, height: 360, channels: 3, pageHeight: 60 } })
      .gif({ ...timing, effort: 1, interFrameMaxError: 0 })
      .toBuffer();
    const { sameFormat } = await optimize(original, await sourceOf(original), { alternatives: [] });
    const same = await check(sameFormat, { format: 'gif', width: 90, height: 60, below: original.length });
    const { delay, loop, pages } = await sharp(same.body, { pages: -1 }).metadata();
    assert.deepEqual([{ delay, loop }, pages, same.encoder.startsWith('gifsicle')], [timing, 6, true]);
  });
  it('makes an animated WebP smaller, with the same frames and times', async () => {
    const original = await animation(4, 90, 60)
      .webp({ delay: [50, 60, 70, 80], loop: 2, quality: 98 })
      .toBuffer();
    const { sameFormat } = await optimize(original, await sourceOf(original));
    const same = await check(sameFormat, { format: 'webp', width: 90, height: 60, below: original.length });
    const { delay, loop, pages } = await sharp(same.body, { pages: -1 }).metadata();
    assert.deepEqual([delay, loop, pages], [[50, 60, 70, 80], 2, 4]);
  });
  it('leaves an animated PNG alone, of which it would lose the frames', async () => {
    const png = await photo().png().toBuffer();
    assert.deepEqual(await optimize(png, await sourceOf(png, { frames: 4, isAnimated: true })), {
      originalBytes: png.length,
      sameFormat: undefined,
      alternatives: [],
      attempts: [],
      problem: 'unsupported',
    });
  });
  it('has words for what cannot be done', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    const problem = async (bytes: Uint8Array, over: Partial<ImageSource>) =>
      (await optimize(bytes, await sourceOf(jpeg, over))).problem;
    assert.equal(await problem(jpeg.subarray(0, 900), {}), 'unreadable');
    assert.equal(await problem(Buffer.from('x'), { format: null }), 'unsupported');
    assert.equal(await problem(jpeg, { width: 30_000, height: 30_000 }), 'too_large');
    assert.equal(await problem(jpeg, { width: 6_000, height: 6_000 }), 'too_large');
    assert.equal(
      await problem(jpeg, { format: 'gif', isAnimated: true, frames: 5_000, width: 2_000, height: 2_000 }),
      'too_large',
    );
  });
});

describe('stripJpeg', () => {
  it('keeps what a decoder needs', async () => {
    const jpeg = await photo(16, 16)
      .withIccProfile('p3')
      .withExif({ IFD0: { Artist: 'x' } })
      .jpeg()
      .toBuffer();
    const stripped = stripJpeg(jpeg)!;
    const { icc, exif } = await sharp(stripped).metadata();
    assert.deepEqual([stripped.length < jpeg.length, icc !== undefined, exif], [true, true, undefined]);
  });
  it('refuses what is no JPEG', () =>
    assert.deepEqual(
      [stripJpeg(Buffer.from('GIF89a')), stripJpeg(Buffer.of(0xff, 0xd8, 0xff, 0xe1, 0, 40))],
      [undefined, undefined],
    ));
});

describe('runChild', () => {
  const node = (script: string) => [process.execPath, '-e', script];
  const limits = { timeoutMs: 20_000, outputBytesMax: 1_000 };

  it('gives the output, whatever the bytes are', async () => {
    const echoed = await runChild(node('process.stdin.pipe(process.stdout)'), Buffer.of(0, 255, 10), limits);
    assert.deepEqual(echoed, { ok: true, output: Buffer.of(0, 255, 10) });
  });
  it('says why there is none', async () => {
    const reason = async (command: string[], over: Partial<typeof limits> = {}) => {
      const outcome = await runChild(command, Buffer.alloc(10), { ...limits, ...over });
      return outcome.ok ? 'ok' : outcome.reason;
    };
    assert.equal(await reason(['no-such-program-anywhere']), 'missing');
    assert.equal(await reason(node('process.exit(3)')), 'failed');
    assert.equal(await reason(node('')), 'failed');
    assert.equal(await reason(node("process.stdout.write('x'.repeat(5000))")), 'too_large');
    assert.equal(await reason(node('for(;;);'), { timeoutMs: 200 }), 'timeout');
  });
  it(
    'counts what a program takes, not how long a busy machine lets it wait',
    { skip: process.platform !== 'linux' && 'the system does not tell CPU time' },
    async () => {
      const waiting = await runChild(node("setTimeout(() => process.stdout.write('x'), 2500)"), Buffer.alloc(0), {
        ...limits,
        timeoutMs: 1_500,
      });
      assert.deepEqual(waiting, { ok: true, output: Buffer.from('x') });
      const idle = await runChild(node('setTimeout(() => {}, 60_000)'), Buffer.alloc(0), { ...limits, timeoutMs: 300 });
      assert.equal(idle.ok ? 'ok' : idle.reason, 'timeout');
    },
  );
});

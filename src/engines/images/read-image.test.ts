import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { formatOfMediaType, formatOfName, readImage, sniffFormat } from './read-image.ts';

const canvas = (channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: 40, height: 20, channels, background: { r: 200, g: 10, b: 90, alpha: 0.5 } } });

/** Frames that differ, so that no encoder merges them. */
function animation(count: number, side: number): Sharp {
  const pixels = Buffer.alloc(count * side * side * 3);
  for (let index = 0; index < pixels.length; index++) pixels[index] = (index * 31 + (index >> 7)) & 255;
  return sharp(pixels, { raw: { width: side, height: count * side, channels: 3, pageHeight: side } });
}

const u16 = (value: number): number[] => [value & 255, value >> 8];

interface GifFrame {
  delay?: number;
  isTransparent?: boolean;
  disposal?: number;
  size?: [number, number];
}

/** A GIF of empty frames: header and blocks are all that is read. */
function gif(frames: GifFrame[], options: { size?: [number, number]; loops?: number; end?: number[] } = {}): Buffer {
  const [width, height] = options.size ?? [10, 10];
  const blocks = frames.flatMap(({ delay = 0, isTransparent = false, disposal = 0, size = [width, height] }) => [
    0x21,
    0xf9,
    4,
    (disposal << 2) | Number(isTransparent),
    ...u16(delay),
    0,
    0,
    0x2c,
    0,
    0,
    0,
    0,
    ...u16(size[0]),
    ...u16(size[1]),
    0,
    2,
    2,
    0x4c,
    0x01,
    0,
  ]);
  const loop =
    options.loops === undefined ? [] : [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, ...u16(options.loops), 0];
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...u16(width),
    ...u16(height),
    0x91,
    0,
    0,
    ...Array<number>(12).fill(9),
    ...loop,
    ...blocks,
    ...(options.end ?? [0x3b]),
  ]);
}

function chunk(type: string, data: number[] | Buffer = []): Buffer {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(body.length - 4, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const png = (...chunks: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...chunks]);
const data = chunk('IDAT', [1, 2, 3]);
const end = chunk('IEND');
const header = (width: number, height: number, colorType = 6) =>
  chunk('IHDR', [0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, 8, colorType, 0, 0, 0]);
const frameControl = (numerator: number, denominator: number) =>
  chunk('fcTL', [...Array<number>(20).fill(0), 0, numerator, 0, denominator, 0, 0]);

/** The TIFF of EXIF: a resolution, and its unit where one is given. */
function exif(
  numerator: number,
  { denominator = 1, unit, isBig = false }: { denominator?: number; unit?: number; isBig?: boolean } = {},
): Buffer {
  const count = unit === undefined ? 1 : 2;
  const out = Buffer.alloc(10 + count * 12 + 4 + 8);
  const write = (value: number, at: number, size: number) =>
    isBig ? out.writeUIntBE(value, at, size) : out.writeUIntLE(value, at, size);
  out.write(isBig ? 'MM\0*' : 'II*\0', 0, 'latin1');
  for (const [at, size, value] of [
    [4, 4, 8],
    [8, 2, count],
    [10, 2, 282],
    [12, 2, 5],
    [14, 4, 1],
    [18, 4, out.length - 8],
  ] as const)
    write(value, at, size);
  if (unit !== undefined)
    for (const [at, size, value] of [
      [22, 2, 296],
      [24, 2, 3],
      [26, 4, 1],
      [30, 2, unit],
    ] as const)
      write(value, at, size);
  write(numerator, out.length - 8, 4);
  write(denominator, out.length - 4, 4);
  return out;
}

/** Its markers up to the first of the picture's own, replaced by these. */
function jpegWith(jpeg: Buffer, ...segments: [marker: number, body: Buffer][]): Buffer {
  const own = jpeg.indexOf(Buffer.of(0xff, 0xdb));
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...segments.flatMap(([marker, body]) => [
      Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255),
      body,
    ]),
    jpeg.subarray(own),
  ]);
}

const EXIF = Buffer.from('Exif\0\0');
const jfif = (unit: number, density: number): [number, Buffer] => [
  0xe0,
  Buffer.from([...Buffer.from('JFIF\0'), 1, 2, unit, density >> 8, density & 255, density >> 8, density & 255, 0, 0]),
];
const noted = (tiff: Buffer): [number, Buffer] => [0xe1, Buffer.concat([EXIF, tiff])];

function webpWith(tiff: Buffer, webp: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(tiff.length);
  const out = Buffer.concat([webp, Buffer.from('EXIF'), size, tiff]);
  out.writeUInt32LE(out.length - 8, 4);
  return out;
}

describe('the density of an image', () => {
  const jpeg = () => canvas().jpeg().toBuffer();
  const webp = () => canvas().webp().toBuffer();
  const pngWith = (...chunks: Buffer[]) => png(header(3, 2), ...chunks, data, end);
  const phys = (perMeter: number, unit: number) =>
    chunk('pHYs', [0, 0, perMeter >> 8, perMeter & 255, 0, 0, perMeter >> 8, perMeter & 255, unit]);
  const cases: [about: string, make: () => Buffer | Promise<Buffer>, densityDpi: number | null][] = [
    ['JPEG by JFIF, per inch', async () => jpegWith(await jpeg(), jfif(1, 300)), 300],
    ['JPEG by JFIF, per centimeter', async () => jpegWith(await jpeg(), jfif(2, 118)), 300],
    ['JPEG by EXIF alone', async () => jpegWith(await jpeg(), noted(exif(300, { unit: 2 }))), 300],
    [
      'JPEG by EXIF, big-endian, per centimeter',
      async () => jpegWith(await jpeg(), noted(exif(2362, { denominator: 20, unit: 3, isBig: true }))),
      300,
    ],
    ['JPEG by EXIF without a unit, which means the inch', async () => jpegWith(await jpeg(), noted(exif(96))), 96],
    ['JPEG by EXIF whose unit is none', async () => jpegWith(await jpeg(), noted(exif(96, { unit: 1 }))), null],
    ['JPEG by JFIF before EXIF', async () => jpegWith(await jpeg(), noted(exif(96)), jfif(1, 300)), 300],
    [
      'JPEG by EXIF where JFIF tells a shape only',
      async () => jpegWith(await jpeg(), jfif(0, 1), noted(exif(150))),
      150,
    ],
    [
      'JPEG by a fraction that divides by zero',
      async () => jpegWith(await jpeg(), noted(exif(300, { denominator: 0 }))),
      null,
    ],
    ['JPEG without any', async () => jpegWith(await jpeg()), null],
    ['PNG by pHYs', () => pngWith(phys(5669, 1)), 144],
    ['PNG by pHYs without a unit', () => pngWith(phys(1, 0)), null],
    ['PNG by EXIF', () => pngWith(chunk('eXIf', exif(300))), 300],
    ['PNG by pHYs after EXIF', () => pngWith(chunk('eXIf', exif(300)), phys(5669, 1)), 144],
    ['WebP by EXIF', async () => webpWith(exif(300), await webp()), 300],
    ['WebP by EXIF that names itself', async () => webpWith(Buffer.concat([EXIF, exif(300)]), await webp()), 300],
    ['WebP without any', webp, null],
    ['AVIF by EXIF', () => canvas().withMetadata({ density: 300 }).avif({ effort: 0 }).toBuffer(), 300],
    ['AVIF without any', () => canvas().avif({ effort: 0 }).toBuffer(), null],
    [
      'TIFF by its tags',
      () =>
        canvas()
          .tiff({ xres: 300 / 25.4, yres: 300 / 25.4, resolutionUnit: 'inch' })
          .toBuffer(),
      300,
    ],
    [
      'TIFF by its tags, per centimeter',
      () =>
        canvas()
          .tiff({ xres: 300 / 25.4, yres: 300 / 25.4, resolutionUnit: 'cm' })
          .toBuffer(),
      300,
    ],
  ];
  for (const [about, make, densityDpi] of cases) {
    it(`is read: ${about}`, async () => {
      const facts = readImage(await make());
      assert.deepEqual([facts.status, facts.densityDpi], ['ok', densityDpi]);
    });
  }

  it('is read of nothing that an EXIF cut anywhere, or of any length, points to', () => {
    const whole = exif(300, { unit: 2 });
    for (let length = 0; length <= whole.length; length++) {
      const { densityDpi } = readImage(pngWith(chunk('eXIf', whole.subarray(0, length))));
      assert.ok(densityDpi === null || densityDpi === 300, `${length}: ${densityDpi}`);
    }
  });
});

describe('readImage of what sharp writes', () => {
  const cases: [name: string, make: () => Sharp, expected: object][] = [
    ['PNG', () => canvas().png(), { format: 'png', mediaType: 'image/png', colourDepthBits: 24, transparency: 'none' }],
    [
      'PNG, interlaced, with alpha',
      () => canvas(4).png({ progressive: true }),
      { format: 'png', colourDepthBits: 32, transparency: 'alpha', isProgressive: true },
    ],
    [
      'PNG with a palette',
      () => canvas(4).png({ palette: true }),
      { format: 'png', colourDepthBits: 8, paletteColours: 1, transparency: 'alpha' },
    ],
    ['gray PNG', () => canvas().toColourspace('b-w').png(), { format: 'png', colourDepthBits: 8, colourSpace: 'grey' }],
    ['PNG with a profile', () => canvas().withIccProfile('p3').png(), { format: 'png', hasProfile: true }],
    [
      'progressive JPEG',
      () => canvas().jpeg({ progressive: true }),
      { format: 'jpeg', mediaType: 'image/jpeg', colourDepthBits: 24, isProgressive: true, hasProfile: false },
    ],
    [
      'JPEG with a profile',
      () => canvas().withIccProfile('p3').jpeg(),
      { format: 'jpeg', hasProfile: true, isProgressive: false },
    ],
    [
      'CMYK JPEG',
      () => canvas().toColourspace('cmyk').jpeg(),
      { format: 'jpeg', colourSpace: 'cmyk', colourDepthBits: 32 },
    ],
    [
      'WebP',
      () => canvas().webp(),
      { format: 'webp', mediaType: 'image/webp', colourDepthBits: 24, transparency: 'none' },
    ],
    ['WebP with alpha', () => canvas(4).webp(), { format: 'webp', colourDepthBits: 32, transparency: 'alpha' }],
    ['lossless WebP with alpha', () => canvas(4).webp({ lossless: true }), { format: 'webp', transparency: 'alpha' }],
    ['GIF', () => canvas().gif(), { format: 'gif', mediaType: 'image/gif', frames: 1, durationMs: 0 }],
    ['AVIF', () => canvas().avif({ effort: 0 }), { format: 'avif', mediaType: 'image/avif', colourDepthBits: 24 }],
    [
      'AVIF with alpha',
      () => canvas(4).avif({ effort: 0 }),
      { format: 'avif', transparency: 'alpha', colourDepthBits: 32 },
    ],
    ['TIFF', () => canvas().tiff(), { format: 'tiff', mediaType: 'image/tiff', colourDepthBits: 24 }],
  ];
  for (const [name, make, expected] of cases) {
    it(`reads a ${name}`, async () => {
      const bytes = await make().toBuffer();
      const facts = readImage(bytes);
      const { width, height, status, isAnimated, bytes: size } = facts;
      assert.deepEqual(
        { width, height, status, isAnimated, bytes: size },
        { width: 40, height: 20, status: 'ok', isAnimated: false, bytes: bytes.length },
      );
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((key) => [key, facts[key as keyof typeof facts]])),
        expected,
      );
    });
  }
  it('gives the size after the turn that EXIF asks for', async () => {
    const facts = readImage(await canvas().withMetadata({ orientation: 6 }).jpeg().toBuffer());
    assert.deepEqual([facts.width, facts.height, facts.orientation], [20, 40, 6]);
  });
  it('counts frames, durations and loops of an animated WebP', async () => {
    const facts = readImage(
      await animation(4, 10)
        .webp({ delay: [40, 20, 30, 500], loop: 2 })
        .toBuffer(),
    );
    assert.deepEqual(
      [facts.frames, facts.durationMs, facts.asPlayedDurationMs, facts.loops, facts.isAnimated],
      [4, 590, 590, 2, true],
    );
  });
  it('counts frames, durations and loops of a GIF', async () => {
    const facts = readImage(
      await animation(4, 10)
        .gif({ delay: [10, 20, 0, 500], loop: 0 })
        .toBuffer(),
    );
    assert.deepEqual([facts.frames, facts.durationMs, facts.asPlayedDurationMs, facts.loops], [4, 530, 720, 'endless']);
  });
});

describe('readImage of a GIF', () => {
  it('shows frames of 10 ms and less for 100 ms, as browsers do', () => {
    const facts = readImage(gif([{ delay: 0 }, { delay: 1 }, { delay: 2 }, { delay: 50 }]));
    assert.deepEqual([facts.durationMs, facts.asPlayedDurationMs], [530, 720]);
  });
  it('counts the first time among the loops', () => {
    assert.equal(readImage(gif([{}, {}])).loops, 1);
    assert.equal(readImage(gif([{}, {}], { loops: 0 })).loops, 'endless');
    assert.equal(readImage(gif([{}, {}], { loops: 2 })).loops, 3);
    assert.equal(readImage(gif([{}], { loops: 0 })).loops, 1);
  });
  it('reads the palette', () => {
    const facts = readImage(gif([{}]));
    assert.deepEqual([facts.colourDepthBits, facts.paletteColours], [2, 4]);
  });
  it('takes a transparent color for transparency in the first frame only', () => {
    assert.equal(readImage(gif([{}, { isTransparent: true }])).transparency, 'none');
    assert.equal(readImage(gif([{ isTransparent: true }, {}])).transparency, 'binary');
    assert.equal(readImage(gif([{ size: [5, 10] }])).transparency, 'binary');
    assert.equal(readImage(gif([{ disposal: 2 }, {}])).transparency, 'binary');
  });
  it('is truncated without its end, and corrupt with an unknown block', () => {
    assert.deepEqual(
      [readImage(gif([{}, {}], { end: [] })).status, readImage(gif([{}, {}], { end: [] })).frames],
      ['truncated', 2],
    );
    assert.equal(readImage(gif([{}], { end: [0x77] })).status, 'corrupt');
    assert.equal(readImage(gif([])).status, 'corrupt');
    assert.equal(readImage(gif([{}], { end: [0, 0, 0x3b] })).status, 'ok');
  });
  it('reads 5,000 frames of 2,000 × 2,000 pixels without decoding one', () => {
    const facts = readImage(
      gif(
        Array.from({ length: 5_000 }, () => ({ delay: 10 })),
        { size: [2_000, 2_000] },
      ),
    );
    assert.deepEqual([facts.frames, facts.durationMs, facts.isOverLimit, facts.status], [5_000, 500_000, true, 'ok']);
  });
});

describe('readImage of a PNG', () => {
  it('reads an animated PNG', () => {
    const facts = readImage(
      png(
        header(300, 200),
        chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 4]),
        frameControl(1, 10),
        data,
        frameControl(1, 0),
        chunk('fdAT', [0]),
        end,
      ),
    );
    assert.deepEqual(
      [facts.width, facts.height, facts.frames, facts.durationMs, facts.asPlayedDurationMs, facts.loops],
      [300, 200, 2, 110, 200, 4],
    );
  });
  it('takes one frame, or a control after the data, for a still image', () => {
    assert.equal(
      readImage(png(header(3, 2), chunk('acTL', [0, 0, 0, 1, 0, 0, 0, 0]), frameControl(1, 10), data, end)).isAnimated,
      false,
    );
    assert.equal(
      readImage(
        png(header(3, 2), data, chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]), frameControl(1, 10), frameControl(1, 10), end),
      ).isAnimated,
      false,
    );
  });
  it('tells holes from degrees of transparency in a palette', () => {
    const palette = chunk('PLTE', Array<number>(9).fill(7));
    const holes = readImage(png(header(3, 2, 3), palette, chunk('tRNS', [0, 255, 0]), data, end));
    const degrees = readImage(png(header(3, 2, 3), palette, chunk('tRNS', [0, 128]), data, end));
    assert.deepEqual([holes.transparency, degrees.transparency, holes.paletteColours], ['binary', 'alpha', 3]);
  });
  it('reads the density', () => {
    assert.equal(
      readImage(png(header(3, 2), chunk('pHYs', [0, 0, 0x16, 0x25, 0, 0, 0x16, 0x25, 1]), data, end)).densityDpi,
      144,
    );
  });
  it('finds a damaged chunk, a missing end and missing data', () => {
    const damaged = png(header(3, 2), data, end);
    damaged[20] = damaged[20]! ^ 1;
    assert.equal(readImage(damaged).status, 'corrupt');
    assert.deepEqual(
      [readImage(png(header(3, 2), data)).status, readImage(png(header(3, 2), data)).width],
      ['truncated', 3],
    );
    assert.equal(readImage(png(header(3, 2), end)).status, 'corrupt');
  });
  it('reads the header of a decompression bomb and says that it is one', () => {
    const bomb = readImage(png(header(30_000, 30_000), data, end));
    assert.deepEqual([bomb.width, bomb.height, bomb.isOverLimit], [30_000, 30_000, true]);
    assert.equal(readImage(png(header(5_000, 10_000), data, end)).isOverLimit, false);
  });
});

describe('readImage of other formats', () => {
  const svg = (text: string) => readImage(Buffer.from(text));

  it('reads the size of an SVG as browsers do', () => {
    const cases: [attributes: string, width: number, height: number][] = [
      ['width="120" height="40"', 120, 40],
      ['width="2in" height="36pt"', 192, 48],
      ['viewBox="0 0 24 12"', 24, 12],
      ['width="100%" viewBox="0 0 24 12"', 24, 12],
      ['width="48" viewBox="0 0 24 12"', 48, 24],
      ['height="48" viewBox="0, 0, 24, 12"', 96, 48],
      ['', 300, 150],
    ];
    for (const [attributes, width, height] of cases) {
      const facts = svg(
        '<?xml version="1.0"?>\n<!-- <svg width="9"> --><svg xmlns="http://www.w3.org/2000/svg" ' +
          `${attributes}><g/></svg>`,
      );
      assert.deepEqual(
        [facts.format, facts.width, facts.height, facts.status],
        ['svg', width, height, 'ok'],
        attributes,
      );
    }
  });
  it('finds an SVG behind a doctype with entities, and none in a page that holds one', () => {
    assert.equal(
      sniffFormat(Buffer.from('\uFEFF<!DOCTYPE svg [<!ENTITY a "<b>">]><svg width="1" height="1"></svg>')),
      'svg',
    );
    assert.equal(sniffFormat(Buffer.from('<html><svg width="1" height="1"></svg></html>')), undefined);
    assert.equal(svg('<svg width="1" height="1"><path').status, 'truncated');
  });
  it('reads a BMP stored from either end', () => {
    const bytes = Buffer.alloc(60);
    bytes.write('BM');
    bytes.writeUInt32LE(60, 2);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(100, 18);
    bytes.writeInt32LE(-50, 22);
    bytes.writeUInt16LE(24, 28);
    const facts = readImage(bytes);
    assert.deepEqual(
      [facts.format, facts.width, facts.height, facts.colourDepthBits, facts.status],
      ['bmp', 100, 50, 24, 'ok'],
    );
  });
  it('reads the largest picture of an icon', () => {
    const entry = (side: number, bits: number) => [side, side, 0, 0, 1, 0, bits, 0, 1, 0, 0, 0, 38, 0, 0, 0];
    const facts = readImage(Buffer.from([0, 0, 1, 0, 2, 0, ...entry(16, 8), ...entry(0, 32), 0]));
    assert.deepEqual(
      [facts.format, facts.width, facts.height, facts.transparency, facts.status],
      ['ico', 256, 256, 'alpha', 'ok'],
    );
  });
  it('has words for what is no image', () => {
    assert.deepEqual(
      [
        readImage(Buffer.alloc(0)).status,
        readImage(Buffer.from('<html>')).status,
        readImage(Buffer.from('BMW is a car maker from Munich')).status,
      ],
      ['empty', 'not_an_image', 'not_an_image'],
    );
  });
  it('finds files that end too soon', async () => {
    for (const bytes of [
      await canvas().jpeg().toBuffer(),
      await canvas().webp().toBuffer(),
      await canvas().avif({ effort: 0 }).toBuffer(),
      await animation(3, 20).webp().toBuffer(),
    ]) {
      const cut = readImage(bytes.subarray(0, Math.floor(bytes.length * 0.7)));
      assert.equal(cut.status, 'truncated', cut.format ?? '');
    }
  });
  it('never throws, whatever the bytes are', async () => {
    const whole = [
      await animation(3, 8).gif().toBuffer(),
      await canvas(4).png().toBuffer(),
      await canvas().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      await animation(3, 8).webp().toBuffer(),
      await canvas(4).avif({ effort: 0 }).toBuffer(),
      await canvas().tiff().toBuffer(),
      Buffer.from('<svg width="1" height="2" viewBox="0 0 1 2"></svg>'),
    ];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (const original of whole) {
      for (let round = 0; round < 300; round++) {
        const bytes = Buffer.from(original.subarray(0, round % 3 === 0 ? random(original.length) : original.length));
        for (let change = 0; change < 4 && bytes.length > 0; change++) bytes[random(bytes.length)] = random(256);
        const facts = readImage(bytes);
        assert.ok(Number.isFinite(facts.width) && facts.frames >= 0 && facts.durationMs >= 0);
      }
    }
  });
});

describe('formatOfName and formatOfMediaType', () => {
  it('know the extension at the end of a path', () => {
    assert.deepEqual(
      ['https://a/b.JPEG?w=1', 'logo.png#x', 'https://a/image', 'https://a/b.php', 'archive.svg'].map(formatOfName),
      ['jpeg', 'png', undefined, undefined, 'svg'],
    );
  });
  it('know aliases and parameters of media types', () => {
    assert.deepEqual(
      ['image/jpg', 'IMAGE/PNG; q=1', 'image/svg+xml;charset=utf-8', 'text/html'].map(formatOfMediaType),
      ['jpeg', 'png', 'svg', undefined],
    );
  });
});

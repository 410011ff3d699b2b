// Reports and optimizations of images beside bare sharp doing the same; a decompression bomb, a GIF of 100 frames, and
// what is saved on a folder of real images: `npm run bench -- images DIRECTORY`, or BENCH_IMAGES=DIRECTORY.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { judgeImage, readImage, type ImageFacts } from '../src/engines/images/index.ts';
import { optimize, pixelFacts, type Optimization } from '../src/platform/images/index.ts';
import { measure, median, type Measured } from './measure.ts';

const ROUNDS = 5;

interface Picture {
  name: string;
  bytes: Buffer;
}

const drawing = (width: number, height: number, shapes: string): Sharp =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`));

/** Soft ground, fine grain, hard edges: what a photo asks of an encoder. */
async function photo(width: number, height: number, seed: number): Promise<Sharp> {
  const blobs = Array.from({ length: 24 }, (_, index) => {
    const at = (index + 1) * (seed + 3) * 7919;
    return (
      `<ellipse cx="${at % width}" cy="${(at * 31) % height}" rx="${20 + (at % 160)}" ry="${20 + (at % 90)}" ` +
      `fill="hsl(${at % 360} 45% ${25 + (at % 50)}%)" opacity="0.7"/>`
    );
  });
  const ground = await drawing(
    width,
    height,
    `<rect width="100%" height="100%" fill="hsl(${seed * 50} 30% 60%)"/>${blobs.join('')}`,
  )
    .blur(3)
    .removeAlpha()
    .png()
    .toBuffer();
  const details = Array.from({ length: (width * height) / 500 }, (_, index) => {
    const at = (index + 1) * (seed + 5) * 104_729;
    return (
      `<path d="M${at % width} ${Math.floor(at / 37) % height}l${(at % 23) - 11} ${(at % 17) - 8}" ` +
      `stroke="hsl(${at % 360} 40% ${20 + (at % 60)}%)" stroke-width="${1 + (at % 3)}" opacity="0.6"/>`
    );
  });
  const fine = await drawing(width, height, details.join('')).blur(0.6).png().toBuffer();
  const grain = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 5 } },
  })
    .png()
    .toBuffer();
  return sharp(
    await sharp(ground)
      .composite([{ input: fine }, { input: grain, blend: 'soft-light' }])
      .png()
      .toBuffer(),
  );
}

async function animation(count: number, width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all(
    Array.from({ length: count }, (_, frame) =>
      drawing(
        width,
        height,
        `<rect width="100%" height="100%" fill="#144a78"/><circle cx="${(frame * 11) % width}" ` +
          `cy="${height / 2}" r="${height / 5}" fill="#e8c13a"/><text x="20" y="40" font-size="28" ` +
          `fill="#fff">${count - frame} days left</text>`,
      )
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  return sharp(Buffer.concat(frames), { raw: { width, height: height * count, channels: 3, pageHeight: height } })
    .gif({ delay: frames.map(() => 50), loop: 0 })
    .toBuffer();
}

async function generatedSet(): Promise<Picture[]> {
  const photos = await Promise.all(
    [
      [1200, 800],
      [1200, 600],
      [800, 800],
      [600, 400],
      [560, 400],
      [1280, 720],
    ].map(async ([width = 0, height = 0], seed) => ({
      name: `photo-${seed}.jpg`,
      bytes: await (await photo(width, height, seed)).jpeg({ quality: 92 }).toBuffer(),
    })),
  );
  const logo =
    '<rect x="8" y="8" width="84" height="84" rx="20" fill="#b3402a"/><text x="110" y="66" font-size="48" ' +
    'font-family="Arial" fill="#23201b">Galley Press</text>';
  const graphics = [
    [440, 100, logo],
    [880, 200, `<g transform="scale(2)">${logo}</g>`],
    [64, 64, '<circle cx="32" cy="32" r="30" fill="#1877f2"/>'],
    [600, 300, `<rect width="600" height="300" fill="#fffaf2"/>${logo}`],
  ] as const;
  const drawn = await Promise.all(
    graphics.map(async ([width, height, shapes], index) => ({
      name: `graphic-${index}.png`,
      bytes: await drawing(width, height, shapes).png().toBuffer(),
    })),
  );
  return [...photos, ...drawn, { name: 'photo.png', bytes: await (await photo(500, 300, 9)).png().toBuffer() }];
}

/** The same settings for bare sharp, by the name that a result gives them. */
const BARE: Record<string, (image: Sharp) => Sharp> = {
  'mozjpeg, quality 80': (image) => image.jpeg({ mozjpeg: true, quality: 80 }),
  'mozjpeg, quality 86, full color resolution': (image) =>
    image.jpeg({ mozjpeg: true, quality: 86, chromaSubsampling: '4:4:4' }),
  'mozjpeg, quality 92, full color resolution': (image) =>
    image.jpeg({ mozjpeg: true, quality: 92, chromaSubsampling: '4:4:4' }),
  'PNG palette, quality 80': (image) => image.png({ palette: true, quality: 80, effort: 7 }),
  'PNG palette, quality 100': (image) => image.png({ palette: true, quality: 100, effort: 7 }),
  'PNG, lossless': (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
  'WebP, quality 80': (image) => image.webp({ quality: 80 }),
  'WebP, quality 90': (image) => image.webp({ quality: 90, smartSubsample: true }),
  'WebP, lossless': (image) => image.webp({ lossless: true }),
};

async function report(pictures: readonly Picture[]): Promise<void> {
  for (const { name, bytes } of pictures) {
    const facts = readImage(bytes);
    const measured = await pixelFacts(bytes, facts);
    judgeImage({ url: name, facts, ...(measured.ok && { pixels: measured.pixels }) });
  }
}

async function bareReport(pictures: readonly Picture[]): Promise<void> {
  for (const { bytes } of pictures) {
    await sharp(bytes).metadata();
    await sharp(bytes).stats();
  }
}

async function optimizeAll(pictures: readonly Picture[]): Promise<Optimization[]> {
  const results: Optimization[] = [];
  for (const { bytes } of pictures) results.push(await optimize(bytes, readImage(bytes)));
  return results;
}

/**
 * For each image, one encode per format that was tried, with the setting it ended at: nothing tried twice, nothing
 * measured. All formats of an image at once, as in `optimize`.
 */
async function bareEncodes(pictures: readonly Picture[], results: readonly Optimization[]): Promise<void> {
  for (const [index, { bytes }] of pictures.entries()) {
    const last = new Map(results[index]!.attempts.map(({ format, encoder }) => [format, encoder]));
    await Promise.all(
      [...last.values()].map((encoder) => BARE[encoder]!(sharp(bytes, { autoOrient: true })).toBuffer()),
    );
  }
}

function compare(name: string, { ours, bare }: { ours: Measured<unknown>[]; bare: Measured<unknown>[] }): void {
  const of = (runs: Measured<unknown>[], figure: 'wallSeconds' | 'cpuSeconds'): number =>
    median(runs.map((run) => run[figure]));
  const [wall, bareWall, cpu, bareCpu] = [
    of(ours, 'wallSeconds'),
    of(bare, 'wallSeconds'),
    of(ours, 'cpuSeconds'),
    of(bare, 'cpuSeconds'),
  ];
  console.log(
    `${name}: ${(wall * 1000).toFixed(0)} ms (CPU ${(cpu * 1000).toFixed(0)}), bare sharp ` +
      `${(bareWall * 1000).toFixed(0)} ms (CPU ${(bareCpu * 1000).toFixed(0)}): ${(bareWall / wall).toFixed(2)} ` +
      `× its rate, ${(bareCpu / cpu).toFixed(2)} by CPU`,
  );
}

type Runs = Record<'report' | 'optimize' | 'both', { ours: Measured<unknown>[]; bare: Measured<unknown>[] }>;

async function besideSharp(title: string, pictures: readonly Picture[]): Promise<void> {
  const results = await optimizeAll(pictures);
  console.log(
    `\n${pictures.length} ${title}, ${kilobytes(total(pictures))}; one image at a time, all formats of it ` +
      `at once; medians of ${ROUNDS}`,
  );
  const runs: Runs = { report: { ours: [], bare: [] }, optimize: { ours: [], bare: [] }, both: { ours: [], bare: [] } };
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.report.ours.push(await measure(() => report(pictures)));
    runs.report.bare.push(await measure(() => bareReport(pictures)));
    runs.optimize.ours.push(await measure(() => optimizeAll(pictures)));
    runs.optimize.bare.push(await measure(() => bareEncodes(pictures, results)));
    runs.both.ours.push(await measure(async () => [await report(pictures), await optimizeAll(pictures)]));
    runs.both.bare.push(await measure(async () => [await bareReport(pictures), await bareEncodes(pictures, results)]));
  }
  compare('report (header, pixels, findings | metadata, stats)', runs.report);
  compare('optimize (with the difference measured | encode only)', runs.optimize);
  compare('report and optimize', runs.both);
  savings('savings', pictures, results);
}

async function timed(name: string, work: () => unknown): Promise<void> {
  const start = performance.now();
  const result = await work();
  console.log(
    `  ${name}: ${(performance.now() - start).toFixed(1)} ms${typeof result === 'string' ? ` (${result})` : ''}`,
  );
}

function describe({ width, height, frames, durationMs, isOverLimit, status }: ImageFacts): string {
  return `${width} × ${height}, ${frames} frames, ${durationMs} ms, ${status}${isOverLimit ? ', over the limit' : ''}`;
}

async function hostile(): Promise<void> {
  const bomb = await drawing(9, 9, '<circle r="4"/>').png().toBuffer();
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  const before = process.memoryUsage().rss;
  console.log('\na PNG whose header promises 3,600 megapixels');
  await timed('header', () => describe(readImage(bomb)));
  await timed('pixels', async () => JSON.stringify(await pixelFacts(bomb, readImage(bomb))));
  await timed('optimize', async () => (await optimize(bomb, readImage(bomb))).problem);
  const flat = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  console.log(`a white PNG of 49 megapixels in ${kilobytes(flat.length)}`);
  await timed('header', () => describe(readImage(flat)));
  await timed('pixels', async () => (await pixelFacts(flat, readImage(flat))).ok && 'decoded');
  await timed('optimize', async () => (await optimize(flat, readImage(flat))).problem);
  console.log(`memory grew by ${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`);
}

async function hundredFrames(): Promise<void> {
  const gif = await animation(100, 600, 300);
  const facts = readImage(gif);
  console.log(`\na GIF of 100 frames, 600 × 300, ${kilobytes(gif.length)}`);
  await timed('header', () => describe(readImage(gif)));
  await timed('sharp, metadata', () => sharp(gif, { pages: -1 }).metadata());
  await timed('pixels of the first frame', () => pixelFacts(gif, facts));
  await timed('optimize', async () => {
    const { sameFormat, alternatives } = await optimize(gif, facts);
    return [sameFormat, ...alternatives]
      .map((image) => (image ? `${image.encoder}: ${image.savedPercent} %` : 'kept'))
      .join('; ');
  });
  await timed(
    'sharp, gif effort 7',
    async () =>
      `${Math.round((1 - (await sharp(gif, { pages: -1 }).gif({ effort: 7 }).toBuffer()).length / gif.length) * 100)}` +
      ' %',
  );
}

function total(pictures: readonly Picture[]): number {
  return pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000).toLocaleString('en')} KB`;
}

/** By format: what the same format saves (the original counts where nothing is smaller), and what WebP would. */
function savings(title: string, pictures: readonly Picture[], results: readonly Optimization[]): void {
  const formats = Map.groupBy(
    pictures.map((picture, index) => ({ picture, result: results[index]! })),
    ({ picture }) => readImage(picture.bytes).format ?? 'other',
  );
  console.log(title);
  for (const [format, rows] of formats) {
    const before = total(rows.map(({ picture }) => picture));
    const after = rows.reduce((sum, { result }) => sum + (result.sameFormat?.bytes ?? result.originalBytes), 0);
    const offered = rows.reduce(
      (sum, { result }) =>
        sum +
        (result.alternatives.find((one) => one.format === 'webp')?.bytes ??
          result.sameFormat?.bytes ??
          result.originalBytes),
      0,
    );
    const differences = rows.flatMap(({ result }) => (result.sameFormat ? [result.sameFormat.difference] : []));
    const worst =
      `worst SSIM ${Math.min(1, ...differences.map(({ ssim }) => ssim))}, worst ΔE ` +
      `${Math.max(0, ...differences.map(({ deltaE }) => deltaE))}`;
    const kept = rows.filter(({ result }) => !result.sameFormat).length;
    console.log(
      `  ${format}: ${rows.length} files, ${kilobytes(before)} → ${kilobytes(after)}, ` +
        `${Math.round((1 - after / before) * 100)} % saved${kept ? `, ${kept} kept` : ''}; as WebP ` +
        `${Math.round((1 - offered / before) * 100)} %; ${worst}`,
    );
  }
}

async function realImages(folder: string): Promise<void> {
  const files = globSync('**/*.{jpg,jpeg,png,webp}', { cwd: folder });
  await besideSharp(
    'images of the folder',
    files.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
  );
}

export async function run(): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  await besideSharp('generated images', await generatedSet());
  await hostile();
  await hundredFrames();
  const folder = process.argv[3] ?? process.env['BENCH_IMAGES'];
  if (folder) await realImages(folder);
  else console.log('\nno folder of real images was given');
}

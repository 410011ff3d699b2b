// Walks the chunks of a PNG or APNG (PNG specification, third edition). Image data is skipped, only its checksum is
// read.
import { crc32 } from 'node:zlib';
import { textAt, uintBe } from './byte-view.ts';
import { readExif } from './tiff-directory.ts';
import { asPlayedMs, PLAIN_HEADER, type ImageHeader } from './types.ts';

/** Samples per pixel by color type. */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const METERS_PER_INCH = 0.0254;

interface Walk {
  header: ImageHeader;
  colorType: number;
  isAnimated: boolean;
  animationFrames: number;
  hasData: boolean;
}

interface Chunk {
  type: string;
  /** Of its data. */
  start: number;
  length: number;
}

/** The bytes must begin with the signature. */
export function readPng(bytes: Buffer): ImageHeader {
  const walk: Walk = {
    header: { ...PLAIN_HEADER, status: 'truncated' },
    colorType: 0,
    isAnimated: false,
    animationFrames: 0,
    hasData: false,
  };
  const { header } = walk;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const chunk: Chunk = { type: textAt(bytes, at + 4, 4), start: at + 8, length: uintBe(bytes, at, 4) };
    const end = chunk.start + chunk.length;
    if (!/^[A-Za-z]{4}$/.test(chunk.type) || (at === 8 && chunk.type !== 'IHDR')) header.status = 'corrupt';
    else if (
      end + 4 <= bytes.length &&
      isCritical(chunk) &&
      crc32(bytes.subarray(at + 4, end)) !== uintBe(bytes, end, 4)
    )
      header.status = 'corrupt';
    if (header.status === 'corrupt') break;
    READERS.get(chunk.type)?.(walk, bytes, chunk);
    if (chunk.type === 'IEND') {
      header.status = walk.hasData ? 'ok' : 'corrupt';
      break;
    }
    at = end + 4;
  }
  if (walk.isAnimated && walk.animationFrames > 0) header.frames = walk.animationFrames;
  return header.frames > 1 ? header : { ...header, loops: 1, durationMs: 0, asPlayedDurationMs: 0 };
}

/** Critical chunks have a capital first letter; decoders give up when one is damaged. */
function isCritical({ type }: Chunk): boolean {
  return type.charAt(0) < 'a';
}

const READERS = new Map<string, (walk: Walk, bytes: Buffer, chunk: Chunk) => void>([
  ['IHDR', readHeader],
  [
    'PLTE',
    ({ header, colorType }, _bytes, { length }) => {
      if (colorType === 3) header.paletteColours = Math.floor(length / 3);
    },
  ],
  [
    'tRNS',
    ({ header, colorType }, bytes, { start, length }) => {
      const isGraded =
        colorType === 3 && bytes.subarray(start, start + length).some((alpha) => alpha > 0 && alpha < 255);
      header.transparency = isGraded ? 'alpha' : 'binary';
    },
  ],
  [
    'iCCP',
    ({ header }) => {
      header.hasProfile = true;
    },
  ],
  [
    'pHYs',
    ({ header }, bytes, { start }) => {
      if (uintBe(bytes, start + 8, 1) === 1)
        header.densityDpi = Math.round(uintBe(bytes, start, 4) * METERS_PER_INCH) || header.densityDpi;
    },
  ],
  // The picture's own chunks go before what EXIF says (§11.3.4.6).
  [
    'eXIf',
    ({ header }, bytes, { start, length }) => {
      header.densityDpi ??= readExif(bytes.subarray(start, start + length)).densityDpi;
    },
  ],
  // Animation control counts only before the image data.
  [
    'acTL',
    (walk, bytes, { start }) => {
      if (walk.hasData) return;
      walk.isAnimated = true;
      walk.header.loops = uintBe(bytes, start + 4, 4) || 'endless';
    },
  ],
  [
    'fcTL',
    (walk, bytes, { start }) => {
      const delayMs = Math.round((uintBe(bytes, start + 20, 2) * 1000) / (uintBe(bytes, start + 22, 2) || 100));
      walk.animationFrames += 1;
      walk.header.durationMs += delayMs;
      walk.header.asPlayedDurationMs += asPlayedMs(delayMs);
    },
  ],
  [
    'IDAT',
    (walk) => {
      walk.hasData = true;
    },
  ],
]);

function readHeader(walk: Walk, bytes: Buffer, { start }: Chunk): void {
  const { header } = walk;
  const colorType = uintBe(bytes, start + 9, 1);
  walk.colorType = colorType;
  header.width = uintBe(bytes, start, 4);
  header.height = uintBe(bytes, start + 4, 4);
  header.colourDepthBits = uintBe(bytes, start + 8, 1) * (CHANNELS.get(colorType) ?? 1);
  header.isProgressive = uintBe(bytes, start + 12, 1) === 1;
  if (colorType === 0 || colorType === 4) header.colourSpace = 'grey';
  if (colorType === 4 || colorType === 6) header.transparency = 'alpha';
}

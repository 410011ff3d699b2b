// Walks the boxes of an AVIF or HEIF file (ISO/IEC 14496-12 and 23008-12), still or sequence.
import { textAt, uintBe } from './byte-view.ts';
import { exifItem, placeOfItem, type Box } from './heif-items.ts';
import { readExif } from './tiff-directory.ts';
import { asPlayedMs, PLAIN_HEADER, type ImageHeader } from './types.ts';

/** Boxes that hold boxes, and how many bytes of their own stand before those. */
const CONTAINERS = new Map([
  ['meta', 4],
  ['iinf', 6],
  ['iprp', 0],
  ['ipco', 0],
  ['moov', 0],
  ['trak', 0],
  ['mdia', 0],
  ['minf', 0],
  ['stbl', 0],
]);
const DEPTH_MAX = 8;
const BOXES_MAX = 10_000;
const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';

interface Walk {
  header: ImageHeader;
  boxes: number;
  isTruncated: boolean;
  isTurned: boolean;
  bitsPerSample: number;
  samples: number;
  ticksPerSecond: number;
  exifItem: number | undefined;
  /** The box that says where items are. */
  places: Box | undefined;
}

interface Range {
  from: number;
  to: number;
  depth: number;
}

/** The bytes must begin with a `ftyp` box. */
export function readHeif(bytes: Buffer): ImageHeader {
  const header = { ...PLAIN_HEADER };
  const walk: Walk = {
    header,
    boxes: 0,
    isTruncated: false,
    isTurned: false,
    bitsPerSample: 8,
    samples: 3,
    ticksPerSecond: 0,
    exifItem: undefined,
    places: undefined,
  };
  readBoxes(walk, bytes, { from: 0, to: bytes.length, depth: 0 });
  const isGray = walk.samples === 1;
  header.colourDepthBits = walk.bitsPerSample * (walk.samples + (header.transparency === 'alpha' ? 1 : 0));
  if (isGray) header.colourSpace = 'grey';
  if (walk.isTurned) [header.width, header.height] = [header.height, header.width];
  if (header.frames > 1) header.loops = 'endless';
  header.densityDpi = densityOf(walk, bytes);
  header.status = walk.isTruncated ? 'truncated' : header.width > 0 ? 'ok' : 'corrupt';
  return header;
}

/** By EXIF alone; its item begins with how far away its TIFF is (ISO/IEC 23008-12 annex A). */
function densityOf({ exifItem: item, places }: Walk, bytes: Buffer): number | null {
  const place = item !== undefined && places ? placeOfItem(bytes, places, item) : undefined;
  if (!place) return null;
  return readExif(bytes.subarray(place.from + 4 + uintBe(bytes, place.from, 4), place.to)).densityDpi;
}

function readBoxes(walk: Walk, bytes: Buffer, { from, to, depth }: Range): void {
  let at = from;
  while (at + 8 <= to) {
    walk.boxes += 1;
    if (walk.boxes > BOXES_MAX) return;
    const short = uintBe(bytes, at, 4);
    const type = textAt(bytes, at + 4, 4);
    const headSize = short === 1 ? 16 : 8;
    // Six of eight bytes are more than any file has.
    const size = short === 0 ? to - at : short === 1 ? uintBe(bytes, at + 10, 6) : short;
    if (size < headSize) return;
    if (at + size > to && depth === 0) walk.isTruncated = true;
    const box = { from: at + headSize, to: Math.min(to, at + size) };
    const own = CONTAINERS.get(type);
    if (own !== undefined && depth < DEPTH_MAX)
      readBoxes(walk, bytes, { from: box.from + own, to: box.to, depth: depth + 1 });
    else READERS.get(type)?.(walk, bytes, box);
    at += size;
  }
}

const READERS = new Map<string, (walk: Walk, bytes: Buffer, box: { from: number; to: number }) => void>([
  // Thumbnails, tiles and alpha have sizes too; the picture is never smaller than they are.
  [
    'ispe',
    ({ header }, bytes, { from }) => {
      const [width, height] = [uintBe(bytes, from + 4, 4), uintBe(bytes, from + 8, 4)];
      if (width * height > header.width * header.height) Object.assign(header, { width, height });
    },
  ],
  [
    'irot',
    (walk, bytes, { from }) => {
      walk.isTurned = uintBe(bytes, from, 1) % 2 === 1;
    },
  ],
  [
    'auxC',
    ({ header }, bytes, { from, to }) => {
      if (textAt(bytes, from + 4, Math.min(to - from, 64)).startsWith(ALPHA)) header.transparency = 'alpha';
    },
  ],
  [
    'pixi',
    (walk, bytes, { from }) => {
      const samples = uintBe(bytes, from + 4, 1);
      // The entry of the alpha plane has one sample.
      if (samples >= walk.samples || walk.samples === 1) walk.samples = samples;
      walk.bitsPerSample = Math.max(walk.bitsPerSample, uintBe(bytes, from + 5, 1));
    },
  ],
  [
    'colr',
    ({ header }, bytes, { from }) => {
      if (['prof', 'rICC'].includes(textAt(bytes, from, 4))) header.hasProfile = true;
    },
  ],
  [
    'infe',
    (walk, bytes, box) => {
      walk.exifItem ??= exifItem(bytes, box);
    },
  ],
  [
    'iloc',
    (walk, _bytes, box) => {
      walk.places ??= box;
    },
  ],
  [
    'mdhd',
    (walk, bytes, { from }) => {
      walk.ticksPerSecond = uintBe(bytes, from + (bytes[from] === 1 ? 20 : 12), 4);
    },
  ],
  ['stts', readSampleTimes],
]);

function readSampleTimes(walk: Walk, bytes: Buffer, { from, to }: { from: number; to: number }): void {
  const { header } = walk;
  const times = { frames: 0, durationMs: 0, asPlayedDurationMs: 0 };
  const entries = Math.min(uintBe(bytes, from + 4, 4), Math.floor((to - from - 8) / 8));
  for (let index = 0; index < entries; index++) {
    const count = uintBe(bytes, from + 8 + index * 8, 4);
    const delayMs = (uintBe(bytes, from + 12 + index * 8, 4) * 1000) / (walk.ticksPerSecond || 1000);
    times.frames += count;
    times.durationMs += Math.round(count * delayMs);
    times.asPlayedDurationMs += Math.round(count * asPlayedMs(delayMs));
  }
  // The track of the alpha plane has the same number of frames.
  if (times.frames > header.frames) Object.assign(header, times);
}

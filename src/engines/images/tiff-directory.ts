// The first directory of a TIFF (TIFF 6.0 §2), which EXIF uses as well.
import { textAt, uintBe, uintLe } from './byte-view.ts';
import { PLAIN_HEADER, type ImageHeader } from './types.ts';

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const PHOTOMETRIC = 262;
const ORIENTATION = 274;
const SAMPLES = 277;
const EXTRA_SAMPLES = 338;
const PROFILE = 34675;

const ENTRIES_MAX = 1_000;

/** Values by tag, where they are one short or long number in place; undefined when this is no TIFF. */
function readDirectory(bytes: Buffer): Map<number, number> | undefined {
  const order = textAt(bytes, 0, 2);
  if (order !== 'II' && order !== 'MM') return undefined;
  const uint = order === 'II' ? uintLe : uintBe;
  const start = uint(bytes, 4, 4);
  const count = Math.min(uint(bytes, start, 2), ENTRIES_MAX);
  const values = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * 12;
    // Type 3 is a short, which stands at the front of its four bytes.
    values.set(uint(bytes, at, 2), uint(bytes, at + 8, uint(bytes, at + 2, 2) === 3 ? 2 : 4));
  }
  return values;
}

/** 1–8; 1 when nothing is said. */
export function readOrientation(bytes: Buffer): number {
  const orientation = readDirectory(bytes)?.get(ORIENTATION) ?? 1;
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/** The bytes must begin with a TIFF signature. */
export function readTiff(bytes: Buffer): ImageHeader {
  const values = readDirectory(bytes) ?? new Map<number, number>();
  const [width = 0, height = 0, samples = 1] = [WIDTH, HEIGHT, SAMPLES].map((tag) => values.get(tag));
  const orientation = readOrientation(bytes);
  const photometric = values.get(PHOTOMETRIC);
  // Several samples have their bits elsewhere; eight each is what there is in practice.
  const bits = samples === 1 ? (values.get(BITS) ?? 1) : 8;
  return {
    ...PLAIN_HEADER,
    width: orientation >= 5 ? height : width,
    height: orientation >= 5 ? width : height,
    colourDepthBits: bits * samples,
    transparency: values.has(EXTRA_SAMPLES) ? 'alpha' : 'none',
    colourSpace: photometric === 5 ? 'cmyk' : photometric !== undefined && photometric <= 1 ? 'grey' : 'rgb',
    hasProfile: values.has(PROFILE),
    orientation,
    status: width > 0 && height > 0 ? 'ok' : 'truncated',
  };
}

// The first directory of a TIFF (TIFF 6.0 §2), which EXIF uses as well.
import { textAt, uintBe, uintLe } from './byte-view.ts';
import { PLAIN_HEADER, type ImageHeader } from './types.ts';

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const PHOTOMETRIC = 262;
const ORIENTATION = 274;
const SAMPLES = 277;
const X_RESOLUTION = 282;
const RESOLUTION_UNIT = 296;
const EXTRA_SAMPLES = 338;
const PROFILE = 34675;

const ENTRIES_MAX = 1_000;
const RATIONAL = 5;
const CENTIMETERS_PER_INCH = 2.54;
/** Of a resolution's unit: 1 is none, 2 the inch, 3 the centimeter. */
const PER_UNIT = [0, 0, 1, CENTIMETERS_PER_INCH];

/** Values by tag, where they are one short or long number in place or one fraction; undefined when this is no TIFF. */
function readDirectory(bytes: Buffer): Map<number, number> | undefined {
  const order = textAt(bytes, 0, 2);
  if (order !== 'II' && order !== 'MM') return undefined;
  const uint = order === 'II' ? uintLe : uintBe;
  const start = uint(bytes, 4, 4);
  const count = Math.min(uint(bytes, start, 2), ENTRIES_MAX);
  const values = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * 12;
    if (at + 12 > bytes.length) break;
    const type = uint(bytes, at + 2, 2);
    // Type 3 is a short, which stands at the front of its four bytes; a fraction stands where those four point to.
    const value = uint(bytes, at + 8, type === 3 ? 2 : 4);
    values.set(uint(bytes, at, 2), type === RATIONAL ? uint(bytes, value, 4) / uint(bytes, value + 4, 4) : value);
  }
  return values;
}

/** What EXIF says of a picture, whatever file it stands in. */
interface ExifFacts {
  /** 1–8; 1 when nothing is said. */
  orientation: number;
  /** Dots per inch; null when none is given. */
  densityDpi: number | null;
}

/** Reads the TIFF that EXIF is; `bytes` begin with it, or with the `Exif` that some files put before it. */
export function readExif(bytes: Buffer): ExifFacts {
  const named = textAt(bytes, 0, 6) === 'Exif\0\0' ? 6 : 0;
  return factsIn(readDirectory(bytes.subarray(named)) ?? new Map<number, number>());
}

function factsIn(values: ReadonlyMap<number, number>): ExifFacts {
  const orientation = values.get(ORIENTATION) ?? 1;
  const dpi = Math.round((values.get(X_RESOLUTION) ?? 0) * (PER_UNIT[values.get(RESOLUTION_UNIT) ?? 2] ?? 0));
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    densityDpi: dpi > 0 && Number.isFinite(dpi) ? dpi : null,
  };
}

/** The bytes must begin with a TIFF signature. */
export function readTiff(bytes: Buffer): ImageHeader {
  const values = readDirectory(bytes) ?? new Map<number, number>();
  const [width = 0, height = 0, samples = 1] = [WIDTH, HEIGHT, SAMPLES].map((tag) => values.get(tag));
  const { orientation, densityDpi } = factsIn(values);
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
    densityDpi,
    status: width > 0 && height > 0 ? 'ok' : 'truncated',
  };
}

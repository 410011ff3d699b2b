// Walks the marker segments of a JPEG (ITU-T T.81 annex B) up to the first scan.
import { textAt, uintBe } from './byte-view.ts';
import { readExif } from './tiff-directory.ts';
import { PLAIN_HEADER, type ImageHeader } from './types.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const CENTIMETERS_PER_INCH = 2.54;

/** The bytes must begin with FF D8. */
export function readJpeg(bytes: Buffer): ImageHeader {
  const header: ImageHeader = { ...PLAIN_HEADER, status: 'truncated' };
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return { ...header, status: 'corrupt' };
    const marker = bytes[at + 1]!;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return oriented(header, statusOf(header, bytes));
    // Fill bytes and markers without a segment.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = uintBe(bytes, at + 2, 2);
    if (length < 2) return { ...header, status: 'corrupt' };
    readSegment(header, bytes, { marker, at: at + 4, length: length - 2 });
    at += 2 + length;
  }
  return oriented(header, 'truncated');
}

function statusOf(header: ImageHeader, bytes: Buffer): ImageHeader['status'] {
  if (header.width === 0 || header.height === 0) return 'corrupt';
  return bytes.lastIndexOf(Buffer.of(0xff, END_OF_IMAGE)) > 0 ? 'ok' : 'truncated';
}

function oriented(header: ImageHeader, status: ImageHeader['status']): ImageHeader {
  const isTurned = header.orientation >= 5;
  return { ...header, status, ...(isTurned && { width: header.height, height: header.width }) };
}

interface Segment {
  marker: number;
  at: number;
  length: number;
}

function readSegment(header: ImageHeader, bytes: Buffer, { marker, at, length }: Segment): void {
  const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
  if (isFrame) {
    const components = uintBe(bytes, at + 5, 1);
    header.height = uintBe(bytes, at + 1, 2);
    header.width = uintBe(bytes, at + 3, 2);
    header.colourDepthBits = uintBe(bytes, at, 1) * components;
    header.isProgressive = [0xc2, 0xc6, 0xca, 0xce].includes(marker);
    header.colourSpace = components === 4 ? 'cmyk' : components === 1 ? 'grey' : 'rgb';
  } else if (marker === 0xe0 && textAt(bytes, at, 5) === 'JFIF\0') {
    const perUnit = [0, 1, CENTIMETERS_PER_INCH][uintBe(bytes, at + 7, 1)] ?? 0;
    header.densityDpi = Math.round(uintBe(bytes, at + 8, 2) * perUnit) || header.densityDpi;
  } else if (marker === 0xe1 && textAt(bytes, at, 6) === 'Exif\0\0') {
    const { orientation, densityDpi } = readExif(bytes.subarray(at, at + length));
    header.orientation = orientation;
    // The picture's own format is asked before the notes of a camera.
    header.densityDpi ??= densityDpi;
  } else if (marker === 0xe2 && textAt(bytes, at, 12) === 'ICC_PROFILE\0') header.hasProfile = true;
}

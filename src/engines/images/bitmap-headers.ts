// The two bitmap formats of Windows.
import { uintLe } from './byte-view.ts';
import { PLAIN_HEADER, type ImageHeader } from './types.ts';

const CORE_HEADER = 12;
const INCHES_PER_METER = 39.3701;

function signed(value: number): number {
  return value | 0;
}

/** A BMP; the bytes must begin with `BM`. */
export function readBmp(bytes: Buffer): ImageHeader {
  const isCore = uintLe(bytes, 14, 4) === CORE_HEADER;
  const width = isCore ? uintLe(bytes, 18, 2) : Math.abs(signed(uintLe(bytes, 18, 4)));
  // A negative height means that rows are stored from the top.
  const height = isCore ? uintLe(bytes, 20, 2) : Math.abs(signed(uintLe(bytes, 22, 4)));
  const bits = uintLe(bytes, isCore ? 24 : 28, 2);
  const density = isCore ? 0 : uintLe(bytes, 38, 4);
  const status = uintLe(bytes, 2, 4) > bytes.length ? 'truncated' : width > 0 && height > 0 ? 'ok' : 'corrupt';
  return {
    ...PLAIN_HEADER,
    width,
    height,
    status,
    colourDepthBits: bits,
    paletteColours: bits > 0 && bits <= 8 ? (isCore ? 0 : uintLe(bytes, 46, 4)) || 2 ** bits : null,
    transparency: bits === 32 ? 'alpha' : 'none',
    densityDpi: density > 0 ? Math.round(density / INCHES_PER_METER) : null,
  };
}

/** An icon; the largest of its pictures counts. */
export function readIco(bytes: Buffer): ImageHeader {
  const header: ImageHeader = { ...PLAIN_HEADER, transparency: 'binary' };
  const count = uintLe(bytes, 4, 2);
  let isTruncated = 6 + count * 16 > bytes.length;
  for (let at = 6; at + 16 <= Math.min(bytes.length, 6 + count * 16); at += 16) {
    // 0 stands for 256.
    const [width, height] = [bytes[at]! || 256, bytes[at + 1]! || 256];
    if (uintLe(bytes, at + 8, 4) + uintLe(bytes, at + 12, 4) > bytes.length) isTruncated = true;
    if (width * height <= header.width * header.height) continue;
    Object.assign(header, { width, height, colourDepthBits: uintLe(bytes, at + 6, 2) });
  }
  if (header.colourDepthBits === 32) header.transparency = 'alpha';
  header.status = isTruncated ? 'truncated' : count > 0 ? 'ok' : 'corrupt';
  return header;
}

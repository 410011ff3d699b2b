// Where the EXIF of an AVIF or HEIF file stands: an item of its own, found by its number (ISO/IEC 14496-12 §8.11).
import { textAt, uintBe } from './byte-view.ts';

export interface Box {
  from: number;
  to: number;
}

/** The number of an item (`infe` box) of type `Exif`; undefined for every other one. */
export function exifItem(bytes: Buffer, { from }: Box): number | undefined {
  const version = uintBe(bytes, from, 1);
  if (version < 2) return undefined;
  const idSize = version === 2 ? 2 : 4;
  return textAt(bytes, from + 6 + idSize, 4) === 'Exif' ? uintBe(bytes, from + 4, idSize) : undefined;
}

const ITEMS_MAX = 10_000;

/** Where an item's bytes are, by the `iloc` box; undefined where it is in several pieces or not in the file itself. */
export function placeOfItem(bytes: Buffer, { from, to }: Box, item: number): Box | undefined {
  const version = uintBe(bytes, from, 1);
  const [offsetSize, lengthSize] = nibbles(bytes, from + 4);
  const [baseSize, indexSize] = nibbles(bytes, from + 5);
  const numberSize = version < 2 ? 2 : 4;
  const count = Math.min(uintBe(bytes, from + 6, numberSize), ITEMS_MAX);
  let at = from + 6 + numberSize;
  for (let index = 0; index < count && at < to; index++) {
    const isThis = uintBe(bytes, at, numberSize) === item;
    at += numberSize;
    const method = version === 0 ? 0 : uintBe(bytes, at, 2) & 0xf;
    at += version === 0 ? 2 : 4;
    const base = uintOf(bytes, at, baseSize);
    const extents = uintBe(bytes, at + baseSize, 2);
    at += baseSize + 2;
    const indexBytes = version === 0 ? 0 : indexSize;
    if (isThis) {
      const start = base + uintOf(bytes, at + indexBytes, offsetSize);
      return method === 0 && extents === 1
        ? { from: start, to: start + uintOf(bytes, at + indexBytes + offsetSize, lengthSize) }
        : undefined;
    }
    at += extents * (indexBytes + offsetSize + lengthSize);
  }
  return undefined;
}

/** Two sizes in bytes. */
function nibbles(bytes: Buffer, at: number): [number, number] {
  const both = uintBe(bytes, at, 1);
  return [both >> 4, both & 0xf];
}

/** A number of 0, 4 or 8 bytes, which are all that there is; six of eight are more than any file has. */
function uintOf(bytes: Buffer, at: number, size: number): number {
  if (size === 8) return uintBe(bytes, at + 2, 6);
  return size === 4 ? uintBe(bytes, at, 4) : 0;
}

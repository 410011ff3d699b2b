// Walks the RIFF chunks of a WebP (RFC 9649).
import { textAt, uintLe } from './byte-view.ts';
import { readExif } from './tiff-directory.ts';
import { asPlayedMs, PLAIN_HEADER, type ImageHeader } from './types.ts';

const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;
const IS_ANIMATED = 0x02;

interface Walk {
  header: ImageHeader;
  isExtended: boolean;
  isAnimated: boolean;
  frames: number;
  hasData: boolean;
}

/** The bytes must begin with `RIFF….WEBP`. */
export function readWebp(bytes: Buffer): ImageHeader {
  const header: ImageHeader = { ...PLAIN_HEADER, colourDepthBits: 24 };
  const walk: Walk = { header, isExtended: false, isAnimated: false, frames: 0, hasData: false };
  const fileEnd = uintLe(bytes, 4, 4) + 8;
  let at = 12;
  while (at + 8 <= Math.min(bytes.length, fileEnd)) {
    const size = uintLe(bytes, at + 4, 4);
    READERS.get(textAt(bytes, at, 4))?.(walk, bytes, at + 8);
    if (textAt(bytes, at, 4) === 'EXIF') header.densityDpi = readExif(bytes.subarray(at + 8, at + 8 + size)).densityDpi;
    // Chunks are padded to an even length.
    at += 8 + size + (size % 2);
  }
  if (fileEnd > bytes.length || at > bytes.length + 1) header.status = 'truncated';
  else if (!walk.hasData || header.width === 0) header.status = 'corrupt';
  if (header.transparency === 'alpha') header.colourDepthBits = 32;
  header.frames = Math.max(1, walk.frames);
  return header.frames > 1 ? header : { ...header, loops: 1, durationMs: 0, asPlayedDurationMs: 0 };
}

const READERS = new Map<string, (walk: Walk, bytes: Buffer, at: number) => void>([
  [
    'VP8X',
    (walk, bytes, at) => {
      const flags = uintLe(bytes, at, 1);
      walk.isExtended = true;
      walk.isAnimated = (flags & IS_ANIMATED) !== 0;
      if (flags & HAS_ALPHA) walk.header.transparency = 'alpha';
      walk.header.hasProfile = (flags & HAS_PROFILE) !== 0;
      walk.header.width = uintLe(bytes, at + 4, 3) + 1;
      walk.header.height = uintLe(bytes, at + 7, 3) + 1;
    },
  ],
  [
    'ANIM',
    ({ header }, bytes, at) => {
      header.loops = uintLe(bytes, at + 4, 2) || 'endless';
    },
  ],
  [
    'ANMF',
    (walk, bytes, at) => {
      const delayMs = uintLe(bytes, at + 12, 3);
      if (!walk.isAnimated) return;
      walk.frames += 1;
      walk.hasData = true;
      walk.header.durationMs += delayMs;
      walk.header.asPlayedDurationMs += asPlayedMs(delayMs);
    },
  ],
  [
    'VP8 ',
    (walk, bytes, at) => {
      walk.hasData = true;
      if (walk.isExtended || uintLe(bytes, at + 3, 3) !== 0x2a019d) return;
      walk.header.width = uintLe(bytes, at + 6, 2) & 0x3fff;
      walk.header.height = uintLe(bytes, at + 8, 2) & 0x3fff;
    },
  ],
  [
    'VP8L',
    (walk, bytes, at) => {
      walk.hasData = true;
      if (walk.isExtended || uintLe(bytes, at, 1) !== 0x2f) return;
      const bits = uintLe(bytes, at + 1, 4);
      walk.header.width = (bits & 0x3fff) + 1;
      walk.header.height = ((bits >>> 14) & 0x3fff) + 1;
      if ((bits >>> 28) & 1) walk.header.transparency = 'alpha';
    },
  ],
]);

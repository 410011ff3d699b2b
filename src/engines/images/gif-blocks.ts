// Walks the blocks of a GIF (GIF89a specification). Nothing is decoded, so that no size of picture costs anything.
import { textAt, uintLe } from './byte-view.ts';
import { asPlayedMs, PLAIN_HEADER, type ImageHeader, type Loops } from './types.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

interface Walk {
  header: ImageHeader;
  frames: number;
  loops: Loops;
  tableBits: number;
  /** Of the graphic control that stands before the next frame. */
  delayMs: number;
  hasTransparentColor: boolean;
}

/** Frames, durations, palette, transparency and loops of a GIF; the bytes must begin with its signature. */
export function readGif(bytes: Buffer): ImageHeader {
  const walk: Walk = {
    header: { ...PLAIN_HEADER, status: 'truncated' },
    frames: 0,
    loops: 1,
    tableBits: 0,
    delayMs: 0,
    hasTransparentColor: false,
  };
  const { header } = walk;
  header.width = uintLe(bytes, 6, 2);
  header.height = uintLe(bytes, 8, 2);
  let at = 13 + colorTable(walk, uintLe(bytes, 10, 1));
  while (at < bytes.length) {
    const block = bytes[at]!;
    if (block === EXTENSION) at = readExtension(walk, bytes, at);
    else if (block === IMAGE) at = readFrame(walk, bytes, at);
    else {
      // Some writers pad with zeros; anything else that is not the trailer is no block.
      header.status = block === TRAILER ? 'ok' : 'corrupt';
      if (block !== 0) break;
      at += 1;
    }
  }
  if (walk.frames === 0 && header.status === 'ok') header.status = 'corrupt';
  const palette = {
    colourDepthBits: walk.tableBits,
    paletteColours: walk.tableBits === 0 ? null : 2 ** walk.tableBits,
  };
  if (walk.frames > 1) return { ...header, ...palette, frames: walk.frames, loops: walk.loops };
  return { ...header, ...palette, durationMs: 0, asPlayedDurationMs: 0 };
}

/** Length of the table that a packed field announces. */
function colorTable(walk: Walk, packed: number): number {
  if (!(packed & 0x80)) return 0;
  const bits = (packed & 7) + 1;
  walk.tableBits = Math.max(walk.tableBits, bits);
  return 3 * 2 ** bits;
}

function readExtension(walk: Walk, bytes: Buffer, at: number): number {
  const label = bytes[at + 1];
  if (label === GRAPHIC_CONTROL && bytes[at + 2] === 4) {
    const packed = uintLe(bytes, at + 3, 1);
    walk.hasTransparentColor = (packed & 1) === 1;
    // Disposal 2 clears the place of the frame.
    if (((packed >> 2) & 7) === 2) walk.header.transparency = 'binary';
    walk.delayMs = uintLe(bytes, at + 4, 2) * 10;
  }
  const name = label === APPLICATION && bytes[at + 2] === 11 ? textAt(bytes, at + 3, 11) : '';
  if ((name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0') && bytes[at + 14] === 3 && bytes[at + 15] === 1) {
    const repeats = uintLe(bytes, at + 16, 2);
    // The number counts repetitions after the first time.
    walk.loops = repeats === 0 ? 'endless' : repeats + 1;
  }
  return afterSubBlocks(bytes, at + 2);
}

function readFrame(walk: Walk, bytes: Buffer, at: number): number {
  const { header } = walk;
  const packed = uintLe(bytes, at + 9, 1);
  walk.frames += 1;
  if (packed & 0x40) header.isProgressive = true;
  header.durationMs += walk.delayMs;
  header.asPlayedDurationMs += asPlayedMs(walk.delayMs);
  const [width, height] = [uintLe(bytes, at + 5, 2), uintLe(bytes, at + 7, 2)];
  // A canvas without size is as large as its first frame.
  header.width ||= width;
  header.height ||= height;
  // In later frames, a transparent color mostly means "as before".
  const isHole = walk.hasTransparentColor || width < header.width || height < header.height;
  if (walk.frames === 1 && isHole) header.transparency = 'binary';
  walk.delayMs = 0;
  walk.hasTransparentColor = false;
  return afterSubBlocks(bytes, at + 11 + colorTable(walk, packed));
}

function afterSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let size = bytes[at]; size; size = bytes[at]) at += size + 1;
  return at + 1;
}

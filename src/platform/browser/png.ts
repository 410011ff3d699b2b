// The few bytes of a PNG that need no decoder.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Width and height in pixels from the header (PNG 3rd edition, 5.2 and 11.2.1). Throws `TypeError` when it is no PNG.
 */
export function pngSize(png: Buffer): { width: number; height: number } {
  if (png.length < 24 || !png.subarray(0, 8).equals(SIGNATURE) || png.toString('latin1', 12, 16) !== 'IHDR') {
    throw new TypeError('Not a PNG.');
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

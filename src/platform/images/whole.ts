// Checks whether a stored picture is undamaged.
import { crc32 } from 'node:zlib';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk (PNG, third edition, 5.3). */
const CHUNK_BYTES = 12;

/** Every chunk of a PNG has its checksum, so that any damage shows. */
function isWholePng(body: Buffer): boolean {
  if (!body.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return false;
  for (let at = PNG_SIGNATURE.length; at + CHUNK_BYTES <= body.length;) {
    const end = at + CHUNK_BYTES + body.readUInt32BE(at);
    if (end > body.length || crc32(body.subarray(at + 4, end - 4)) !== body.readUInt32BE(end - 4)) return false;
    if (body.toString('latin1', at + 4, at + 8) === 'IEND') return end === body.length;
    at = end;
  }
  return false;
}

/** A JPEG has no checksum: only its start and its end are checked. */
function isWholeJpeg(body: Buffer): boolean {
  return body.length > 4 && body.readUInt16BE(0) === 0xffd8 && body.readUInt16BE(body.length - 2) === 0xffd9;
}

/** A WebP says how long it is (RFC 9649, 2.3). */
function isWholeWebp(body: Buffer): boolean {
  return (
    body.length > 12 &&
    body.toString('latin1', 0, 4) === 'RIFF' &&
    body.toString('latin1', 8, 12) === 'WEBP' &&
    body.readUInt32LE(4) + 8 === body.length
  );
}

const IS_WHOLE = { png: isWholePng, jpeg: isWholeJpeg, webp: isWholeWebp };

/** False for a picture that was cut since it was stored, and for a PNG that was changed. */
export function isWholePicture(body: Buffer, type: keyof typeof IS_WHOLE): boolean {
  return IS_WHOLE[type](body);
}

// JPEG without what is not seen: camera notes, previews, comments. The picture itself stays bit for bit.

/** Segments that decoders need: JFIF, the color profile, Adobe's transform. */
const JFIF = 0xe0;
const PROFILE = 0xe2;
const ADOBE = 0xee;
const START_OF_SCAN = 0xda;

/**
 * Undefined when the bytes are no well-formed JPEG. The orientation goes as well, so the image must be the right way
 * up.
 */
export function stripJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === START_OF_SCAN) return Buffer.concat([...kept, bytes.subarray(at)]);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (!isDispensable(bytes, marker, at + 4)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

function isDispensable(bytes: Buffer, marker: number, at: number): boolean {
  const isComment = marker === 0xfe;
  const isApplication = marker >= 0xe0 && marker <= 0xef && marker !== JFIF && marker !== ADOBE;
  const isProfile = marker === PROFILE && bytes.toString('latin1', at, at + 12) === 'ICC_PROFILE\0';
  return isComment || (isApplication && !isProfile);
}

// A reader for the plain files of a tar archive (POSIX.1-1988 "ustar"), enough for archives that are part of a package.

const BLOCK_BYTES = 512;

interface TarFile {
  name: string;
  body: Buffer;
}

function fieldOf(header: Buffer, start: number, length: number): string {
  const field = header.toString('latin1', start, start + length);
  const end = field.indexOf('\0');
  return end === -1 ? field : field.slice(0, end);
}

/**
 * The regular files, in order; links, folders and extended headers are passed over. Throws `RangeError` when cut short.
 */
export function* tarFiles(archive: Buffer): Generator<TarFile> {
  let offset = 0;
  while (offset + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    if (header[0] === 0) return; // the end is marked by empty blocks
    const size = Number.parseInt(fieldOf(header, 124, 12).trim() || '0', 8);
    const start = offset + BLOCK_BYTES;
    if (!Number.isInteger(size) || size < 0 || start + size > archive.length)
      throw new RangeError('The archive is cut short.');
    const type = String.fromCharCode(header[156]!);
    const prefix = fieldOf(header, 257, 5) === 'ustar' ? fieldOf(header, 345, 155) : '';
    const name = prefix === '' ? fieldOf(header, 0, 100) : `${prefix}/${fieldOf(header, 0, 100)}`;
    if (type === '0' || type === '\0') yield { name, body: archive.subarray(start, start + size) };
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}

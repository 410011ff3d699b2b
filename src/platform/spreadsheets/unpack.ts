// Spreadsheets that come packed.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { invalid } from '../errors/index.ts';
import { SHEET_LIMITS } from './problems.ts';

const unpack = promisify(gunzip);

/**
 * What stands in a gzip file, at most 25 MB; other files as they are. It is unpacked beside the thread that answers.
 * Throws `invalid_request` that names the field.
 */
export async function unpacked(bytes: Uint8Array, field: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: SHEET_LIMITS.long.fileBytes });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw invalid(field, isLarge ? 'holds more than 25 MB when it is unpacked.' : 'is a broken gzip file.');
  }
}

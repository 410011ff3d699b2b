// WOFF 2.0 to TrueType, one font at a time.
import { decompress } from 'wawoff2';

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a WOFF 2.0 file. The decoder answers with a view of its heap, which the next font that it decodes overwrites:
 * so nothing is decoded beside anything else, and each result is copied before the next one begins.
 */
export function readWoff2(bytes: Uint8Array): Promise<Buffer> {
  const copied = last.then(async () => Buffer.from(await decompress(bytes)));
  last = copied.catch(() => undefined);
  return copied;
}

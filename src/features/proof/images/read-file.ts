// Reads facts from the bytes of an image, off the thread that answers requests.
import { readImage, type ImageFacts } from '../../../engines/images/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import { readLarge } from './computations.ts';

/** A file of this size that consists of nothing but empty blocks is read within 30 ms. */
const READ_AT_ONCE_BYTES = 1024 * 1024;

/** {@link readImage}; large files are read in another process, since a hostile one has millions of blocks. */
export async function readImageFile(compute: Compute, bytes: Buffer, signal?: AbortSignal): Promise<ImageFacts> {
  return bytes.length <= READ_AT_ONCE_BYTES ? readImage(bytes) : compute.run(readLarge, bytes, { signal });
}

// What the bytes of an image say of it, read where nobody waits for it.
import { readImage, type ImageFacts } from '../../../engines/images/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import { readLarge } from './computations.ts';

/** A file of this size that consists of nothing but empty blocks is read within 30 ms. */
const READ_AT_ONCE_BYTES = 1024 * 1024;

/** {@link readImage}; a large file is read where it keeps nobody waiting, for a hostile one has millions of blocks. */
export async function readImageFile(compute: Compute, bytes: Buffer, signal?: AbortSignal): Promise<ImageFacts> {
  return bytes.length <= READ_AT_ONCE_BYTES ? readImage(bytes) : compute.run(readLarge, bytes, { signal });
}

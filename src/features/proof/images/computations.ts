// What an image test computes: which images a message shows, and what a large file says of itself.
import { imagesOfMessage, readImage } from '../../../engines/images/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readMessage, type StoredSource } from '../_message/index.ts';

/** The images that a message shows, in its order, and what it carries of them. */
export const findMessageImages = defineComputation(
  import.meta.url,
  'findMessageImages',
  async (source: StoredSource) => {
    const { read, baseUrl, kind, inline, located } = await readMessage(source);
    const { images: found, isCut } = imagesOfMessage(read, baseUrl);
    return { found, isCut, kind, inline, located };
  },
);

/** What a file says of itself; a hostile one has millions of blocks. */
export const readLarge = defineComputation(import.meta.url, 'readLarge', (bytes: Uint8Array) => readImage(bytes));

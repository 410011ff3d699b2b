// Stored objects (screenshots, raw mail, exports): a directory, or any S3-compatible store.
import { AppError, FULL } from '../errors/index.ts';
import { openDirectory } from './directory.ts';
import { faultOf } from './faults.ts';
import { openS3 } from './s3.ts';
import type { Blobs } from './store.ts';

export type { Blobs, ByteStream } from './store.ts';
export { packValue, unpackValue } from './values.ts';

/** Opens `s3://key:secret@host[:port]/bucket?region=…&tls=off`, or the directory when no URL is given. */
export function openBlobs(options: { dir: string; url: string | undefined }): Blobs {
  return guarded(options.url ? openS3(new URL(options.url)) : openDirectory(options.dir));
}

/** How long the store counts as full after it refused an object for lack of space. */
const FULL_MS = 5000;

function guarded(store: Blobs): Blobs {
  let fullAt = Number.NEGATIVE_INFINITY;
  const rethrow = (error: unknown): never => {
    const fault = faultOf(error);
    if (fault instanceof AppError && fault.code === 'out_of_space') fullAt = performance.now();
    throw fault;
  };
  return {
    put: (key, body, contentType) => store.put(key, body, contentType).catch(rethrow),
    putFile: (key, path, contentType) => store.putFile(key, path, contentType).catch(rethrow),
    get: (key) => store.get(key).catch(rethrow),
    stream: (key) => store.stream(key).catch(rethrow),
    deleteAll: (prefix) => store.deleteAll(prefix).catch(rethrow),
    count: (prefix) => store.count(prefix).catch(rethrow),
    async *list() {
      try {
        yield* store.list();
      } catch (error) {
        rethrow(error);
      }
    },
    check: async () => (performance.now() - fullAt < FULL_MS ? FULL : store.check()),
  };
}

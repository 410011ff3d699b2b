// Stored objects (screenshots, raw mail, exports): a directory, or any S3-compatible store.
import { openDirectory } from './directory.ts';
import { openS3 } from './s3.ts';
import type { Blobs } from './store.ts';

export type { Blobs } from './store.ts';

/** Opens `s3://key:secret@host[:port]/bucket?region=…&tls=off`, or the directory when no URL is given. */
export function openBlobs(options: { dir: string; url: string | undefined }): Blobs {
  return options.url ? openS3(new URL(options.url)) : openDirectory(options.dir);
}

// Stored objects (screenshots, raw mail, exports): a directory, or any S3-compatible store.
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { openS3 } from './s3.ts';

export interface Blobs {
  /** Durable when it resolves. Keys are `a/b/c.png`: letters, digits, `.`, `_`, `-` and `/`. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** The whole object, or undefined. */
  get(key: string): Promise<Buffer | undefined>;
  /** The object as a stream with its size in bytes, or undefined. */
  stream(key: string): Promise<{ body: Readable; sizeBytes: number } | undefined>;
  /** Deletes every object whose key starts with `prefix/`. Missing ones are not an error. */
  deleteAll(prefix: string): Promise<void>;
  /** The number of objects below `prefix/`. */
  count(prefix: string): Promise<number>;
}

/** Opens `s3://key:secret@host[:port]/bucket?region=…&tls=off`, or the directory when no URL is given. */
export function openBlobs(options: { dir: string; url: string | undefined }): Blobs {
  return options.url ? openS3(new URL(options.url)) : openDirectory(options.dir);
}

/** Refuses keys that could leave the store. */
export function checkedKey(key: string): string {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) throw new Error(`"${key}" is no object key.`);
  return key;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function openDirectory(root: string): Blobs {
  const pathOf = (key: string): string => join(root, checkedKey(key));
  return {
    async put(key, body) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${randomUUID()}.tmp`;
      const handle = await open(temporary, 'w');
      try {
        await handle.writeFile(body);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    },
    get: (key) => readFile(pathOf(key)).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error))),
    async stream(key) {
      const path = pathOf(key);
      const info = await stat(path).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error)));
      return info ? { body: createReadStream(path), sizeBytes: info.size } : undefined;
    },
    deleteAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    async count(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)));
      return entries.filter((entry) => entry.isFile()).length;
    },
  };
}

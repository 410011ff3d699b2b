// What every object store of the platform can do.
import type { Readable } from 'node:stream';

/** An object as a list has it. */
export interface StoredObject {
  key: string;
  sizeBytes: number;
  changedAt: Date;
}

/** What is read piece by piece. */
export type ByteStream = Readable;

/** A store that is away, full or not writable rejects with an AppError, `unavailable` or `out_of_space`. */
export interface Blobs {
  /** Durable when it resolves. Keys are `a/b/c.png`: letters, digits, `.`, `_`, `-` and `/`. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** The same with the bytes of a file, which are never in memory at once. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** The whole object, or undefined. */
  get(key: string): Promise<Buffer | undefined>;
  /** The object as a stream with its size in bytes, or undefined. */
  stream(key: string): Promise<{ body: Readable; sizeBytes: number } | undefined>;
  /** Deletes every object whose key starts with `prefix/`. Missing ones are not an error. */
  deleteAll(prefix: string): Promise<void>;
  /** The number of objects below `prefix/`. */
  count(prefix: string): Promise<number>;
  /** Every object, in no order. One that comes or goes meanwhile is among them or not. */
  list(): AsyncIterable<StoredObject>;
  /** Why the store does not work, or undefined. Takes five seconds at most. */
  check(): Promise<string | undefined>;
}

/** Refuses keys that could leave the store. */
export function checkedKey(key: string): string {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(key) || key.split('/').some((part) => /^\.+$/.test(part)))
    throw new Error(`"${key}" is no object key.`);
  return key;
}

// Writes an archive entry by entry; no more than one of them, and the digests since the last list, is held.
import { createHash } from 'node:crypto';
import {
  BLOCK_BYTES,
  digestLine,
  headerOf,
  LIST_ENTRIES_MAX,
  listName,
  MANIFEST,
  MANIFEST_DIGEST,
  paddingOf,
} from './format.ts';

export interface ArchiveWriter {
  /** Throws when the name is longer than an archive takes (about 255 characters). */
  add(name: string, body: Buffer): Promise<void>;
  /** Writes the last list and the manifest. Answers how many bytes the archive has. */
  finish(manifest: object): Promise<number>;
}

/** `write` resolves when it takes the next bytes. */
export function createArchive(write: (bytes: Buffer) => Promise<void>, now: () => Date): ArchiveWriter {
  const lists = createHash('sha256');
  let lines: string[] = [];
  let [entries, listed, bytes] = [0, 0, 0];
  const put = async (buffer: Buffer): Promise<void> => {
    bytes += buffer.length;
    await write(buffer);
  };
  const store = async (name: string, body: Buffer): Promise<void> => {
    await put(headerOf(name, body.length, now()));
    await put(body);
    if (paddingOf(body.length) > 0) await put(Buffer.alloc(paddingOf(body.length)));
  };
  const list = async (): Promise<void> => {
    listed += 1;
    const text = Buffer.from(lines.join(''));
    lines = [];
    lists.update(text);
    await store(listName(listed), text);
  };
  return {
    async add(name, body) {
      await store(name, body);
      entries += 1;
      lines.push(digestLine(name, body));
      if (lines.length === LIST_ENTRIES_MAX) await list();
    },
    async finish(manifest) {
      if (lines.length > 0) await list();
      const archive = { entries, lists: listed, sha256_of_lists: lists.digest('hex') };
      const text = Buffer.from(`${JSON.stringify({ ...manifest, archive }, null, 2)}\n`);
      await store(MANIFEST, text);
      await store(MANIFEST_DIGEST, Buffer.from(digestLine(MANIFEST, text)));
      await put(Buffer.alloc(2 * BLOCK_BYTES));
      return bytes;
    },
  };
}

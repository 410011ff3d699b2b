// Reads an archive entry by entry, and says whether it is whole.
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import {
  BLOCK_BYTES,
  digestLine,
  LIST,
  LIST_ENTRIES_MAX,
  MANIFEST,
  MANIFEST_DIGEST,
  paddingOf,
  readHeader,
} from './format.ts';

/** The file is no archive, or not the one that was written. The message says what is wrong with it. */
export class ArchiveFault extends Error {}

export interface ArchiveEntry {
  name: string;
  body: Buffer;
}

/** What the writer said, and how many entries it wrote. */
export interface Manifest {
  archive: { entries: number; lists: number; sha256_of_lists: string };
}

const CUT_SHORT = 'it is cut short';

async function readExactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new ArchiveFault(CUT_SHORT);
    done += bytesRead;
  }
  return bytes;
}

/** Everything in the file, lists and manifest too, in order. Throws {@link ArchiveFault}. */
export async function* readEntries(path: string): AsyncGenerator<ArchiveEntry> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let at = 0; ;) {
      const block = await readExactly(file, at, BLOCK_BYTES);
      if (block.every((byte) => byte === 0)) return;
      const header = readHeader(block);
      if (!header) throw new ArchiveFault(at === 0 ? 'it is no tar archive' : `it is damaged at byte ${at}`);
      const { name, bytes } = header;
      if (at + BLOCK_BYTES + bytes > size) throw new ArchiveFault(CUT_SHORT);
      yield { name, body: await readExactly(file, at + BLOCK_BYTES, bytes) };
      at += BLOCK_BYTES + bytes + paddingOf(bytes);
    }
  } finally {
    await file.close();
  }
}

/** Names the first entry whose digest differs from the list's. */
function differing(lines: readonly string[], text: string): string {
  const listed = text.split(/(?<=\n)/);
  const strange = lines.find((line, index) => line !== listed[index]);
  return strange === undefined ? 'an entry is missing' : `${strange.slice(66).trim()} is not what was written`;
}

/**
 * Reads the whole file and compares every digest; `first` sees the first entry before anything else is read. Answers
 * the manifest. Throws {@link ArchiveFault}.
 */
export async function checkArchive(path: string, first: (entry: ArchiveEntry) => void): Promise<Manifest> {
  const lists = createHash('sha256');
  let lines: string[] = [];
  let [entries, listed] = [0, 0];
  let manifest: Buffer | undefined;
  let isWhole = false;
  for await (const entry of readEntries(path)) {
    const { name, body } = entry;
    if (entries === 0) first(entry);
    if (name === MANIFEST) manifest = body;
    else if (name === MANIFEST_DIGEST) isWhole = manifest !== undefined && body.equals(lineOf(manifest));
    else if (LIST.test(name)) {
      if (body.toString() !== lines.join('')) throw new ArchiveFault(differing(lines, body.toString()));
      lists.update(body);
      [lines, listed] = [[], listed + 1];
    } else {
      entries += 1;
      lines.push(digestLine(name, body));
      if (lines.length > LIST_ENTRIES_MAX) throw new ArchiveFault('a list of digests is missing');
    }
  }
  if (!manifest) throw new ArchiveFault(CUT_SHORT);
  if (!isWhole) throw new ArchiveFault(`${MANIFEST} is not what was written`);
  const said = JSON.parse(manifest.toString()) as Manifest;
  const { archive } = said;
  if (lines.length > 0 || archive.entries !== entries || archive.lists !== listed)
    throw new ArchiveFault(`it has ${entries} entries, and its manifest says ${archive.entries}`);
  if (archive.sha256_of_lists !== lists.digest('hex'))
    throw new ArchiveFault('its lists are not those that were written');
  return said;
}

const lineOf = (manifest: Buffer): Buffer => Buffer.from(digestLine(MANIFEST, manifest));

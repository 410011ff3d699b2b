// Opens what reports come packed in, a little at a time and never more than a stated size.
import { Unzip, UnzipInflate } from 'fflate';
import { createGunzip } from 'node:zlib';
import { ReportRefusal } from './refusal.ts';

const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
const UNPACKED_TEXT = `It unpacks to more than ${UNPACKED_BYTES_MAX / 1024 / 1024} MB, which is as much as is read.`;
/** Packed a thousandfold, so much becomes 4 MB at once. */
const STEP_BYTES = 4096;
const ENTRIES_MAX = 50;

/** Takes the bytes of one file. */
export interface Sink {
  write(bytes: Uint8Array): void;
}

/** Counts what is unpacked of a file, whatever is inside. */
export class UnpackedBytes {
  #count = 0;

  add(bytes: Uint8Array): void {
    this.#count += bytes.length;
    if (this.#count > UNPACKED_BYTES_MAX) throw new ReportRefusal(UNPACKED_TEXT);
  }
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** Line ends were put behind: a gzip ends with its size, whose last byte is such a one only beyond what is read. */
function withoutLineEnds(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0d || bytes[end - 1] === 0x0a)) end -= 1;
  return bytes.subarray(0, end);
}

/** Throws {@link ReportRefusal} for what is cut off or no gzip (RFC 1952). */
export async function gunzipInto(bytes: Uint8Array, { sink, unpacked }: { sink: Sink; unpacked: UnpackedBytes }) {
  const stream = createGunzip();
  stream.end(withoutLineEnds(bytes));
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      unpacked.add(chunk);
      sink.write(chunk);
    }
  } catch (error) {
    if (error instanceof ReportRefusal) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw new ReportRefusal('Its gzip is damaged or cut off.', { cause: error });
    throw error;
  } finally {
    stream.destroy();
  }
}

interface Entry<S extends Sink> {
  name: string;
  sink: S;
  isWhole: boolean;
}

/**
 * Every file of a zip archive, unpacked into a sink of its own. Throws {@link ReportRefusal}: damaged, encrypted, more
 * files than 50.
 */
export function unzipInto<S extends Sink>(
  bytes: Uint8Array,
  { sinkOf, unpacked }: { sinkOf: (name: string) => S; unpacked: UnpackedBytes },
): Entry<S>[] {
  const entries: Entry<S>[] = [];
  const unzip = new Unzip((file) => {
    if (entries.length >= ENTRIES_MAX) throw new ReportRefusal(`It holds more than ${ENTRIES_MAX} files.`);
    if (file.name.endsWith('/')) return;
    const entry: Entry<S> = { name: file.name, sink: sinkOf(file.name), isWhole: false };
    entries.push(entry);
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      unpacked.add(chunk);
      entry.sink.write(chunk);
      entry.isWhole ||= isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      unzip.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length);
  } catch (error) {
    if (error instanceof ReportRefusal) throw error;
    throw new ReportRefusal('Its zip is damaged, encrypted or packed in another way than deflate.', { cause: error });
  }
  if (entries.length === 0 || entries.some(({ isWhole }) => !isWhole))
    throw new ReportRefusal('Its zip is damaged or cut off.');
  return entries;
}

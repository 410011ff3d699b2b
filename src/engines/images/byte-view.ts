// Reads of hostile bytes: past the end there are zeros, never an error.

/** A Buffer over the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Big-endian unsigned number of `size` (1–6) bytes; 0 where it does not fit. */
export function uintBe(bytes: Buffer, at: number, size: number): number {
  return at >= 0 && at + size <= bytes.length ? bytes.readUIntBE(at, size) : 0;
}

/** Little-endian unsigned number of `size` (1–6) bytes; 0 where it does not fit. */
export function uintLe(bytes: Buffer, at: number, size: number): number {
  return at >= 0 && at + size <= bytes.length ? bytes.readUIntLE(at, size) : 0;
}

/** Latin-1 text from `at`, shorter where the bytes end. */
export function textAt(bytes: Buffer, at: number, size: number): string {
  return bytes.toString('latin1', at, at + size);
}

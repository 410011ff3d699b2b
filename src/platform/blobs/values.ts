// Values as objects. Bytes in them stay bytes: neither coding them as text nor reading that again holds up the thread
// that answers.
import { deserialize, serialize } from 'node:v8';

/** Bytes that {@link unpackValue} reads: what a structured clone keeps, in the format of `node:v8`. */
export function packValue(value: unknown): Buffer {
  return serialize(value);
}

/** What {@link packValue} was given; written by this version of Node or an earlier one. */
export function unpackValue(bytes: Buffer): unknown {
  return deserialize(bytes);
}

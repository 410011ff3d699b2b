// Pictures as bytes on their way out of a browser. Its driver would make three copies of each in the memory of scripts
// (the message, its text, the text in it) before the bytes are read from it: megabytes that must be collected again.
import type { Readable } from 'node:stream';

/** How an answer begins that is nothing but bytes in base64. */
const BEGINNING = /^\{"id":\d+,"result":\{"data":"/;
/** The longest that such a beginning is. */
const BEGINNING_MAX = 48;
const QUOTE = 0x22;
const END_OF_MESSAGE = 0;
const TARGET_BYTES = 1024 * 1024;
/** A larger target is given back after its picture. */
const TARGET_KEPT_MAX = 16 * 1024 * 1024;

const SIGN = 'bytes-taken-from-the-pipe:';
/** So many pictures may wait to be asked for: each browser draws one at a time. */
const WAITING_MAX = 64;

const waiting = new Map<string, Buffer>();
let count = 0;

function keep(bytes: Buffer): string {
  count += 1;
  const name = `${SIGN}${count}`;
  waiting.set(name, bytes);
  if (waiting.size > WAITING_MAX) waiting.delete(waiting.keys().next().value!);
  return name;
}

/** The bytes that the `data` of an answer stands for. */
export function bytesOf(data: string): Buffer {
  if (!data.startsWith(SIGN)) return Buffer.from(data, 'base64');
  const bytes = waiting.get(data);
  if (bytes === undefined) throw new Error('The bytes of an answer were not asked for in time.');
  waiting.delete(data);
  return bytes;
}

/** From now on the driver of this browser gets, in place of bytes, a name that `bytesOf` knows. */
export function divertBytes(pipe: Readable): void {
  for (const listener of pipe.listeners('data') as ((chunk: Buffer) => void)[]) {
    const diverter = new Diverter(listener);
    pipe.removeListener('data', listener);
    pipe.on('data', (chunk: Buffer) => diverter.take(chunk));
  }
}

/** Reads messages as they come, in pieces of any size, and hands on all but the bytes. */
export class Diverter {
  #forward: (chunk: Buffer) => void;
  #state: 'beginning' | 'plain' | 'bytes' = 'beginning';
  /** What is known of a message whose beginning is not all there. */
  #beginning: Buffer = Buffer.alloc(0);
  #target = Buffer.alloc(0);
  #length = 0;
  /** Up to three characters that are no whole quantum of base64 yet. */
  #odd: Buffer = Buffer.alloc(0);

  constructor(forward: (chunk: Buffer) => void) {
    this.#forward = forward;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#state === 'beginning') rest = this.#begin(rest);
      else if (this.#state === 'plain') rest = this.#pass(rest);
      else rest = this.#decode(rest);
    }
  }

  #begin(chunk: Buffer): Buffer {
    const known = this.#beginning.length > 0 ? Buffer.concat([this.#beginning, chunk]) : chunk;
    this.#beginning = Buffer.alloc(0);
    if (known.length < BEGINNING_MAX && !known.includes(END_OF_MESSAGE)) {
      this.#beginning = known;
      return Buffer.alloc(0);
    }
    const [beginning] = BEGINNING.exec(known.toString('latin1', 0, BEGINNING_MAX)) ?? [];
    if (beginning === undefined) {
      this.#state = 'plain';
      return known;
    }
    this.#state = 'bytes';
    this.#forward(known.subarray(0, beginning.length));
    return known.subarray(beginning.length);
  }

  #pass(chunk: Buffer): Buffer {
    const end = chunk.indexOf(END_OF_MESSAGE);
    if (end < 0) {
      this.#forward(chunk);
      return Buffer.alloc(0);
    }
    this.#state = 'beginning';
    this.#forward(chunk.subarray(0, end + 1));
    return chunk.subarray(end + 1);
  }

  #decode(chunk: Buffer): Buffer {
    const end = chunk.indexOf(QUOTE);
    const text = end < 0 ? chunk : chunk.subarray(0, end);
    const all = this.#odd.length > 0 ? Buffer.concat([this.#odd, text]) : text;
    const whole = end < 0 ? all.length - (all.length % 4) : all.length;
    this.#write(all.toString('latin1', 0, whole));
    this.#odd = Buffer.from(all.subarray(whole));
    if (end < 0) return Buffer.alloc(0);
    this.#state = 'plain';
    this.#forward(Buffer.from(keep(Buffer.from(this.#target.subarray(0, this.#length)))));
    this.#length = 0;
    if (this.#target.length > TARGET_KEPT_MAX) this.#target = Buffer.alloc(0);
    return chunk.subarray(end);
  }

  #write(base64: string): void {
    const needed = this.#length + Math.ceil(base64.length / 4) * 3;
    if (needed > this.#target.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, TARGET_BYTES, 2 * this.#target.length));
      this.#target.copy(larger, 0, 0, this.#length);
      this.#target = larger;
    }
    this.#length += this.#target.write(base64, this.#length, 'base64');
  }
}

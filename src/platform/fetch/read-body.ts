import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Answer, Start } from './answer.ts';
import { FetchError } from './fetch-error.ts';

/** No honest server encodes a body in more layers than this. */
const ENCODINGS_MAX = 2;

/**
 * The decoded body. The bytes on the wire are counted while they arrive and the connection is cut at the first byte
 * over `sizeBytesMax`; decompression stops at the same limit, so a bomb costs no more than an honest body of that size.
 * Throws FetchError: `too_large`, or `protocol` when the body breaks off or cannot be decoded.
 */
export async function readBody(answer: Answer, sizeBytesMax: number): Promise<Buffer> {
  try {
    if (Number(answer.headers['content-length']) > sizeBytesMax) throw tooLarge(sizeBytesMax);
    const decoders = namesOf(answer.headers['content-encoding'] ?? '').map((name) => DECODERS.get(name)!);
    const { isOver, ...start } = await answer.readStart(sizeBytesMax);
    if (isOver) throw tooLarge(sizeBytesMax);
    let body = joined(start, sizeBytesMax);
    for (const decode of decoders) {
      if (body.length > 0) body = await decode(body, { maxOutputLength: sizeBytesMax });
    }
    return body;
  } catch (error) {
    answer.destroy(error as Error);
    if (error instanceof FetchError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(sizeBytesMax);
    throw new FetchError('protocol', 'the body broke off or could not be decoded', error);
  }
}

/**
 * The beginning of the decoded body, at most `sizeBytesMax` bytes; the rest is neither waited for nor decompressed.
 * Throws FetchError `protocol` when the body breaks off or cannot be decoded.
 */
export async function readStart(answer: Answer, sizeBytesMax: number): Promise<{ body: Buffer; isCut: boolean }> {
  try {
    const decoders = namesOf(answer.headers['content-encoding'] ?? '').map((name) => STREAM_DECODERS.get(name)!);
    const start = await answer.readStart(sizeBytesMax);
    let body = joined(start, sizeBytesMax);
    let isCut = start.isOver;
    for (const make of decoders) {
      if (body.length === 0) break;
      const decoder = make(body);
      decoder.end(body);
      const decoded = await collectStart(decoder, sizeBytesMax);
      body = joined(decoded, sizeBytesMax);
      isCut ||= decoded.isOver;
    }
    return { body, isCut };
  } catch (error) {
    answer.destroy(error as Error);
    if (error instanceof FetchError) throw error;
    throw new FetchError('protocol', 'the body broke off or could not be decoded', error);
  }
}

function joined({ chunks, size }: Pick<Start, 'chunks' | 'size'>, sizeBytesMax: number): Buffer {
  // Most short bodies come in one piece.
  return chunks.length === 1 && size <= sizeBytesMax ? chunks[0]! : Buffer.concat(chunks, Math.min(size, sizeBytesMax));
}

function collectStart(source: Transform, sizeBytesMax: number): Promise<Start> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const done = (isOver: boolean) => resolve({ chunks, size, isOver });
    source.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= sizeBytesMax) return;
      done(true);
      source.destroy();
    });
    source.once('end', () => done(false));
    source.once('error', reject);
    source.once('close', () => reject(new FetchError('protocol', 'the body broke off')));
  });
}

type Decode = (body: Buffer, limits: { maxOutputLength: number }) => Promise<Buffer>;

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** Many servers cut the gzip trailer short; browsers show what arrived. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

const DECODERS = new Map<string, Decode>([
  ['gzip', (body, limits) => gunzip(body, { ...LENIENT, ...limits })],
  ['x-gzip', (body, limits) => gunzip(body, { ...LENIENT, ...limits })],
  ['br', (body, limits) => brotli(body, limits)],
  // "deflate" means zlib (RFC 9110 §8.4.1.2), but some servers send the bare stream; the first byte tells.
  ['deflate', (body, limits) => ((body[0]! & 0x0f) === 8 ? inflate : inflateRaw)(body, { ...LENIENT, ...limits })],
]);

/** The same as streams, for reading only the beginning. */
const STREAM_DECODERS = new Map<string, (body: Buffer) => Transform>([
  ['gzip', () => zlib.createGunzip(LENIENT)],
  ['x-gzip', () => zlib.createGunzip(LENIENT)],
  ['br', () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })],
  ['deflate', (body) => ((body[0]! & 0x0f) === 8 ? zlib.createInflate(LENIENT) : zlib.createInflateRaw(LENIENT))],
]);

/** The codings of the header, the one to undo first in front. Throws FetchError for one that is not known. */
function namesOf(contentEncoding: string): string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.some((name) => !DECODERS.has(name)) || names.length > ENCODINGS_MAX) {
    throw new FetchError('protocol', `the content-encoding "${contentEncoding.slice(0, 100)}" is not understood`);
  }
  // They are listed in the order they were applied (RFC 9110 §8.4), so the last is undone first.
  return names.toReversed();
}

function tooLarge(sizeBytesMax: number): FetchError {
  return new FetchError('too_large', `the body is larger than ${sizeBytesMax} bytes`);
}

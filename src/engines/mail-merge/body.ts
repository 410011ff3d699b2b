// The body of a message: its bytes, and the holes between them.
import { createHash, type Hash } from 'node:crypto';
import { relaxedBodyHash } from '../mail-authentication/index.ts';
import { bodyValueOf, type BodySegment, type Filling, type Hole, type LinkHole } from './holes.ts';
import { encodeQuotedPrintable, SOFT_BREAK } from './quoted-printable.ts';

/** Bytes as they are, and holes that are filled in quoted-printable; a hole begins a line. */
export type BodyPiece = Buffer | Hole | LinkHole;

export interface CompiledBody {
  pieces: BodyPiece[];
  /** Bytes of what is the same in all copies. */
  fixedBytes: number;
  canonicalization: 'simple' | 'relaxed';
  /** Of a body without holes: the same for every copy. */
  whole: FilledBody | undefined;
  /** Of what comes before the first hole. */
  begun: Hash | undefined;
  /** Every copy has lines that end with CRLF, and none that begins with a dot: so it is sent as it is. */
  isWire: boolean;
}

interface FilledBody {
  bytes: Buffer;
  /** `bh=` (RFC 6376 §3.5). */
  hash: string;
}

/** What values may add to a copy; more is a mistake or an attack. */
const ADDED_BYTES_MAX = 10 * 1024 * 1024;

/** The quoted-printable form of a text with holes: soft breaks around each keep the lines short whatever goes in. */
export function encodeSegments(segments: readonly BodySegment[]): BodyPiece[] {
  const pieces: BodyPiece[] = [];
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'string') {
      text += encodeQuotedPrintable(segment);
      continue;
    }
    if (text !== '' && !text.endsWith('\r\n')) text += SOFT_BREAK;
    pieces.push(Buffer.from(text, 'latin1'), segment);
    text = SOFT_BREAK;
  }
  return [...pieces, Buffer.from(text, 'latin1')];
}

export function compileBody(given: readonly BodyPiece[], canonicalization: 'simple' | 'relaxed'): CompiledBody {
  const pieces: BodyPiece[] = [];
  for (const piece of given) {
    const last = pieces.at(-1);
    if (!Buffer.isBuffer(piece)) pieces.push(piece);
    else if (piece.length === 0) continue;
    else if (Buffer.isBuffer(last)) pieces[pieces.length - 1] = Buffer.concat([last, piece]);
    else pieces.push(piece);
  }
  const fixed = pieces.filter((piece) => Buffer.isBuffer(piece));
  const body = {
    pieces,
    fixedBytes: fixed.reduce((sum, { length }) => sum + length, 0),
    canonicalization,
    whole: undefined,
    begun: undefined,
    isWire: fixed.every((piece) => !NOT_WIRE.test(piece.toString('latin1'))),
  };
  if (fixed.length === pieces.length) {
    const bytes = fixed[0] ?? Buffer.alloc(0);
    return { ...body, whole: { bytes, hash: hashOf(bytes, canonicalization) } };
  }
  return { ...body, begun: begunOf(body) };
}

/** A lone CR or LF, and a dot that begins a line. What goes into holes has none of them, and begins a line. */
const NOT_WIRE = /(?:^|\n)\.|\r(?!\n)|(?:^|[^\r])\n/;

function begunOf({ pieces: [first], canonicalization }: Pick<CompiledBody, 'pieces' | 'canonicalization'>) {
  return canonicalization === 'simple' && Buffer.isBuffer(first) ? createHash('sha256').update(first) : undefined;
}

/** A body that came from another process: its bytes as Uint8Array, and without a hash that has begun. */
export function reviveBody(body: CompiledBody): CompiledBody {
  const { whole } = body;
  const pieces = body.pieces.map((piece) => (piece instanceof Uint8Array ? bufferOf(piece) : piece));
  if (whole) return { ...body, pieces, whole: { ...whole, bytes: bufferOf(whole.bytes) } };
  return { ...body, pieces, begun: begunOf({ ...body, pieces }) };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A sentence instead of a body that would be too large. */
export function fillBody(body: CompiledBody, filling: Filling): FilledBody | string {
  if (body.whole) return body.whole;
  const values: string[] = [];
  let added = 0;
  for (const piece of body.pieces) {
    if (Buffer.isBuffer(piece)) continue;
    const value = encodeQuotedPrintable(bodyValueOf(piece, filling));
    added += value.length;
    if (added > ADDED_BYTES_MAX)
      return `The variables of this recipient make the message larger by more than ${ADDED_BYTES_MAX} bytes.`;
    values.push(value);
  }
  const bytes = Buffer.allocUnsafe(body.fixedBytes + added);
  let at = 0;
  let next = 0;
  for (const piece of body.pieces)
    at += Buffer.isBuffer(piece) ? piece.copy(bytes, at) : bytes.write(values[next++] as string, at, 'latin1');
  const { begun } = body;
  if (!begun) return { bytes, hash: hashOf(bytes, body.canonicalization) };
  const from = (body.pieces[0] as Buffer).length;
  return { bytes, hash: ended(begun.copy(), bytes, from) };
}

function hashOf(bytes: Buffer, canonicalization: 'simple' | 'relaxed'): string {
  return canonicalization === 'relaxed' ? relaxedBodyHash(bytes) : ended(createHash('sha256'), bytes, 0);
}

/** RFC 6376 §3.4.3: empty lines at the end do not count, and the last line is ended. */
function ended(hash: Hash, bytes: Buffer, from: number): string {
  let end = bytes.length;
  while (end >= 2 && bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a) end -= 2;
  return hash.update(bytes.subarray(from, end)).update('\r\n').digest('base64');
}

// A copy for one recipient, and its signatures.
import { dkimFields, type DkimKey } from '../mail-authentication/index.ts';
import { fillBody, reviveBody } from './body.ts';
import type { CompiledMail } from './compile.ts';
import { fillHeader } from './header.ts';
import type { Filling } from './holes.ts';

interface FilledMail {
  ok: true;
  /** Fields, each ended by CRLF; a character is a byte. */
  header: string;
  /** Shared by all copies when nothing in it differs: not to be written to. */
  body: Buffer;
  bodyHash: string;
  canonicalization: 'simple' | 'relaxed';
  /** The body is sent as it is: see {@link CompiledBody}. */
  isWire: boolean;
}

/** A copy as it leaves, in two, so that a body that many share is not copied for each. */
export interface SignedMail extends Pick<FilledMail, 'body' | 'isWire'> {
  /** Signatures, fields, and the empty line. */
  head: Buffer;
}

/** What another process compiled. */
export const reviveMail = ({ fields, body }: CompiledMail): CompiledMail => ({ fields, body: reviveBody(body) });

/** Fills the holes. A copy that cannot be made is a value: `fault` is a sentence. */
export function fillMail(compiled: CompiledMail, filling: Filling): FilledMail | { ok: false; fault: string } {
  const filled = fillHeader(compiled.fields, filling);
  if ('fault' in filled) return { ok: false, fault: filled.fault };
  const body = fillBody(compiled.body, filling);
  if (typeof body === 'string') return { ok: false, fault: body };
  return {
    ok: true,
    header: filled.header,
    body: body.bytes,
    bodyHash: body.hash,
    canonicalization: compiled.body.canonicalization,
    isWire: compiled.body.isWire,
  };
}

/** The copy as it leaves, with a signature for each key (RFC 6376). Rejects when a key cannot sign. */
export async function signMail(
  { header, body, bodyHash, canonicalization, isWire }: FilledMail,
  keys: readonly DkimKey[],
  now: Date,
): Promise<SignedMail> {
  const fields = await dkimFields(header, keys, { now, bodyHash, body: canonicalization });
  return { head: Buffer.from(`${fields}${header}\r\n`, 'latin1'), body, isWire };
}

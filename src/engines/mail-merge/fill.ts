// A copy for one recipient, and its signatures.
import { dkimFields, type DkimKey } from '../mail-authentication/index.ts';
import { fillBody } from './body.ts';
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
}

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
  };
}

/** The copy as it leaves, with a signature for each key (RFC 6376). Rejects when a key cannot sign. */
export async function signMail(
  { header, body, bodyHash, canonicalization }: FilledMail,
  keys: readonly DkimKey[],
  now: Date,
): Promise<Buffer> {
  const top = `${await dkimFields(header, keys, { now, bodyHash, body: canonicalization })}${header}\r\n`;
  const raw = Buffer.allocUnsafe(top.length + body.length);
  body.copy(raw, raw.write(top, 'latin1'));
  return raw;
}

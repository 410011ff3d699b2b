// Codes of authenticator apps: RFC 6238 with its defaults (SHA-1, half a minute, six digits), which every app knows.
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Clocks differ, and typing takes time: the code before and the code after are good, too. */
const SKEW_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Which half minute since 1970 a time is in. */
export const stepAt = (time: Date): number => Math.floor(time.getTime() / STEP_MS);

/** The code of a step: HOTP (RFC 4226, section 5.3) of its number. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

interface Given {
  /** Six digits. */
  code: string;
  now: Date;
  /** The step of the last code that was used: only later ones are good. */
  lastStep: number;
}

/** The step whose code was given; undefined for one that is wrong, too old, too new or used. */
export function stepOfCode(secret: Buffer, { code, now, lastStep }: Given): number | undefined {
  const given = Buffer.from(code);
  const current = stepAt(now);
  let found: number | undefined;
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step += 1) {
    const right = Buffer.from(codeOf(secret, step));
    if (given.length === right.length && timingSafeEqual(given, right) && step > lastStep) found = step;
  }
  return found;
}

/** RFC 4648, section 6, without padding. */
export function toBase32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text;
}

/** What an app reads from the picture; the format that Google Authenticator began and all apps took over. */
export function keyUrl(secret: string, email: string): string {
  return `otpauth://totp/Galley:${encodeURIComponent(email)}?secret=${secret}&issuer=Galley`;
}

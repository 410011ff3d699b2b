// The header field that identifies each copy of a message.
import { randomHex } from '../../../platform/ids/index.ts';

export const TOKEN_HEADER = 'X-Galley-Seed';
const HEADER_BYTES_MAX = 256 * 1024;

export function newToken(): string {
  return randomHex(16);
}

/** The field with the token; it goes on top of a message, where it breaks no signature. */
export function tokenField(token: string): Buffer {
  return Buffer.from(`${TOKEN_HEADER}: ${token}\r\n`, 'latin1');
}

/** The token of a message that came in, and the message without it. */
export function takeToken(raw: Buffer): { token: string | undefined; rest: Buffer } {
  const end = raw.subarray(0, HEADER_BYTES_MAX).indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? Math.min(raw.length, HEADER_BYTES_MAX) : end + 2);
  const match = /^X-Galley-Seed: ?([0-9a-f]{32})\r\n/im.exec(header);
  if (!match) return { token: undefined, rest: raw };
  const after = raw.subarray(match.index + match[0].length);
  // On top, where it was put, it leaves nothing to copy.
  const rest = match.index === 0 ? after : Buffer.concat([raw.subarray(0, match.index), after]);
  return { token: match[1]?.toLowerCase(), rest };
}

// What goes round in circles: a message that comes again to an address that forwarded it.
import { createHash } from 'node:crypto';

/** What an address is called in the mark: whoever gets the message learns no address from it. */
const markOf = (address: string): string =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32);

/** Says which address forwarded a message; ended by CRLF. */
export const loopField = (address: string): string => `X-Galley-Forwarded: ${markOf(address)}\r\n`;

/** As many servers as a message passes at most (RFC 5321 §6.3 asks for 100; others stop at 25 to 50). */
const HOPS_MAX = 50;

/** The header of a message, up to its first empty line and half a megabyte. */
function headerOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, 512 * 1024)).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end + 1);
}

/** Whether it passed more servers than any message needs to. */
export function hasTooManyHops(raw: Uint8Array): boolean {
  return (headerOf(raw).match(/^received[ \t]*:/gim) ?? []).length > HOPS_MAX;
}

/** Whether an address forwarded it before. */
export function wasForwardedBy(raw: Uint8Array, address: string): boolean {
  return headerOf(raw)
    .toLowerCase()
    .includes(`x-galley-forwarded: ${markOf(address)}`);
}

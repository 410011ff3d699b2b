// What goes round in circles: a message that comes again to an address that forwarded it.
import { createHash } from 'node:crypto';
import { headerOf } from '../_inbound/index.ts';

/** What an address is called in the mark: whoever gets the message learns no address from it. */
const markOf = (address: string): string =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32);

/** Says which address forwarded a message; ended by CRLF. */
export const loopField = (address: string): string => `X-Galley-Forwarded: ${markOf(address)}\r\n`;

/** Whether an address forwarded it before. */
export function wasForwardedBy(raw: Uint8Array, address: string): boolean {
  return headerOf(raw)
    .toLowerCase()
    .includes(`x-galley-forwarded: ${markOf(address)}`);
}

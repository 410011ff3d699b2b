import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What a tracked link, or the image that tells of an open, stands in. */
interface TrackedPlace {
  /** 24 hexadecimal digits. */
  domainId: string;
  /** A decimal number below 2^48. */
  messageId: string;
  /** Place of the recipient in the message, from 0. */
  position: number;
  /** Place of the link in the message, from 0. */
  link: number;
}

interface TrackedLink extends TrackedPlace {
  /** Where it leads; empty for the image. */
  url: string;
}

const ID_BYTES = 12;
const NAME_BYTES = ID_BYTES + 6 + 2 + 2;
const CODE_BYTES = 12;
/** A longer address is not tracked: what it becomes would be cut by programs on the way. */
const LINK_URL_BYTES_MAX = 1000;
/** In letters. */
export const LINK_TOKEN_LENGTH_MAX = Math.ceil(((NAME_BYTES + LINK_URL_BYTES_MAX + CODE_BYTES) * 4) / 3);
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{40,${LINK_TOKEN_LENGTH_MAX}}$`);

/** The first 96 bits of an HMAC-SHA256 (RFC 2104 §5). */
const codeOf = (said: Buffer, secret: KeyObject): Buffer =>
  createHmac('sha256', secret).update(said).digest().subarray(0, CODE_BYTES);

/**
 * A token of letters, digits, `-` and `_` that holds the place, the address and a code that only who has the secret can
 * make: nobody else makes one that leads elsewhere. Undefined for an address that is too long.
 */
export function sealLink(
  { domainId, messageId, position, link, url }: TrackedLink,
  secret: KeyObject,
): string | undefined {
  const address = Buffer.from(url, 'utf8');
  if (address.length > LINK_URL_BYTES_MAX) return undefined;
  const name = Buffer.alloc(NAME_BYTES);
  if (name.write(domainId, 0, ID_BYTES, 'hex') !== ID_BYTES) return undefined;
  name.writeUIntBE(Number(messageId), ID_BYTES, 6);
  name.writeUInt16BE(position, ID_BYTES + 6);
  name.writeUInt16BE(link, ID_BYTES + 8);
  const said = Buffer.concat([name, address]);
  return Buffer.concat([said, codeOf(said, secret)]).toString('base64url');
}

/** What a token holds; undefined for whatever was not made with this secret, to the last bit. */
export function openLink(token: string, secret: KeyObject): TrackedLink | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // The last letter may have bits that no byte takes: another letter there would read as the same bytes.
  if (bytes.length < NAME_BYTES + CODE_BYTES || bytes.toString('base64url') !== token) return undefined;
  const said = bytes.subarray(0, -CODE_BYTES);
  if (!timingSafeEqual(bytes.subarray(-CODE_BYTES), codeOf(said, secret))) return undefined;
  return {
    domainId: said.toString('hex', 0, ID_BYTES),
    messageId: String(said.readUIntBE(ID_BYTES, 6)),
    position: said.readUInt16BE(ID_BYTES + 6),
    link: said.readUInt16BE(ID_BYTES + 8),
    url: said.toString('utf8', NAME_BYTES),
  };
}

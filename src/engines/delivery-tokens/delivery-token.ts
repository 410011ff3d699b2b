import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** One recipient of one message. */
interface DeliveryName {
  /** A decimal number. */
  messageId: string;
  /** Place of the recipient in the message, from 0. */
  position: number;
}

const ID_BYTES = 6;
const POSITION_BYTES = 2;
const SAID_BYTES = ID_BYTES + POSITION_BYTES;
const CODE_BYTES = 8;
const ID_MAX = 2n ** BigInt(8 * ID_BYTES) - 1n;
const POSITION_MAX = 2 ** (8 * POSITION_BYTES) - 1;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** The first half of an HMAC-SHA256, cut (RFC 2104 §5): 64 bits, which nobody can try in mail or HTTP. */
const codeOf = (said: Buffer, secret: KeyObject): Buffer =>
  createHmac('sha256', secret).update(said).digest().subarray(0, CODE_BYTES);

/**
 * A token of 22 letters, digits, `-` and `_`: six bytes of the message's id, two of the position, eight of a code that
 * only who has the secret can make. The same delivery has the same token. Each purpose has a secret of its own, so that
 * a token that was given for one opens nothing of another. Throws a RangeError for an id above 2^48 - 1 or a position
 * above 65,535.
 */
export function sealDelivery({ messageId, position }: DeliveryName, secret: KeyObject): string {
  const id = BigInt(messageId);
  if (id < 0n || id > ID_MAX) throw new RangeError(`No token can name message ${messageId}.`);
  if (!Number.isInteger(position) || position < 0 || position > POSITION_MAX)
    throw new RangeError(`No token can name recipient ${position}.`);
  const said = Buffer.alloc(SAID_BYTES);
  said.writeUIntBE(Number(id), 0, ID_BYTES);
  said.writeUInt16BE(position, ID_BYTES);
  return Buffer.concat([said, codeOf(said, secret)]).toString('base64url');
}

/** What a token names; undefined for whatever was not made with this secret, to the last bit. */
export function openDelivery(token: string, secret: KeyObject): DeliveryName | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // The last letter has four bits that no byte takes: another letter there would read as the same bytes.
  if (bytes.toString('base64url') !== token) return undefined;
  const said = bytes.subarray(0, SAID_BYTES);
  if (!timingSafeEqual(bytes.subarray(SAID_BYTES), codeOf(said, secret))) return undefined;
  return { messageId: String(said.readUIntBE(0, ID_BYTES)), position: said.readUInt16BE(ID_BYTES) };
}

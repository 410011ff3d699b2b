// What X.509 is written in (DER, X.690): only what certificates and requests for them need.
import { isIP } from 'node:net';

/** A value with its tag and length. */
export function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
export const integer = (value: Buffer) => tagged(0x02, value);
export const objectId = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes));
export const bitString = (value: Buffer) => tagged(0x03, Buffer.concat([Buffer.from([0]), value]));

/** ecdsa-with-SHA256 (RFC 5758 §3.2). */
export const ECDSA_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

/** A distinguished name that is a common name alone. */
export function nameOf(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))));
}

/** The extension that names hosts and IPv4 addresses (RFC 5280 §4.2.1.6). */
export function altNamesOf(names: readonly string[]): Buffer {
  const parts = names.map((name) =>
    isIP(name) === 4 ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  );
  return sequence(objectId(0x55, 0x1d, 0x11), tagged(0x04, sequence(...parts)));
}

/** Base64 between lines that name what it is (RFC 7468). */
export function pem(der: Buffer, label: string): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

// The key of an account at an authority, and what it signs (RFC 7515, RFC 8555 §6.2).
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

export interface AccountKey {
  /** A request as the authority takes it: JSON with a signature. */
  signed(protectedHeader: object, payload: string): string;
  jwk: Readonly<Record<'crv' | 'kty' | 'x' | 'y', string>>;
  /** What a host says of a token (RFC 8555 §8.1). */
  authorizationOf(token: string): string;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** A fresh P-256 key: PKCS #8, PEM. */
export function makeAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Of PKCS #8, PEM, as {@link makeAccountKey} made it. */
export function openAccountKey(pem: string): AccountKey {
  const key = createPrivateKey(pem);
  const {
    crv = '',
    kty = '',
    x = '',
    y = '',
  } = createPublicKey(key).export({ format: 'jwk' }) as Record<string, string>;
  // Its fields in this order, without blanks, are what is hashed (RFC 7638 §3).
  const jwk = { crv, kty, x, y };
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  return {
    jwk,
    authorizationOf: (token) => `${token}.${thumbprint}`,
    signed(header, payload) {
      const parts = { protected: base64url(JSON.stringify({ alg: 'ES256', ...header })), payload: base64url(payload) };
      const signature = sign('sha256', Buffer.from(`${parts.protected}.${parts.payload}`), {
        key,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url');
      return JSON.stringify({ ...parts, signature });
    },
  };
}

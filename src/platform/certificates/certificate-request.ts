import { generateKeyPairSync, sign } from 'node:crypto';
import { altNamesOf, bitString, ECDSA_SHA256, integer, objectId, sequence, tagged } from './der.ts';

/** The attribute `extensionRequest` (RFC 2985 §5.4.2). */
const EXTENSION_REQUEST = objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e);

/** A fresh P-256 key (PKCS #8, PEM), and the request for a certificate of it (PKCS #10, RFC 2986, DER). */
export function requestCertificate(host: string): { key: string; request: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const attribute = sequence(EXTENSION_REQUEST, tagged(0x31, sequence(altNamesOf([host]))));
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa0, attribute),
  );
  const request = sequence(info, ECDSA_SHA256, bitString(sign('sha256', info, privateKey)));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), request };
}

// A throw-away certificate, for the ear that stands in for every web server before an engine that may reach none.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../../times/index.ts';

/** One DER element (ITU-T X.690, 8.1): tag, length, contents. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));

function utcTime(time: Date): Buffer {
  return der(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}

function name(commonName: string): Buffer {
  return der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
}

/**
 * Key and certificate in PEM: X.509 version 1 (RFC 5280, 4.1), ECDSA on P-256, ten days around now, trusted by nobody.
 */
export function selfSigned(commonName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(8)]));
  const now = Date.now();
  const validity = der(SEQUENCE, utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + 9 * DAY_MS)));
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(SEQUENCE, serial, ECDSA_WITH_SHA256, name(commonName), validity, name(commonName), keyInfo);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const certificate = der(SEQUENCE, signed, ECDSA_WITH_SHA256, signature);
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

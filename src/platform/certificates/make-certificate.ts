// Makes X.509 certificates out of node:crypto alone: for listeners that were given none, and for servers in tests.
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

export interface SelfMade {
  /** PEM. */
  key: string;
  cert: string;
}

export interface CertificateOptions {
  commonName: string;
  /** DNS names and IPv4 addresses. Default: the common name. */
  altNames?: string[];
  validFrom?: Date;
  validTo?: Date;
  isAuthority?: boolean;
  /** Signs the certificate; self-signed when left out. */
  issuer?: { commonName: string; privateKey: KeyObject };
}

/** A P-256 certificate with its key (RFC 5280). */
export function makeCertificate(options: CertificateOptions): SelfMade & { privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = options.issuer ?? { commonName: options.commonName, privateKey };
  const day = 86_400_000;
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    nameOf(issuer.commonName),
    sequence(
      time(options.validFrom ?? new Date(Date.now() - day)),
      time(options.validTo ?? new Date(Date.now() + day)),
    ),
    nameOf(options.commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(options))),
  );
  const certificate = sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, issuer.privateKey)));
  return { privateKey, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}

function extensions(options: CertificateOptions): Buffer[] {
  const names = (options.altNames ?? [options.commonName]).map((name) =>
    isIP(name) === 4 ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  );
  const altNames = sequence(objectId(0x55, 0x1d, 0x11), tagged(0x04, sequence(...names)));
  const isAuthority = tagged(0x01, Buffer.from([0xff]));
  const constraints = sequence(objectId(0x55, 0x1d, 0x13), isAuthority, tagged(0x04, sequence(isAuthority)));
  return options.isAuthority ? [altNames, constraints] : [altNames];
}

function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const integer = (value: Buffer) => tagged(0x02, value);
const objectId = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes));
const bitString = (value: Buffer) => tagged(0x03, Buffer.concat([Buffer.from([0]), value]));
const ECDSA_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

function nameOf(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))));
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

// Makes X.509 certificates out of node:crypto alone: for listeners that were given none, and for servers in tests.
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { altNamesOf, bitString, ECDSA_SHA256, integer, nameOf, objectId, pem, sequence, tagged } from './der.ts';

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
  const cert = signCertificate(publicKey, { ...options, issuer });
  return { privateKey, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

/** A certificate of somebody else's key, PEM. */
export function signCertificate(
  publicKey: KeyObject,
  { issuer, ...options }: CertificateOptions & Required<Pick<CertificateOptions, 'issuer'>>,
): string {
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
  return pem(sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, issuer.privateKey))), 'CERTIFICATE');
}

function extensions(options: CertificateOptions): Buffer[] {
  const altNames = altNamesOf(options.altNames ?? [options.commonName]);
  const isAuthority = tagged(0x01, Buffer.from([0xff]));
  const constraints = sequence(objectId(0x55, 0x1d, 0x13), isAuthority, tagged(0x04, sequence(isAuthority)));
  return options.isAuthority ? [altNames, constraints] : [altNames];
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

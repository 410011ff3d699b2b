// The certificate that programs see: the operator's, or one that was made here, which they have to be told to trust.
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import { messageOf } from '../errors/index.ts';
import { daysAfter } from '../times/index.ts';
import { makeCertificate, type SelfMade as Certificate } from './make-certificate.ts';

interface Doors {
  config: Pick<Config, 'dataDir' | 'mail' | 'submission'>;
  clock: Clock;
}

const VALID_DAYS = 3650;
/** One that was made here is made anew when it is valid for less. */
const LEFT_DAYS = 30;

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Throws with the settings' names when they cannot be used. */
async function readGiven({ key: keyPath, cert: certPath }: { key: string; cert: string }): Promise<Certificate> {
  try {
    const [key, cert] = await Promise.all([readFile(keyPath, 'utf8'), readFile(certPath, 'utf8')]);
    createSecureContext({ key, cert });
    return { key, cert };
  } catch (error) {
    throw new Error(
      `GALLEY_SUBMISSION_CERTIFICATE (${certPath}) and GALLEY_SUBMISSION_KEY (${keyPath}) cannot be used together: ` +
        `${messageOf(error)}. Give the paths of a PEM file with the chain of certificates and one with its key.`,
      { cause: error },
    );
  }
}

/** Kept in the data directory, so that a program that was told to trust it goes on to. */
async function ownCertificate({ config, clock }: Doors): Promise<Certificate> {
  const dir = join(config.dataDir, 'submission');
  const path = join(dir, 'certificate.pem');
  const now = clock.now();
  const kept = await readText(path);
  const both = kept?.split(/(?=-----BEGIN PRIVATE KEY-----)/);
  if (both?.[1] !== undefined && new X509Certificate(kept as string).validToDate > daysAfter(now, LEFT_DAYS))
    return { cert: both[0] as string, key: both[1] };
  const { cert, key } = makeCertificate({
    commonName: config.mail.helo,
    altNames: [...new Set([config.mail.helo, 'localhost', hostname(), '127.0.0.1'])],
    validFrom: daysAfter(now, -1),
    validTo: daysAfter(now, VALID_DAYS),
  });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${cert}${key}`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return { cert, key };
}

/** The certificate, and whether it was made here. Throws a sentence for files that cannot be used. */
export async function openCertificate(outside: Doors): Promise<{ certificate: Certificate; isOwn: boolean }> {
  const { keyPath, certificatePath } = outside.config.submission;
  if ((keyPath === undefined) !== (certificatePath === undefined))
    throw new Error('GALLEY_SUBMISSION_CERTIFICATE and GALLEY_SUBMISSION_KEY belong together: give both, or none.');
  if (keyPath !== undefined && certificatePath !== undefined)
    return { certificate: await readGiven({ key: keyPath, cert: certificatePath }), isOwn: false };
  return { certificate: await ownCertificate(outside), isOwn: true };
}

/** Of a PEM file, whose first certificate is the one that is shown: its names, and when its chain begins and ends. */
export function certificateDates(pem: string): { names: string; validFrom: Date; validTo: Date } {
  const chain = pem
    .split(/(?=-----BEGIN CERTIFICATE-----)/)
    .filter((part) => part.startsWith('-----BEGIN CERTIFICATE-----'))
    .map((part) => new X509Certificate(part));
  const [first] = chain;
  if (!first) throw new Error('The file holds no certificate.');
  const ends = chain.map(({ validToDate }) => validToDate.getTime());
  return {
    names: (first.subjectAltName ?? first.subject).slice(0, 300),
    validFrom: first.validFromDate,
    validTo: new Date(Math.min(...ends)),
  };
}

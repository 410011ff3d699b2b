// Certificates that the operator put into a folder.
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';

export interface FileCertificate {
  /** PEM. */
  chain: string;
  key: string;
  certificate: X509Certificate;
}

const FILES_MAX = 1000;
const BYTES_MAX = 100_000;

async function readOne(path: string): Promise<FileCertificate> {
  if ((await stat(path)).size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`);
  const text = await readFile(path, 'utf8');
  const chain = (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? []).join('');
  const key = /-----BEGIN (?:\w+ )?PRIVATE KEY-----[^-]+-----END (?:\w+ )?PRIVATE KEY-----/.exec(text)?.[0];
  if (chain === '' || key === undefined) throw new Error('it must hold a certificate and its key, both PEM');
  // Throws where they do not belong together.
  createSecureContext({ cert: chain, key });
  return { chain, key, certificate: new X509Certificate(chain) };
}

/**
 * The files `*.pem` of a folder, each a key with its certificate and the chain. A file that cannot be used is left out,
 * and said in the log. Throws where the folder cannot be read.
 */
export async function readCertificateFolder(folder: string, log: Pick<Log, 'error'>): Promise<FileCertificate[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pem')).toSorted();
  if (names.length > FILES_MAX)
    log.error({ folder, files: names.length }, `only the first ${FILES_MAX} certificates of the folder are used`);
  const files: FileCertificate[] = [];
  for (const name of names.slice(0, FILES_MAX))
    try {
      files.push(await readOne(join(folder, name)));
    } catch (error) {
      log.error({ file: join(folder, name), message: messageOf(error) }, 'a certificate cannot be used');
    }
  return files;
}

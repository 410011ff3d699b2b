// The files that a command line means: those that are named, and those in folders that end as reports do.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FILE_BYTES_MAX } from '../../../engines/dmarc-reports/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { UsageError } from '../usage.ts';

const ENDINGS = /\.(xml|gz|zip|json|eml)$/i;
const FILES_MAX = 20_000;

/** Each once, files of a folder by name. Throws {@link UsageError}. */
export async function findReports(given: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const path of given) {
    const facts = await stat(path).catch((error: unknown) => {
      throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
    });
    if (!facts.isDirectory()) {
      found.set(resolve(path), path);
      continue;
    }
    // A link is not followed, so that no circle is.
    const entries = await readdir(path, { withFileTypes: true, recursive: true });
    const files = entries
      .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    if (files.length === 0) throw new UsageError(`${path} holds no file that ends in .xml, .gz, .zip, .json or .eml.`);
    for (const file of files) found.set(resolve(file), file);
  }
  if (found.size > FILES_MAX)
    throw new UsageError(`These are ${found.size} files; one run reads at most ${FILES_MAX}. Name a folder in it.`);
  return [...found.values()];
}

/** Of a file that is too large only so much as shows it. */
export async function readReportBytes(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  return size > FILE_BYTES_MAX ? new Uint8Array(FILE_BYTES_MAX + 1) : readFile(path);
}

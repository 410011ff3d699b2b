// What is in a backup, and where it belongs.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openBlobs, type Blobs } from '../../../platform/blobs/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import type { Manifest } from '../../../platform/archive/index.ts';
import { openSecrets } from '../../../platform/secrets/index.ts';

export const FORMAT = 1;
export const HEAD = 'galley-backup.json';
export const OBJECTS = 'objects/';
export const FILES = 'files/';
export const DATABASE = 'database/';

/** The first entry. */
export interface Head {
  product: 'galley';
  format: number;
  version: string;
}

/** Where the key for secrets is: `file` means in the backup. */
type KeyPlace = 'file' | 'setting' | 'none';

export interface BackupManifest extends Manifest, Head {
  began_at: string;
  /** The moment of the database. */
  taken_at: string;
  database: {
    kind: 'embedded' | 'postgresql';
    migrations: string[];
    tables: { name: string; columns: string[]; rows: number }[];
    partitions: { name: string; parent: string; bounds: string }[];
    sequences: { name: string; value: string }[];
  };
  objects: { entries: number; bytes: number };
  files: { entries: number; bytes: number };
  secrets: { key: KeyPlace; fingerprint: string | null };
  waiting_deliveries: number;
}

/** What lies in the data directory beside the database and the objects. */
export const KEPT = ['secret.key', 'submission', 'spool', 'sending'];

export function blobsOf(config: Config): Blobs {
  return openBlobs({ dir: join(config.dataDir, 'objects'), url: config.storageUrl });
}

export function embeddedDir(config: Config): string {
  return join(config.dataDir, 'db');
}

export function keyPlaceOf(config: Config): KeyPlace {
  if (config.secretKey !== undefined) return 'setting';
  return existsSync(join(config.dataDir, 'secret.key')) ? 'file' : 'none';
}

/** Tells keys apart without telling them. Null where there is none. */
export async function fingerprintOf(config: Config): Promise<string | null> {
  if (keyPlaceOf(config) === 'none') return null;
  return (await openSecrets(config)).mac(Buffer.from('backup'), 'fingerprint of a backup').toString('hex');
}

/**
 * Files that root makes in a directory of another user could not be read by the service. Throws a sentence with the
 * command to use.
 */
export function refuseOtherUser(dataDir: string, command: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner !== undefined && own === 0 && owner !== 0)
    throw new Error(
      `${dataDir} belongs to user ${owner}: run this as that user, for example \`setpriv --reuid=${owner} ` +
        `--clear-groups galley ${command} …\`.`,
    );
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 MB`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit]}`;
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/** One line of what a backup holds. */
export function summaryOf({ database, objects, files, version, taken_at: takenAt }: BackupManifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    `Galley ${version}, ${takenAt.slice(0, 19).replace('T', ' ')} UTC: ${counted(rows, 'row')} in ` +
    `${counted(database.tables.length, 'table')}, ${counted(objects.entries, 'object')} (${sizeText(objects.bytes)}), ` +
    `${counted(files.entries, 'file')} (${sizeText(files.bytes)})`
  );
}

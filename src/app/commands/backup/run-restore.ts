// What `galley restore` does when its command line can be read. The file is checked before anything is changed; the
// database is filled in one transaction, which is committed when all the rest is in its place.
import { readdirSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveFault, checkArchive, readEntries, type ArchiveEntry } from '../../../platform/archive/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import { openDataDir } from '../../../platform/data-dir/index.ts';
import { contentsOf, openDatabase, refill, rowCount, rowsOf, type Db } from '../../../platform/db/index.ts';
import { MIGRATIONS } from '../../outside.ts';
import { VERSION } from '../../version.ts';
import { readSettings } from '../settings.ts';
import { tell } from '../tell.ts';
import {
  blobsOf,
  counted,
  DATABASE,
  embeddedDir,
  FILES,
  fingerprintOf,
  FORMAT,
  HEAD,
  KEPT,
  OBJECTS,
  refuseOtherUser,
  summaryOf,
  type BackupManifest,
  type Head,
} from './contents.ts';

/** A worker says every few seconds that it lives; one that was heard within this time runs. */
const ALIVE_MS = 15_000;

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number)) as [
    number[],
    number[],
  ];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at]! > other[at]!;
}

const newer = (version: string): Error =>
  new Error(
    `This backup was made by Galley ${version}, which is newer than this Galley ${VERSION}: restore it with that ` +
      'version or a later one.',
  );

/** Refuses at the first entry what would be refused at the end. */
function checkHead({ name, body }: ArchiveEntry): void {
  if (name !== HEAD) throw new ArchiveFault('it is no backup of Galley');
  const head = JSON.parse(body.toString()) as Head;
  if (head.format > FORMAT || isNewer(head.version, VERSION)) throw newer(head.version);
}

/** The manifest of a file that is whole and of a version that is known. Throws a sentence. */
async function checkFile(path: string): Promise<BackupManifest> {
  try {
    const manifest = (await checkArchive(path, checkHead)) as BackupManifest;
    const known = new Set(MIGRATIONS.map(({ name }) => name));
    const strange = manifest.database.migrations.find((name) => !known.has(name));
    if (strange !== undefined)
      throw new Error(
        `This backup was made by a newer Galley ${manifest.version}: its database has the change "${strange}", which ` +
          `this Galley ${VERSION} does not know. Restore it with that version or a later one.`,
      );
    return manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`There is no file ${path}.`, { cause: error });
    if (error instanceof ArchiveFault)
      throw new Error(`${path} cannot be restored: ${error.message}.`, { cause: error });
    throw error;
  }
}

/** The settings must have the key that secrets were sealed with. */
async function checkKey(config: Config, { secrets }: BackupManifest): Promise<void> {
  if (secrets.key === 'none') return;
  if (secrets.key === 'setting' && config.secretKey === undefined)
    throw new Error(
      'GALLEY_SECRET_KEY must be set to what it was when the backup was made: the backup does not hold it.',
    );
  if (config.secretKey !== undefined && (await fingerprintOf(config)) !== secrets.fingerprint)
    throw new Error(
      secrets.key === 'setting'
        ? 'GALLEY_SECRET_KEY is not the one that the backup was made with.'
        : 'The backup holds its own key for secrets, and GALLEY_SECRET_KEY is another one: unset it.',
    );
}

async function hasObjects(config: Config): Promise<boolean> {
  for await (const _ of blobsOf(config).list()) return true;
  return false;
}

function isThere(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false });
  return info !== undefined && (!info.isDirectory() || readdirSync(path).length > 0);
}

/** What would be lost, in words. */
async function contentsOfTarget(config: Config, db: Db): Promise<string[]> {
  const rows = await contentsOf(db, MIGRATIONS);
  return [
    ...(rows === undefined ? [] : [`the database has ${rows}`]),
    ...((await hasObjects(config)) ? ['the object store has objects'] : []),
    ...KEPT.filter((name) => isThere(join(config.dataDir, name))).map(
      (name) => `there is ${join(config.dataDir, name)}`,
    ),
  ];
}

async function refuseRunning(db: Db): Promise<void> {
  if ((await contentsOf(db, MIGRATIONS)) === undefined) return;
  const found = await db.ofAnyone
    .selectFrom('jobWorkers')
    .select(rowCount.as('count'))
    .where('seenAt', '>', new Date(systemClock.now().getTime() - ALIVE_MS))
    .executeTakeFirst();
  if (found && found.count > 0)
    throw new Error(
      `A Galley runs on this database (${counted(found.count, 'worker')} within the last ${ALIVE_MS / 1000} seconds): ` +
        'stop every process of it first.',
    );
}

async function clear(config: Config): Promise<void> {
  const blobs = blobsOf(config);
  const first = new Set<string>();
  for await (const { key } of blobs.list()) first.add(key.split('/', 1)[0] as string);
  for (const prefix of first) await blobs.deleteAll(prefix);
  for (const name of KEPT) await rm(join(config.dataDir, name), { recursive: true, force: true });
}

async function putFile(config: Config, name: string, body: Buffer): Promise<void> {
  if (!KEPT.includes(name.split('/', 1)[0] as string) || name.split('/').includes('..'))
    throw new ArchiveFault(`${name} is no file of a data directory`);
  const path = join(config.dataDir, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, body, { mode: 0o600, flush: true });
}

async function fill(path: string, { config, db, manifest }: { config: Config; db: Db; manifest: BackupManifest }) {
  const blobs = blobsOf(config);
  const tables = new Map(manifest.database.tables.map((table) => [table.name, { ...table, inserted: 0 }]));
  await refill(db, { shape: manifest.database, migrations: MIGRATIONS }, async ({ insert }) => {
    for await (const { name, body } of readEntries(path)) {
      if (name.startsWith(OBJECTS)) await blobs.put(name.slice(OBJECTS.length), body, 'application/octet-stream');
      else if (name.startsWith(FILES)) await putFile(config, name.slice(FILES.length), body);
      else if (name.startsWith(DATABASE)) {
        const table = tables.get(name.split('/')[1] as string);
        if (!table) throw new ArchiveFault(`${name} is of a table that its manifest does not name`);
        table.inserted += await insert(table.name, table.columns, rowsOf(body));
      }
    }
    for (const { name, rows, inserted } of tables.values())
      if (rows !== inserted) throw new ArchiveFault(`${name} has ${inserted} rows, and its manifest says ${rows}`);
  });
}

/** Says what the file holds. Returns the exit code; throws when it is not whole, or of a newer version. */
export async function runCheck(path: string): Promise<number> {
  const manifest = await checkFile(path);
  process.stdout.write(`${path} is whole. ${summaryOf(manifest)}.\n`);
  return 0;
}

/** Says what was restored. Returns the exit code; throws when it could not be. */
export async function runRestore(path: string, { isReplacing }: { isReplacing: boolean }): Promise<number> {
  const config = readSettings();
  process.umask(0o077);
  const manifest = await checkFile(path);
  await checkKey(config, manifest);
  refuseOtherUser(config.dataDir, 'restore');
  await openDataDir(config.dataDir);
  const db = await openDatabase(
    config.databaseUrl === undefined ? { dir: embeddedDir(config) } : { url: config.databaseUrl },
    config.database,
  );
  try {
    await refuseRunning(db);
    const there = await contentsOfTarget(config, db);
    if (there.length > 0 && !isReplacing)
      throw new Error(
        `The place to restore to is not empty: ${there.join('; ')}. Name an empty one by GALLEY_DATA_DIR, ` +
          'GALLEY_DATABASE_URL and GALLEY_STORAGE_URL, or give --replace, which deletes what is there.',
      );
    if (there.length > 0) await clear(config);
    await fill(path, { config, db, manifest });
  } finally {
    await db.close();
  }
  tell(`Restored. ${summaryOf(manifest)}.`);
  if (manifest.waiting_deliveries > 0)
    tell(
      `${counted(manifest.waiting_deliveries, 'delivery').replace('deliverys', 'deliveries')} waited when the backup was ` +
        'made: those that were sent since are sent again at the next start. To choose first, start it without the role ' +
        'send (GALLEY_ROLES=api,work), and cancel with `galley queue`.',
    );
  return 0;
}

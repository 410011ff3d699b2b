// What `galley backup` does when its command line can be read. The order makes the backup whole while others write:
// objects, then mail that waits, then the database at one moment, then the objects that came or changed since the start.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createArchive, type ArchiveWriter } from '../../../platform/archive/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import {
  askForCopy,
  atOneMoment,
  openDatabase,
  readRows,
  rowCount,
  shapeOf,
  type Db,
  type Sql,
} from '../../../platform/db/index.ts';
import { MIGRATIONS } from '../../outside.ts';
import { VERSION } from '../../version.ts';
import { readSettings } from '../settings.ts';
import { tell } from '../tell.ts';
import {
  blobsOf,
  DATABASE,
  embeddedDir,
  FILES,
  fingerprintOf,
  FORMAT,
  HEAD,
  KEPT,
  keyPlaceOf,
  OBJECTS,
  refuseOtherUser,
  sizeText,
  summaryOf,
  type BackupManifest,
  type Head,
} from './contents.ts';

/** Clocks of an object store may differ from ours by so much; a directory has ours. */
const STORE_SLACK_MS = 5 * 60_000;
const DIRECTORY_SLACK_MS = 2000;
const STANDARD_OUTPUT = '-';

interface Output {
  write(bytes: Buffer): Promise<void>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

function openPipe(): Output {
  return {
    async write(bytes) {
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
    },
    keep: () => new Promise((resolve) => process.stdout.write('', () => resolve())),
    discard: async () => undefined,
  };
}

/** Under its own name only when it is whole. Throws when there is such a file. */
async function openFile(path: string): Promise<Output> {
  if (existsSync(path)) throw new Error(`${path} is there already: name another file.`);
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  return {
    async write(bytes) {
      await file.write(bytes);
    },
    async keep() {
      await file.sync();
      await file.close();
      await rename(unfinished, path);
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(unfinished, { force: true });
    },
  };
}

interface Source {
  db: Db;
  close(): Promise<void>;
}

/** PostgreSQL itself; of an embedded database a copy of the moment, or the database where nobody has it. */
async function openSource(config: Config): Promise<Source> {
  if (config.databaseUrl !== undefined) {
    const db = await openDatabase({ url: config.databaseUrl }, config.database);
    return { db, close: () => db.close() };
  }
  const dir = embeddedDir(config);
  const copy = await askForCopy(dir);
  try {
    if (!copy) refuseOtherUser(config.dataDir, 'backup');
    const db = await openDatabase({ dir: copy?.dir ?? dir });
    return {
      db,
      async close() {
        await db.close();
        copy?.release();
      },
    };
  } catch (error) {
    copy?.release();
    throw error;
  }
}

interface Tally {
  entries: number;
  bytes: number;
}

async function addCounted(archive: ArchiveWriter, tally: Tally, { name, body }: { name: string; body: Buffer }) {
  await archive.add(name, body);
  tally.entries += 1;
  tally.bytes += body.length;
}

/** Those that changed since then. One that is deleted before it is read is left out. */
async function addObjects(
  archive: ArchiveWriter,
  config: Config,
  { since, tally }: { since: number; tally: Tally },
): Promise<void> {
  const blobs = blobsOf(config);
  for await (const { key, changedAt } of blobs.list()) {
    if (changedAt.getTime() < since) continue;
    const body = await blobs.get(key);
    if (body) await addCounted(archive, tally, { name: `${OBJECTS}${key}`, body });
  }
}

const gone = (error: unknown): undefined => {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
};

/** A record that is being written is not whole in the copy: whoever reads it takes it for one cut off by a crash. */
async function addFiles(archive: ArchiveWriter, config: Config): Promise<Tally> {
  const tally: Tally = { entries: 0, bytes: 0 };
  const add = async (name: string): Promise<void> => {
    const path = join(config.dataDir, name);
    const info = await stat(path).catch(gone);
    if (info?.isDirectory()) for (const entry of (await readdir(path)).sort()) await add(`${name}/${entry}`);
    const body = info?.isFile() ? await readFile(path).catch(gone) : undefined;
    if (body) await addCounted(archive, tally, { name: `${FILES}${name}`, body });
  };
  for (const name of KEPT) await add(name);
  return tally;
}

type Contents = Pick<BackupManifest, 'taken_at' | 'database' | 'waiting_deliveries'>;

async function addDatabase(archive: ArchiveWriter, config: Config): Promise<Contents> {
  const { db, close } = await openSource(config);
  try {
    return await atOneMoment(db, async (tx) => {
      const { tables, ...shape } = await shapeOf(tx, MIGRATIONS);
      if (!tables.some(({ name }) => name === 'accounts'))
        throw new Error('The database has no tables of Galley: is GALLEY_DATABASE_URL the one of the service?');
      const taken = systemClock.now().toISOString();
      const read: BackupManifest['database']['tables'] = [];
      for (const table of tables) read.push({ ...table, rows: await addRows(archive, tx, table) });
      const waiting = await tx.ofAnyone.selectFrom('deliveries').select(rowCount.as('count')).executeTakeFirst();
      return {
        taken_at: taken,
        database: { kind: db.isEmbedded ? 'embedded' : 'postgresql', ...shape, tables: read },
        waiting_deliveries: waiting?.count ?? 0,
      };
    });
  } finally {
    await close();
  }
}

/** Answers how many. */
async function addRows(archive: ArchiveWriter, tx: Sql, table: { name: string; columns: string[] }): Promise<number> {
  let [count, part] = [0, 0];
  for await (const { lines, rows } of readRows(tx, table)) {
    part += 1;
    await archive.add(`${DATABASE}${table.name}/${String(part).padStart(6, '0')}.copy`, lines);
    count += rows;
  }
  return count;
}

/** A wrong directory is not made, nor backed up as an empty one. */
function refuseNothing(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(join(embeddedDir(config), 'PG_VERSION')))
    throw new Error(
      `${config.dataDir} holds no database of Galley: GALLEY_DATA_DIR names its data directory, ` +
        'GALLEY_DATABASE_URL its PostgreSQL.',
    );
}

async function write(archive: ArchiveWriter, config: Config): Promise<{ manifest: Omit<BackupManifest, 'archive'> }> {
  const began = systemClock.now();
  const head: Head = { product: 'galley', format: FORMAT, version: VERSION };
  await archive.add(HEAD, Buffer.from(`${JSON.stringify(head)}\n`));
  const objects: Tally = { entries: 0, bytes: 0 };
  await addObjects(archive, config, { since: 0, tally: objects });
  const files = await addFiles(archive, config);
  const contents = await addDatabase(archive, config);
  const slack = config.storageUrl === undefined ? DIRECTORY_SLACK_MS : STORE_SLACK_MS;
  await addObjects(archive, config, { since: began.getTime() - slack, tally: objects });
  const secrets = { key: keyPlaceOf(config), fingerprint: await fingerprintOf(config) };
  return { manifest: { ...head, began_at: began.toISOString(), ...contents, objects, files, secrets } };
}

function remarksOn(config: Config, { secrets }: Pick<BackupManifest, 'secrets'>): string[] {
  return [
    ...(secrets.key === 'file' ? ['It holds the key for secrets: keep it as you keep passwords.'] : []),
    ...(secrets.key === 'setting'
      ? ['It does not hold GALLEY_SECRET_KEY: without that, passwords of mailboxes and keys of domains stay sealed.']
      : []),
    ...(secrets.key === 'none'
      ? [`WARNING: there is no key for secrets in ${config.dataDir}; run this where there is one.`]
      : []),
    ...(config.clickHouseUrl === undefined ? [] : ['It does not hold the log of events: back ClickHouse up, too.']),
  ];
}

/** Says what was written on standard error. Returns the exit code; throws when it could not be. */
export async function runBackup(target: string): Promise<number> {
  const config = readSettings();
  process.umask(0o077);
  refuseNothing(config);
  const output = target === STANDARD_OUTPUT ? openPipe() : await openFile(target);
  const archive = createArchive(
    (bytes) => output.write(bytes),
    () => systemClock.now(),
  );
  const since = performance.now();
  try {
    const { manifest } = await write(archive, config);
    const bytes = await archive.finish(manifest);
    await output.keep();
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    const name = target === STANDARD_OUTPUT ? 'Written' : target;
    tell(`${name}: ${sizeText(bytes)} in ${seconds} s. ${summaryOf(manifest as BackupManifest)}.`);
    for (const remark of remarksOn(config, manifest)) tell(remark);
    return 0;
  } catch (error) {
    await output.discard();
    throw error;
  }
}

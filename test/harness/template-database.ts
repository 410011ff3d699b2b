// Every app under test starts from a copy of one migrated database, since making one anew takes seconds.
import { randomBytes } from 'node:crypto';
import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MIGRATIONS, openMigratedDatabase } from '../../src/app/outside.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import type { Db } from '../../src/platform/db/index.ts';

const digest = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 16);
const TEMPLATE = join(import.meta.dirname, '../../.runtime', `test-database-${digest}`);
/** The same on a server, which copies it. */
const TEMPLATE_NAME = `galley_test_template_${digest}`;
// `template1` and `template0` (pg_database.h names their numbers): half of the files, which only CREATE DATABASE reads.
const UNUSED = ['base/1', 'base/4'];

/** The PostgreSQL server that tests use instead of the embedded database, if one is named. */
export const TEST_DATABASE_URL = process.env['GALLEY_TEST_DATABASE_URL'];

async function onServer(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: TEST_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
}

let onServerPrepared: Promise<void> | undefined;

async function prepareOnServer(): Promise<void> {
  const find = `select 1 from pg_database where datname = '${TEMPLATE_NAME}'`;
  if ((await onServer(find)).length) return;
  const temporary = `galley_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${temporary}`);
  const env = { GALLEY_DATA_DIR: `${TEMPLATE}.${temporary}`, GALLEY_DATABASE_URL: urlOf(temporary) };
  const db = await openMigratedDatabase(readConfig(env));
  await db.close();
  await rm(env.GALLEY_DATA_DIR, { recursive: true });
  // Whole or not at all, and another may have been faster.
  await onServer(`alter database ${temporary} rename to ${TEMPLATE_NAME}`).catch(async (error: unknown) => {
    await onServer(`drop database ${temporary}`);
    if (!(await onServer(find)).length) throw error;
  });
}

/** Makes the template; nothing to do when it is there. One on a server stays there, as one in a folder does. */
export async function prepareTemplate(): Promise<void> {
  if (TEST_DATABASE_URL) return (onServerPrepared ??= prepareOnServer());
  if (existsSync(TEMPLATE)) return;
  const temporary = `${TEMPLATE}.${randomBytes(4).toString('hex')}`;
  const db = await openMigratedDatabase(readConfig({ GALLEY_DATA_DIR: temporary }));
  await db.close();
  for (const folder of UNUSED) {
    await rm(join(temporary, 'db', folder), { recursive: true });
    await mkdir(join(temporary, 'db', folder));
  }
  await rename(temporary, TEMPLATE).catch(() => rm(temporary, { recursive: true }));
}

/** An empty, migrated database of its own for a test: its environment, and how to remove it. */
export async function freshDatabase(dataDir: string): Promise<TestDatabase> {
  await prepareTemplate();
  if (!TEST_DATABASE_URL) {
    await mkdir(dataDir, { recursive: true });
    // Hundreds of small files: one after the other takes a quarter less processor time than `cp`.
    cpSync(join(TEMPLATE, 'db'), join(dataDir, 'db'), { recursive: true });
    return { env: {}, remove: async () => undefined };
  }
  const name = `galley_test_${randomBytes(6).toString('hex')}`;
  // Its files are copied: through the log takes half as long again.
  await onServer(`create database ${name} template ${TEMPLATE_NAME} strategy file_copy`);
  return madeOnServer(name);
}

interface TestDatabase {
  env: Record<string, string>;
  remove: () => Promise<void>;
}

function madeOnServer(name: string): TestDatabase {
  const remove = async (): Promise<void> => void (await onServer(`drop database ${name} with (force)`));
  return { env: { GALLEY_DATABASE_URL: urlOf(name) }, remove };
}

/** A database without tables; the embedded one is made when it is first opened. */
export async function emptyDatabase(): Promise<TestDatabase> {
  if (!TEST_DATABASE_URL) return { env: {}, remove: async () => undefined };
  const name = `galley_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name}`);
  return madeOnServer(name);
}

/** Such a database, opened; for tests of what stands on the database alone. */
export async function openTestDatabase(): Promise<{ db: Db; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-database-'));
  const { env, remove } = await freshDatabase(dataDir);
  const db = await openMigratedDatabase(readConfig({ GALLEY_DATA_DIR: dataDir, ...env }));
  return {
    db,
    async close() {
      await db.close();
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// Forward-only migrations, applied once each, in the order of their names.
import { sql } from 'kysely';
import { unhurriedly } from './connections.ts';
import type { Db, Sql } from './index.ts';

export interface Migration {
  /** `20261121_0900_create_accounts`; unique, sorts by time. */
  name: string;
  /** One or more statements. */
  sql: string;
}

const LOCK = 8_400_001;

/**
 * Applies what is missing, one transaction for all; safe to run from many processes at once. Returns the names applied.
 */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<string[]> {
  return unhurriedly(() => db.tx((tx) => applyMigrations(tx, migrations)));
}

/** The same within a transaction. */
export async function applyMigrations(tx: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const ordered = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
  await tx.run(sql`
    create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())
  `);
  const done = new Set((await tx.rows(sql<{ name: string }>`select name from migrations`)).map((row) => row.name));
  const missing = ordered.filter((migration) => !done.has(migration.name));
  for (const migration of missing) {
    await tx.text(migration.sql);
    await tx.run(sql`insert into migrations (name) values (${migration.name})`);
  }
  return missing.map((migration) => migration.name);
}

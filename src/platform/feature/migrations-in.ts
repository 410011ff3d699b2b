import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Migration } from '../db/index.ts';

/** The migrations in the `migrations/` folder beside a module: `migrationsIn(import.meta.url)`. */
export function migrationsIn(moduleUrl: string): Migration[] {
  const folder = fileURLToPath(new URL('./migrations/', moduleUrl));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name: basename(name, '.sql'), sql: readFileSync(join(folder, name), 'utf8') }));
}

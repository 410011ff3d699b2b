// Where the browser, the fonts and compiled code lie: in the checkout that set-up made ready, or, for an installed
// package, in a cache of the user's.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../config/cache-dir.ts';

export interface PartPackage {
  name: string;
  version: string;
  /** `sha512-…`, as the lock file of the repository has it. */
  integrity: string;
}

export type PartName = 'browser' | 'fonts' | `node-${string}`;

export interface PartTable {
  /** Changes with what is fetched, and with what is made of it. */
  key: string;
  parts: Record<PartName, PartPackage[]>;
}

const ROOT = join(import.meta.dirname, '../../..');

function readTable(): PartTable | undefined {
  const path = join(ROOT, 'parts.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PartTable) : undefined;
}

/** What an installed package fetches; undefined in a checkout, where set-up has installed everything. */
export const PART_TABLE = readTable();

/** The folder of the browser, the fonts and compiled code. */
export const RUNTIME_DIR =
  PART_TABLE === undefined ? join(ROOT, '.runtime') : join(cacheDir(), `parts-${PART_TABLE.key}`);

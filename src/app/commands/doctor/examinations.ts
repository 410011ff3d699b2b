// What is looked at, one after the other: the machine, what Galley keeps, and what it draws with.
import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { openBlobs } from '../../../platform/blobs/index.ts';
import { openBrowser } from '../../../platform/browser/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import { openDatabase } from '../../../platform/db/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { PART_TABLE } from '../../../platform/parts/index.ts';
import { openSpamFilters } from '../../../platform/spam-filters/index.ts';
import { VERSION } from '../../version.ts';
import { examineClock, examineDns, examinePort25, examineReverseDns } from './network-examinations.ts';

export interface Examined {
  state: 'ok' | 'warning' | 'fault';
  message: string;
  /** The way to mend it. */
  fix?: string;
}

const GIB = 1024 ** 3;
const DISK_FAULT_BYTES = 0.5 * GIB;
const DISK_WARNING_BYTES = 5 * GIB;

async function examineProgram(): Promise<Examined> {
  const way = PART_TABLE === undefined ? 'from a checkout' : 'as a package';
  return { state: 'ok', message: `Galley ${VERSION} ${way}, on Node ${process.versions.node}.` };
}

/** The directory, or the nearest one above it that is there. */
async function nearest(dir: string): Promise<string> {
  return access(dir).then(
    () => dir,
    () => nearest(join(dir, '..')),
  );
}

async function examineData({ dataDir }: Config): Promise<Examined> {
  const place = await nearest(dataDir);
  const fix = `Give it to the user that Galley runs as, or name another directory in GALLEY_DATA_DIR.`;
  try {
    await access(place, constants.W_OK);
    if (!(await stat(place)).isDirectory())
      return {
        state: 'fault',
        message: `${place} is a file, not a directory.`,
        fix: 'Name another one in GALLEY_DATA_DIR.',
      };
    if (place === dataDir) {
      const probe = await mkdtemp(join(dataDir, 'doctor-'));
      await rm(probe, { recursive: true });
    }
  } catch (error) {
    return { state: 'fault', message: `${place} cannot be written to (${messageOf(error)}).`, fix };
  }
  return {
    state: 'ok',
    message: place === dataDir ? `${dataDir} can be written to.` : `${dataDir} is made at the first start.`,
  };
}

async function examineDisk({ dataDir }: Config): Promise<Examined> {
  const { bavail, bsize } = await statfs(await nearest(dataDir));
  const free = bavail * bsize;
  const message = `${(free / GIB).toFixed(1)} GiB are free where ${dataDir} is.`;
  if (free >= DISK_WARNING_BYTES) return { state: 'ok', message };
  return {
    state: free < DISK_FAULT_BYTES ? 'fault' : 'warning',
    message,
    fix: 'Make room, or keep objects in an S3 store (GALLEY_STORAGE_URL) and less of them (docs/configuration.md).',
  };
}

async function examineDatabase({ databaseUrl, dataDir, port, host }: Config): Promise<Examined> {
  if (databaseUrl === undefined) {
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return {
      state: 'ok',
      message: `Embedded, in ${dataDir}; the service itself tells how it is: http://${address}:${port}/health`,
    };
  }
  const fix = 'Start PostgreSQL, or mend GALLEY_DATABASE_URL.';
  const db = await openDatabase({ url: databaseUrl }, { connections: 1 }).catch((error: unknown) => messageOf(error));
  if (typeof db === 'string') return { state: 'fault', message: db, fix };
  try {
    const fault = await db.check();
    const { rows } = await db.text('select version() as version');
    const [row] = rows as { version: string }[];
    return fault === undefined
      ? { state: 'ok', message: String(row?.version).split(' on ')[0]! }
      : { state: 'fault', message: fault, fix };
  } finally {
    await db.close();
  }
}

async function examineObjects({ dataDir, storageUrl }: Config): Promise<Examined> {
  if (storageUrl === undefined)
    return { state: 'ok', message: `A folder of the data directory, ${join(dataDir, 'objects')}.` };
  const fault = await openBlobs({ dir: join(dataDir, 'objects'), url: storageUrl }).check();
  return fault === undefined
    ? { state: 'ok', message: 'The store of GALLEY_STORAGE_URL answers.' }
    : {
        state: 'fault',
        message: `The store of GALLEY_STORAGE_URL does not work: ${fault}.`,
        fix: 'Start the store, or mend GALLEY_STORAGE_URL.',
      };
}

async function examineEngines({ render }: Config): Promise<Examined> {
  try {
    const browser = await openBrowser({
      chromiumPath: render.chromiumPath,
      optionalEngines: render.engines,
      effort: render,
      log: createLog('silent'),
    });
    try {
      return { state: 'ok', message: `${browser.summary.join('; ')}.` };
    } finally {
      await browser.close();
    }
  } catch (error) {
    return {
      state: 'fault',
      message: messageOf(error),
      fix: 'Install Chromium (on Debian: apt-get install chromium-headless-shell), or name one in GALLEY_CHROMIUM.',
    };
  }
}

async function examineFilters({ filters }: Config): Promise<Examined> {
  const states = await openSpamFilters(filters).states();
  const asked = states.filter(({ state }) => state === 'configured' || state === 'found');
  if (asked.length > 0)
    return { state: 'ok', message: `${asked.map(({ engine, address }) => `${engine} at ${address}`).join(', ')}.` };
  const absence = filters.isFinding ? 'There is none' : 'None is named or looked for (GALLEY_FIND_FILTERS=off)';
  const installed = states.filter(({ state }) => state === 'installed').map(({ engine }) => engine);
  return {
    state: 'warning',
    message:
      installed.length > 0
        ? `${installed.join(' and ')} is installed and does not run: only the built-in rules judge spam.`
        : `${absence}: only the built-in rules judge spam.`,
    fix: 'Install and start SpamAssassin or Rspamd, or name them in GALLEY_SPAMD and GALLEY_RSPAMD.',
  };
}

/** By name, in the order in which they are shown. */
export const EXAMINATIONS: Readonly<Record<string, (config: Config) => Promise<Examined>>> = {
  program: examineProgram,
  'data directory': examineData,
  disk: examineDisk,
  database: examineDatabase,
  'object store': examineObjects,
  engines: examineEngines,
  DNS: examineDns,
  'port 25': examinePort25,
  'reverse DNS': examineReverseDns,
  'spam filters': examineFilters,
  clock: examineClock,
};

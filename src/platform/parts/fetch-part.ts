// Fetches packages from the registry that npm is configured for, and believes only their digests.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { npmEntry } from '../config/cache-dir.ts';
import type { PartPackage } from './places.ts';
import { tarFiles } from './tar.ts';

/** A package that is larger when unpacked is refused. Node's has 189 MB. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024;
const OUTPUT_CHARS_SHOWN = 2_000;
const PACK = [
  'pack',
  '--ignore-scripts',
  '--dry-run=false',
  '--workspaces=false',
  '--loglevel=error',
  '--no-update-notifier',
];

/** What could not be fetched, and what to do. */
export class PartError extends Error {}

/** Runs `npm pack` in the user's directory, so that registry, proxy and keys are those of their project. */
async function pack(packages: readonly PartPackage[], dir: string): Promise<void> {
  const specs = packages.map(({ name, version }) => `${name}@${version}`);
  const entry = npmEntry();
  const words = [...PACK, `--pack-destination=${dir}`, ...specs];
  const isWindows = process.platform === 'win32';
  const child =
    entry === undefined
      ? spawn('npm', words, { stdio: ['ignore', 'ignore', 'pipe'], shell: isWindows })
      : spawn(process.execPath, [entry, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-OUTPUT_CHARS_SHOWN)));
  const why = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? 'there is no npm in the PATH' : error.message),
    );
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trim() || `npm ended with ${code}`));
  });
  if (why !== undefined)
    throw new PartError(
      `${specs[0]}${specs.length > 1 ? ` and ${specs.length - 1} more packages` : ''} could not be fetched by npm: ${why}`,
    );
}

function digestOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

async function unpack(archive: Buffer, dir: string): Promise<void> {
  for (const { name, body } of tarFiles(gunzipSync(archive, { maxOutputLength: UNPACKED_BYTES_MAX }))) {
    const parts = name.split('/').slice(1);
    if (parts.length === 0 || parts.some((part) => part === '..' || part === '' || part.includes('\\'))) continue;
    const path = join(dir, ...parts);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, body, { mode: parts[0] === 'bin' ? 0o755 : 0o644 });
  }
}

/**
 * Fetches packages and hands over a folder that has each under its name, as `node_modules` has; the folder is removed
 * afterwards. `parentDir` is where it is made. Throws {@link PartError} when npm fails, or what came is not what the
 * lock file of the repository names.
 */
export async function withPackages<Result>(
  packages: readonly PartPackage[],
  parentDir: string,
  work: (packagesDir: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(parentDir, { recursive: true, mode: 0o755 });
  const dir = await mkdtemp(join(parentDir, `fetch-${process.pid}-`));
  try {
    await chmod(dir, 0o755);
    await pack(packages, dir);
    const wanted = new Map(packages.map((one) => [one.integrity, one]));
    for (const file of (await readdir(dir)).filter((name) => name.endsWith('.tgz'))) {
      const archive = await readFile(join(dir, file));
      const found = wanted.get(digestOf(archive));
      if (found === undefined) throw new PartError(`${file} is not what was published: its digest is another one.`);
      wanted.delete(found.integrity);
      await unpack(archive, join(dir, found.name));
      await rm(join(dir, file));
    }
    const [missing] = wanted.values();
    if (missing) throw new PartError(`npm did not bring ${missing.name} ${missing.version}.`);
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const STALE_MS = 24 * 60 * 60 * 1000;

/** Removes what fetches left that were killed. One that still runs is younger than a day. */
export async function removeLeft(parentDir: string): Promise<void> {
  for (const name of await readdir(parentDir).catch(() => [] as string[])) {
    if (!/^fetch-\d+-|\.new$/.test(name)) continue;
    const path = join(parentDir, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

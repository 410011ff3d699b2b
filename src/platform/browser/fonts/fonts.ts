// The fonts of every picture: TrueType files of our own and a fontconfig that knows nothing else.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { RenderError } from '../errors.ts';
import { fontsConf } from './conf.ts';
import { FONT_FAMILIES, VARIABLE_FAMILIES, type FontFamily } from './families.ts';
import { mergeFonts } from './merge.ts';
import { withName } from './names.ts';
import { moveIntoPlace } from '../move-into-place.ts';
import { readWoff, writeSfnt } from './sfnt.ts';

/** Raised when the files written change though the packages do not. */
const LAYOUT_VERSION = 2;
const FOLDER = /^fonts-[0-9a-f]{12}$/;

interface PreparedFonts {
  fontsConf: string;
  /** False when they were there already. */
  isNew: boolean;
  files: number;
}

/** What the fonts must be, made by `node scripts/prepare-runtime.ts --record-fonts`. */
interface FontTable {
  /** The folder that these files are in; it names what they are made from. */
  folder: string;
  files: Record<string, { sizeBytes: number; sha256: string }>;
}

const TABLE_PATH = join(import.meta.dirname, 'fonts-table.json');

/** The committed table. */
export async function readTable(): Promise<FontTable> {
  return JSON.parse(await readFile(TABLE_PATH, 'utf8')) as FontTable;
}

/** Lists what is in a folder of fonts. */
export async function describeFonts(targetDir: string): Promise<FontTable> {
  const dir = join(targetDir, 'ttf');
  const files: FontTable['files'] = {};
  for (const name of (await readdir(dir)).sort()) {
    const bytes = await readFile(join(dir, name));
    files[name] = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  return { folder: basename(targetDir), files };
}

/**
 * Throws when a font that was made is not the one of the table: a picture with it would be wrong without anybody
 * noticing.
 */
export async function checkFonts(workDir: string, folder: string): Promise<void> {
  const table = await readTable();
  if (table.folder !== folder)
    throw new Error(
      `The fonts' packages changed, and fonts-table.json is about others (${table.folder} instead of ${folder}): ` +
        'run "node scripts/prepare-runtime.ts --record-fonts" and look at what they draw.',
    );
  const { files } = await describeFonts(workDir);
  const wrong = [...new Set([...Object.keys(files), ...Object.keys(table.files)])].filter(
    (name) => files[name]?.sha256 !== table.files[name]?.sha256,
  );
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} of ${Object.keys(table.files).length} fonts came out other than fonts-table.json ` +
        `says (${wrong.slice(0, 3).join(', ')}${wrong.length > 3 ? ', …' : ''}): a package is damaged. ` +
        'Delete node_modules and start again.',
    );
}

/** False when a file is missing or cut short, as after a power cut. Digests were checked when they were made. */
function isWhole(targetDir: string, { files }: FontTable): boolean {
  return Object.entries(files).every(
    ([name, { sizeBytes }]) => statSync(join(targetDir, 'ttf', name), { throwIfNoEntry: false })?.size === sizeBytes,
  );
}

/** Names everything the fonts are made from, so that a new package version makes a new folder. */
async function fontsHash(packagesDir: string): Promise<string> {
  const hash = createHash('sha256').update(
    `layout ${LAYOUT_VERSION}\n${JSON.stringify([FONT_FAMILIES, VARIABLE_FAMILIES])}\n${fontsConf('', '')}`,
  );
  for (const { packageName } of [...FONT_FAMILIES, ...VARIABLE_FAMILIES]) {
    const manifest = JSON.parse(await readFile(join(packagesDir, packageName, 'package.json'), 'utf8')) as {
      version: string;
    };
    hash.update(`${packageName} ${manifest.version}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

/** The scripts of a package's file names, Latin first, so that its layout rules are the ones kept. */
function scriptsOf(names: readonly string[], family: FontFamily): string[] {
  if (family.scripts !== undefined) return [...family.scripts];
  const base = family.packageName.split('/')[1]!;
  const found = names.flatMap((name) => new RegExp(`^${base}-([a-z-]+)-400-normal\\.woff$`).exec(name)?.[1] ?? []);
  const rank = (script: string): number => ['latin', 'latin-ext'].indexOf(script) + 1 || 3;
  return found.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
}

/** One file per weight and style, its scripts joined. Answers how many. */
async function writeFamily(family: FontFamily, packagesDir: string, targetDir: string): Promise<number> {
  const folder = join(packagesDir, family.packageName, 'files');
  const base = family.packageName.split('/')[1]!;
  const scripts = scriptsOf(await readdir(folder), family);
  let files = 0;
  for (const weight of family.weights) {
    for (const style of family.styles) {
      const paths = scripts
        .map((script) => join(folder, `${base}-${script}-${weight}-${style}.woff`))
        .filter((path) => existsSync(path));
      const parts = await Promise.all(paths.map(async (path) => readWoff(await readFile(path))));
      if (parts.length === 0) throw new RangeError(`${family.packageName} has no ${weight} ${style}.`);
      await writeFile(
        join(targetDir, `${base}-${weight}-${style}.ttf`),
        writeSfnt(withName(mergeFonts(parts), { family: family.family, weight, isItalic: style === 'italic' })),
      );
      files += 1;
    }
  }
  return files;
}

async function writeFamilies(packagesDir: string, targetDir: string): Promise<number> {
  let files = 0;
  for (const family of FONT_FAMILIES) files += await writeFamily(family, packagesDir, targetDir);
  return files;
}

/** The variable families, in a thread of their own: they take as long as everything else together. */
async function writeVariableFamilies(packagesDir: string, targetDir: string): Promise<number> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { packagesDir, targetDir } });
  const [files] = (await once(worker, 'message')) as [number];
  return files;
}

interface PrepareFontsOptions {
  packagesDir: string;
  runtimeDir: string;
  /** Writes the table of what the fonts must be, instead of checking them against it. */
  record?: boolean;
}

/**
 * Writes `<runtimeDir>/fonts-<hash>/` with TrueType files and `fonts.conf`, made from the installed @fontsource
 * packages; puts only the paths right when it is there. Throws when a package is missing or broken, or a font came out
 * wrong.
 */
export async function prepareFonts(options: PrepareFontsOptions): Promise<PreparedFonts> {
  const { packagesDir, runtimeDir, record } = options;
  const targetDir = join(runtimeDir, `fonts-${await fontsHash(packagesDir)}`);
  const confPath = join(targetDir, 'fonts.conf');
  const conf = fontsConf(join(targetDir, 'ttf'), join(targetDir, 'cache'));
  if (record !== true && existsSync(confPath) && isWhole(targetDir, await readTable())) {
    // It names its own place, which is another one when the whole checkout was moved.
    if ((await readFile(confPath, 'utf8')) !== conf) {
      // In its place at once: a browser may be reading it.
      await writeFile(`${confPath}.${process.pid}.new`, conf);
      await rename(`${confPath}.${process.pid}.new`, confPath);
    }
    return { fontsConf: confPath, isNew: false, files: 0 };
  }
  const workDir = `${targetDir}.${process.pid}.new`;
  await mkdir(join(workDir, 'ttf'), { recursive: true, mode: 0o755 });
  try {
    const ttfDir = join(workDir, 'ttf');
    const [fixed, variable] = await Promise.all([
      writeFamilies(packagesDir, ttfDir),
      writeVariableFamilies(packagesDir, ttfDir),
    ]);
    await mkdir(join(workDir, 'cache'));
    await writeFile(join(workDir, 'fonts.conf'), conf);
    if (record)
      await writeFile(
        TABLE_PATH,
        `${JSON.stringify({ ...(await describeFonts(workDir)), folder: basename(targetDir) }, null, 2)}\n`,
      );
    else await checkFonts(workDir, basename(targetDir));
    // One that is there is not whole: a power cut came after its files were named and before they were written.
    await rm(targetDir, { recursive: true, force: true });
    await moveIntoPlace(workDir, targetDir);
    return { fontsConf: confPath, isNew: true, files: fixed + variable };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Whether the fonts of the committed table are there, whole. */
export async function hasFonts(runtimeDir: string): Promise<boolean> {
  const table = await readTable();
  const targetDir = join(runtimeDir, table.folder);
  const confPath = join(targetDir, 'fonts.conf');
  if (!existsSync(confPath) || !isWhole(targetDir, table)) return false;
  // It names its own place, which is another one when the cache was moved.
  return (await readFile(confPath, 'utf8')) === fontsConf(join(targetDir, 'ttf'), join(targetDir, 'cache'));
}

/** The prepared `fonts.conf` under `runtimeDir`. Throws `RenderError` (`start_failed`) when set-up has not run. */
export async function findFontsConf(runtimeDir: string): Promise<string> {
  const names = existsSync(runtimeDir) ? await readdir(runtimeDir) : [];
  const paths = names.filter((name) => FOLDER.test(name)).map((name) => join(runtimeDir, name, 'fonts.conf'));
  const found = paths.filter((path) => existsSync(path)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (found === undefined)
    throw new RenderError('start_failed', `There are no fonts in ${runtimeDir}: run "node scripts/setup.mjs".`);
  return found;
}

// The fonts of every picture: TrueType files of our own and a fontconfig that knows nothing else.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from './errors.ts';
import { fontsConf } from './fonts-conf.ts';
import { FONT_FAMILIES, type FontFamily } from './fonts-families.ts';
import { readWoff, writeSfnt } from './sfnt.ts';

/** Raised when the files written change though the packages do not. */
const LAYOUT_VERSION = 1;

export interface PreparedFonts {
  fontsConf: string;
  /** False when they were there already. */
  isNew: boolean;
  files: number;
}

/** Names everything the fonts are made from, so that a new package version makes a new folder. */
async function fontsHash(packagesDir: string): Promise<string> {
  const hash = createHash('sha256').update(`layout ${LAYOUT_VERSION}\n${JSON.stringify(FONT_FAMILIES)}\n${fontsConf('', '')}`);
  for (const { packageName } of FONT_FAMILIES) {
    const manifest = JSON.parse(await readFile(join(packagesDir, packageName, 'package.json'), 'utf8')) as { version: string };
    hash.update(`${packageName} ${manifest.version}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

async function convertFamily(family: FontFamily, packagesDir: string, targetDir: string): Promise<number> {
  const folder = join(packagesDir, family.packageName, 'files');
  let files = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.woff') || !family.files.some((pattern) => new RegExp(pattern).test(name))) continue;
    const ttf = writeSfnt(readWoff(await readFile(join(folder, name))));
    await writeFile(join(targetDir, name.replace(/\.woff$/, '.ttf')), ttf);
    files += 1;
  }
  return files;
}

/**
 * Writes `<runtimeDir>/fonts-<hash>/` with TrueType files and `fonts.conf`, made from the installed @fontsource packages;
 * does nothing when it is there. Throws when a package is missing or broken.
 */
export async function prepareFonts(options: { packagesDir: string; runtimeDir: string }): Promise<PreparedFonts> {
  const { packagesDir, runtimeDir } = options;
  const targetDir = join(runtimeDir, `fonts-${await fontsHash(packagesDir)}`);
  const confPath = join(targetDir, 'fonts.conf');
  if (existsSync(confPath)) return { fontsConf: confPath, isNew: false, files: 0 };
  const workDir = `${targetDir}.${process.pid}.new`;
  await mkdir(join(workDir, 'ttf'), { recursive: true, mode: 0o755 });
  try {
    let files = 0;
    for (const family of FONT_FAMILIES) files += await convertFamily(family, packagesDir, join(workDir, 'ttf'));
    await mkdir(join(workDir, 'cache'));
    await writeFile(join(workDir, 'fonts.conf'), fontsConf(join(targetDir, 'ttf'), join(targetDir, 'cache')));
    await rename(workDir, targetDir);
    return { fontsConf: confPath, isNew: true, files };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** The prepared `fonts.conf` under `runtimeDir`. Throws `RenderError` (`start_failed`) when set-up has not run. */
export async function findFontsConf(runtimeDir: string): Promise<string> {
  const names = existsSync(runtimeDir) ? await readdir(runtimeDir) : [];
  const paths = names.filter((name) => /^fonts-[0-9a-f]{12}$/.test(name)).map((name) => join(runtimeDir, name, 'fonts.conf'));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new RenderError('start_failed', `There are no fonts in ${runtimeDir}: run "npm run setup".`);
  return found;
}

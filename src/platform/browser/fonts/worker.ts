// Worker thread: cuts static faces out of the variable families and writes them. Answers with the number of files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { VARIABLE_FAMILIES, type VariableFamily } from './families.ts';
import { instanceAt } from './instance.ts';
import { mergeFonts } from './merge.ts';
import { withName } from './names.ts';
import { readSfnt, writeSfnt } from './sfnt.ts';
import { readWoff2 } from './woff2.ts';

/** Cuts the weights out of every slice of a variable family and joins the slices. Answers how many files. */
async function writeVariableFamily(family: VariableFamily, packagesDir: string, targetDir: string): Promise<number> {
  const folder = join(packagesDir, family.packageName, 'files');
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('-wght-normal.woff2'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const slices = await Promise.all(
    names.map(async (name) => readSfnt(await readWoff2(await readFile(join(folder, name))))),
  );
  for (const weight of family.weights) {
    const merged = mergeFonts(slices.map((slice) => instanceAt(slice, weight)));
    // They name glyphs of the first slice only.
    for (const tag of ['GSUB', 'GPOS', 'GDEF', 'BASE']) merged.tables.delete(tag);
    const named = withName(merged, { family: family.family, weight, isItalic: false });
    await writeFile(join(targetDir, `${family.packageName.split('/')[1]!}-${weight}-normal.ttf`), writeSfnt(named));
  }
  return family.weights.length;
}

const { packagesDir, targetDir } = workerData as { packagesDir: string; targetDir: string };
let files = 0;
for (const family of VARIABLE_FAMILIES) files += await writeVariableFamily(family, packagesDir, targetDir);
parentPort!.postMessage(files);

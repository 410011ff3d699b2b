// Writes data/inbox-rows/roboto-widths.json anew from the font files that npm brings:
//
//   node scripts/refresh-roboto-widths.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCmap } from '../src/platform/browser/fonts/cmap.ts';
import { readWoff } from '../src/platform/browser/fonts/sfnt.ts';

const root = join(import.meta.dirname, '..');
const FONT = join(root, 'node_modules/@fontsource/roboto');
const SLICES = ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic'];
/** Letters of the planes that Roboto has letters of, and the signs between words. */
const CODE_MAX = 0x2122;

interface Slice {
  unitsPerEm: number;
  widths: Map<number, number>;
}

/** Advance widths by code point ("hmtx": OpenType 1.9). */
function readSlice(file: string): Slice {
  const { tables } = readWoff(readFileSync(file));
  const table = (name: string): Buffer => {
    const found = tables.get(name);
    if (!found) throw new Error(`${file} has no table ${name}.`);
    return found;
  };
  const metrics = table('hmtx');
  const count = table('hhea').readUInt16BE(34);
  const widths = [...readCmap(table('cmap'))]
    .filter(([code]) => code >= 0x20 && code <= CODE_MAX)
    .map(([code, glyph]) => [code, metrics.readUInt16BE(Math.min(glyph, count - 1) * 4)] as const);
  return { unitsPerEm: table('head').readUInt16BE(18), widths: new Map(widths) };
}

/** `[first code point, width, width, …]` for code points that follow each other. */
function runsOf(widths: ReadonlyMap<number, number>): number[][] {
  const runs: number[][] = [];
  for (const [code, width] of [...widths].sort(([one], [other]) => one - other)) {
    const last = runs.at(-1);
    if (last && last[0]! + last.length - 1 === code) last.push(width);
    else runs.push([code, width]);
  }
  return runs;
}

function weightOf(weight: number): { unitsPerEm: number; runs: number[][] } {
  const slices = SLICES.map((slice) => readSlice(join(FONT, `files/roboto-${slice}-${weight}-normal.woff`)));
  const units = new Set(slices.map(({ unitsPerEm }) => unitsPerEm));
  if (units.size !== 1) throw new Error(`The slices of weight ${weight} differ in units per em.`);
  const widths = new Map(slices.toReversed().flatMap((slice) => [...slice.widths]));
  return { unitsPerEm: [...units][0]!, runs: runsOf(widths) };
}

const { version } = JSON.parse(readFileSync(join(FONT, 'package.json'), 'utf8')) as { version: string };
const [regular, bold] = [weightOf(400), weightOf(700)];
if (regular.unitsPerEm !== bold.unitsPerEm) throw new Error('The weights differ in units per em.');
const lines = [
  `"source": "@fontsource/roboto ${version}"`,
  `"unitsPerEm": ${regular.unitsPerEm}`,
  ...(['regular', 'bold'] as const).map((name) => {
    const { runs } = { regular, bold }[name];
    return `"${name}": [\n${runs.map((run) => `    [${run.join(', ')}]`).join(',\n')}\n  ]`;
  }),
];
writeFileSync(join(root, 'data/inbox-rows/roboto-widths.json'), `{\n  ${lines.join(',\n  ')}\n}\n`);

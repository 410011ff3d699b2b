// Refreshes data/caniemail from a copy of the caniemail data.
//
//   npm pack caniemail@<version> && tar xzf caniemail-*.tgz
//   node scripts/refresh-caniemail.ts package            writes caniemail.json, prints what changed
//   node scripts/refresh-caniemail.ts --reviewed         records every note as read: run it after reading the changed ones
//
// A note is prose that the rules interpret. `reviewed-notes.json` holds a digest of each note as it was when someone
// last read it against src/engines/caniemail; a test fails while the two files disagree.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Versions = [version: string, support: string][];
interface Feature {
  slug: string;
  title: string;
  category: string;
  last_test_date: string;
  stats: Record<string, Record<string, Versions>>;
  notes_by_num: Record<string, string>;
}
interface Normalized {
  api_version: string;
  last_update_date: string;
  nicenames: unknown;
  data: Feature[];
}

const folder = join(import.meta.dirname, '..', 'data', 'caniemail');
const dataPath = join(folder, 'caniemail.json');
const reviewedPath = join(folder, 'reviewed-notes.json');

/**
 * The data in this project's shape. A platform's versions become an ordered list: a JavaScript object would move
 * whole numbers (`16`) before every other key (`12.4`), and with them the newest entry.
 * @param text the raw JSON of the caniemail package or site.
 */
export function normalize(text: string): Normalized {
  const marked = text.replace(/"(\d[\w.\- ]*)"(\s*:)/g, '"#$1"$2');
  const raw = JSON.parse(marked) as {
    api_version: string;
    last_update_date: string;
    nicenames: unknown;
    data: (Omit<Feature, 'stats'> & { stats: Record<string, Record<string, Record<string, string>>> })[];
  };
  const data = raw.data.map((feature) => ({
    slug: feature.slug,
    title: feature.title,
    category: feature.category,
    last_test_date: feature.last_test_date,
    stats: mapValues(feature.stats, (platforms) => mapValues(platforms, inOrder)),
    notes_by_num: Object.fromEntries(
      Object.entries(feature.notes_by_num ?? {}).map(([number, note]) => [number.slice(1), note.trim()]),
    ),
  }));
  data.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return { api_version: raw.api_version, last_update_date: raw.last_update_date, nicenames: raw.nicenames, data };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  const sorted = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, value]) => [key, change(value)]));
}

/** The file's order, repaired where two versions of the same kind (dates, years, numbers) stand the wrong way round. */
function inOrder(marked: Record<string, string>): Versions {
  const versions: Versions = Object.entries(marked).map(([version, support]) => [version.slice(1), support.trim()]);
  const sorted: Versions = [...versions];
  for (const kind of ['date', 'year', 'number']) {
    const slots = versions.flatMap(([version], at) => (kindOf(version) === kind ? [at] : []));
    const ordered = slots.map((at) => versions[at]!).sort(([a], [b]) => compare(a, b));
    slots.forEach((at, nth) => (sorted[at] = ordered[nth]!));
  }
  return sorted;
}

function kindOf(version: string): string {
  if (/^\d{4}-\d\d/.test(version)) return 'date';
  return /^20\d\d$/.test(version) ? 'year' : 'number';
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  for (let i = 0; i < Math.max(left!.length, right!.length); i++) {
    const difference = (left![i] || 0) - (right![i] || 0);
    if (difference) return difference;
  }
  return 0;
}

/** One line per feature and platform, so that a refresh reads well as a difference. */
export function write(data: Normalized): string {
  const lines = data.data.map((feature) => {
    const families = Object.entries(feature.stats).map(([family, platforms]) => {
      const rows = Object.entries(platforms).map(
        ([name, versions]) => `    ${JSON.stringify(name)}: ${JSON.stringify(versions)}`,
      );
      return `   ${JSON.stringify(family)}: {\n${rows.join(',\n')}}`;
    });
    const notes = Object.entries(feature.notes_by_num).map(
      ([number, note]) => `   ${JSON.stringify(number)}: ${JSON.stringify(note)}`,
    );
    const { stats: _stats, notes_by_num: _notes, ...plain } = feature;
    const head = Object.entries(plain)
      .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
    return (
      ` {\n${head},\n  "stats": {\n${families.join(',\n')}},\n` +
      `  "notes_by_num": {${notes.length ? `\n${notes.join(',\n')}` : ''}}}`
    );
  });
  const { data: _data, ...rest } = data;
  const head = Object.entries(rest)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(',\n');
  return `{\n${head},\n"data": [\n${lines.join(',\n')}\n]}\n`;
}

/** Digest of a note's words: what `reviewed-notes.json` stores. */
function digestOf(note: string): string {
  return createHash('sha256').update(note.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 12);
}

export function digestsOf(data: Normalized): Record<string, string> {
  const entries = data.data.flatMap((feature) =>
    Object.entries(feature.notes_by_num).map(
      ([number, note]) => [`${feature.slug}#${number}`, digestOf(note)] as const,
    ),
  );
  return Object.fromEntries(entries);
}

function cellsOf(data: Normalized): Map<string, string> {
  const cells = new Map<string, string>();
  for (const feature of data.data)
    for (const [family, platforms] of Object.entries(feature.stats))
      for (const [platform, versions] of Object.entries(platforms))
        for (const [version, support] of versions)
          cells.set(`${feature.slug} ${family}.${platform} ${version}`, support);
  return cells;
}

function summary(before: Normalized, after: Normalized): string {
  const lines: string[] = [`data of ${before.last_update_date} -> ${after.last_update_date}`];
  const [oldSlugs, newSlugs] = [before, after].map((all) => new Set(all.data.map((feature) => feature.slug)));
  for (const slug of newSlugs!) if (!oldSlugs!.has(slug)) lines.push(`+ feature ${slug} (needs a rule and a probe)`);
  for (const slug of oldSlugs!) if (!newSlugs!.has(slug)) lines.push(`- feature ${slug}`);
  const [oldCells, newCells] = [cellsOf(before), cellsOf(after)];
  for (const [cell, support] of newCells)
    if (oldCells.get(cell) !== support) lines.push(`  ${cell}: ${oldCells.get(cell) ?? '-'} -> ${support}`);
  for (const cell of oldCells.keys()) if (!newCells.has(cell)) lines.push(`  ${cell}: gone`);
  const [oldNotes, newNotes] = [digestsOf(before), digestsOf(after)];
  for (const key of Object.keys({ ...oldNotes, ...newNotes }))
    if (oldNotes[key] !== newNotes[key])
      lines.push(`! note ${key} ${key in newNotes ? 'reads differently' : 'is gone'}`);
  return lines.join('\n');
}

function main(argument: string | undefined): void {
  if (argument === '--reviewed') {
    const digests = digestsOf(JSON.parse(readFileSync(dataPath, 'utf8')) as Normalized);
    writeFileSync(reviewedPath, `${JSON.stringify(digests, null, 1)}\n`);
    console.log(`${Object.keys(digests).length} notes recorded as read`);
    return;
  }
  if (!argument) throw new Error('usage: refresh-caniemail.ts <package directory | caniemail.json | --reviewed>');
  const source = statSync(argument).isDirectory() ? join(argument, 'data', 'caniemail.json') : argument;
  const after = normalize(readFileSync(source, 'utf8'));
  const before = existsSync(dataPath)
    ? (JSON.parse(readFileSync(dataPath, 'utf8')) as Normalized)
    : { ...after, last_update_date: 'nothing', data: [] };
  writeFileSync(dataPath, write(after));
  const changes = summary(before, after).split('\n');
  console.log(
    changes.length > 400
      ? [...changes.slice(0, 400), `… and ${changes.length - 400} more`].join('\n')
      : changes.join('\n'),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv[2]);

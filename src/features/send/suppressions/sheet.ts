// The entries in the rows of a spreadsheet, whoever wrote it.
import { plainCellTime } from '../../../platform/spreadsheets/cells.ts';
import { findHeader, readRows, whyNoRows, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { mergeEntries, readEntry, wrong, type Fields } from './entries.ts';
import type { ListName } from './contract.ts';
import type { Entry } from './store.ts';

export interface SheetEntries {
  /** JSON of lists of entries, each as long as one statement writes. */
  parts: string[];
  count: number;
  /** Rows that are left out; the first of them are among the problems. */
  skipped: number;
  problems: SheetProblem[];
}

const PART = 2000;
/** Names that other programs give a column. */
const SYNONYMS: Readonly<Record<string, string>> = {
  email: 'address',
  'e-mail': 'address',
  'email address': 'address',
  recipient: 'address',
  createdat: 'created_at',
  'created at': 'created_at',
  value: 'address',
};
const COLUMNS: Readonly<Record<ListName, readonly string[]>> = {
  bounces: ['address', 'code', 'error', 'created_at'],
  unsubscribes: ['address', 'tag', 'tags', 'created_at'],
  complaints: ['address', 'created_at'],
  whitelists: ['address', 'domain', 'reason', 'created_at'],
};

const nameOf = (cell: string): string => {
  const name = cell.trim().toLowerCase();
  return Object.hasOwn(SYNONYMS, name) ? (SYNONYMS[name] as string) : name;
};

/** The names of the columns, by their place. Throws naming what is missing. */
function readHeader(list: ListName, row: readonly string[]): (string | undefined)[] {
  const names = row.map(nameOf);
  const needed = list === 'whitelists' ? ['address', 'domain'] : ['address'];
  if (!needed.some((name) => names.includes(name)))
    throw wrong(
      'file',
      `while reading csv header: the first row must name a column ${needed.join(' or ')} ` +
        `(columns: ${COLUMNS[list].join(', ')}); it reads "${row.join(', ').slice(0, 200)}".`,
    );
  const known = names.map((name) => (COLUMNS[list].includes(name) ? name : undefined));
  const twice = known.find((name, place) => name !== undefined && known.indexOf(name) !== place);
  if (twice !== undefined)
    throw wrong('file', `while reading csv header: the first row names the column ${twice} twice.`);
  return known;
}

/** Several tags in a cell; exports put brackets around them. */
const tagsIn = (text: string): string[] =>
  text
    .replace(/^\[(.*)\]$/, '$1')
    .split(/[,;]/)
    .map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));

/** `mailto:` is what a workbook has behind an address that was typed into it. */
const bareAddress = (text: string): string => text.trim().replace(/^mailto:/i, '');

function fieldsOf(columns: readonly (string | undefined)[], row: readonly string[]): Fields {
  const fields: Record<string, unknown> = {};
  for (const [place, name] of columns.entries()) {
    const cell = row[place]?.trim() ?? '';
    if (name === undefined || cell === '') continue;
    if (name === 'tag' || name === 'tags') fields[name] = tagsIn(cell);
    else if (name === 'created_at') fields[name] = plainCellTime(cell);
    else fields[name] = name === 'address' ? bareAddress(cell) : cell;
  }
  return fields;
}

/**
 * Reads rows, the first of which names the columns. A row that is no entry is left out and named; empty ones do not
 * count. Throws `invalid_request` for a header that says nothing, and for a file in which no row is an entry.
 */
export function readSheet(list: ListName, rows: readonly (readonly string[])[]): SheetEntries {
  const columns = readHeader(list, rows[findHeader(rows)] ?? []);
  const {
    rows: entries,
    skipped,
    problems,
  } = readRows(rows, (row): Entry | undefined => {
    const fields = fieldsOf(columns, row);
    return Object.keys(fields).length === 0 ? undefined : readEntry(list, fields);
  });
  if (entries.length === 0) throw wrong('file', `file ${whyNoRows(problems)}`);
  const merged = mergeEntries(entries);
  const parts: string[] = [];
  for (let from = 0; from < merged.length; from += PART) parts.push(JSON.stringify(merged.slice(from, from + PART)));
  return { parts, count: merged.length, skipped, problems };
}

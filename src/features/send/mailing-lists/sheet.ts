// The members in the rows of a spreadsheet, whoever wrote it.
import { findHeader, readRows, whyNoRows, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { mergeEntries, readMember, wrong, type Fields } from './fields.ts';
import type { Entry } from './member-store.ts';

export interface SheetMembers {
  /** JSON of lists of entries, each as long as one statement writes. */
  parts: string[];
  count: number;
  /** Rows that are left out; the first of them are among the problems. */
  skipped: number;
  problems: SheetProblem[];
}

const PART = 1000;
const COLUMNS_MAX = 50;
const COLUMN_LENGTH_MAX = 100;
/** Names that other programs give a column. */
const SYNONYMS: Readonly<Record<string, string>> = {
  email: 'address',
  'e-mail': 'address',
  'email address': 'address',
  'e-mail address': 'address',
  'e-mail-adresse': 'address',
  'adresse e-mail': 'address',
  recipient: 'address',
};
const POSTAL = 'Postal address';
/** Parts of a name in the order in which it is put together, where no column has it whole. */
const NAME_PARTS = ['first name', 'last name'];
const OWN = new Set(['address', 'name', 'subscribed', 'vars']);

const nameOf = (cell: string): string => {
  const name = cell.trim();
  const known = Object.hasOwn(SYNONYMS, name.toLowerCase()) ? SYNONYMS[name.toLowerCase()] : undefined;
  if (known !== undefined) return known;
  return OWN.has(name.toLowerCase()) ? name.toLowerCase() : name;
};

/** Whether a column `Address` is where somebody lives: Mailchimp exports it beside `Email Address`. */
function isPostal(cell: string, row: readonly string[]): boolean {
  const isNamed = (one: string, name: string): boolean => one.trim().toLowerCase() === name;
  return isNamed(cell, 'address') && row.some((one) => isNamed(one, 'email address'));
}

/** The names of the columns, by their place. Throws naming what is missing. */
function readHeader(row: readonly string[]): string[] {
  const names = row.map((cell) => (isPostal(cell, row) ? POSTAL : nameOf(cell)));
  if (!names.includes('address'))
    throw wrong(
      'members',
      'while reading csv header: the first row must name a column address; beside it are known name, subscribed and ' +
        `vars, and every other column becomes a variable. It reads "${row.join(', ').slice(0, 200)}".`,
    );
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  if (twice !== undefined)
    throw wrong('members', `while reading csv header: the first row names the column ${twice.slice(0, 100)} twice.`);
  if (names.length > COLUMNS_MAX)
    throw wrong('members', `members has ${names.length} columns; at most ${COLUMNS_MAX} are accepted.`);
  const long = names.find(({ length }) => length > COLUMN_LENGTH_MAX);
  if (long !== undefined)
    throw wrong('members', `members: the name of a column has at most ${COLUMN_LENGTH_MAX} characters.`);
  return names;
}

/** `mailto:` is what a workbook has behind an address that was typed into it. */
const bareAddress = (text: string): string => text.replace(/^mailto:/i, '');

function entryOf(columns: readonly string[], row: readonly string[]): Entry | undefined {
  const fields: Record<string, unknown> = {};
  const more: [string, string][] = [];
  for (const [place, name] of columns.entries()) {
    const cell = row[place]?.trim() ?? '';
    if (name === '' || cell === '') continue;
    if (name === 'address') fields[name] = bareAddress(cell);
    else if (OWN.has(name)) fields[name] = cell;
    else more.push([name, cell]);
  }
  if (Object.keys(fields).length + more.length === 0) return undefined;
  const parts = NAME_PARTS.flatMap((part) => more.find(([name]) => name.toLowerCase() === part)?.[1] ?? []);
  if (!columns.includes('name') && parts.length > 0) fields['name'] = parts.join(' ');
  const entry = readMember(fields as Fields);
  if (more.length === 0) return entry;
  return readMember({ address: entry.a, ...fields, vars: { ...entry.vars, ...Object.fromEntries(more) } });
}

/**
 * Reads rows, the first of which names the columns. A row that is no member is left out and named; empty ones do not
 * count. Throws `invalid_request` for a header that says nothing, and for a file in which no row is a member.
 */
export function readSheet(rows: readonly (readonly string[])[]): SheetMembers {
  const columns = readHeader(rows[findHeader(rows)] ?? []);
  const { rows: entries, skipped, problems } = readRows(rows, (row) => entryOf(columns, row));
  if (entries.length === 0) throw wrong('members', `members ${whyNoRows(problems)}`);
  const merged = mergeEntries(entries);
  const parts: string[] = [];
  for (let from = 0; from < merged.length; from += PART) parts.push(JSON.stringify(merged.slice(from, from + PART)));
  return { parts, count: merged.length, skipped, problems };
}

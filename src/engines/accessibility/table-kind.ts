// What a table is for: placing things, or data with a meaning in rows and columns.

import { attr, isPresentational, plain, pixelsOf, textOf, wordAttr } from './elements.ts';
import type { Mail, MailElement } from './read-mail.ts';

/**
 * `layout`: places things. `data`: is marked up as data. `looks-like-data`: short texts in rows and columns, without
 * any mark-up that says so.
 */
type TableKind = 'layout' | 'data' | 'looks-like-data';

const ROWS_MAX = 2_000;

/** The rows of the table itself, without those of tables inside. */
export function rowsOf(table: MailElement): MailElement[] {
  const rows: MailElement[] = [];
  for (const child of table.children) {
    if (child.tag === 'tr') rows.push(child);
    else if (child.tag === 'tbody' || child.tag === 'thead' || child.tag === 'tfoot')
      rows.push(...child.children.filter(({ tag }) => tag === 'tr'));
    if (rows.length > ROWS_MAX) break;
  }
  return rows;
}

export function cellsOf(row: MailElement): MailElement[] {
  return row.children.filter(({ tag }) => tag === 'td' || tag === 'th');
}

const kinds = new WeakMap<MailElement, TableKind>();

/** Judges by role, mark-up and content; worked out once for a table. */
export function tableKind(mail: Mail, table: MailElement): TableKind {
  let kind = kinds.get(table);
  if (!kind) kinds.set(table, (kind = judge(mail, table)));
  return kind;
}

function judge(mail: Mail, table: MailElement): TableKind {
  const role = wordAttr(table, 'role');
  if (isPresentational(table)) return 'layout';
  if (/^(?:table|grid|treegrid)$/.test(role)) return 'data';
  const rows = rowsOf(table).map(cellsOf);
  const cells = rows.flat();
  if (table.children.some((child) => child.tag === 'caption' && textOf(child) !== '')) return 'data';
  const headers = cells.filter(({ tag }) => tag === 'th');
  if (headers.some((cell) => attr(cell, 'scope') !== undefined && isWords(cell))) return 'data';
  // Some frameworks lay columns out with th: those hold more than a heading.
  if (headers.length > 0 && headers.length < cells.length && rows.length > 1 && headers.every(isWords)) return 'data';
  return looksLikeData(rows) ? 'looks-like-data' : 'layout';
}

const HOLDERS = new Set(['table', 'img', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'form', 'video']);
const WORDS_LENGTH_MAX = 60;

/** Holds a few words and nothing else. */
function isWords(cell: MailElement): boolean {
  const stack = [...cell.children];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (HOLDERS.has(at.tag)) return false;
    stack.push(...at.children);
  }
  return textOf(cell).length <= WORDS_LENGTH_MAX;
}

const HAS_NUMBER = /\d/;

function looksLikeData(rows: readonly MailElement[][]): boolean {
  const full = rows.filter((row) => row.length > 1);
  const columns = full[0]?.length ?? 0;
  if (full.length < 2 || columns < 2 || full.length * columns < 6) return false;
  // A row across all columns may hold a total or a note; most rows have all of them.
  if (full.filter((row) => row.length === columns).length < 0.8 * rows.length) return false;
  const cells = full.flat();
  if (!cells.every(isWords)) return false;
  const texts = cells.map((cell) => plain(textOf(cell)));
  const isSpacer = (index: number) =>
    full.every((row) => !row[index] || textOf(row[index]) === '' || (pixelsOf(row[index], 'width') ?? 99) < 5);
  const filledColumns = Array.from({ length: columns }, (_, index) => index).filter((index) => !isSpacer(index)).length;
  const filled = texts.filter(Boolean).length;
  return (
    filledColumns >= 2 &&
    filled >= 0.7 * full.length * filledColumns &&
    texts.filter((text) => HAS_NUMBER.test(text)).length >= full.length / 2
  );
}

// Files that the dashboard writes itself, of what it shows.
import { CSV_MARK, csvLine, type CsvSeparator } from '../../../src/platform/spreadsheets/write-csv.ts';

export { CSV_MARK };
export type CsvCell = string | number | null;
export type CsvRow = readonly CsvCell[];

/** Lines that spreadsheets open as they are meant. Decimals have a comma where columns have semicolons. */
export function csvLines(rows: readonly CsvRow[], separator: CsvSeparator): string {
  const cell = (value: CsvCell): CsvCell =>
    separator === 'semicolon' && typeof value === 'number' && !Number.isInteger(value)
      ? String(value).replace('.', ',')
      : value;
  return rows.map((row) => csvLine(row.map(cell), separator)).join('');
}

/** A moment as spreadsheets sort and read it: `2026-11-22 07:24:09`, UTC. */
export function csvTime(at: string | Date | null | undefined): string | null {
  const date = at ? new Date(at) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 19).replace('T', ' ') : null;
}

/** Hands the reader a file. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

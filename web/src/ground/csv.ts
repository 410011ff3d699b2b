// Files that the dashboard writes itself, of what it shows.
import { CSV_MARK, csvLine, type CsvSeparator } from '../../../src/platform/spreadsheets/write-csv.ts';

export type CsvCell = string | number | null;

/** A table as CSV that spreadsheets open as it is meant. Decimals have a comma where columns have semicolons. */
export function csvOf(rows: readonly (readonly CsvCell[])[], separator: CsvSeparator): string {
  const cell = (value: CsvCell): CsvCell =>
    separator === 'semicolon' && typeof value === 'number' && !Number.isInteger(value)
      ? String(value).replace('.', ',')
      : value;
  return CSV_MARK + rows.map((row) => csvLine(row.map(cell), separator)).join('');
}

/** Hands the reader a file. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

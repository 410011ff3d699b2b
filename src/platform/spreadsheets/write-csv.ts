// CSV that spreadsheets open as it is meant (RFC 4180).

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvSeparator = keyof typeof SEPARATORS;
export const CSV_SEPARATORS = Object.keys(SEPARATORS) as CsvSeparator[];

/** Before the first line: spreadsheets know by it that the text is UTF-8. */
export const CSV_MARK = '\ufeff';

/** What a spreadsheet would compute, and call programs with. */
const FORMULA = /^[\s'"]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/u;

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | null)[], separator: CsvSeparator): string {
  const sign = SEPARATORS[separator];
  return `${cells.map(cellOf).join(sign)}\r\n`;
}

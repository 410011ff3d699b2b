import { SHEET_LIMITS, SpreadsheetError, type SheetLimits } from './problems.ts';
import { readCsv } from './read-csv.ts';
import { readXls, readXlsx } from './read-workbook.ts';

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ZIP = Buffer.from('PK');

/**
 * The rows of the first sheet, whatever its file is called: the first bytes decide. Empty rows between others are kept,
 * so that the index of a row is its number less one; those at the end are dropped, as are empty cells at the end of a
 * row. Hostile files may take any time and memory: only for the child process. Throws SpreadsheetError.
 */
export function parseSpreadsheet(bytes: Buffer, limits: SheetLimits = SHEET_LIMITS.usual): string[][] {
  if (bytes.length === 0) throw new SpreadsheetError('empty');
  const rows = readerOf(bytes)(bytes, limits).map(withoutEmptyEnd);
  while (rows.at(-1)?.length === 0) rows.pop();
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const text = rows.reduce((sum, row) => sum + row.reduce((length, cell) => length + cell.length, 0), 0);
  if (rows.length > limits.rows || cells > limits.cells || text > limits.textLength)
    throw new SpreadsheetError('too_many_cells');
  return rows;
}

function readerOf(bytes: Buffer): (bytes: Buffer, limits: SheetLimits) => string[][] {
  if (bytes.subarray(0, OLE.length).equals(OLE)) return readXls;
  if (bytes.subarray(0, ZIP.length).equals(ZIP) && bytes[2]! < 9) return readXlsx;
  // BIFF2 to BIFF4 are a bare stream of records that begins with BOF.
  if (bytes[0] === 0x09 && [0x00, 0x02, 0x04].includes(bytes[1]!) && bytes[3] === 0)
    throw new SpreadsheetError('too_old');
  return readCsv;
}

function withoutEmptyEnd(row: string[]): string[] {
  let length = row.length;
  while (length > 0 && row[length - 1]!.trim() === '') length--;
  return row.slice(0, length);
}

import { CFB, read, type CellObject, type WorkBook } from '@e965/xlsx';
import { checkZip } from './check-zip.ts';
import { SpreadsheetError, type SheetLimits } from './problems.ts';

/** The first sheet of an .xlsx or .xlsm workbook. Throws SpreadsheetError. */
export function readXlsx(bytes: Buffer, limits: SheetLimits): string[][] {
  const names = new Set(checkZip(bytes));
  if (!names.has('xl/workbook.xml') || !names.has('[Content_Types].xml')) throw new SpreadsheetError('other_workbook');
  return rowsOf(parseWorkbook(bytes, limits), limits);
}

/** The first sheet of an .xls workbook (BIFF5, BIFF8). Throws SpreadsheetError, also for any other OLE file. */
export function readXls(bytes: Buffer, limits: SheetLimits): string[][] {
  const container = readContainer(bytes);
  if (CFB.find(container, 'EncryptedPackage')) throw new SpreadsheetError('password');
  const stream = CFB.find(container, 'Workbook') ?? CFB.find(container, 'Book');
  if (!stream) throw new SpreadsheetError('not_a_spreadsheet');
  if (isEncrypted(Buffer.from(stream.content as Uint8Array))) throw new SpreadsheetError('password');
  return rowsOf(parseWorkbook(bytes, limits), limits);
}

function readContainer(bytes: Buffer): ReturnType<typeof CFB.read> {
  try {
    return CFB.read(bytes, { type: 'buffer' });
  } catch (error) {
    throw new SpreadsheetError('broken', error);
  }
}

const FILE_PASS = 0x2f;
const END_OF_STREAM = 0x0a;

/** A FilePass record stands among the first of the workbook globals ([MS-XLS] 2.4.117). */
function isEncrypted(stream: Buffer): boolean {
  let position = 0;
  while (position + 4 <= stream.length) {
    const type = stream.readUInt16LE(position);
    if (type === FILE_PASS) return true;
    if (type === END_OF_STREAM) return false;
    position += 4 + stream.readUInt16LE(position + 2);
  }
  return false;
}

function parseWorkbook(bytes: Buffer, { rows }: SheetLimits): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      sheets: 0,
      sheetRows: rows + 1,
    });
  } catch (error) {
    throw new SpreadsheetError('broken', error);
  }
}

function rowsOf(workbook: WorkBook, limits: SheetLimits): string[][] {
  const sheet = workbook.Sheets[workbook.SheetNames[0] ?? ''] as { '!data'?: (CellObject | undefined)[][] } | undefined;
  const rows: string[][] = [];
  let cellsLeft = limits.cells;
  for (const cells of sheet?.['!data'] ?? []) {
    // Rows and cells that hold nothing are holes.
    cellsLeft -= cells?.length ?? 0;
    if (cellsLeft < 0) throw new SpreadsheetError('too_many_cells');
    rows.push(Array.from(cells ?? [], textOf));
  }
  return rows;
}

function textOf(cell: CellObject | undefined): string {
  if (!cell) return '';
  const text = cell.w ?? (cell.v === undefined ? '' : String(cell.v));
  // A text that leads somewhere stands for its address: in a list of links that is what counts.
  return cell.l && !/^\s*([a-z][a-z0-9+.-]*:|www\.)/i.test(text) ? cell.l.Target : text;
}

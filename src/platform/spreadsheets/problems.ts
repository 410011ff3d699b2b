/** Why a file gives no rows; each is the sender's to mend. */
export type SpreadsheetProblem =
  | 'empty'
  | 'too_large'
  | 'too_many_cells'
  | 'too_slow'
  | 'expands_too_far'
  | 'lying_archive'
  | 'password'
  | 'broken'
  | 'open_quote'
  | 'too_old'
  | 'other_workbook'
  | 'web_page'
  | 'not_a_spreadsheet';

/** What a file may hold at most. */
export interface SheetLimits {
  fileBytes: number;
  rows: number;
  cells: number;
  textLength: number;
}

/** A list that somebody keeps by hand, and one that a program wrote. */
export const SHEET_LIMITS = {
  usual: { fileBytes: 10 * 1024 * 1024, rows: 50_000, cells: 1_000_000, textLength: 20_000_000 },
  long: { fileBytes: 25 * 1024 * 1024, rows: 600_000, cells: 3_000_000, textLength: 25_000_000 },
} as const satisfies Record<string, SheetLimits>;
export type SheetSize = keyof typeof SHEET_LIMITS;

/** Of a workbook: all parts of the archive together, unpacked. */
export const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

const shown = (count: number) => count.toLocaleString('en');
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

/** The ends of sentences that begin with the name of the field. */
export const problemsOf = ({ fileBytes, rows, cells }: SheetLimits): Record<SpreadsheetProblem, string> => ({
  empty: 'is an empty file',
  too_large: `is larger than ${megabytes(fileBytes)}`,
  too_many_cells: `has more than ${shown(rows)} rows or ${shown(cells)} cells on its first sheet`,
  too_slow: 'takes too much time or memory to read; save the sheet alone as a new file',
  expands_too_far: `unpacks to more than ${megabytes(UNPACKED_BYTES_MAX)}`,
  lying_archive: 'is a damaged archive: its directory and its contents contradict each other',
  password: 'is protected with a password; save it without one',
  broken: 'is damaged and cannot be read as a workbook',
  open_quote: 'has a quotation mark that is never closed',
  too_old: 'is a workbook of Excel 4 or older; save it as .xlsx or .csv',
  other_workbook: 'is an archive without an Excel workbook in it; save it as .xlsx, .xls or .csv',
  web_page: 'is a web page or an XML document; save it as .xlsx, .xls or .csv',
  not_a_spreadsheet: 'is neither a CSV file nor an Excel workbook (.xls, .xlsx)',
});

/** Thrown while a file is read; `index.ts` turns it into an AppError. */
export class SpreadsheetError extends Error {
  readonly problem: SpreadsheetProblem;

  constructor(problem: SpreadsheetProblem, cause?: unknown) {
    super(problem, { cause });
    this.name = 'SpreadsheetError';
    this.problem = problem;
  }
}

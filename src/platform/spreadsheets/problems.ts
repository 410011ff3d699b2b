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

export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Of a workbook: all parts of the archive together, unpacked. */
export const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
export const ROWS_MAX = 50_000;
export const CELLS_MAX = 1_000_000;
export const TEXT_LENGTH_MAX = 20_000_000;

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

/** The ends of sentences that begin with the name of the field. */
export const PROBLEMS: Record<SpreadsheetProblem, string> = {
  empty: 'is an empty file',
  too_large: `is larger than ${megabytes(FILE_BYTES_MAX)}`,
  too_many_cells:
    `has more than ${ROWS_MAX.toLocaleString('en')} rows or ${CELLS_MAX.toLocaleString('en')} ` +
    'cells on its first sheet',
  too_slow: 'takes too much time or memory to read; save the sheet of links alone as a new file',
  expands_too_far: `unpacks to more than ${megabytes(UNPACKED_BYTES_MAX)}`,
  lying_archive: 'is a damaged archive: its directory and its contents contradict each other',
  password: 'is protected with a password; save it without one',
  broken: 'is damaged and cannot be read as a workbook',
  open_quote: 'has a quotation mark that is never closed',
  too_old: 'is a workbook of Excel 4 or older; save it as .xlsx or .csv',
  other_workbook: 'is an archive without an Excel workbook in it; save it as .xlsx, .xls or .csv',
  web_page: 'is a web page or an XML document; save it as .xlsx, .xls or .csv',
  not_a_spreadsheet: 'is neither a CSV file nor an Excel workbook (.xls, .xlsx)',
};

/** Thrown while a file is read; `index.ts` turns it into an AppError. */
export class SpreadsheetError extends Error {
  readonly problem: SpreadsheetProblem;

  constructor(problem: SpreadsheetProblem, cause?: unknown) {
    super(PROBLEMS[problem], { cause });
    this.name = 'SpreadsheetError';
    this.problem = problem;
  }
}

// The rows below the one that names the columns, of a file that a stranger gave.
import { AppError } from '../errors/index.ts';

export interface SheetProblem {
  /** As programs for spreadsheets number them. */
  row: number;
  message: string;
}

interface SheetRows<Row> {
  rows: Row[];
  /** Rows that are left out; the first of them are among the problems. */
  skipped: number;
  problems: SheetProblem[];
}

const PROBLEMS_MAX = 20;

/** The place of the first row that says something, which names the columns; -1 when no row does. */
export function findHeader(rows: readonly (readonly string[])[]): number {
  return rows.findIndex((row) => row.some((cell) => cell.trim() !== ''));
}

/**
 * Reads rows from a place on. One for which `read` throws an `AppError` is left out and named; one for which it answers
 * undefined, because nothing stands in it, does not count.
 */
export function readRowsFrom<Given, Row>(
  given: readonly Given[],
  from: number,
  read: (row: Given) => Row | undefined,
): SheetRows<Row> {
  const found: SheetRows<Row> = { rows: [], skipped: 0, problems: [] };
  for (let place = from; place < given.length; place += 1) {
    try {
      const row = read(given[place] as Given);
      if (row !== undefined) found.rows.push(row);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      found.skipped += 1;
      if (found.problems.length < PROBLEMS_MAX) found.problems.push({ row: place + 1, message: error.message });
    }
  }
  return found;
}

/** The same of the rows below the header. */
export const readRows = <Row>(
  given: readonly (readonly string[])[],
  read: (row: readonly string[]) => Row | undefined,
): SheetRows<Row> => readRowsFrom(given, findHeader(given) + 1, read);

/** Why a file has no row, as the end of a sentence about the file. */
export function whyNoRows([first]: readonly SheetProblem[]): string {
  return first ? `has no row that can be read; row ${first.row}: ${first.message}` : 'has no row below its header.';
}

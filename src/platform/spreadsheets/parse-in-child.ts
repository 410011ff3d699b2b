// The process in which a spreadsheet is read: the file comes in on stdin, one JSON object goes out on stdout.
import { buffer } from 'node:stream/consumers';
import { parseSpreadsheet } from './parse-spreadsheet.ts';
import { SpreadsheetError, type SpreadsheetProblem } from './problems.ts';

/** What the child answers. */
export type ChildAnswer = { rows: string[][] } | { problem: SpreadsheetProblem };

function answerTo(bytes: Buffer): ChildAnswer {
  try {
    return { rows: parseSpreadsheet(bytes) };
  } catch (error) {
    if (error instanceof SpreadsheetError) return { problem: error.problem };
    throw error;
  }
}

process.stdout.end(JSON.stringify(answerTo(await buffer(process.stdin))));

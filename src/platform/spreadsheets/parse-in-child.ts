// The process in which a spreadsheet is read. It writes a line end when it is ready; then the file comes in on stdin,
// and two lines of JSON go out on stdout: how it went, then the rows.
import { buffer } from 'node:stream/consumers';
import { parseSpreadsheet } from './parse-spreadsheet.ts';
import { SHEET_LIMITS, SpreadsheetError, type SheetSize, type SpreadsheetProblem } from './problems.ts';

/** The first line that the child answers. */
export interface ChildReply {
  problem?: SpreadsheetProblem;
  /** What it took, in ms of CPU. */
  cpuMs: number;
}

function answerTo(bytes: Buffer): { problem?: SpreadsheetProblem; rows: string } {
  try {
    return { rows: JSON.stringify(parseSpreadsheet(bytes, SHEET_LIMITS[process.argv[2] as SheetSize])) };
  } catch (error) {
    if (error instanceof SpreadsheetError) return { problem: error.problem, rows: '[]' };
    throw error;
  }
}

process.stdout.write('\n');
const before = process.cpuUsage();
const { rows, ...answer } = answerTo(await buffer(process.stdin));
const { user, system } = process.cpuUsage(before);
const reply: ChildReply = { ...answer, cpuMs: (user + system) / 1000 };
process.stdout.end(`${JSON.stringify(reply)}\n${rows}`);

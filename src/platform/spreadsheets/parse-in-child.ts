// The process in which a spreadsheet is read. It writes a line end when it is ready; then the file comes in on stdin,
// and one JSON object goes out on stdout.
import { buffer } from 'node:stream/consumers';
import { parseSpreadsheet } from './parse-spreadsheet.ts';
import { SpreadsheetError, type SpreadsheetProblem } from './problems.ts';

/** What the child answers. */
export type ChildAnswer = { rows: string[][] } | { problem: SpreadsheetProblem };
/** With what it took, in ms of CPU. */
export type ChildReply = ChildAnswer & { cpuMs: number };

function answerTo(bytes: Buffer): ChildAnswer {
  try {
    return { rows: parseSpreadsheet(bytes) };
  } catch (error) {
    if (error instanceof SpreadsheetError) return { problem: error.problem };
    throw error;
  }
}

process.stdout.write('\n');
const before = process.cpuUsage();
const answer = answerTo(await buffer(process.stdin));
const { user, system } = process.cpuUsage(before);
const reply: ChildReply = { ...answer, cpuMs: (user + system) / 1000 };
process.stdout.end(JSON.stringify(reply));

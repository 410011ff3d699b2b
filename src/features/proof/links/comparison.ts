// A link test against the spreadsheet of expected links that somebody uploads.
import type { Difference } from '../../../engines/links/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { compareSheet } from './computations.ts';
import type { LinkTestResult } from './inspection.ts';

/** Row by row. Throws `invalid_request` that says what is wrong with the file. */
export async function compareWithSheet(compute: Compute, result: LinkTestResult, file: Buffer): Promise<Difference[]> {
  const rows = await readSpreadsheetAsJson(file, { field: 'csv' });
  const actual = result.results.map(({ url, text, final_url: finalUrl, line }, index) => ({
    url,
    statuses: result.statuses[index] ?? [],
    ...(text !== undefined && { text }),
    ...(finalUrl !== undefined && { finalUrl }),
    ...(line !== undefined && { line }),
  }));
  return compute.run(compareSheet, { rows, actual }, { urgency: 'answer' });
}

// A link test against the spreadsheet of expected links that somebody uploads.
import type { Difference } from '../../../engines/links/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { UploadedFile } from '../../../platform/http/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { compareSheet } from './computations.ts';
import type { LinkTestResult } from './inspection.ts';

/** The file of the field `csv`. Throws `invalid_request`. */
export function uploadedSheet(csv: unknown): Buffer {
  if (Array.isArray(csv)) throw invalid('csv', 'was given more than once.');
  const bytes = typeof csv === 'object' && csv !== null ? (csv as Partial<UploadedFile>).bytes : undefined;
  if (!Buffer.isBuffer(bytes)) throw invalid('csv', 'must be a file: send a multipart body.');
  return bytes;
}

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

// A link test against the spreadsheet of expected links that somebody uploads.
import { compareLinks, readExpected, type ActualLink, type Difference } from '../../../engines/links/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { UploadedFile } from '../../../platform/http/index.ts';
import { readSpreadsheet } from '../../../platform/spreadsheets/index.ts';
import type { LinkTestResult } from './inspection.ts';

/** The file of the field `csv`. Throws `invalid_request`. */
export function uploadedSheet(csv: unknown): Buffer {
  if (Array.isArray(csv)) throw invalid('csv', 'was given more than once.');
  const bytes = typeof csv === 'object' && csv !== null ? (csv as Partial<UploadedFile>).bytes : undefined;
  if (!Buffer.isBuffer(bytes)) throw invalid('csv', 'must be a file: send a multipart body.');
  return bytes;
}

/** Row by row. Throws `invalid_request` that says what is wrong with the file. */
export async function compareWithSheet(result: LinkTestResult, file: Buffer): Promise<Difference[]> {
  const expected = readExpected(await readSpreadsheet(file, { field: 'csv' }));
  if (!expected)
    throw invalid('csv', 'has no column of links: name one “URL” in the first row, or fill one with addresses.');
  if (expected.length === 0) throw invalid('csv', 'names its columns, but has no rows with links.');
  return compareLinks(
    expected,
    result.results.map((link, index): ActualLink => ({
      url: link.url,
      statuses: result.statuses[index] ?? [],
      ...(link.text !== undefined && { text: link.text }),
      ...(link.final_url !== undefined && { finalUrl: link.final_url }),
      ...(link.line !== undefined && { line: link.line }),
    })),
  );
}

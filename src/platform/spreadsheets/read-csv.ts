import papaparse from 'papaparse';
import { detectDelimiter } from './detect-delimiter.ts';
import { SpreadsheetError, type SheetLimits } from './problems.ts';

/**
 * The rows of a CSV or TSV file (RFC 4180, with the delimiter detected or told by Excel's `sep=` line), in UTF-8,
 * UTF-16 or windows-1252. Empty rows are kept. Throws SpreadsheetError.
 */
export function readCsv(bytes: Buffer, limits: SheetLimits): string[][] {
  const text = decodeText(bytes);
  if (/^\s*<(!doctype|html|head|body|table|meta|\?xml)\b/i.test(text)) throw new SpreadsheetError('web_page');
  const told = /^("?)sep=(.)\1[ \t]*(?:\r\n|\r|\n)/i.exec(text);
  const rows = told ? text.slice(told[0].length) : text;
  const { data, errors } = papaparse.parse<string[]>(rows, {
    delimiter: told?.[2] ?? detectDelimiter(rows),
    preview: limits.rows + 1,
  });
  // Everything after such a mark is one cell, so that the rest of the list would be lost silently.
  if (errors.some(({ code }) => code === 'MissingQuotes')) throw new SpreadsheetError('open_quote');
  return data;
}

function decodeText(bytes: Buffer): string {
  const text = decode(bytes);
  // Tab, line ends and form feed are the only controls of a text; anything else is a picture, a PDF, a program.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000e-\u001f]/.test(text)) throw new SpreadsheetError('not_a_spreadsheet');
  return text;
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a mark, every second byte of western UTF-16 is zero; a text in bytes has none.
  if (bytes.length > 3 && bytes[0] !== 0 && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0)
    return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.length > 3 && bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0)
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Excel on Windows writes its «CSV» in the system's code page.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

// The addresses in the rows of a spreadsheet, whoever wrote it.
import { invalid } from '../../../platform/errors/index.ts';
import { findHeader, readRowsFrom, whyNoRows, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { ADDRESS_MAX, ADDRESSES_MAX } from './contract.ts';

export interface SheetAddresses {
  /** Each once, in their order. */
  addresses: string[];
  /** Rows that are left out; the first of them are among the problems. */
  skipped: number;
  problems: SheetProblem[];
}

/** What programs call the column, in several languages. */
const NAMES = new Set([
  'email',
  'email_address',
  'emailaddress',
  'email address',
  'e-mail',
  'e-mail address',
  'e-mail-adresse',
  'address',
  'recipient',
  'mail',
  'adresse e-mail',
  'courriel',
  'correo',
  'correo electrónico',
  'indirizzo e-mail',
]);

const nameOf = (cell: string): string => cell.replace('\uFEFF', '').trim().toLowerCase();

/** The column of the addresses, and the first row that has one. Throws `invalid_request`. */
function findColumn(rows: readonly (readonly string[])[]): { column: number; from: number } {
  const top = findHeader(rows);
  const cells = (rows[top] ?? []).map(nameOf);
  for (const name of NAMES) {
    const column = cells.indexOf(name);
    if (column >= 0) return { column, from: top + 1 };
  }
  // A list without a first row of names.
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 1 && filled[0]?.includes('@'))
    return { column: cells.findIndex((cell) => cell !== ''), from: top };
  throw invalid(
    'file',
    `must name a column email or email_address in its first row; it reads "${cells.join(', ').slice(0, 200)}".`,
  );
}

/**
 * Reads rows, the first of which names the columns. What is no address is kept, so that the results say so. Throws
 * `invalid_request` for a file without addresses, and for one with too many.
 */
export function readSheet(rows: readonly (readonly string[])[]): SheetAddresses {
  const { column, from } = findColumn(rows);
  const {
    rows: found,
    skipped,
    problems,
  } = readRowsFrom(rows, from, (row): string | undefined => {
    // `mailto:` is what a workbook has behind an address that was typed into it.
    const text = (row[column] ?? '').trim().replace(/^mailto:/i, '');
    if (text.length > ADDRESS_MAX) throw invalid('email', `must not have more than ${ADDRESS_MAX} characters.`);
    return text === '' ? undefined : text;
  });
  const addresses = [...new Set(found)];
  if (addresses.length === 0) throw invalid('file', whyNoRows(problems));
  if (addresses.length > ADDRESSES_MAX)
    throw invalid(
      'file',
      `has ${addresses.length.toLocaleString('en')} different addresses; give at most ` +
        `${ADDRESSES_MAX.toLocaleString('en')} at a time.`,
    );
  return { addresses, skipped, problems };
}

// Which character separates the cells of a text file: comma, semicolon, tab or bar. A list of links holds all of them,
// in addresses, in prices and in texts, so that counting characters is not enough.
import papaparse from 'papaparse';

const DELIMITERS = ['\t', ';', '|', ','] as const;
/** A text that is read has no such character: all of a line is one cell. */
const NONE = '\u001f';
const ROWS_LOOKED_AT = 500;
const CHARS_LOOKED_AT = 1_000_000;
/**
 * Share of the rows with the usual number of cells, from which on a character is taken for a delimiter by that alone.
 */
const REGULAR_MIN = 0.9;
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|tel:|www\.)\S+\s*$/i;
/** A character reference that was cut at its semicolon. */
const CUT_REFERENCE = /&(?:[a-z]+|#x?[0-9a-f]+)$/i;

interface Split {
  delimiter: string;
  /** Cells that are an address from end to end. */
  addresses: number;
  /** Cells that show that the file was cut in the wrong place. */
  faults: number;
  /** Share of the rows with the usual number of cells. */
  regular: number;
  /** The usual number of cells in a row. */
  width: number;
}

function splitBy(delimiter: string, text: string): Split {
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter, preview: ROWS_LOOKED_AT });
  const rows = data.filter((row) => row.some((cell) => cell.trim() !== ''));
  const widths = new Map<number, number>();
  for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width, count] = [...widths].sort(([a, n], [b, m]) => m - n || b - a)[0] ?? [0, 0];
  const cells = rows.flat();
  return {
    delimiter,
    addresses: cells.filter((cell) => ADDRESS.test(cell)).length,
    faults:
      errors.filter(({ type }) => type === 'Quotes').length + cells.filter((cell) => CUT_REFERENCE.test(cell)).length,
    regular: rows.length === 0 ? 0 : count / rows.length,
    width,
  };
}

/**
 * The delimiter of a text: the one that leaves the most whole addresses, then the one that cuts the rows into the same
 * number of cells, then the one that cuts most; among equals the one that is the rarest in texts. One that no text has
 * when the file is a single column.
 */
export function detectDelimiter(text: string): string {
  const sample =
    text.length > CHARS_LOOKED_AT
      ? text.slice(0, text.lastIndexOf('\n', CHARS_LOOKED_AT) + 1 || CHARS_LOOKED_AT)
      : text;
  const whole = splitBy(NONE, sample);
  const splits = DELIMITERS.map((delimiter) => splitBy(delimiter, sample)).filter(({ width }) => width > 1);
  const [best] = splits.sort(
    (a, b) => a.faults - b.faults || b.addresses - a.addresses || b.regular - a.regular || b.width - a.width,
  );
  if (!best || best.addresses < whole.addresses) return NONE;
  return best.regular >= REGULAR_MIN || best.addresses > whole.addresses ? best.delimiter : NONE;
}

// The rows of a spreadsheet of expected links, read by the names of its columns.

export interface ExpectedLink {
  /** Of the sheet, from 1. */
  row: number;
  url: string;
  text?: string;
  /** As written. */
  status?: string;
  finalUrl?: string;
}

type Column = 'url' | 'text' | 'status' | 'finalUrl';

/** Names of columns as people write them, without case, spaces and signs. */
const NAMES: Record<Column, readonly string[]> = {
  url: [
    'url',
    'urls',
    'link',
    'links',
    'href',
    'address',
    'linkurl',
    'linkaddress',
    'expectedurl',
    'expectedlink',
    'weblink',
    'website',
    'uri',
    'webaddress',
    'hyperlink',
  ],
  text: [
    'text',
    'linktext',
    'anchor',
    'anchortext',
    'label',
    'name',
    'title',
    'cta',
    'linkname',
    'linklabel',
    'buttontext',
  ],
  status: [
    'status',
    'statuscode',
    'code',
    'httpstatus',
    'httpcode',
    'httpstatuscode',
    'expectedstatus',
    'expectedstatuscode',
    'response',
    'responsecode',
  ],
  finalUrl: [
    'finalurl',
    'final',
    'finallink',
    'redirect',
    'redirectsto',
    'redirecturl',
    'landingpage',
    'landingurl',
    'destination',
    'destinationurl',
    'target',
    'targeturl',
    'endurl',
    'expectedfinalurl',
    'redirectedurl',
  ],
};

/**
 * Reads the expected links. The first row that is not empty names the columns; without names, the column that holds
 * addresses is the one of the URLs and the others are not read. Undefined when no column holds any.
 */
export function readExpected(rows: readonly (readonly string[])[]): ExpectedLink[] | undefined {
  const first = rows.findIndex((row) => row.some((cell) => cell.trim() !== ''));
  if (first === -1) return undefined;
  const named = columnsOf(rows[first]!);
  const isNamed = named.url !== undefined;
  const columns = isNamed ? named : { url: addressColumn(rows) };
  if (columns.url === undefined) return undefined;
  const found: ExpectedLink[] = [];
  for (const [index, row] of rows.entries()) {
    const cell = (column: Column) => row[columns[column] ?? -1]?.trim() || undefined;
    const url = cell('url');
    if (index < first + (isNamed ? 1 : 0) || url === undefined) continue;
    // Without a header row, a title above the addresses is no address.
    if (!isNamed && !isAddressLike(url)) continue;
    const [text, status, finalUrl] = [cell('text'), cell('status'), cell('finalUrl')];
    found.push({
      row: index + 1,
      url,
      ...(text && { text }),
      ...(status && { status }),
      ...(finalUrl && { finalUrl }),
    });
  }
  return found;
}

function columnsOf(row: readonly string[]): Partial<Record<Column, number>> {
  const columns: Partial<Record<Column, number>> = {};
  for (const [index, cell] of row.entries()) {
    const name = cell.toLowerCase().replace(/[^a-z]/g, '');
    for (const column of Object.keys(NAMES) as Column[]) if (NAMES[column].includes(name)) columns[column] ??= index;
  }
  return columns;
}

function isAddressLike(text: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:|sms:|www\.)\S/i.test(text.trim());
}

function addressColumn(rows: readonly (readonly string[])[]): number | undefined {
  const counts: number[] = [];
  for (const row of rows.slice(0, 1_000))
    row.forEach((cell, index) => (counts[index] = (counts[index] ?? 0) + (isAddressLike(cell) ? 1 : 0)));
  const most = counts.reduce((max, count) => Math.max(max, count), 0);
  return most === 0 ? undefined : counts.indexOf(most);
}

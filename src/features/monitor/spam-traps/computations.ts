import { parseMime } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { rowsOfJson } from './json-rows.ts';
import { readReport, type SheetHits } from './sheet.ts';

const here = import.meta.url;

/** What is kept of a message beside its bytes. */
export const readHeader = defineComputation(here, 'readHeader', async (raw: Uint8Array) => {
  const { from, subject } = await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  return { from: from[0]?.address ?? '', subject: subject ?? '' };
});

interface Given {
  name: string;
  now: string;
  /** A feed may have nothing to tell. */
  mayBeEmpty?: boolean;
}

const givenOf = ({ name, now, mayBeEmpty = false }: Given) => ({ name, now: new Date(now), mayBeEmpty });

/** The hits of a report, whose rows are JSON. */
export const readRows = defineComputation(here, 'readRows', ({ rows, ...given }: Given & { rows: string }): SheetHits =>
  readReport(JSON.parse(rows) as string[][], givenOf(given)),
);

/** The hits of a feed in JSON. */
export const readJsonFeed = defineComputation(here, 'readJsonFeed', ({ text, ...given }: Given & { text: string }) => {
  const rows = rowsOfJson(text);
  return rows.length === 0 ? { hits: [], skipped: 0, problems: [] } : readReport(rows, givenOf(given));
});

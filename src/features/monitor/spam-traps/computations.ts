import { parseMime } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readReport, type SheetHits } from './sheet.ts';

const here = import.meta.url;

/** What is kept of a message beside its bytes. */
export const readHeader = defineComputation(here, 'readHeader', async (raw: Uint8Array) => {
  const { from, subject } = await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  return { from: from[0]?.address ?? '', subject: subject ?? '' };
});

/** The hits of a report, whose rows are JSON. */
export const readRows = defineComputation(
  here,
  'readRows',
  ({ rows, name, now }: { rows: string; name: string; now: string }): SheetHits =>
    readReport(JSON.parse(rows) as string[][], { name, now: new Date(now) }),
);

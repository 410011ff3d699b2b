import { defineComputation } from '../../../platform/compute/index.ts';
import { readSheet, type SheetRecords } from './sheet.ts';
import { readSndsRows, type SndsReport } from './snds-report.ts';

const here = import.meta.url;
const rowsIn = (json: string): string[][] => JSON.parse(json) as string[][];

/** The records of an export of a dashboard, whose rows are JSON. */
export const readSheetRows = defineComputation(
  here,
  'readSheetRows',
  ({ rows, domain }: { rows: string; domain?: string }): SheetRecords => readSheet(rowsIn(rows), domain),
);

/** Those of a report of SNDS. */
export const readSndsSheet = defineComputation(here, 'readSndsSheet', ({ rows }: { rows: string }): SndsReport =>
  readSndsRows(rowsIn(rows)),
);

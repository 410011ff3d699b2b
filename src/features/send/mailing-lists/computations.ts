import { defineComputation } from '../../../platform/compute/index.ts';
import { readSheet, type SheetMembers } from './sheet.ts';

const here = import.meta.url;

/** The members of a spreadsheet, whose rows are JSON. */
export const readSheetRows = defineComputation(here, 'readSheetRows', (rows: string): SheetMembers =>
  readSheet(JSON.parse(rows) as string[][]),
);

import { defineComputation } from '../../../platform/compute/index.ts';
import { readSheet, type SheetAddresses } from './sheet.ts';

const here = import.meta.url;

/** The addresses of a spreadsheet, whose rows are JSON. */
export const readAddresses = defineComputation(here, 'readAddresses', ({ rows }: { rows: string }): SheetAddresses =>
  readSheet(JSON.parse(rows) as string[][]),
);

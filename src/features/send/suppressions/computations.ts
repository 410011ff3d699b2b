import { defineComputation } from '../../../platform/compute/index.ts';
import type { ListName } from './contract.ts';
import { readSheet, type SheetEntries } from './sheet.ts';

const here = import.meta.url;

/** The entries of a spreadsheet, whose rows are JSON. */
export const readSheetRows = defineComputation(
  here,
  'readSheetRows',
  ({ list, rows }: { list: ListName; rows: string }): SheetEntries => readSheet(list, JSON.parse(rows) as string[][]),
);

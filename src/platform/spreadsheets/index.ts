// Rows out of CSV, XLS and XLSX files; the only place that reads spreadsheets.
export { readSpreadsheet } from './read-spreadsheet.ts';

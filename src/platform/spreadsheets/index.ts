// Rows out of CSV, XLS and XLSX files; the only place that reads spreadsheets.
export { readSpreadsheet, readSpreadsheetAsJson } from './read-spreadsheet.ts';

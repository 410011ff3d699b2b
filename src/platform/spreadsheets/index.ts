// Rows out of CSV, XLS and XLSX files, and CSV out of rows; the only place that reads and writes spreadsheets.
export { readSpreadsheet, readSpreadsheetAsJson } from './read-spreadsheet.ts';
export { CSV_MARK, CSV_SEPARATORS, csvLine, type CsvSeparator } from './write-csv.ts';
export { unpacked } from './unpack.ts';

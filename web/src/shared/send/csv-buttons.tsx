import { Button } from '@mantine/core';
import { csvOf, saveFile, type CsvCell } from '../../ground/csv.ts';

interface CsvButtonsProps {
  /** What is downloaded, for those who hear the button alone. */
  of: string;
  /** Of the file, without its ending. */
  name: string;
  rows: () => (readonly CsvCell[])[];
}

/** What a table shows, as a file for spreadsheets: those of most European languages read semicolons. */
export function CsvButtons({ of, name, rows }: CsvButtonsProps) {
  const save = (separator: 'comma' | 'semicolon'): void =>
    saveFile(`${name}.csv`, csvOf(rows(), separator), 'text/csv;charset=utf-8');
  return (
    <>
      <Button size="compact-xs" variant="default" aria-label={`CSV of ${of}`} onClick={() => save('comma')}>
        CSV
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`CSV with semicolons of ${of}`}
        title="For spreadsheets whose decimals have a comma"
        onClick={() => save('semicolon')}
      >
        CSV with semicolons
      </Button>
    </>
  );
}

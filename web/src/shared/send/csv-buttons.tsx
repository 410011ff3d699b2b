import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import { CSV_MARK, csvLines, saveFile } from '../../ground/csv.ts';
import { announce } from '../../ground/shell/announce.ts';
import { tell } from '../../ground/shell/ask.ts';
import { count, figure } from '../../ground/words.ts';
import type { ListExport } from './list-pages.ts';

/** Rows of one file. */
const ROWS_MAX = 100_000;

interface CsvButtonsProps extends ListExport {
  /** What is downloaded, for those who hear the button alone. */
  of: string;
  size?: 'xs' | 'compact-xs';
  /** Of the file, without its ending. */
  name: string;
}

type Separator = 'comma' | 'semicolon';

/** Reads page after page, and hands out the file when all are there. */
async function writeFile(
  { columns, pages, name }: Omit<CsvButtonsProps, 'of' | 'size'>,
  separator: Separator,
  { signal, onRows }: { signal: AbortSignal; onRows: (rows: number) => void },
): Promise<void> {
  const parts = [CSV_MARK + csvLines([columns], separator)];
  let rows = 0;
  let isCut = false;
  for await (const page of pages(signal)) {
    if (signal.aborted) return;
    const taken = page.slice(0, ROWS_MAX - rows);
    parts.push(csvLines(taken, separator));
    rows += taken.length;
    onRows(rows);
    isCut = taken.length < page.length;
    if (isCut) break;
  }
  if (signal.aborted) return;
  saveFile(`${name}.csv`, parts, 'text/csv;charset=utf-8');
  announce(`The file has ${count(rows, 'row')}.`);
  if (isCut)
    tell({
      color: 'yellow',
      title: 'The file is not the whole list',
      message: `It has the first ${figure(ROWS_MAX)} rows, as many as one file has. Filter the list to get the rest.`,
    });
}

/**
 * The whole list as it is filtered, as a file for spreadsheets: those of most European languages read semicolons. The
 * page reads it from the service, so that it holds what this reader may see.
 */
export function CsvButtons({ of, size = 'xs', ...list }: CsvButtonsProps) {
  const [rows, setRows] = useState<number>();
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const stop = (): void => (reading.current?.abort(), setRows(undefined));
  const save = async (separator: Separator): Promise<void> => {
    const own = new AbortController();
    reading.current = own;
    setRows(0);
    try {
      await writeFile(list, separator, { signal: own.signal, onRows: (read) => !own.signal.aborted && setRows(read) });
    } catch (error) {
      if (!own.signal.aborted) tell({ color: 'red', title: 'No file was written', message: sentenceOf(error) });
    }
    if (!own.signal.aborted) setRows(undefined);
  };
  if (rows !== undefined)
    return (
      <Button size={size} variant="default" onClick={stop}>
        {count(rows, 'row')} read. Stop
      </Button>
    );
  return (
    <>
      <Button size={size} variant="default" aria-label={`CSV of ${of}`} onClick={() => void save('comma')}>
        CSV
      </Button>
      <Button
        size={size}
        variant="default"
        aria-label={`CSV with semicolons of ${of}`}
        title="For spreadsheets whose decimals have a comma"
        onClick={() => void save('semicolon')}
      >
        CSV with semicolons
      </Button>
    </>
  );
}

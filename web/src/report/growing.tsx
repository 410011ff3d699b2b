import { Button } from '@mantine/core';
import { useState } from 'react';
import { count } from '../words.ts';

/** Rows that are drawn at once: a browser needs seconds for some thousands. */
const ROWS = 300;

/** The first rows of a long list. */
export interface Growing<Row> {
  shown: Row[];
  total: number;
  grow: () => void;
}

/** Begins with some of the rows; more are drawn when they are asked for, or when the row that is wanted lies further down. */
export function useGrowing<Row>(rows: Row[], wanted = -1): Growing<Row> {
  const [length, setLength] = useState(ROWS);
  const needed = Math.max(length, Math.ceil((wanted + 1) / ROWS) * ROWS);
  return { shown: rows.slice(0, needed), total: rows.length, grow: () => setLength(needed + ROWS) };
}

/** Says how many rows are drawn, and draws more. */
export function ShowMore({ page: { shown, total, grow }, noun }: { page: Growing<unknown>; noun: string }) {
  if (shown.length >= total) return null;
  const next = Math.min(ROWS, total - shown.length);
  return (
    <p role="status">
      {shown.length.toLocaleString('en')} of {count(total, noun)} are shown. <Button variant="default" size="compact-sm" onClick={grow}>Show {next} more</Button>
    </p>
  );
}

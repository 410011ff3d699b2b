import { Button } from '@mantine/core';
import { useState } from 'react';
import { count, figure } from '../../ground/words.ts';

/** Rows that are drawn at once: a browser needs seconds for some thousands. */
const ROWS = 300;

/** The first rows of a long list. */
interface Growing<Row> {
  shown: Row[];
  total: number;
  /** How many more are drawn when they are asked for; 0 where all are. */
  next: number;
  grow: () => void;
}

interface GrowingOptions {
  /** The row that has to be drawn, wherever it lies. */
  wanted?: number | undefined;
  /** How many are drawn at first. */
  first?: number;
  /** How many come at a time. */
  step?: number;
}

/**
 * Begins with some of the rows; more are drawn when they are asked for, or when the row that is wanted lies further
 * down.
 */
export function useGrowing<Row>(
  rows: Row[],
  { wanted = -1, first = ROWS, step = ROWS }: GrowingOptions = {},
): Growing<Row> {
  const [length, setLength] = useState(first);
  const needed = wanted < length ? length : length + Math.ceil((wanted + 1 - length) / step) * step;
  return {
    shown: rows.slice(0, needed),
    total: rows.length,
    next: Math.max(0, Math.min(step, rows.length - needed)),
    grow: () => setLength(needed + step),
  };
}

/** Says how many rows are drawn, and draws more. */
export function ShowMore({ page: { shown, total, next, grow }, noun }: { page: Growing<unknown>; noun: string }) {
  if (next === 0) return null;
  return (
    <p role="status">
      {figure(shown.length)} of {count(total, noun)} are shown.{' '}
      <Button variant="default" size="compact-sm" onClick={grow}>
        Show {next} more
      </Button>
    </p>
  );
}

/** How many more a button draws, and of how many where those are not all. */
export function moreOf({ shown, total, next }: Growing<unknown>): string {
  const left = total - shown.length;
  return next === left ? `${next} more` : `${next} more of ${figure(left)}`;
}

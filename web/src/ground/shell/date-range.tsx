import { TextInput } from '@mantine/core';
import classes from './date-range.module.css';

interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

interface DateRangeProps {
  search: Range;
  change: (changes: Range) => void;
  /** Said where the dates are not those of whoever looks: `UTC`. */
  zone?: string;
}

/** Two dates (YYYY-MM-DD), of which neither can be chosen beyond the other. */
export function DateRange({ search: { from, to }, change, zone }: DateRangeProps) {
  const nameOf = (which: string): string => (zone === undefined ? which : `${which}, ${zone}`);
  return (
    <div className={classes.dates}>
      <TextInput
        type="date"
        aria-label={nameOf('From date')}
        value={from ?? ''}
        max={to}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        type="date"
        aria-label={nameOf('To date')}
        value={to ?? ''}
        min={from}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
    </div>
  );
}

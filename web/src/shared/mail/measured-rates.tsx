import type { FilterReport } from './mail-api.ts';
import classes from './mail.module.css';
import { calendarDay } from '../../ground/words.ts';

/** How often the built-in rules were right, on which mail, and when that was measured. */
export function MeasuredRates({ measured }: { measured: NonNullable<FilterReport['measured']> }) {
  return (
    <details className={classes.measured}>
      <summary>Accuracy</summary>
      <ul>
        {measured.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        Measured on {calendarDay(measured.date)}, rules {measured.rules_version}. Intervals are at 95 %. Other filters
        may find problems that this one does not.
      </p>
    </details>
  );
}

import type { FilterReport } from './mail-api.ts';
import classes from './mail.module.css';
import { calendarDay } from '../../ground/words.ts';

/** How often the built-in rules were right, on which mail, and when that was measured. */
export function MeasuredRates({ measured }: { measured: NonNullable<FilterReport['measured']> }) {
  return (
    <details className={classes.measured}>
      <summary>How often it is right</summary>
      <ul>
        {measured.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        Measured on {calendarDay(measured.date)}, rules {measured.rules_version}. Intervals are at 95 %. That nothing
        was found does not say that other filters find nothing.
      </p>
    </details>
  );
}

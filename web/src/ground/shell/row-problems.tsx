import { count } from '../words.ts';
import classes from './row-problems.module.css';

interface RowProblemsProps {
  /** How many rows were left out; not all of them are named. */
  skipped: number;
  problems: readonly { row: number; message: string }[];
}

/** The rows of an uploaded file that were left out, each with what is wrong with it. */
export function RowProblems({ skipped, problems }: RowProblemsProps) {
  if (skipped === 0) return null;
  return (
    <>
      {count(skipped, 'row was', 'rows were')} left out:
      <ul className={classes.problems}>
        {problems.map(({ row, message }) => (
          <li key={row}>
            Row {row}: {message.slice(0, 300)}
          </li>
        ))}
      </ul>
      {skipped > problems.length && (
        <p className={classes.more}>… and {count(skipped - problems.length, 'more row')}</p>
      )}
    </>
  );
}

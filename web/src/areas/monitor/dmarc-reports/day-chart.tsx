import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, figure } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import type { DmarcDomain } from './dmarc-api.ts';
import classes from './dmarc.module.css';

type Days = DmarcDomain['pfqr_chart'];

const HEIGHT = 130;
const BAR = 18;
const GAP = 6;
const DAY_MS = 86_400_000;

/** Which day after the first: one that nobody told of stays empty. */
const placeOf = (date: string, first: string): number => Math.round((Date.parse(date) - Date.parse(first)) / DAY_MS);

/** Messages by day: what passes stands on what fails. The same figures follow as a table. */
export function DayChart({ days }: { days: Days }) {
  const most = Math.max(1, ...days.map(({ pass, fail }) => pass + fail));
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  const width = (1 + (days.length > 0 ? placeOf(last, first) : 0)) * (BAR + GAP);
  return (
    <div>
      <p className={classes.legend} aria-hidden="true">
        <span data-tone="pass">pass</span>
        <span data-tone="fail">fail</span>
        <span>most in a day: {figure(most)}</span>
      </p>
      <div className={classes.chart}>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`Messages by day, ${days.length} days; the table below has the figures`}
        >
          {days.map(({ date, pass, fail }) => {
            const failing = (fail / most) * HEIGHT;
            const passing = (pass / most) * HEIGHT;
            const x = placeOf(date, first) * (BAR + GAP);
            return (
              <g key={date}>
                <title>{`${calendarDay(date)}: ${figure(pass)} pass, ${figure(fail)} fail`}</title>
                <rect x={x} y={HEIGHT - failing} width={BAR} height={failing} className={classes.failing} />
                <rect x={x} y={HEIGHT - failing - passing} width={BAR} height={passing} className={classes.passing} />
              </g>
            );
          })}
        </svg>
        {last !== first && (
          <p className={classes.ends}>
            <span>{calendarDay(first)}</span>
            <span>{calendarDay(last)}</span>
          </p>
        )}
      </div>
      <details className={classes.details}>
        <summary>Figures by day</summary>
        <Sideways label="Messages by day" minWidth={420}>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Pass</th>
                <th scope="col">Fail</th>
                <th scope="col">Spam folder</th>
                <th scope="col">Refused</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ date, pass, fail, quarantine, reject }) => (
                <tr key={date}>
                  <td>{calendarDay(date)}</td>
                  <td className={tables.number}>{figure(pass)}</td>
                  <td className={tables.number}>{figure(fail)}</td>
                  <td className={tables.number}>{figure(quarantine)}</td>
                  <td className={tables.number}>{figure(reject)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      </details>
    </div>
  );
}

import { nameOf, WEEK } from '../../../ground/week.ts';
import { DAY_MINUTES, dayWords, openParts, wallClock, type Hours } from './calendar-words.ts';
import classes from './rules.module.css';

const MARKS = [0, 6, 12, 18, 24];
const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;

/** The hours of a week in which messages leave, and where the clocks of the time zone stand. */
export function Week({ hours, zone }: { hours: Hours; zone: string }) {
  const now = wallClock(zone);
  return (
    <figure className={classes.week} aria-label={`A week in ${zone}`}>
      <div className={classes.marks} aria-hidden="true">
        {MARKS.map((hour) => (
          <span key={hour} style={{ left: share(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
      {WEEK.map((day) => (
        <div key={day} className={classes.day}>
          <span className={classes.dayName} aria-hidden="true">
            {nameOf(day).slice(0, 3)}
          </span>
          <div className={classes.bar} role="img" aria-label={dayWords(hours, day)}>
            {openParts(hours, day).map(({ from, until }) => (
              <span key={from} className={classes.open} style={{ left: share(from), width: share(until - from) }} />
            ))}
            {now?.day === day && <span className={classes.now} style={{ left: share(now.minutes) }} />}
          </div>
        </div>
      ))}
      <figcaption className={classes.legend}>
        <span>
          <span className={classes.sampleOpen} /> messages leave
        </span>
        <span>
          <span className={classes.sampleShut} /> messages wait
        </span>
        {now && (
          <span>
            <span className={classes.sampleNow} /> now in {zone}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

import { calendarDay } from '../../../ground/words.ts';
import classes from './postmaster.module.css';

/** A figure by day; null where nothing is known: the line has a gap there. */
export interface Series {
  label: string;
  /** How its line is drawn. */
  line: 'solid' | 'dashed' | 'dotted';
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  about?: string;
  days: readonly string[];
  series: readonly Series[];
  /** A bound that is drawn across. */
  limit?: number;
  /** The figure at the bottom; a lower one moves it. */
  low?: number;
  /** The figure at the top; a higher one moves it. */
  high?: number;
  format: (value: number) => string;
}

const WIDTH = 1000;
const HEIGHT = 100;
/** So that no line lies on the frame. */
const HEADROOM = 1.1;

interface Point {
  x: number;
  y: number;
  value: number;
  day: string;
}

/** Runs of days of which something is known. */
function runsOf(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [];
  for (const [place, point] of points.entries()) {
    if (!point) continue;
    if (points[place - 1]) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  return runs;
}

const isKnown = (value: number | null): value is number => value !== null;

function Legend({ series, limit, format }: Pick<ChartProps, 'series' | 'limit' | 'format'>) {
  return (
    <ul className={classes.legend}>
      {series.map(({ label, line, values }) => {
        const last = values.findLast(isKnown);
        return (
          <li key={label} data-line={line}>
            {label}: {last === undefined ? 'no data' : format(last)}
          </li>
        );
      })}
      {limit !== undefined && <li data-line="limit">limit: {format(limit)}</li>}
    </ul>
  );
}

/** One or more figures by day. Days without data are gaps; the figures stand in a table as well. */
export function DaysChart({ title, about, days, series, limit, low = 0, high = 0, format }: ChartProps) {
  const known = series.flatMap(({ values }) => values.filter(isKnown));
  const bottom = Math.min(low, ...known);
  const most = Math.max(high, ...known, limit ?? 0);
  const top = most > high ? bottom + (most - bottom) * HEADROOM : most;
  const x = (place: number): number => ((place + 0.5) / days.length) * WIDTH;
  const y = (value: number): number => HEIGHT - ((value - bottom) / (top - bottom || 1)) * HEIGHT;
  const lines = series.map(({ label, line, values }) => {
    const points = values.map((value, place) =>
      value === null ? null : { x: x(place), y: y(value), value, day: days[place] as string },
    );
    return { label, line, points, runs: runsOf(points) };
  });
  return (
    <figure className={classes.figure}>
      <figcaption>
        <h3>{title}</h3>
        {about && <p>{about}</p>}
        <Legend series={series} limit={limit} format={format} />
      </figcaption>
      {known.length === 0 ? (
        <p className={classes.nothing}>No data in these days.</p>
      ) : (
        <div className={classes.plot}>
          <span aria-hidden="true">{format(top)}</span>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}, ${days.length} days; the table below has the figures`}
          >
            {limit !== undefined && <path className={classes.limit} d={`M0 ${y(limit)}H${WIDTH}`} />}
            {lines.map(({ label, line, points, runs }) => (
              <g key={label} data-line={line}>
                <path d={runs.map((run) => `M${run.map((point) => `${point.x} ${point.y}`).join('L')}`).join('')} />
                {points
                  .filter((point) => point !== null)
                  .map((point) => (
                    <path key={point.day} className={classes.dot} d={`M${point.x} ${point.y}h0`}>
                      <title>{`${label}, ${calendarDay(point.day)}: ${format(point.value)}`}</title>
                    </path>
                  ))}
              </g>
            ))}
          </svg>
          <span aria-hidden="true">{format(bottom)}</span>
          <p aria-hidden="true">
            <span>{calendarDay(days[0] ?? '')}</span>
            <span>{calendarDay(days.at(-1) ?? '')}</span>
          </p>
        </div>
      )}
    </figure>
  );
}

import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { calendarDay, figure } from '../../ground/words.ts';
import classes from './day-chart.module.css';

/** One day: a value, and between what it lies where that is known. */
interface DayPoint {
  /** `2026-11-22` */
  date: string;
  value: number;
  low?: number;
  high?: number;
  /** What the value is the sum of, always in the same order: stacked, each in a color of its own. */
  parts?: readonly { name: string; value: number }[];
}

interface DayChartProps {
  /** Oldest first. */
  points: readonly DayPoint[];
  /** What is shown, at the beginning of a sentence. */
  label: string;
  kind: 'bars' | 'line';
  /** The top of the scale. Default: the greatest value. */
  top?: number;
  /** The same as a table, which is opened below it. */
  children: ReactNode;
}

/** Until it is measured. */
const WIDTH = 600;
const HEIGHT = 170;
const LEFT = 46;
const PLOT = HEIGHT - 40;
const ROOM = 10;

const DAY_MS = 86_400_000;

interface Drawn extends DayPoint {
  x: number;
}
type Y = (value: number) => number;

const titleOf = ({ date, value, low, high, parts = [] }: DayPoint): string => {
  const interval = low === undefined || low === high ? '' : `, between ${low} and ${high}`;
  const named = parts.filter((part) => part.value > 0).map((part) => `${part.name} ${figure(part.value)}`);
  return `${calendarDay(date)}: ${figure(value)}${interval}${named.length > 0 ? ` (${named.join(', ')})` : ''}`;
};

interface Slice {
  /** Which of the parts; undefined: the whole. */
  part: number | undefined;
  from: number;
  to: number;
}

/** A bar from the ground up. */
function slicesOf({ value, parts }: DayPoint): Slice[] {
  if (!parts) return [{ part: undefined, from: 0, to: value }];
  let from = 0;
  return parts.flatMap(({ value: of }, part) => {
    const slice = { part, from, to: from + of };
    from = slice.to;
    return of > 0 ? [slice] : [];
  });
}

function Bars({ points, y, wide }: { points: readonly Drawn[]; y: Y; wide: number }) {
  return points.map((point) => (
    <g key={point.date}>
      <title>{titleOf(point)}</title>
      {slicesOf(point).map(({ part, from, to }) => (
        <rect
          key={part ?? 'all'}
          className={classes.bar}
          data-part={part}
          x={point.x - wide / 2}
          y={y(to)}
          width={wide}
          height={y(from) - y(to)}
        />
      ))}
    </g>
  ));
}

/** The names of parts, each with its color and what follows. */
export function PartsLegend({ parts }: { parts: readonly { name: string; value: number }[] }) {
  return (
    <p className={classes.legend}>
      {parts.map(({ name, value }, part) => (
        <span key={name} data-part={part}>
          {name} {figure(value)}
        </span>
      ))}
    </p>
  );
}

/** Days that follow each other are joined; where days are missing, so is the line. */
function Line({ points, y }: { points: readonly Drawn[]; y: Y }) {
  return points.map((point, place) => {
    const { date, x, value, low = value, high = value } = point;
    const before = points[place - 1];
    const isNext = before && Date.parse(date) - Date.parse(before.date) === DAY_MS;
    return (
      <g key={date}>
        {isNext && <path className={classes.line} d={`M${before.x} ${y(before.value)}L${x} ${y(value)}`} />}
        {low < high && <path className={classes.whisker} d={`M${x} ${y(high)}V${y(low)}`} />}
        <circle className={classes.dot} cx={x} cy={y(value)} r={3.5}>
          <title>{titleOf(point)}</title>
        </circle>
      </g>
    );
  });
}

/** A number for each day, drawn; what it says stands in the table below it. */
export function DayChart({ points, label, kind, top, children }: DayChartProps) {
  const { ref, width: measured } = useElementSize();
  const width = measured || WIDTH;
  const greatest = Math.max(1, top ?? 0, ...points.map(({ value }) => value));
  const [first, last] = [points[0]?.date, points.at(-1)?.date];
  const dayOf = (date: string): number => (Date.parse(date) - Date.parse(first ?? date)) / DAY_MS;
  const step = (width - LEFT - 24) / (1 + dayOf(last ?? ''));
  const drawn = points.map((point) => ({ ...point, x: LEFT + 12 + step * (dayOf(point.date) + 0.5) }));
  const y: Y = (value) => ROOM + (1 - value / greatest) * PLOT;
  return (
    <div>
      <div ref={ref} className={classes.chart}>
        <svg width={width} height={HEIGHT} role="img" aria-label={`${label}; the table below has the figures`}>
          {[0, Math.ceil(greatest / 2), greatest]
            .filter((value, place, all) => value !== all[place + 1])
            .map((value) => (
              <g key={value}>
                <line className={classes.grid} x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
                <text className={classes.axis} x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                  {figure(value)}
                </text>
              </g>
            ))}
          {kind === 'bars' ? (
            <Bars points={drawn} y={y} wide={Math.max(2, Math.min(26, step * 0.7))} />
          ) : (
            <Line points={drawn} y={y} />
          )}
          <text className={classes.axis} x={LEFT} y={HEIGHT - 6}>
            {first && calendarDay(first)}
          </text>
          <text className={classes.axis} x={width} y={HEIGHT - 6} textAnchor="end">
            {last !== first && last && calendarDay(last)}
          </text>
        </svg>
      </div>
      <details className={classes.details}>
        <summary>Figures by day</summary>
        {children}
      </details>
    </div>
  );
}

import { useElementSize } from '@mantine/hooks';
import { figure } from '../../../ground/words.ts';
import classes from './statistics.module.css';

interface LineChartProps {
  /** What the picture shows, as a sentence. */
  label: string;
  /** By hour, day or month; undefined where no figures are kept. */
  values: readonly (number | undefined)[];
  /** The period before, place by place. */
  before: readonly (number | undefined)[] | undefined;
  /** What stands at a place, as words. */
  titleOf: (place: number) => string;
  first: string;
  last: string;
}

/** Until it is measured. */
const WIDTH = 560;
const HEIGHT = 168;
const TOP = 10;
const PLOT = HEIGHT - 36;
const LETTER = 7;
const DOTS_MAX = 62;

/** A round number at the top of the scale, with as round a half. */
function topOf(greatest: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(2, greatest)));
  const steps = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((step) => step * size);
  return Math.max(2, steps.find((step) => step >= greatest && (step / 2) % 1 === 0) ?? greatest);
}

/** One line for each run of places that are known. */
function pathOf(points: readonly ({ x: number; y: number } | undefined)[]): string {
  return points
    .flatMap((point, place) =>
      point ? [`${points[place - 1] ? 'L' : 'M'}${point.x.toFixed(1)} ${point.y.toFixed(1)}`] : [],
    )
    .join('');
}

/** A figure over time, and the one of the period before as a dashed line. */
export function LineChart({ label, values, before, titleOf, first, last }: LineChartProps) {
  const { ref, width: measured } = useElementSize();
  const width = measured || WIDTH;
  const known = [...values, ...(before ?? [])].filter((value) => value !== undefined);
  const top = topOf(Math.max(0, ...known));
  const left = figure(top).length * LETTER + 12;
  const step = (width - left - 8) / values.length;
  const x = (place: number): number => left + step * (place + 0.5);
  const y = (value: number): number => TOP + (1 - value / top) * PLOT;
  const points = (all: readonly (number | undefined)[]) =>
    all.map((value, place) => (value === undefined ? undefined : { x: x(place), y: y(value) }));
  const drawn = points(values);
  return (
    <div ref={ref} className={classes.chart}>
      <svg width={width} height={HEIGHT} role="img" aria-label={`${label} The table below has the figures.`}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line className={classes.grid} x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text className={classes.axis} x={left - 8} y={y(value) + 4} textAnchor="end">
              {figure(value)}
            </text>
          </g>
        ))}
        {before && <path className={classes.before} d={pathOf(points(before))} />}
        <path className={classes.line} d={pathOf(drawn)} />
        {values.length <= DOTS_MAX &&
          drawn.map(
            (point, place) => point && <circle key={place} className={classes.dot} cx={point.x} cy={point.y} r={2.6} />,
          )}
        {values.map((_, place) => (
          <rect key={place} className={classes.place} x={left + step * place} y={TOP} width={step} height={PLOT}>
            <title>{titleOf(place)}</title>
          </rect>
        ))}
        <text className={classes.axis} x={left} y={HEIGHT - 6}>
          {first}
        </text>
        <text className={classes.axis} x={width} y={HEIGHT - 6} textAnchor="end">
          {last}
        </text>
      </svg>
    </div>
  );
}

import classes from './mail.module.css';

const WIDTH = 300;
const HEIGHT = 22;
const TRACK = { y: 6, height: 10 };

/** `3.2`, `−1`, without a needless zero. */
export function points(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 }).replace('-', '−');
}

interface ScoreBarProps {
  /** Who scored. */
  name: string;
  score: number;
  /** A message with at least this score is spam. */
  threshold: number | null;
  /** Some filters call it spam before the threshold, from which they refuse. */
  isSpam?: boolean;
}

/** A score against the threshold; the axis begins below zero only where the score does. */
export function ScoreBar({ name, score, threshold, isSpam = false }: ScoreBarProps) {
  const least = Math.min(0, score);
  const most = Math.max(score, (threshold ?? 5) * 1.5, 1);
  const x = (value: number): number => ((value - least) / (most - least)) * WIDTH;
  const [from, to] = score < 0 ? [x(score), x(0)] : [x(0), x(score)];
  const isOver = isSpam || (threshold !== null && score >= threshold);
  return (
    <svg
      className={classes.score}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: ${points(score)} points${threshold === null ? '' : `, spam from ${points(threshold)} on`}`}
    >
      <rect
        className={classes.track}
        x="0.5"
        y={TRACK.y}
        width={WIDTH - 1}
        height={TRACK.height}
        vectorEffect="non-scaling-stroke"
      />
      <rect
        className={classes.fill}
        data-over={isOver || undefined}
        data-below={score < 0 || undefined}
        x={from}
        y={TRACK.y}
        width={Math.max(to - from, 1)}
        height={TRACK.height}
      />
      {threshold !== null && (
        <line
          className={classes.tick}
          x1={x(threshold)}
          x2={x(threshold)}
          y1="1"
          y2={HEIGHT - 1}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

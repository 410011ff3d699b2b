import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { inboxShare, percent } from '../../../shared/mail/interval-line.tsx';
import { placementResultsQuery, type ProviderStats } from '../../../shared/mail/mail-api.ts';
import { changeOfShare, type MeasuredShare, type ShareChange } from '../../../shared/mail/share-change.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { When } from '../../../ground/shell/when.tsx';
import { moment, nameBySubject } from '../../../ground/words.ts';
import classes from './placement.module.css';

const TESTS_SHOWN = 12;
/** Until it is measured. */
const WIDTH = 640;
const HEIGHT = 160;
const LEFT = 44;
const TOP = 10;
const PLOT = HEIGHT - TOP - 12;

interface TrendPoint {
  resultId: string;
  subject: string;
  at: Date;
  stats: ProviderStats;
}

/** Of simulated receivers there is no interval: both of its ends are the share itself. */
function measured(stats: ProviderStats | undefined): MeasuredShare | undefined {
  const share = stats && inboxShare(stats);
  return share === undefined ? undefined : { share, ...(stats?.inbox_interval ?? { low: share, high: share }) };
}

function changeOf(before: ProviderStats | undefined, after: ProviderStats): ShareChange | null {
  const [first, second] = [measured(before), measured(after)];
  if (!before?.inbox_interval || !after.inbox_interval) return null;
  return first && second ? changeOfShare(first, second) : null;
}

/** Shares over tests, oldest left, each with its interval. */
function Chart({ points, shown }: { points: readonly TrendPoint[]; shown: string | undefined }) {
  const { ref, width: drawnWidth } = useElementSize();
  const width = drawnWidth || WIDTH;
  const x = (place: number): number =>
    LEFT + 16 + (points.length === 1 ? 0 : (place / (points.length - 1)) * (width - LEFT - 32));
  const y = (share: number): number => TOP + (1 - share) * PLOT;
  const drawn = points.flatMap(({ resultId, stats }, place) => {
    const share = measured(stats);
    return share ? [{ resultId, x: x(place), ...share }] : [];
  });
  const words = points
    .map(
      ({ at, stats }) =>
        `${moment(at)}: ${inboxShare(stats) === undefined ? 'no result' : percent(inboxShare(stats)!)}`,
    )
    .join('; ');
  return (
    <div ref={ref}>
      <svg
        className={classes.chart}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Share in the inbox over ${points.length} tests. ${words}`}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className={classes.grid} x1={LEFT} x2={width} y1={y(share)} y2={y(share)} />
            <text className={classes.axis} x={LEFT - 8} y={y(share) + 4} textAnchor="end">
              {percent(share)}
            </text>
          </g>
        ))}
        <polyline className={classes.line} points={drawn.map((point) => `${point.x},${y(point.share)}`).join(' ')} />
        {drawn.map((point) => (
          <g key={point.resultId}>
            {point.low < point.high && (
              <path
                className={classes.whisker}
                d={
                  `M${point.x - 4} ${y(point.high)}h8M${point.x} ` +
                  `${y(point.high)}V${y(point.low)}M${point.x - 4} ${y(point.low)}h8`
                }
              />
            )}
            <circle
              className={classes.dot}
              data-on={point.resultId === shown || undefined}
              cx={point.x}
              cy={y(point.share)}
              r={point.resultId === shown ? 6 : 4.5}
            />
          </g>
        ))}
      </svg>
    </div>
  );
}

/** How the share in the inbox went from test to test. */
function Trend({ points, shown }: { points: readonly TrendPoint[]; shown?: string | undefined }) {
  const rows = points
    .map((point, place) => ({ ...point, change: changeOf(points[place - 1]?.stats, point.stats) }))
    .reverse();
  return (
    <div className={classes.trend}>
      <Chart points={points} shown={shown} />
      <ol className={classes.trendRows} reversed>
        {rows.map(({ resultId, subject, at, stats, change }) => (
          <li key={resultId} aria-current={resultId === shown || undefined}>
            <Link to="/placement/$resultId" params={{ resultId }}>
              {nameBySubject(subject)}
            </Link>
            <span className="dim">
              <When at={at} />
            </span>
            <span className="tabular">{inboxShare(stats) === undefined ? '–' : percent(inboxShare(stats)!)}</span>
            <span>
              {change && (
                <Chip
                  {...(change.verdict === 'changed' && {
                    tone: change.change > 0 ? ('good' as const) : ('bad' as const),
                  })}
                >
                  {change.verdict}
                </Chip>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/**
 * The trend of a seed list, once it has two tests: of real mailboxes where there are any, else of simulated receivers.
 */
export function TrendOfList({ list, resultId }: { list: string; resultId?: string }) {
  const { data } = useQuery(placementResultsQuery({ list, limit: TESTS_SHOWN }));
  const items = data?.items ?? [];
  const kind = items.some(({ delivery_totals: { real } }) => real.total > 0) ? 'real' : 'simulated';
  const points = items
    .filter(({ delivery_totals: totals }) => totals[kind].total > 0)
    .map(({ result_id: id, subject, created_at: at, delivery_totals: totals }): TrendPoint => ({
      resultId: id,
      subject,
      at: new Date(at),
      stats: totals[kind],
    }))
    .reverse();
  if (points.length < 2) return null;
  const note =
    kind === 'real'
      ? 'share of real mailboxes with the message in the inbox, with the margin of error (95 %)'
      : 'simulated: share of seeds whose rule puts the message in the inbox';
  return (
    <section aria-labelledby="trend">
      <h2 id="trend" className={reportClasses.sectionTitle}>
        Trend across tests of this list<span className={reportClasses.sectionNote}>{note}</span>
      </h2>
      <Trend points={points} shown={resultId} />
    </section>
  );
}

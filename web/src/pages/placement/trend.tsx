import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { inboxShare, percent } from '../../mail/interval-line.tsx';
import { placementResultsQuery, type ProviderStats } from '../../mail/mail-api.ts';
import { changeOfShare, type MeasuredShare, type ShareChange } from '../../mail/share-change.ts';
import { Chip } from '../../mail/test-state.tsx';
import reportClasses from '../../report/report.module.css';
import { moment } from '../../words.ts';
import classes from './placement.module.css';

const TESTS_SHOWN = 12;
/** Until it is measured. */
const WIDTH = 640;
const HEIGHT = 160;
const LEFT = 44;
const TOP = 10;
const PLOT = HEIGHT - TOP - 12;

export interface TrendPoint {
  resultId: string;
  subject: string;
  at: Date;
  stats: ProviderStats;
}

function measured(stats: ProviderStats | undefined): MeasuredShare | undefined {
  const share = stats && inboxShare(stats);
  return share === undefined || !stats?.inbox_interval ? undefined : { share, ...stats.inbox_interval };
}

function changeOf(before: ProviderStats | undefined, after: ProviderStats): ShareChange | null {
  const [first, second] = [measured(before), measured(after)];
  return first && second ? changeOfShare(first, second) : null;
}

/** Shares over tests, oldest left, each with its interval. */
function Chart({ points, shown }: { points: readonly TrendPoint[]; shown: string | undefined }) {
  const { ref, width: drawnWidth } = useElementSize();
  const width = drawnWidth || WIDTH;
  const x = (place: number): number => LEFT + 16 + (points.length === 1 ? 0 : (place / (points.length - 1)) * (width - LEFT - 32));
  const y = (share: number): number => TOP + (1 - share) * PLOT;
  const drawn = points.flatMap(({ resultId, stats }, place) => {
    const share = measured(stats);
    return share ? [{ resultId, x: x(place), ...share }] : [];
  });
  const words = points.map(({ at, stats }) => `${moment(at)}: ${inboxShare(stats) === undefined ? 'no result' : percent(inboxShare(stats)!)}`).join('; ');
  return (
    <div ref={ref}>
      <svg className={classes.chart} width={width} height={HEIGHT} role="img" aria-label={`Share in the inbox over ${points.length} tests. ${words}`}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className={classes.grid} x1={LEFT} x2={width} y1={y(share)} y2={y(share)} />
            <text className={classes.axis} x={LEFT - 8} y={y(share) + 4} textAnchor="end">{percent(share)}</text>
          </g>
        ))}
        <polyline className={classes.line} points={drawn.map((point) => `${point.x},${y(point.share)}`).join(' ')} />
        {drawn.map((point) => (
          <g key={point.resultId}>
            <path className={classes.whisker} d={`M${point.x - 4} ${y(point.high)}h8M${point.x} ${y(point.high)}V${y(point.low)}M${point.x - 4} ${y(point.low)}h8`} />
            <circle className={classes.dot} data-on={point.resultId === shown || undefined} cx={point.x} cy={y(point.share)} r={point.resultId === shown ? 6 : 4.5} />
          </g>
        ))}
      </svg>
    </div>
  );
}

/** How the share in the inbox went from test to test. */
export function Trend({ points, shown }: { points: readonly TrendPoint[]; shown?: string | undefined }) {
  const rows = points.map((point, place) => ({ ...point, change: changeOf(points[place - 1]?.stats, point.stats) })).reverse();
  return (
    <div className={classes.trend}>
      <Chart points={points} shown={shown} />
      <ol className={classes.trendRows} reversed>
        {rows.map(({ resultId, subject, at, stats, change }) => (
          <li key={resultId} aria-current={resultId === shown || undefined}>
            <Link to="/placement/$resultId" params={{ resultId }}>{subject || 'Without a subject'}</Link>
            <span className="dim">{moment(at)}</span>
            <span className="tabular">{inboxShare(stats) === undefined ? '–' : percent(inboxShare(stats)!)}</span>
            <span>{change && <Chip {...(change.verdict === 'changed' && { tone: change.change > 0 ? 'good' as const : 'bad' as const })}>{change.verdict}</Chip>}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The trend of a seed list, once it has two tests. */
export function TrendOfList({ list, resultId }: { list: string; resultId?: string }) {
  const { data } = useQuery(placementResultsQuery({ list, limit: TESTS_SHOWN }));
  const points = (data?.items ?? []).flatMap(({ result_id: id, subject, created_at: at, delivery_stats: stats }): TrendPoint[] => (stats['all'] ? [{ resultId: id, subject, at: new Date(at), stats: stats['all'] }] : [])).reverse();
  if (points.length < 2) return null;
  return (
    <section aria-labelledby="trend">
      <h2 id="trend" className={reportClasses.sectionTitle}>Over the tests of this list<span className={reportClasses.sectionNote}>share in the inbox, with its interval at 95 %</span></h2>
      <Trend points={points} shown={resultId} />
    </section>
  );
}

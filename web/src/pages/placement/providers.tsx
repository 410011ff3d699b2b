import { useQuery } from '@tanstack/react-query';
import { providersQuery, type PlacementResult, type ProviderStats } from '../../mail/mail-api.ts';
import { inboxShare, IntervalLine, percent } from '../../mail/interval-line.tsx';
import { countsOfStats, Legend, OUTCOMES, PlacementBar } from '../../mail/outcome.tsx';
import { Chip } from '../../mail/test-state.tsx';
import reportClasses from '../../report/report.module.css';
import { moment } from '../../words.ts';
import classes from './placement.module.css';

type Comparison = NonNullable<NonNullable<PlacementResult['comparison']>['providers'][string]['inbox']>;

/** `+12 points: changed`. */
function Change({ change }: { change: Comparison | null | undefined }) {
  if (!change) return null;
  const size = Math.round(change.change * 100);
  const words = size === 0 ? 'the same as before' : `${size > 0 ? '+' : '−'}${Math.abs(size)} points`;
  if (change.verdict === 'changed') return <Chip tone={change.change > 0 ? 'good' : 'bad'}>{words}: changed</Chip>;
  return <Chip>{size === 0 ? words : `${words}: within noise`}</Chip>;
}

/** Tabs and folders with their counts. */
function categories({ categories: all }: ProviderStats): string {
  const names = Object.entries(all).filter(([name, number]) => name !== 'primary' && number > 0);
  return names.map(([name, number]) => `${number} in ${name}`).join(', ');
}

interface RowProps {
  name: string;
  stats: ProviderStats;
  change: Comparison | null | undefined;
  isAll: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Row({ name, stats, change, isAll, isChosen, onChoose }: RowProps) {
  const share = inboxShare(stats);
  const interval = stats.inbox_interval;
  const tabs = categories(stats);
  return (
    <li className={classes.provider} data-all={isAll || undefined}>
      <div className={classes.providerName}>
        {isAll ? <strong>{name}</strong> : <button type="button" aria-pressed={isChosen} onClick={onChoose}>{name}</button>}
        <span className={classes.providerNote}>{stats.total} {stats.total === 1 ? 'seed' : 'seeds'}{tabs && `; ${tabs}`}</span>
      </div>
      <div>
        <PlacementBar counts={countsOfStats(stats)} label={name} />
        <IntervalLine stats={stats} />
      </div>
      <div className={classes.providerShare}>
        <span className={classes.share}>{share === undefined ? '–' : percent(share)}</span>
        <span className={classes.range}>{interval ? `${percent(interval.low)} – ${percent(interval.high)}` : stats.pending ? 'under way' : ''}</span>
        <Change change={change} />
      </div>
    </li>
  );
}

interface ProvidersProps {
  result: PlacementResult;
  /** Someone with a link sees no names of providers, only their domains. */
  isPublic: boolean;
  chosen: string | null;
  onChoose: (provider: string | null) => void;
}

/** Where the message landed at each provider, all first; under each bar how far the share in the inbox may be off. */
export function Providers({ result, isPublic, chosen, onChoose }: ProvidersProps) {
  const names = new Map((useQuery({ ...providersQuery, enabled: !isPublic }).data ?? []).map(({ domain, display_name: name }) => [domain, name]));
  const { all, ...others } = result.delivery_stats;
  if (!all || all.total === 0) return null;
  const nameOf = ({ provider }: ProviderStats): string => names.get(provider) ?? provider;
  const rows = Object.values(others).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const present = OUTCOMES.filter((outcome) => countsOfStats(all)[outcome] > 0);
  const compared = result.comparison;
  return (
    <section aria-labelledby="providers">
      <h2 id="providers" className={reportClasses.sectionTitle}>
        Where it landed
        {compared && <span className={reportClasses.sectionNote}>beside the test of {moment(new Date(compared.created_at))}</span>}
      </h2>
      <ul className={classes.providers}>
        <Row name="All providers" stats={all} change={compared?.providers['all']?.inbox} isAll isChosen={false} onChoose={() => onChoose(null)} />
        {rows.map((stats) => (
          <Row key={stats.provider} name={nameOf(stats)} stats={stats} change={compared?.providers[stats.provider]?.inbox} isAll={false} isChosen={chosen === stats.provider} onChoose={() => onChoose(chosen === stats.provider ? null : stats.provider)} />
        ))}
      </ul>
      <div className={classes.key}>
        <Legend outcomes={present} />
        <p>The dot is the share that reached the inbox, tabs included; the line is where the true share lies with 95 % confidence (Wilson). Few seeds make long lines.</p>
      </div>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { providersQuery, type PlacementResult, type ProviderStats } from '../../../shared/mail/mail-api.ts';
import { inboxShare, IntervalLine, percent } from '../../../shared/mail/interval-line.tsx';
import { countsOfStats, Legend, OUTCOMES, PlacementBar } from '../../../shared/mail/outcome.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import classes from './placement.module.css';

type Comparison = NonNullable<NonNullable<PlacementResult['comparison']>['providers'][string]['inbox']>;

/** `+12 points: changed`. */
function Change({ change }: { change: Comparison | null | undefined }) {
  if (!change) return null;
  const size = Math.round(change.change * 100);
  const words = size === 0 ? 'the same as before' : `${size > 0 ? '+' : '−'}${Math.abs(size)} points`;
  if (change.verdict === 'simulated')
    return <Chip tone={size === 0 ? undefined : 'doubt'}>{size === 0 ? words : 'different placement'}</Chip>;
  if (change.verdict === 'changed') return <Chip tone={change.change > 0 ? 'good' : 'bad'}>{words}: changed</Chip>;
  return <Chip>{size === 0 ? words : `${words}: within the margin of error`}</Chip>;
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
  const tabs = categories(stats);
  return (
    <li className={classes.provider} data-all={isAll || undefined}>
      <div className={classes.providerName}>
        {isAll ? (
          <strong>{name}</strong>
        ) : (
          <button type="button" aria-pressed={isChosen} onClick={onChoose}>
            {name}
          </button>
        )}
        <span className={classes.providerNote}>
          {count(stats.total, 'seed')}
          {tabs && `; ${tabs}`}
        </span>
      </div>
      <div>
        <PlacementBar counts={countsOfStats(stats)} label={name} />
        <IntervalLine stats={stats} />
      </div>
      <div className={classes.providerShare}>
        {isSimulated(stats) ? <SimulatedShare stats={stats} /> : <Share stats={stats} />}
        <Change change={change} />
      </div>
    </li>
  );
}

const isSimulated = ({ simulated, total }: ProviderStats): boolean => simulated > 0 && simulated === total;

/** Of real mailboxes: the share in the inbox with its margin of error. */
function Share({ stats }: { stats: ProviderStats }) {
  const share = inboxShare(stats);
  const interval = stats.inbox_interval;
  return (
    <>
      <span className={classes.share}>{share === undefined ? '–' : percent(share)}</span>
      <span className={classes.range}>
        {interval ? `${percent(interval.low)} – ${percent(interval.high)}` : stats.pending ? 'in progress' : ''}
      </span>
    </>
  );
}

/** Of rules: a count, which has no margin of error. */
function SimulatedShare({ stats: { inbox, spam, missing, pending } }: { stats: ProviderStats }) {
  const decided = inbox + spam + missing;
  return (
    <>
      <Chip>simulated</Chip>
      <span className={classes.range}>
        {decided > 0 ? `inbox: ${inbox} of ${decided}` : pending ? 'in progress' : ''}
      </span>
    </>
  );
}

interface ProvidersProps {
  result: PlacementResult;
  /** Someone with a link sees no names of providers, only their domains. */
  isPublic: boolean;
  chosen: string | null;
  onChoose: (provider: string | null) => void;
}

/**
 * Where the message landed: real mailboxes first, with the margin of error under each bar; then what simulated
 * receivers did.
 */
export function Providers({ result, isPublic, chosen, onChoose }: ProvidersProps) {
  const names = new Map(
    (useQuery({ ...providersQuery, enabled: !isPublic }).data ?? []).map(({ domain, display_name: name }) => [
      domain,
      name,
    ]),
  );
  const { all, ...others } = result.delivery_stats;
  if (!all || all.total === 0) return null;
  const { real, simulated } = result.delivery_totals;
  const nameOf = ({ provider }: ProviderStats): string => names.get(provider) ?? provider;
  const rows = Object.values(others).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const present = OUTCOMES.filter((outcome) => countsOfStats(all)[outcome] > 0);
  const compared = result.comparison;
  const changeOf = (provider: string): Comparison | null | undefined => compared?.providers[provider]?.inbox;
  const overall = changeOf('all');
  const group = (name: string, total: ProviderStats, isOfRules: boolean) =>
    total.total > 0 && (
      <>
        <Row
          name={name}
          stats={total}
          change={overall && (overall.verdict === 'simulated') === isOfRules ? overall : null}
          isAll
          isChosen={false}
          onChoose={() => onChoose(null)}
        />
        {rows
          .filter((stats) => isSimulated(stats) === isOfRules)
          .map((stats) => (
            <Row
              key={stats.provider}
              name={nameOf(stats)}
              stats={stats}
              change={changeOf(stats.provider)}
              isAll={false}
              isChosen={chosen === stats.provider}
              onChoose={() => onChoose(chosen === stats.provider ? null : stats.provider)}
            />
          ))}
      </>
    );
  return (
    <section aria-labelledby="providers">
      <h2 id="providers" className={reportClasses.sectionTitle}>
        Where it landed
        {compared && (
          <span className={reportClasses.sectionNote}>
            compared with the test of <When at={new Date(compared.created_at)} />
          </span>
        )}
      </h2>
      <ul className={classes.providers}>
        {group('All real mailboxes', real, false)}
        {group('All simulated receivers', simulated, true)}
      </ul>
      <div className={classes.key}>
        <Legend outcomes={present} />
        {real.total > 0 && (
          <p>
            The dot is the share of real mailboxes with the message in the inbox, tabs included; the line is the margin
            of error (95 %, Wilson). Fewer mailboxes mean wider intervals.
          </p>
        )}
        {simulated.total > 0 && (
          <p>
            A simulated receiver applies one fixed rule, so all of its seeds get the same answer and no margin of error
            applies.
          </p>
        )}
      </div>
    </section>
  );
}

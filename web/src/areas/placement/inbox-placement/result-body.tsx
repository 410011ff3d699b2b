import { Alert } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { PlacementResult } from '../../../shared/mail/mail-api.ts';
import { points, ScoreBar } from '../../../shared/mail/score-bar.tsx';
import { MeasuredRates } from '../../../shared/mail/measured-rates.tsx';
import { VerdictChip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { count } from '../../../ground/words.ts';
import classes from './placement.module.css';
import { Providers } from './providers.tsx';
import { SeedTable } from './seed-table.tsx';

const FILTER_NAMES: Record<string, string> = {
  spamassassin: 'SpamAssassin',
  rspamd: 'Rspamd',
  'built-in': 'Galley’s rules',
};
const RULES_SHOWN = 4;

function Filters({ filters }: Pick<PlacementResult, 'filters'>) {
  if (filters.length === 0) return null;
  return (
    <section aria-labelledby="filters">
      <h2 id="filters" className={reportClasses.sectionTitle}>
        Spam filters
      </h2>
      <div className={classes.filters}>
        {filters.map(({ engine, score, threshold, verdict, failure, measured, rules }) => {
          const heaviest = rules.filter((rule) => rule.points > 0).toSorted((a, b) => b.points - a.points);
          return (
            <div key={engine} className={classes.filter}>
              <h3>
                {FILTER_NAMES[engine] ?? engine}
                {verdict && <VerdictChip verdict={verdict} />}
              </h3>
              {score === null ? (
                <p className="dim">{failure ?? 'The filter did not answer.'}</p>
              ) : (
                <>
                  <p className={classes.score}>
                    <strong>{points(score)}</strong>
                    {threshold !== null && <span className="dim"> of {points(threshold)} points</span>}
                  </p>
                  <ScoreBar
                    name={FILTER_NAMES[engine] ?? engine}
                    score={score}
                    threshold={threshold}
                    isSpam={verdict === 'spam'}
                  />
                  {measured && <MeasuredRates measured={measured} />}
                </>
              )}
              <ul>
                {heaviest.slice(0, RULES_SHOWN).map(({ name, points: value, description, fix }) => (
                  <li key={name}>
                    <strong>{points(value)}</strong>
                    <span>
                      {description || name}
                      {fix && <span className="dim"> {fix}</span>}
                    </span>
                  </li>
                ))}
              </ul>
              {heaviest.length > RULES_SHOWN && (
                <p className="dim">and {count(heaviest.length - RULES_SHOWN, 'more rule')}</p>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** What came of a test: shares per provider, the seeds, the filters. */
export function ResultBody({
  result,
  trend,
  isPublic = false,
}: {
  result: PlacementResult;
  trend?: ReactNode;
  isPublic?: boolean;
}) {
  const [provider, setProvider] = useState<string | null>(null);
  const all = result.delivery_stats['all'];
  const arrived = all ? all.total - all.pending : 0;
  return (
    <>
      {result.status === 'processing' && (
        <p className={classes.live} role="status">
          {all && all.total > 0
            ? `${arrived} of ${count(all.total, 'seed')} have an outcome. This page fills in as they come.`
            : 'The message is on its way.'}
        </p>
      )}
      {result.notice && (
        <Alert mb="lg" title="This result includes simulated receivers">
          {result.notice}
        </Alert>
      )}
      <Providers result={result} isPublic={isPublic} chosen={provider} onChoose={setProvider} />
      {trend}
      <SeedTable seeds={result.seed_results} provider={provider} onProvider={setProvider} />
      <Filters filters={result.filters} />
    </>
  );
}

import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { audiencesQuery, type Analysis, type Score } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { calendarDay, count } from '../../../ground/words.ts';
import classes from './code-page.module.css';

const CLIENTS_SHOWN = 10;
const COSTS_SHOWN = 8;
/** What follows says in sentences what the list of costs says. */
const SENTENCES_SHOWN = 3;

interface AudienceProps {
  analysis: Analysis;
  audience: string | undefined;
  onAudience: (audience: string | undefined) => void;
}

function AudiencePicker({ analysis, audience, onAudience }: AudienceProps) {
  const { data: audiences = [] } = useQuery(audiencesQuery);
  const used = analysis.meta.audience;
  const chosen = audiences.find(({ id }) => id === (audience ?? used?.id));
  return (
    <div className={classes.audience}>
      <NativeSelect
        label="Audience"
        value={chosen?.id ?? ''}
        onChange={(event) => onAudience(event.currentTarget.value || undefined)}
        data={[
          ...(chosen ? [] : [{ value: '', label: used?.name ?? '' }]),
          ...audiences.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {chosen && (
        <details className={classes.small}>
          <summary>Source of the shares</summary>
          {chosen.description} {chosen.source.what}, {calendarDay(chosen.source.date)}.
        </details>
      )}
    </div>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function Clients({ score }: { score: Score }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? score.per_client : score.per_client.slice(0, CLIENTS_SHOWN);
  return (
    <>
      <table className={classes.clients}>
        <caption className="visually-hidden">Score by client</caption>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Readers</th>
            <th scope="col" colSpan={2}>
              Score (what survives)
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ client, name, share, score: own, breaks }) => (
            <tr key={`${client} ${name}`}>
              <th scope="row">{name}</th>
              <td className="tabular">{percent(share)}</td>
              <td className={classes.barCell}>
                <span className={classes.track} aria-hidden="true">
                  <i style={{ width: `${own}%` }} data-low={own < 80 || undefined} />
                </span>
              </td>
              <td className="tabular" title={breaks.length ? `Breaks: ${breaks.join(', ')}` : 'Nothing breaks'}>
                {own}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {score.per_client.length > shown.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          Show {score.per_client.length - shown.length} more
        </Button>
      )}
    </>
  );
}

function Costs({ score, onFeature }: { score: Score; onFeature: (slug: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const costs = score.breakages.filter(({ points }) => points > 0);
  const shown = isOpen ? costs : costs.slice(0, COSTS_SHOWN);
  if (costs.length === 0) return <p>No points lost.</p>;
  return (
    <>
      <ol className={classes.costs}>
        {shown.map(({ slug, name, points, instance_count: places, clients }) => (
          <li key={slug}>
            <strong className="tabular">−{points}</strong>
            <span>
              <button type="button" className={reportClasses.placeButton} onClick={() => onFeature(slug)}>
                {name}
              </button>
              <span className={classes.small}>
                {count(places, 'place')}, in {clients.slice(0, 3).join(', ')}
                {clients.length > 3 && ` and ${clients.length - 3} more`}
              </span>
            </span>
          </li>
        ))}
      </ol>
      {costs.length > shown.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          Show {costs.length - shown.length} more
        </Button>
      )}
    </>
  );
}

interface ScoreSectionProps extends AudienceProps {
  score: Score;
  onFeature: (slug: string) => void;
}

/** The score: how it comes about, for whom, and what costs most. */
export function ScoreSection({ score, analysis, audience, onAudience, onFeature }: ScoreSectionProps) {
  const suggestions = analysis.items.suggestions ?? [];
  return (
    <section className={reportClasses.panel} aria-label="Score">
      <div className={classes.scoreHead}>
        <p className={classes.overall}>
          <strong>{score.overall}</strong>
          <span>of 100</span>
        </p>
        <div className={classes.explained}>
          {score.explanation.slice(0, SENTENCES_SHOWN).map((sentence) => (
            <p key={sentence}>
              <RichText text={sentence} />
            </p>
          ))}
        </div>
        <AudiencePicker analysis={analysis} audience={audience} onAudience={onAudience} />
      </div>
      <div className={classes.scoreParts}>
        <div>
          <h3 className={classes.partTitle}>Biggest losses</h3>
          <Costs score={score} onFeature={onFeature} />
          {suggestions.length > 0 && (
            <>
              <h3 className={classes.partTitle}>Fix first</h3>
              <ol className={classes.costs}>
                {suggestions
                  .filter(({ points }) => points > 0)
                  .slice(0, 4)
                  .map(({ suggestion, points }) => (
                    <li key={suggestion}>
                      <strong className={classes.gain}>+{points}</strong>{' '}
                      <span>
                        <RichText text={suggestion} />
                      </span>
                    </li>
                  ))}
              </ol>
            </>
          )}
        </div>
        <div>
          <h3 className={classes.partTitle}>By client</h3>
          <Clients score={score} />
        </div>
      </div>
    </section>
  );
}

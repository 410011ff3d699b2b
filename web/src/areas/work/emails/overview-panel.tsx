import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { CausesList } from './causes-list.tsx';
import { overviewQuery, stateOf, useStartTests, type OfVersion, type Overview, type Test } from './emails-api.ts';
import classes from './emails.module.css';
import { VERDICTS } from './words.ts';

const ALL = ['previews', 'links', 'images', 'accessibility', 'code', 'spam'] as const;

function Checklist({ items }: { items: Overview['checklist'] }) {
  return (
    <ul className={classes.checklist} aria-label="Checklist">
      {items.map(({ item, title, verdict, reason }) => (
        <li key={item} className={classes.item}>
          <span className={mailClasses.chip} data-tone={VERDICTS[verdict].tone}>
            {VERDICTS[verdict].label}
          </span>
          <span>
            <strong>{title}</strong>
            <span className={classes.reason}>{reason}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function countsWords({ errors, warnings, new: fresh, ignored }: Overview['counts']): string {
  const parts = [
    `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
  ];
  if (fresh !== null) parts.push(`${fresh} new since the version before`);
  if (ignored > 0) parts.push(`${ignored} ignored`);
  return parts.join(' · ');
}

/** The heading says the verdict already. */
function withoutVerdict(summary: string): string {
  const rest = summary.replace(/^(?:Not ready; |Ready: )/, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Whether the version is ready, and what to do first. */
export function OverviewPanel({ of, tests }: { of: OfVersion; tests: readonly Test[] }) {
  const { data, error } = useQuery(overviewQuery(of, stateOf(tests)));
  const { canWrite } = useRole();
  const start = useStartTests(of);
  if (error)
    return (
      <Alert color="red" title="The overview could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={300} />;
  const isTesting = tests.some(({ state }) => state === 'processing');
  const { verdict, summary, checklist, repairs, counts, audience } = data;
  return (
    <>
      <div className={classes.verdict} data-verdict={verdict}>
        <div>
          <h2>{verdict === 'ready' ? 'Ready' : 'Not ready'}</h2>
          <p>{withoutVerdict(summary)}</p>
          {tests.length > 0 && <p className={classes.facts}>{countsWords(counts)}</p>}
        </div>
        {canWrite && (
          <Button
            variant={tests.length === 0 ? 'filled' : 'default'}
            loading={start.isPending}
            disabled={isTesting}
            onClick={() => start.mutate({ tests: [...ALL] })}
          >
            {isTesting ? 'Tests are running' : tests.length === 0 ? 'Run the tests' : 'Run the tests again'}
          </Button>
        )}
      </div>
      <div className={classes.columns}>
        <section>
          <h2 className={classes.title}>Checklist</h2>
          <Checklist items={checklist} />
        </section>
        <section>
          <h2 className={classes.title}>What gains the most readers</h2>
          {repairs.length === 0 ? (
            <p className="dim">
              {tests.length === 0 ? 'Nothing is known before tests run.' : 'Nothing to repair was found.'}
            </p>
          ) : (
            <>
              <CausesList emailId={of.emailId} causes={repairs} label="Repairs" />
              <p className={classes.note}>
                By the audience “{audience.name}”: the share of readers who meet it, times how much they lose. How much
                is our own judgment, by kind.
              </p>
            </>
          )}
        </section>
      </div>
    </>
  );
}

import type { SpamTest } from '../../../shared/mail/mail-api.ts';
import { methodName, severityOfResult } from '../../../shared/mail/authentication.tsx';
import { countsInWords, countsOf, outcomeOfReceiver, PlacementBar } from '../../../shared/mail/outcome.tsx';
import { points, ScoreBar } from '../../../shared/mail/score-bar.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { FILTER_NAMES, receiversOf } from './spam-facts.ts';
import classes from './spam.module.css';

function Receivers({ test }: { test: SpamTest }) {
  const results = receiversOf(test);
  const passed = results.filter(({ status }) => status === 'passed').length;
  const waiting = results.filter(({ status }) => status === 'pending').length;
  const counts = countsOf(results.map(outcomeOfReceiver));
  return (
    <div className={classes.cell}>
      <h2>Receivers</h2>
      <p className={classes.figure} role="status">
        <strong>{passed}</strong> of {results.length} in the inbox
        {waiting > 0 && <span className="dim">, {waiting} in progress</span>}
      </p>
      <PlacementBar isSmall counts={counts} label="Receivers" />
      <p className={classes.words}>{countsInWords(counts)}</p>
    </div>
  );
}

/** What came out, in one line of four. */
export function Verdict({ test }: { test: SpamTest }) {
  const { analysis } = test;
  if (receiversOf(test).length === 0) return null;
  return (
    <div className={classes.verdict}>
      <Receivers test={test} />
      {analysis && (
        <>
          <div className={classes.cell}>
            <h2>Filters</h2>
            <ul className={classes.scores}>
              {analysis.filters.map(({ engine, score, threshold, verdict }) => (
                <li key={engine}>
                  <span>{FILTER_NAMES[engine] ?? engine}</span>
                  {score === null ? (
                    <span className="dim">did not answer</span>
                  ) : (
                    <>
                      <ScoreBar
                        name={FILTER_NAMES[engine] ?? engine}
                        score={score}
                        threshold={threshold}
                        isSpam={verdict === 'spam'}
                      />
                      <span className="tabular" aria-hidden="true">
                        {points(score)}
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </div>
          <div className={classes.cell}>
            <h2>Authentication</h2>
            <ul className={classes.marks}>
              {['spf', 'dkim', 'dmarc'].map((method) => {
                const rows = analysis.authentication.filter((row) => row.method === method);
                const row = rows.find(({ result }) => result === 'pass') ?? rows[0];
                return (
                  <li key={method}>
                    <SeverityMark severity={severityOfResult(method, row?.result ?? 'none')} />
                    {methodName(method)} {row?.result ?? 'none'}
                  </li>
                );
              })}
            </ul>
          </div>
          <div className={classes.cell}>
            <h2>Bulk sender rules</h2>
            <p className={classes.figure}>
              <strong>{analysis.bulk_sender.passed}</strong> of{' '}
              {analysis.bulk_sender.passed + analysis.bulk_sender.failed + analysis.bulk_sender.warnings} met
            </p>
            <p className={classes.words}>
              {analysis.one_click.conforms === null
                ? 'No unsubscribe header'
                : analysis.one_click.conforms
                  ? 'One-click unsubscribe conforms to RFC 8058'
                  : 'One-click unsubscribe does not conform to RFC 8058'}
            </p>
          </div>
        </>
      )}
    </div>
  );
}

import { UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ground/brand/icons.tsx';
import { methodName, severityOfResult } from '../../../shared/mail/authentication.tsx';
import type { ReceiverResult, SpamTest } from '../../../shared/mail/mail-api.ts';
import { OutcomeMark, outcomeOfReceiver } from '../../../shared/mail/outcome.tsx';
import { points, ScoreBar } from '../../../shared/mail/score-bar.tsx';
import { verdictWords } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { FILTER_NAMES } from './spam-facts.ts';
import classes from './spam.module.css';

/** The published sentence that a rule follows. */
function Cited({
  source: { publisher, document, url, sentence, since },
}: {
  source: NonNullable<ReceiverResult['reasons'][number]['source']>;
}) {
  return (
    <span className={classes.cited}>
      “{sentence}”{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {publisher}: {document}
      </a>
      {since && `, since ${since}`}
    </span>
  );
}

/** The sums that made up the receiver's mind, largest first. */
function Reasons({ result }: { result: ReceiverResult }) {
  const reasons = result.reasons
    .filter(({ message, source }) => message && (source || message !== result.reason))
    .toSorted((a, b) => Math.abs(b.points ?? 99) - Math.abs(a.points ?? 99));
  if (reasons.length === 0) return null;
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ code, message, points: value, source }, place) => (
        <li key={`${code} ${place}`}>
          <span className={classes.points} data-good={(value !== null && value < 0) || undefined}>
            {value === null ? '' : `${value > 0 ? '+' : ''}${points(value)}`}
          </span>
          <span>
            <RichText text={message} />
            {source && <Cited source={source} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function authenticationFacts({ authentication }: ReceiverResult): ReactNode {
  if (!authentication) return undefined;
  return (
    <span className={classes.inlineMarks}>
      {(['spf', 'dkim', 'dmarc'] as const).map((method) => (
        <span key={method}>
          <SeverityMark size={13} severity={severityOfResult(method, authentication[method] ?? 'none')} />{' '}
          {methodName(method)} {authentication[method] ?? 'none'}
        </span>
      ))}
    </span>
  );
}

function Details({ result }: { result: ReceiverResult }) {
  const filters = result.filters.map(
    ({ engine, score, threshold, verdict, failure }) =>
      `${FILTER_NAMES[engine] ?? engine}: ` +
      `${
        failure ??
        `${score === null ? '' : points(score)}${threshold === null ? '' : ` of ${points(threshold)}`}` +
          `${verdict ? `, ${verdictWords(verdict)}` : ''}`
      }`,
  );
  const facts: [string, ReactNode][] = [
    ['Authentication', authenticationFacts(result)],
    ['Filters', filters.length > 0 && filters.join(' · ')],
    ['SMTP reply', result.smtp_reply && <span className="mono">{result.smtp_reply}</span>],
    ['Attempts', result.attempts > 1 && count(result.attempts, 'attempt')],
    ['Copies', result.copies > 1 && `${count(result.copies, 'copy', 'copies')} arrived; counted once`],
    ['Received', result.received_at && <When at={new Date(result.received_at)} />],
    [
      'Seed',
      <span key="seed" className="mono">
        {result.seed}
      </span>,
    ],
  ];
  return (
    <div className={classes.details}>
      <Reasons result={result} />
      <Facts facts={facts.filter(([, value]) => value)} />
    </div>
  );
}

function Row({ result }: { result: ReceiverResult }) {
  const outcome = outcomeOfReceiver(result);
  const isBad = result.status === 'failed';
  const [isOpen, setOpen] = useState<boolean>();
  const isShown = isOpen ?? false;
  const id = `details-${result.seed.replaceAll(/[^\w-]/g, '-')}`;
  return (
    <li className={classes.receiver}>
      <UnstyledButton
        className={classes.receiverHead}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
      >
        {isShown ? <ChevronDownIcon /> : <ChevronRightIcon />}
        <span className={classes.receiverName}>{result.display_name}</span>
        <OutcomeMark outcome={outcome} folder={result.folder} />
        <span className={classes.receiverScore}>
          {result.score !== null && (
            <>
              <ScoreBar name={result.display_name} score={result.score} threshold={result.spam_threshold} />
              <span className="tabular" aria-hidden="true">
                {points(result.score)} / {result.spam_threshold === null ? '–' : points(result.spam_threshold)}
              </span>
            </>
          )}
        </span>
        <span className={classes.receiverReason} data-bad={isBad || undefined}>
          {result.reason ?? (outcome === 'pending' ? 'In progress' : '')}
        </span>
      </UnstyledButton>
      <div id={id}>{isShown && <Details result={result} />}</div>
    </li>
  );
}

function Group({ title, note, results }: { title: string; note: string; results: readonly ReceiverResult[] }) {
  if (results.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={reportClasses.sectionTitle}>
        {title}
        <span className={reportClasses.sectionNote}>{note}</span>
      </h2>
      <ul className={classes.receivers}>
        {results.map((result) => (
          <Row key={result.seed} result={result} />
        ))}
      </ul>
    </section>
  );
}

/** What each receiver did, and why. */
export function ReceiversPart({ test }: { test: SpamTest }) {
  const { b2c, b2b } = test.results!;
  const note = ({ passed, simulated, results }: typeof b2c): string =>
    `inbox at ${passed} of ${results.length}` +
    `${simulated ? `, ${simulated === results.length ? 'all' : simulated} simulated` : ''}`;
  return (
    <div className={classes.groups}>
      <Group title="Consumers" note={note(b2c)} results={b2c.results} />
      <Group title="Companies" note={note(b2b)} results={b2b.results} />
    </div>
  );
}

import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { CloseIcon } from '../../ground/brand/icons.tsx';
import { LastCompared, RealClient } from '../captures/real-client.tsx';
import { FIDELITY } from '../proof/client-marks.tsx';
import { problemsOf } from '../proof/filter.ts';
import { useProof, type ProofClient } from '../proof/proof.ts';
import { SideDialog } from '../../ground/shell/dialog.tsx';
import { useFocusReturn } from '../../ground/shell/focus-return.ts';
import { Facts } from '../../ground/shell/facts.tsx';
import { When } from '../../ground/shell/when.tsx';
import { bytes, calendarDay, count, engineName, fromUnix } from '../../ground/words.ts';
import classes from './client-view-page.module.css';
import { Reprocess } from './reprocess-button.tsx';

function whenOf(client: ProofClient): [string, ReactNode][] {
  const { submitted, completed, attempts } = client.result.status_details;
  return [
    ['Submitted', <When key="submitted" at={fromUnix(submitted)} />],
    [
      'Ready',
      completed ? (
        <>
          <When at={fromUnix(completed)} /> ({Math.max(0, completed - submitted)} s)
        </>
      ) : (
        '–'
      ),
    ],
    ['Attempts', String(attempts)],
  ];
}

/** `Gmail: 52 of 54 published behaviors reproduced`. */
function behaviorsOf(found: ProofClient['result']['published_behaviors']): [string, ReactNode][] {
  if (!found) return [];
  const { family, reproduced, published, measured } = found;
  return [
    ['Fidelity', `${family}: ${reproduced} of ${published} published behaviors reproduced (${calendarDay(measured)})`],
  ];
}

/** What was measured in the screenshots of a client, and whether anything was. */
function Problems({ client }: { client: ProofClient }) {
  const problems = problemsOf(client);
  if (client.status !== 'completed') return null;
  if (problems.length === 0)
    return (
      <p className={classes.measured}>
        {client.result.findings_measured
          ? 'No problems were measured in this screenshot.'
          : 'Problems were not measured in this screenshot.'}
      </p>
    );
  return (
    <section aria-label="Problems">
      <h3 className={classes.heading}>Problems</h3>
      <ul className={classes.problems}>
        {problems.map(({ rule, severity, message, fix }, n) => (
          <li key={`${rule} ${n}`} data-severity={severity}>
            <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong> {message} {fix}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Features of the message of which is not known what the client does with them, and where they stand. */
function Undecided({ result }: { result: ProofClient['result'] }) {
  const { undecided } = result;
  if (!undecided || undecided.length === 0) return null;
  return (
    <details className={classes.undecided}>
      <summary>
        Not known in this client: {count(undecided.length, 'feature')} of the message. The screenshot shows them as its
        engine does.
      </summary>
      <ul>
        {undecided.map(({ feature, title, reason, places, place_count: total }) => (
          <li key={feature}>
            <strong>{title}</strong>
            {places.length > 0 && `, line ${places.map(({ line }) => line).join(', ')}`}
            {total > places.length && places.length > 0 && ` and ${total - places.length} more`}: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Content({ client, shot }: { client: ProofClient; shot: string }) {
  const { result } = client;
  const { testId } = useProof();
  const picture = result.pictures[shot];
  const facts: [string, ReactNode][] = [
    ['Client', result.client],
    ['System', result.os || '–'],
    ...(result.browser ? [['Browser', result.browser] as [string, ReactNode]] : []),
    ['Method', `${FIDELITY[result.fidelity].name}. ${FIDELITY[result.fidelity].about}`],
    ['Engine', engineName(result.engine) || '–'],
    ...behaviorsOf(result.published_behaviors),
    ['Size', picture ? `${picture.width} × ${picture.height} px, ${bytes(picture.bytes)}` : '–'],
    ...(picture?.sharp
      ? [
          [
            'Screen',
            `${picture.sharp.pixel_ratio} pixels for each of these, in ${count(picture.sharp.parts, 'part')}`,
          ] as [string, ReactNode],
        ]
      : []),
    ...(picture?.is_cut
      ? [['Full height', `${picture.content_height} px (the screenshot is cut off)`] as [string, ReactNode]]
      : []),
    ...whenOf(client),
    ['ID', <span className="mono">{client.id}</span>],
  ];
  return (
    <>
      {result.notes.length > 0 && (
        <ul className={classes.notes}>
          {result.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Problems client={client} />
      <Undecided result={result} />
      <Facts facts={facts} />
      {testId === undefined ? (
        <LastCompared compared={result.last_compared} isLinked={false} />
      ) : (
        <RealClient compared={result.last_compared} testId={testId} clientId={client.id} />
      )}
      {testId !== undefined && client.status === 'completed' && <Reprocess testId={testId} clientId={client.id} />}
      <h3 className={classes.heading}>Sources</h3>
      <ul className={classes.sources}>
        {result.sources.map((source) => (
          <li key={`${source.what} ${source.url}`}>
            {/^https?:/.test(source.url) ? (
              <a href={source.url} target="_blank" rel="noreferrer">
                {source.what}
              </a>
            ) : (
              source.what
            )}
            <time dateTime={source.date}>{calendarDay(source.date)}</time>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ClientDetailsProps {
  client: ProofClient;
  shot: string;
  isWide: boolean;
  onClose: () => void;
}

function Aside({ client, shot, onClose }: Omit<ClientDetailsProps, 'isWide'>) {
  useFocusReturn();
  return (
    <aside className={classes.details} aria-label="Details">
      <div className={classes.detailsHead}>
        <h2>Details</h2>
        <ActionIcon size={26} aria-label="Close details" onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </div>
      <Content client={client} shot={shot} />
    </aside>
  );
}

/** The method and the sources of a screenshot: next to it where there is room, else over it. */
export function ClientDetails({ client, shot, isWide, onClose }: ClientDetailsProps) {
  if (!isWide)
    return (
      <SideDialog onClose={onClose} position="bottom" size="70%" title={client.name}>
        <Content client={client} shot={shot} />
      </SideDialog>
    );
  return <Aside client={client} shot={shot} onClose={onClose} />;
}

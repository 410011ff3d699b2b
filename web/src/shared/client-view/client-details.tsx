import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { CloseIcon } from '../../ground/brand/icons.tsx';
import { FIDELITY } from '../proof/client-marks.tsx';
import { useProof, type ProofClient } from '../proof/proof.ts';
import { SideDialog } from '../../ground/shell/dialog.tsx';
import { useFocusReturn } from '../../ground/shell/focus-return.ts';
import { Facts } from '../../ground/shell/facts.tsx';
import { When } from '../../ground/shell/when.tsx';
import { bytes, calendarDay, engineName, fromUnix } from '../../ground/words.ts';
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
    ['Size', picture ? `${picture.width} × ${picture.height} px, ${bytes(picture.bytes)}` : '–'],
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
      <Facts facts={facts} />
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

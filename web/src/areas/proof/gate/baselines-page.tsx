import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, clientsQuery, sentenceOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import reportClasses from '../../../shared/report/report.module.css';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count, moment } from '../../../ground/words.ts';
import { baselinesQuery, pictureQuery, type Approved, type Baseline } from './gate-api.ts';
import { GateTabs } from './gate-tabs.tsx';
import classes from './gate.module.css';

const SHOWN = 8;

function useDelete({ name, clients }: Baseline): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v1/inspect/baselines/{name}', { path: { name } });
    } catch (error) {
      tell({ color: 'red', title: 'The baseline was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['baselines'] });
  };
  return () =>
    ask({
      title: `Delete the baseline “${name}”?`,
      text:
        `${count(clients.length, 'approved screenshot')} will be deleted. Later runs have nothing to compare with ` +
        'until you approve new screenshots.',
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

/** A small picture. It leads to the gate that it was approved in, where that is still there. */
function ApprovedPicture({
  picture: { client, gate_id: gateId, approved_at: approvedAt, links },
  name,
}: {
  picture: Approved;
  name: string;
}) {
  const small = useQuery(pictureQuery(links.thumbnail, approvedAt));
  const sheet = (
    <span className={classes.approvedSheet}>
      {small.data ? (
        <img src={small.data.url} alt={gateId === null ? `Approved screenshot of ${name}` : ''} />
      ) : small.error ? (
        <span className={classes.engine}>{sentenceOf(small.error)}</span>
      ) : (
        <Skeleton height="100%" radius={0} />
      )}
    </span>
  );
  return (
    <>
      {gateId === null ? (
        sheet
      ) : (
        <Link
          to="/gate/$gateId/client/$clientId"
          params={{ gateId, clientId: client }}
          aria-label={`Open ${name} in the run where it was approved`}
        >
          {sheet}
        </Link>
      )}
      <span className={classes.approvedName} title={`${name}, approved ${moment(new Date(approvedAt))}`}>
        {name}
      </span>
    </>
  );
}

function Row({ baseline }: { baseline: Baseline }) {
  const { canWrite } = useRole();
  const { data: known = {} } = useQuery(clientsQuery);
  const askDelete = useDelete(baseline);
  const [isOpen, setOpen] = useState(false);
  const { pictures } = baseline;
  const shown = isOpen ? pictures : pictures.slice(0, SHOWN);
  return (
    <li className={`${mailClasses.row} ${classes.baseline}`}>
      <div className={classes.baselineWords}>
        <h2 className={mailClasses.subject}>{baseline.name}</h2>
        <p className={mailClasses.facts}>
          <span>
            last approved <When at={new Date(baseline.approved_at)} />
          </span>
          <span>{count(baseline.clients.length, 'client')}</span>
        </p>
      </div>
      {canWrite && (
        <>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/gate/new" search={{ baseline: baseline.name }} {...props} />}
            aria-label={`Use as baseline: ${baseline.name}`}
          >
            Use as baseline
          </Button>
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${baseline.name}`} onClick={askDelete}>
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      <ul className={classes.approved} aria-label={`Approved screenshots of ${baseline.name}`}>
        {shown.map((picture) => (
          <li key={picture.client}>
            <ApprovedPicture picture={picture} name={known[picture.client]?.display_name ?? picture.client} />
          </li>
        ))}
        {shown.length < pictures.length && (
          <li className={classes.more}>
            <Button size="xs" variant="default" onClick={() => setOpen(true)}>
              {pictures.length - shown.length} more
            </Button>
          </li>
        )}
      </ul>
    </li>
  );
}

/** Approved pictures, by name. */
export function BaselinesPage() {
  const baselines = useQuery(baselinesQuery);
  return (
    <>
      <PageHead
        title="Gate"
        tabTitle="Baselines"
        lead="Approved screenshots. A gate run that uses a baseline shows what changed since."
      />
      <GateTabs />
      <div className={reportClasses.body}>
        {baselines.error && (
          <Alert color="red" title="The baselines could not be loaded">
            {sentenceOf(baselines.error)}
          </Alert>
        )}
        {baselines.isPending && <Skeleton height={110} />}
        {baselines.data?.length === 0 && (
          <Notice
            title="No baselines yet"
            action={<Button renderRoot={(props) => <Link to="/gate/new" {...props} />}>Run the gate</Button>}
          >
            Run the gate with screenshots, review them, and approve them to create a baseline.
          </Notice>
        )}
        {baselines.data && baselines.data.length > 0 && (
          <ul className={mailClasses.rows}>
            {baselines.data.map((baseline) => (
              <Row key={baseline.name} baseline={baseline} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

// Batches that the breakers of domains stopped: what their first deliveries came to, and what a person does about it.
import { Alert, Button } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { ask } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { useDecide } from '../../../shared/send/decide.ts';
import classes from '../../../shared/send/send.module.css';

type Batch = Reply<'GET /v1/galley/batches'>['items'][number];

const POLL_MS = 5000;
const SHOWN = 50;

/** Batches that wait, of any domain or of one. */
export function batchesQuery(domain: string | undefined) {
  const query = { state: 'waiting' as const, limit: SHOWN, ...(domain !== undefined && { domain }) };
  return queryOptions({
    queryKey: ['batches', query],
    queryFn: ({ signal }) => api.call('GET /v1/galley/batches', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => pollMs(asked, () => true, POLL_MS),
  });
}

const KINDS = { message: 'Call', tag: 'Tag', campaign: 'Campaign' } as const;
const titleOf = ({ kind, name }: Batch): string => `${KINDS[kind]} ${name}`;

function useDecisions({ id }: Batch) {
  const path = { batch_id: id };
  const run = useDecide(['batches', 'queue']);
  return {
    release: () => void run(() => api.call('POST /v1/galley/batches/{batch_id}/release', { path })),
    askDrop: (title: string) =>
      ask({
        title: 'Drop this batch?',
        text: `${title.slice(0, 120)} is not delivered to anybody who still waits for it. This cannot be undone.`,
        confirm: 'Drop batch',
        onConfirm: () => void run(() => api.call('POST /v1/galley/batches/{batch_id}/drop', { path })),
      }),
  };
}

function Row({ batch }: { batch: Batch }) {
  const { canWrite } = useRole('messages');
  const { release, askDrop } = useDecisions(batch);
  const { state, domain, recipients, waiting, started_at: at, reason, held_until: until } = batch;
  const title = titleOf(batch);
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{title}</bdi>
        <span className={classes.facts}>
          <Chip tone={state === 'held' ? 'doubt' : undefined}>
            {state === 'held' ? 'held' : 'first deliveries under way'}
          </Chip>
          <span>
            {count(waiting, 'recipient')} of {recipients.toLocaleString('en')} waiting
          </span>
          <span>domain {domain}</span>
          <Ago at={new Date(at)} />
        </span>
        <p className={classes.stepAbout}>
          <bdi>{reason}</bdi>
          {state === 'held' && until !== null && (
            <>
              {' '}
              It is dropped <When at={new Date(until)} /> if nobody decides.
            </>
          )}
        </p>
      </div>
      {canWrite && (
        <span className={classes.actions}>
          <Button size="compact-xs" variant="default" aria-label={`Release: ${title.slice(0, 80)}`} onClick={release}>
            Release
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Drop: ${title.slice(0, 80)}`}
            onClick={() => askDrop(title)}
          >
            Drop
          </Button>
        </span>
      )}
    </li>
  );
}

/** Nothing where no batch waits. */
export function HeldBatches({ domain }: { domain: string | undefined }) {
  const heading = useId();
  const { data, error } = useQuery(batchesQuery(domain));
  if (error)
    return (
      <Alert color="red" mb="md" title="The batches could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  const total = data?.meta.count ?? 0;
  if (!data || total === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{count(total, 'batch', 'batches')} waiting</h2>
      {total > SHOWN && <p>The newest {SHOWN} are shown.</p>}
      <ul className={classes.rows} aria-label="Batches, newest first">
        {data.items.map((batch) => (
          <Row key={batch.id} batch={batch} />
        ))}
      </ul>
    </section>
  );
}

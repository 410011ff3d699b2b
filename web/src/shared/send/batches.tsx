// Batches that the breakers of domains stopped: what their first deliveries came to, and what a person does about it.
import { Alert, Button } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { api, sentenceOf } from '../../ground/api.ts';
import { csvTime } from '../../ground/csv.ts';
import { pollMs } from '../../ground/polling.ts';
import { ask } from '../../ground/shell/ask.ts';
import { useRole } from '../../ground/shell/role.ts';
import { Ago, When } from '../../ground/shell/when.tsx';
import { count, figure } from '../../ground/words.ts';
import { Chip } from '../mail/test-state.tsx';
import { useDecide } from './decide.ts';
import { skipPages, type ListExport } from './list-pages.ts';
import classes from './send.module.css';

type Batch = Reply<'GET /v1/galley/batches'>['items'][number];

const POLL_MS = 5000;
const SHOWN = 50;

interface Which {
  /** Undefined: of any. */
  domain: string | undefined;
  /** `all`: also those that went on or were decided. */
  show: 'waiting' | 'all';
}

const conditionsOf = ({ domain, show }: Which) => ({
  ...(show === 'waiting' && { state: 'waiting' as const }),
  ...(domain !== undefined && { domain }),
});

/** Batches, of any domain or of one. */
export function batchesQuery(which: Which) {
  const query = { ...conditionsOf(which), limit: SHOWN };
  return queryOptions({
    queryKey: ['batches', query],
    queryFn: ({ signal }) => api.call('GET /v1/galley/batches', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => pollMs(asked, () => true, POLL_MS),
  });
}

const COLUMNS = ['started (UTC)', 'domain', 'kind', 'name', 'state', 'reason', 'messages', 'recipients', 'waiting'];
const MORE = ['sample', 'delivered', 'bounced', 'deferred', 'not tried', 'decided (UTC)', 'decided by'];

/** All of them, as rows of a file. */
export const batchesExport = (which: Which): ListExport => ({
  columns: [...COLUMNS, ...MORE],
  pages: (signal) =>
    skipPages(
      async (page) =>
        (await api.call('GET /v1/galley/batches', { query: { ...conditionsOf(which), ...page } }, { signal })).items,
      ({ sample, ...one }) => [
        csvTime(one.started_at),
        one.domain,
        one.kind,
        one.name,
        one.state,
        one.reason,
        one.messages,
        one.recipients,
        one.waiting,
        sample.size,
        sample.delivered,
        sample.bounced,
        sample.deferred,
        sample.untried,
        csvTime(one.decided_at),
        one.decided_by,
      ],
    ),
});

const KINDS = { message: 'Call', tag: 'Tag', campaign: 'Campaign', list: 'Mailing list' } as const;
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

const STATES: Record<Batch['state'], { words: string; tone?: 'good' | 'bad' | 'doubt' }> = {
  sampling: { words: 'first deliveries under way' },
  held: { words: 'held', tone: 'doubt' },
  passed: { words: 'passed', tone: 'good' },
  released: { words: 'released', tone: 'good' },
  dropped: { words: 'dropped', tone: 'bad' },
  expired: { words: 'dropped after 48 hours', tone: 'bad' },
};
const isOpen = ({ state }: Batch): boolean => state === 'sampling' || state === 'held';

/** What its first deliveries came to, in figures. */
function SampleFacts({ sample }: Pick<Batch, 'sample'>) {
  const { delivered, bounced, deferred, size } = sample;
  return (
    <span>
      first {figure(size)}: {figure(delivered)} delivered, {figure(bounced)} bounced, {figure(deferred)} deferred
    </span>
  );
}

function Row({ batch }: { batch: Batch }) {
  const { canWrite } = useRole('messages');
  const { release, askDrop } = useDecisions(batch);
  const { state, domain, recipients, waiting, started_at: at, reason, held_until: until } = batch;
  const title = titleOf(batch);
  const { words, tone } = STATES[state];
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{title}</bdi>
        <span className={classes.facts}>
          <Chip tone={tone}>{words}</Chip>
          <span>
            {isOpen(batch)
              ? `${figure(waiting)} of ${count(recipients, 'recipient')} waiting`
              : count(recipients, 'recipient')}
          </span>
          <SampleFacts sample={batch.sample} />
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
      {canWrite && isOpen(batch) && (
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

/** A heading with the batches below it; nothing where there are none. */
export function Batches(which: Which) {
  const heading = useId();
  const { data, error } = useQuery(batchesQuery(which));
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
      <h2 id={heading}>
        {count(total, 'batch', 'batches')}
        {which.show === 'waiting' && ' waiting'}
      </h2>
      {total > SHOWN && <p>The newest {SHOWN} are shown.</p>}
      <ul className={classes.rows} aria-label="Batches, newest first">
        {data.items.map((batch) => (
          <Row key={batch.id} batch={batch} />
        ))}
      </ul>
    </section>
  );
}

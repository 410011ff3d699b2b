import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { deliveriesExport } from './webhooks-csv.ts';
import { Alert, Button, Select, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from '../../../shared/send/send.module.css';
import { deliveriesQuery, DELIVERIES_PER_PAGE, KINDS, type Delivery, type DeliveryState } from './webhooks-api.ts';

const STATES: readonly { value: DeliveryState; label: string; tone?: 'good' | 'doubt' | 'bad' }[] = [
  { value: 'waiting', label: 'Waiting', tone: 'doubt' },
  { value: 'delivered', label: 'Delivered', tone: 'good' },
  { value: 'rejected', label: 'Rejected (406)', tone: 'bad' },
  { value: 'failed', label: 'Failed', tone: 'bad' },
  { value: 'canceled', label: 'Canceled' },
];

function useReplay() {
  const queries = useQueryClient();
  const done = (): Promise<void> => queries.invalidateQueries({ queryKey: ['webhook-deliveries'] });
  const guarded = async (work: () => Promise<string>): Promise<void> => {
    try {
      tell({ message: await work() });
    } catch (error) {
      tell({ color: 'red', title: 'Nothing was sent again', message: sentenceOf(error) });
    }
    await done();
  };
  return {
    one: (id: string) =>
      guarded(async () => {
        await api.call('POST /v1/galley/webhooks/deliveries/{delivery_id}/replay', { path: { delivery_id: id } });
        return 'The event is sent again.';
      }),
    failed: () =>
      guarded(async () => {
        const { replayed, left } = await api.call('POST /v1/galley/webhooks/deliveries/replay', {
          body: { state: 'failed' },
        });
        if (replayed === 0) return 'No failed event is left to send again.';
        return `${count(replayed, 'event')} sent again${left > 0 ? `; ${left} more failed: replay again` : ''}.`;
      }),
  };
}

function Row({ delivery, onReplay }: { delivery: Delivery; onReplay: ((id: string) => void) | undefined }) {
  const { id, url, event_type: kind, state, is_test: isTest, attempts, replay_of: replayOf } = delivery;
  const last = attempts.at(-1);
  const { label, tone } = STATES.find(({ value }) => value === state)!;
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{KINDS.find((one) => one.kind === kind)?.label}</bdi>
        <span className={classes.facts}>
          <Chip tone={tone}>{label}</Chip>
          {isTest && <Chip tone={undefined}>test</Chip>}
          {replayOf && <Chip tone={undefined}>replay</Chip>}
          <bdi>{url}</bdi>
          <When at={new Date(delivery.created_at)} />
          {attempts.length > 1 && <span>{count(attempts.length, 'attempt')}</span>}
        </span>
        {last && (
          <p className={classes.stepAbout}>
            {last.message} {last.took_ms} ms.
            {delivery.next_attempt_at && (
              <>
                {' '}
                Next attempt <Ago at={new Date(delivery.next_attempt_at)} />.
              </>
            )}
          </p>
        )}
        {last && last.answer !== '' && <code className={classes.reply}>{last.answer.slice(0, 200)}</code>}
      </div>
      {onReplay && state !== 'waiting' && !isTest && (
        <span className={classes.actions}>
          <Button size="compact-xs" variant="default" aria-label={`Replay ${id}`} onClick={() => onReplay(id)}>
            Replay
          </Button>
        </span>
      )}
    </li>
  );
}

/** What was sent, how it was answered, and replays. */
export function DeliveryLog() {
  const { canWrite } = useRole('webhooks');
  const [state, setState] = useState<DeliveryState | null>(null);
  /** The last ids of the pages before this one. */
  const [before, setBefore] = useState<string[]>([]);
  const { data, error, isPending } = useQuery(deliveriesQuery({ state, before: before.at(-1) }));
  const replay = useReplay();
  const items = data?.items ?? [];
  const page = before.length + 1;
  const turn = (to: number): void =>
    setBefore(to > page ? [...before, items.at(-1)?.id ?? ''] : before.slice(0, Math.max(0, to - 1)));
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries" className={classes.part}>
        Deliveries of the last 7 days
      </h2>
      <div className={classes.search}>
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          w={180}
          value={state}
          data={STATES.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => (setState(value), setBefore([]))}
        />
        {canWrite && (
          <Button size="xs" variant="default" onClick={() => void replay.failed()}>
            Replay failed events
          </Button>
        )}
      </div>
      {error && (
        <Alert color="red" mb="md" title="The deliveries could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && items.length === 0 && (
        <Notice title="No deliveries">Each event that is posted is listed here with the answer.</Notice>
      )}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Deliveries, newest first">
          {items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} onReplay={canWrite ? (id) => void replay.one(id) : undefined} />
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <p className={classes.listFile}>
          <CsvButtons of="deliveries" size="compact-xs" name="webhook-deliveries" {...deliveriesExport(state)} />
        </p>
      )}
      <Paging page={page} hasNext={items.length === DELIVERIES_PER_PAGE} onPage={turn} />
    </section>
  );
}

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
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import classes from '../../../shared/send/send.module.css';
import { deliveriesQuery, DELIVERIES_PER_PAGE, type Delivery, type DeliveryState } from './routes-api.ts';
import { deliveriesExport } from './routes-csv.ts';
import own from './routes.module.css';

const STATES: readonly { value: DeliveryState; label: string; tone: 'good' | 'doubt' | 'bad' }[] = [
  { value: 'waiting', label: 'Waiting', tone: 'doubt' },
  { value: 'delivered', label: 'Done', tone: 'good' },
  { value: 'rejected', label: 'Rejected (406)', tone: 'bad' },
  { value: 'failed', label: 'Failed', tone: 'bad' },
];

const DOES: Readonly<Record<Delivery['does'], string>> = {
  forward_url: 'posted to',
  forward_address: 'forwarded to',
  notify: 'notified',
};

function useRetry(): (id: string) => Promise<void> {
  const queries = useQueryClient();
  return async (id) => {
    try {
      await api.call('POST /v1/galley/routes/deliveries/{delivery_id}/retry', { path: { delivery_id: id } });
      tell({ message: 'It is tried again now.' });
    } catch (error) {
      tell({ color: 'red', title: 'It was not tried again', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['route-deliveries'] });
  };
}

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length < 2) return null;
  return (
    <details>
      <summary className={classes.stepAbout}>{count(attempts.length, 'attempt')}</summary>
      <ol className={own.found}>
        {attempts.map(({ at, message, took_ms: tookMs }, place) => (
          <li key={place} className={classes.stepAbout}>
            <When at={new Date(at)} />: {message} {tookMs} ms.
          </li>
        ))}
      </ol>
    </details>
  );
}

function Row({ delivery, onRetry }: { delivery: Delivery; onRetry: ((id: string) => void) | undefined }) {
  const { id, recipient, does, target, state, attempts } = delivery;
  const last = attempts.at(-1);
  const { label, tone } = STATES.find(({ value }) => value === state)!;
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{recipient}</bdi>
        <span className={classes.facts}>
          <Chip tone={tone}>{label}</Chip>
          <span>
            {DOES[does]} <bdi>{target}</bdi>
          </span>
          <When at={new Date(delivery.created_at)} />
        </span>
        <p className={classes.stepAbout}>
          {last ? `${last.message} ${last.took_ms} ms.` : 'It was not tried so far.'}
          {delivery.next_attempt_at && (
            <>
              {' '}
              Next attempt <Ago at={new Date(delivery.next_attempt_at)} />.
            </>
          )}
        </p>
        {last && last.answer !== '' && <code className={classes.reply}>{last.answer.slice(0, 200)}</code>}
        <Attempts attempts={attempts} />
      </div>
      {onRetry && state !== 'delivered' && (
        <span className={classes.actions}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Try again: ${recipient}, ${target}`.slice(0, 120)}
            onClick={() => onRetry(id)}
          >
            Try again
          </Button>
        </span>
      )}
    </li>
  );
}

/** What became of messages that came in: where they went, how that was answered, and another try. */
export function DeliveryLog() {
  const { canWrite } = useRole('routes');
  const [state, setState] = useState<DeliveryState | null>(null);
  const [page, setPage] = useState(1);
  const { data, error, isPending } = useQuery(deliveriesQuery({ state, page }));
  const retry = useRetry();
  const items = data?.items ?? [];
  return (
    <section aria-labelledby="route-deliveries">
      <h2 id="route-deliveries" className={classes.part}>
        What became of messages
      </h2>
      <div className={classes.search}>
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          w={180}
          value={state}
          data={STATES.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => (setState(value), setPage(1))}
        />
        {items.length > 0 && (
          <CsvButtons of="deliveries" size="compact-xs" name="route-deliveries" {...deliveriesExport(state)} />
        )}
      </div>
      {error && (
        <Alert color="red" mb="md" title="The list could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && items.length === 0 && (
        <Notice title={state ? 'None in this state' : 'Nothing came in so far'}>
          Each message that a route posts or forwards is listed here with the answer, for as long as it is kept.
        </Notice>
      )}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Deliveries, newest first">
          {items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} onRetry={canWrite ? (id) => void retry(id) : undefined} />
          ))}
        </ul>
      )}
      <Paging page={page} hasNext={(data?.total_count ?? 0) > page * DELIVERIES_PER_PAGE} onPage={setPage} />
    </section>
  );
}

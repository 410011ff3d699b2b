import { Alert, Button, Select, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { SearchIcon } from '../../../ground/brand/icons.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { count, figure, nameBySubject } from '../../../ground/words.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import { useQueueActions } from '../../../shared/send/queue-actions.ts';
import { QUEUED_PER_PAGE, queuedQuery, queueQuery, type QueueDelivery } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';
import { queueExport } from './queue-csv.ts';
import type { QueueSearch } from './queue-search.ts';

const STATES = {
  due: { label: 'due', tone: undefined },
  scheduled: { label: 'scheduled', tone: undefined },
  deferred: { label: 'deferred', tone: 'doubt' },
  held: { label: 'held', tone: 'doubt' },
} as const;

function Destinations() {
  const { data } = useQuery(queueQuery);
  if (!data || data.destinations.length === 0) return null;
  return (
    <section aria-label="By destination">
      <h2 className={classes.part}>By destination</h2>
      <Sideways label="What waits, by destination" minWidth={640}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Destination</th>
              <th scope="col">Waiting</th>
              <th scope="col">Next attempt</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {data.destinations.map(({ destination, waiting, next_attempt_at: next, reason }) => (
              <tr key={destination}>
                <td>
                  <Link to="/queue" search={{ destination }} className={mailClasses.link}>
                    <bdi>{destination}</bdi>
                  </Link>
                </td>
                <td className={classes.number}>{figure(waiting)}</td>
                <td className={classes.number}>
                  <Ago at={new Date(next)} />
                </td>
                <td>
                  <bdi>{reason.slice(0, 400)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
    </section>
  );
}

function Row({ delivery }: { delivery: QueueDelivery }) {
  const { canWrite } = useRole('messages');
  const { recipient, domain, state, reason, attempts, message } = delivery;
  const subject = nameBySubject(message.subject);
  const { tryNow, askCancel } = useQueueActions(message.storage_key);
  const { label, tone } = STATES[state];
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <Link
          to="/messages/$domain/$storageKey"
          params={{ domain, storageKey: message.storage_key }}
          search={{ id: message.id.replace(/^<(.*)>$/, '$1') }}
          className={classes.open}
        >
          <bdi className={classes.subject}>{subject}</bdi>
        </Link>
        <span className={classes.facts}>
          <Chip tone={tone}>{label}</Chip>
          <bdi>to {recipient}</bdi>
          <span>from {domain}</span>
          {attempts > 0 && <span>{count(attempts, 'attempt')}</span>}
        </span>
        <p className={classes.stepAbout}>
          <bdi>{reason.slice(0, 400)}</bdi>{' '}
          {delivery.held_until === undefined ? (
            <>
              Next attempt <Ago at={new Date(delivery.next_attempt_at)} />, given up{' '}
              <When at={new Date(delivery.give_up_at)} />.
            </>
          ) : (
            <>
              It is dropped <When at={new Date(delivery.held_until)} /> if nobody decides.
            </>
          )}
        </p>
      </div>
      {canWrite && (
        <span className={classes.actions}>
          {state === 'deferred' && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Try now: ${subject.slice(0, 80)}`}
              onClick={() => void tryNow()}
            >
              Try now
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Cancel: ${subject.slice(0, 80)}`}
            onClick={() => askCancel(subject)}
          >
            Cancel
          </Button>
        </span>
      )}
    </li>
  );
}

interface FiltersProps {
  search: QueueSearch;
  change: (changes: { [Name in keyof QueueSearch]: QueueSearch[Name] | undefined }) => void;
}

function Filters({ search, change }: FiltersProps) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const [text, setText] = useState(search.recipient ?? '');
  const box = useRef<HTMLInputElement>(null);
  const changeLater = useDebouncedCallback(change, 300);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <form className={classes.search} role="search" aria-label="Queue" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        ref={box}
        className={classes.text}
        type="search"
        aria-label="Search recipients"
        placeholder="Part of the recipient"
        leftSection={<SearchIcon />}
        value={text}
        maxLength={320}
        onChange={(event) => (
          setText(event.currentTarget.value),
          changeLater({ recipient: event.currentTarget.value })
        )}
      />
      <Select
        aria-label="Sending domain"
        placeholder="Any domain"
        clearable
        searchable
        w={200}
        value={search.domain ?? null}
        data={domains.map(({ name }) => name)}
        onChange={(domain) => change({ domain: domain ?? undefined })}
      />
      {search.destination && (
        <Button variant="default" size="xs" onClick={() => change({ destination: undefined })}>
          To {search.destination}: show all
        </Button>
      )}
    </form>
  );
}

function Deliveries({ search, change }: FiltersProps) {
  const { page = 1 } = search;
  const { data, error, isPending } = useQuery(queuedQuery(search));
  return (
    <section aria-label="Deliveries">
      {error && (
        <Alert color="red" mb="md" title="The queue could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && (
        <p className={classes.counted} role="status">
          {data.meta.is_bound && 'At least '}
          {data.meta.count === 0
            ? 'Nothing waits that matches'
            : `${count(data.meta.count, 'delivery', 'deliveries')} waiting`}
        </p>
      )}
      {data && data.items.length > 0 && (
        <ul className={classes.rows} aria-label="Deliveries, next first">
          {data.items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {data && (
        <Paging
          page={page}
          hasNext={data.meta.count > page * QUEUED_PER_PAGE}
          onPage={(to) => change({ page: to > 1 ? to : undefined })}
        />
      )}
    </section>
  );
}

/** What waits, for whom, why and until when. */
export function QueuePage() {
  const search = useSearch({ from: '/shell/queue' });
  const navigate = useNavigate();
  const { data } = useQuery(queueQuery);
  const change: FiltersProps['change'] = (changes) => {
    const next = Object.fromEntries(
      Object.entries({ ...search, page: undefined, ...changes }).filter(([, value]) => value),
    );
    void navigate({ to: '/queue', search: next, replace: true });
  };
  const isEmpty = data?.waiting === 0 && Object.keys(search).length === 0;
  return (
    <>
      <PageHead title="Queue" lead={<ModeNote />}>
        {!isEmpty && <CsvButtons of="the queue" name="queue" {...queueExport(search)} />}
      </PageHead>
      {isEmpty ? (
        <Notice
          title="Nothing waits"
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/messages" {...props} />}>
              Messages
            </Button>
          }
        >
          {data.in_delivery > 0
            ? `${count(data.in_delivery, 'delivery is', 'deliveries are')} under way at this moment.`
            : 'Scheduled messages, and those that a receiver did not take yet, are listed here until they are delivered.'}
        </Notice>
      ) : (
        <>
          <Destinations />
          <h2 className={classes.part}>Deliveries</h2>
          <Filters search={search} change={change} />
          <Deliveries search={search} change={change} />
        </>
      )}
    </>
  );
}

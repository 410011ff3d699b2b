import { Alert, Button, NativeSelect, Select, Skeleton } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { count, nameBySubject } from '../../../ground/words.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { Batches, batchesQuery } from '../../../shared/send/batches.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { GatedActions, GatedReason, type Gated } from '../../../shared/send/gated.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import classes from '../../../shared/send/send.module.css';
import { heldExport, queryOf } from './held-csv.ts';
import type { HeldSearch } from './held-search.ts';

const PER_PAGE = 50;
const POLL_MS = 5000;

const STATES = {
  sent: { label: 'sent', tone: undefined },
  checking: { label: 'checking', tone: undefined },
  held: { label: 'held', tone: 'doubt' },
  passed: { label: 'passed', tone: 'good' },
  released: { label: 'released', tone: 'good' },
  dropped: { label: 'dropped', tone: 'bad' },
  refused: { label: 'refused', tone: 'bad' },
  expired: { label: 'dropped after 48 hours', tone: 'bad' },
} as const;

function heldQuery(search: HeldSearch) {
  const { page = 1 } = search;
  const query = { ...queryOf(search), limit: PER_PAGE, skip: (page - 1) * PER_PAGE };
  return queryOptions({
    queryKey: ['gated', 'list', query],
    queryFn: ({ signal }) => api.call('GET /v1/galley/gate/messages', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => pollMs(asked, () => true, POLL_MS),
  });
}

function Row({ gated }: { gated: Gated }) {
  const { message, domain, state, recipients, created_at: at, mode } = gated;
  const subject = nameBySubject(message.subject);
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
          <bdi>{message.from}</bdi>
          <span>to {count(recipients, 'recipient')}</span>
          <span>domain {domain}</span>
          <span>mode {mode}</span>
          <Ago at={new Date(at)} />
        </span>
        <p className={classes.stepAbout}>
          <GatedReason gated={gated} />
        </p>
      </div>
      <GatedActions gated={gated} subject={subject} />
    </li>
  );
}

function Filters({ search, change }: { search: HeldSearch; change: (next: HeldSearch) => void }) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const { show, domain } = search;
  return (
    <form className={classes.search} role="search" aria-label="Messages" onSubmit={(event) => event.preventDefault()}>
      <NativeSelect
        aria-label="Which messages"
        w={240}
        value={show ?? 'waiting'}
        data={[
          { value: 'waiting', label: 'Waiting' },
          { value: 'all', label: 'All that the gate looked at' },
        ]}
        onChange={(event) =>
          change({ ...(event.currentTarget.value === 'all' && { show: 'all' }), ...(domain && { domain }) })
        }
      />
      <Select
        aria-label="Sending domain"
        placeholder="Any domain"
        clearable
        searchable
        w={240}
        value={domain ?? null}
        data={domains.map(({ name }) => name)}
        onChange={(chosen) => change({ ...(show && { show }), ...(chosen && { domain: chosen }) })}
      />
    </form>
  );
}

function Empty({ search: { show, domain } }: { search: HeldSearch }) {
  return (
    <Notice
      title={
        (show === 'all' ? 'The gate has looked at no message' : 'Nothing is held') + (domain ? ` of ${domain}` : '')
      }
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
          Sending domains
        </Button>
      }
    >
      The page of a sending domain says whether the gate checks its messages before they leave, and whether those that
      fail are held here.
    </Notice>
  );
}

/** What the gate holds, and what it looked at. */
export function HeldPage() {
  const search = useSearch({ from: '/shell/held' });
  const navigate = useNavigate();
  const { page = 1, show } = search;
  const { data, error, isPending } = useQuery(heldQuery(search));
  const go = (next: HeldSearch): void => void navigate({ to: '/held', search: next, replace: true });
  const { data: batches } = useQuery(batchesQuery({ domain: search.domain, show: 'waiting' }));
  const total = data?.meta.count ?? 0;
  const isEmpty = total === 0 && batches?.meta.count === 0;
  return (
    <>
      <PageHead title="Held messages" lead={<ModeNote />}>
        {total > 0 && <CsvButtons of="held messages" name="held-messages" {...heldExport(search)} />}
      </PageHead>
      <Filters search={search} change={go} />
      {error && (
        <Alert color="red" mb="md" title="The messages could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      <Batches domain={search.domain} show="waiting" />
      {isPending && <Skeleton height={90} />}
      {data && isEmpty && <Empty search={search} />}
      {data && total > 0 && (
        <>
          <p className={classes.counted} role="status">
            {count(total, 'message')} {show === 'all' ? 'looked at' : 'waiting'}
          </p>
          <ul className={classes.rows} aria-label="Messages, newest first">
            {data.items.map((gated) => (
              <Row key={gated.message.storage_key} gated={gated} />
            ))}
          </ul>
          <Paging
            page={page}
            hasNext={total > page * PER_PAGE}
            onPage={(to) => {
              const { page: _page, ...rest } = search;
              go({ ...rest, ...(to > 1 && { page: to }) });
            }}
          />
        </>
      )}
    </>
  );
}

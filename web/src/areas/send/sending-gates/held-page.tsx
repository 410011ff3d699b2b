import { Alert, Button, NativeSelect, Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { count, nameBySubject } from '../../../ground/words.ts';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { GatedActions, GatedReason, type Gated } from '../../../shared/send/gated.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import classes from '../../../shared/send/send.module.css';
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

function heldQuery({ show, page = 1 }: HeldSearch) {
  return queryOptions({
    queryKey: ['gated', 'list', show ?? 'waiting', page],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/gate/messages',
        { query: { ...(show !== 'all' && { state: 'waiting' }), limit: PER_PAGE, skip: (page - 1) * PER_PAGE } },
        { signal },
      ),
    refetchInterval: (query) => pollMs(query, () => true, POLL_MS),
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

/** What the gate holds, and what it looked at. */
export function HeldPage() {
  const search = useSearch({ from: '/shell/held' });
  const navigate = useNavigate();
  const { page = 1, show = 'waiting' } = search;
  const { data, error, isPending } = useQuery(heldQuery(search));
  const go = (next: HeldSearch): void => void navigate({ to: '/held', search: next, replace: true });
  return (
    <>
      <PageHead title="Held messages" lead={<ModeNote />}>
        <NativeSelect
          aria-label="Which messages"
          size="xs"
          value={show}
          data={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'all', label: 'All that the gate checked' },
          ]}
          onChange={(event) => go(event.currentTarget.value === 'all' ? { show: 'all' } : {})}
        />
      </PageHead>
      {error && (
        <Alert color="red" mb="md" title="The messages could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data?.items.length === 0 && (
        <Notice
          title={show === 'all' ? 'The gate has checked no message' : 'Nothing is held'}
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
              Domains
            </Button>
          }
        >
          Each domain says whether the gate checks its messages before they leave, and holds those that fail.
        </Notice>
      )}
      {data && data.items.length > 0 && (
        <>
          <p className={classes.counted} role="status">
            {count(data.meta.count, 'message')} {show === 'all' ? 'checked' : 'waiting'}
          </p>
          <ul className={classes.rows} aria-label="Messages, newest first">
            {data.items.map((gated) => (
              <Row key={gated.message.storage_key} gated={gated} />
            ))}
          </ul>
        </>
      )}
      {data && (
        <Paging
          page={page}
          hasNext={data.meta.count > page * PER_PAGE}
          onPage={(to) => go({ ...(show === 'all' && { show }), ...(to > 1 && { page: to }) })}
        />
      )}
    </>
  );
}

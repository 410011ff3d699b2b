import { Alert, Button, NativeSelect, Select, Skeleton, Switch } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { clientsQuery, sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { count } from '../../../ground/words.ts';
import { CaptureRow } from '../../../shared/captures/capture-row.tsx';
import {
  CAPTURES_PER_PAGE,
  capturesQuery,
  type CapturesSearch,
  type CaptureState,
} from '../../../shared/captures/captures-api.ts';
import { Paging } from '../../../shared/mail/paging.tsx';
import classes from '../../../shared/send/send.module.css';

function Filters({ search, change }: { search: CapturesSearch; change: (next: CapturesSearch) => void }) {
  const { data: clients = {} } = useQuery(clientsQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { page: _page, ...filters } = search;
  return (
    <form className={classes.search} role="search" aria-label="Captures" onSubmit={(event) => event.preventDefault()}>
      <Select
        aria-label="Client"
        placeholder="Any client"
        clearable
        searchable
        w={260}
        value={search.client ?? null}
        data={Object.values(clients).map(({ id, display_name: label }) => ({ value: id, label }))}
        onChange={(chosen) => {
          const { client: _client, ...rest } = filters;
          change({ ...rest, ...(chosen && { client: chosen }) });
        }}
      />
      <NativeSelect
        aria-label="State"
        w={200}
        value={search.state ?? ''}
        data={[
          { value: '', label: 'Any state' },
          { value: 'waiting', label: 'Waiting' },
          { value: 'accepted', label: 'Accepted' },
          { value: 'rejected', label: 'Rejected' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const { state: _state, ...rest } = filters;
          change({ ...rest, ...(value && { state: value as CaptureState }) });
        }}
      />
      {session.is_operator && (
        <Switch
          label="All accounts"
          checked={search.accounts === 'all'}
          onChange={({ currentTarget: { checked } }) => {
            const { accounts: _accounts, ...rest } = filters;
            change({ ...rest, ...(checked && { accounts: 'all' as const }) });
          }}
        />
      )}
    </form>
  );
}

/** Pictures of real clients over all tests, newest first. */
export function CapturesPage() {
  const search = useSearch({ from: '/shell/captures' });
  const { page = 1 } = search;
  const navigate = useNavigate();
  const { data, error, isPending } = useQuery(capturesQuery(search));
  const { data: clients = {} } = useQuery(clientsQuery);
  const total = data?.meta.count ?? 0;
  const go = (next: CapturesSearch): void => void navigate({ to: '/captures', search: next, replace: true });
  return (
    <>
      <PageHead
        title="Captures"
        lead="Pictures of messages in real clients, each held against the preview. None changes a preview."
      />
      <Filters search={search} change={go} />
      {error && (
        <Alert color="red" mb="md" title="The captures could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && total === 0 && (
        <Notice
          title="No captures"
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/previews" {...props} />}>
              All tests
            </Button>
          }
        >
          Open a picture of a test, and choose “My client shows this” to upload what the real client shows.
        </Notice>
      )}
      {data && total > 0 && (
        <>
          <p className={classes.counted} role="status">
            {count(total, 'capture')}
          </p>
          <ul className={classes.rows} aria-label="Captures, newest first">
            {data.items.map((capture) => (
              <CaptureRow
                key={capture.id}
                capture={capture}
                clientName={clients[capture.client]?.display_name ?? capture.client}
              />
            ))}
          </ul>
          <Paging
            page={page}
            hasNext={total > page * CAPTURES_PER_PAGE}
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

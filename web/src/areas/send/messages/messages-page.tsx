import { Alert, Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { SavedViews } from '../../../ground/lists/saved-views.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { count } from '../../../ground/words.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { EventRow } from './event-row.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import { EVENTS_PER_PAGE, readEvents, totalsQuery, type LogsBody } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';
import { eventsExport } from './messages-csv.ts';
import { bodyOf } from './messages-query.ts';
import { DAYS, isSearched, type MessagesSearch } from './messages-search.ts';
import { SearchForm } from './search-form.tsx';
import { TAIL_MAX, useLiveTail } from './use-live-tail.ts';

/** Pages of events, newest first, one behind the other. */
function useEvents(body: LogsBody) {
  const pages = useInfiniteQuery({
    queryKey: ['send-events', body],
    queryFn: ({ pageParam, signal }) => readEvents(body, { sort: 'desc', token: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    // The end answers its own place again; a page that ended early answers where it goes on.
    getNextPageParam: ({ items, pagination }, _all, asked) =>
      items.length === 0 && (asked === undefined || pagination.next === asked) ? undefined : pagination.next,
    placeholderData: keepPreviousData,
  });
  const found = pages.data?.pages ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  // A page that is not full is the last, or one that took long to look for: the next says which.
  const isOpen = (found.at(-1)?.items.length ?? EVENTS_PER_PAGE) < EVENTS_PER_PAGE;
  useEffect(() => {
    if (isOpen && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isOpen, hasNextPage, isFetching, isError, fetchNextPage]);
  return { ...pages, items: found.flatMap(({ items }) => items), hasMore: hasNextPage };
}

function Counted({ body, search }: { body: LogsBody; search: MessagesSearch }) {
  const { data } = useQuery(totalsQuery(body));
  if (!data) return null;
  const range = search.from || search.to ? 'in these dates' : `in the last ${DAYS} days`;
  return (
    <p className={classes.counted} role="status">
      <span>
        {data.isBound && 'At least '}
        {count(data.total, 'event')} {range}
      </span>
    </p>
  );
}

function Live({ body }: { body: LogsBody }) {
  const { events, error } = useLiveTail(body, true);
  return (
    <section aria-label="Live">
      <p className={classes.counted} role="status">
        {events.length === 0
          ? 'Waiting for events. They appear two seconds after they happen.'
          : events.length < TAIL_MAX
            ? `${count(events.length, 'event')} since you switched this on`
            : `The newest ${count(TAIL_MAX, 'event')}; older ones are no longer shown here`}
      </p>
      {error !== undefined && (
        <Alert mb="md" title="The connection was lost">
          {sentenceOf(error)} It goes on by itself.
        </Alert>
      )}
      <ul className={classes.rows} aria-label="Events, newest first">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </section>
  );
}

function Empty({ search }: { search: MessagesSearch }) {
  if (isSearched(search))
    return (
      <Notice
        title="No events match"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/messages" search={{}} {...props} />}>
            All events
          </Button>
        }
      >
        {search.from || search.to
          ? 'Nothing in these dates matches.'
          : `Nothing of the last ${DAYS} days matches. Choose dates to look further back.`}
      </Notice>
    );
  return (
    <Notice
      title="Send your first message"
      action={
        <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/messages/new" {...props} />}>
          Send a test
        </Button>
      }
    >
      Nothing was sent in the last {DAYS} days. Send a message from here, or from your program with{' '}
      <code>POST /v3/your-domain/messages</code>, and see here what becomes of it.
    </Notice>
  );
}

function Earlier({ body, search }: { body: LogsBody; search: MessagesSearch }) {
  const events = useEvents(body);
  const { items } = events;
  return (
    <>
      {events.error && (
        <Alert color="red" mb="md" title="The events could not be loaded">
          {sentenceOf(events.error)}
        </Alert>
      )}
      {events.isPending && <Skeleton height={90} />}
      {items.length > 0 && <Counted body={body} search={search} />}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Events, newest first">
          {items.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {events.data && items.length === 0 && !events.hasMore && <Empty search={search} />}
      {events.hasMore && (
        <div className={classes.more}>
          <Button
            variant="default"
            size="xs"
            loading={events.isFetchingNextPage}
            onClick={() => void events.fetchNextPage()}
          >
            Show older
          </Button>
        </div>
      )}
    </>
  );
}

/** What happened to messages, newest first. */
export function MessagesPage() {
  const search = useSearch({ from: '/shell/messages' });
  const body = useMemo(() => bodyOf(search), [search]);
  const navigate = useNavigate();
  const { live: isLive = false, ...said } = search;
  const onLive = (live: boolean): void =>
    void navigate({ to: '/messages', search: { ...said, ...(live && { live }) }, replace: true });
  return (
    <>
      <PageHead title="Messages" lead={<ModeNote />}>
        <CsvButtons of="events" name="events" {...eventsExport(body)} />
      </PageHead>
      <SearchForm search={search} isLive={isLive} onLive={onLive} />
      <SavedViews list="messages" to="/messages" search={search} />
      {isLive ? <Live body={body} /> : <Earlier body={body} search={search} />}
    </>
  );
}

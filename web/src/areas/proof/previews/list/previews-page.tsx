import { Alert, Button, Group, Select, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ArrowLeftIcon, ArrowRightIcon, PlusIcon, SearchIcon } from '../../../../ground/brand/icons.tsx';
import { api, sentenceOf, TESTS_PER_PAGE, testsQuery, type TestSummary } from '../../../../ground/api.ts';
import { ListBar } from '../../../../ground/lists/list-bar.tsx';
import { SavedViews } from '../../../../ground/lists/saved-views.tsx';
import { useRows, type Rows } from '../../../../ground/lists/use-rows.ts';
import { pollMs } from '../../../../ground/polling.ts';
import { Notice, PageHead } from '../../../../ground/shell/page.tsx';
import { useRole } from '../../../../ground/shell/role.ts';
import { useShortcuts } from '../../../../ground/shell/shortcuts.ts';
import { day, fromUnix } from '../../../../ground/words.ts';
import { AddressCard } from '../../../../shared/proof/address-card.tsx';
import { DateRange } from '../../../../ground/shell/date-range.tsx';
import classes from './previews-page.module.css';
import { TestRow } from './test-row.tsx';
import { isSearched, queryOf, SEARCHED, type Searched, type TestsSearch } from './tests-search.ts';

/** New tests come by mail and from programs, too. */
const LIST_POLL_MS = 15_000;
/** While pictures of a listed test are being made. */
const UNDER_WAY_POLL_MS = 2000;

const FIELD_NAMES: Record<Searched, string> = {
  subject: 'Subject',
  reference_id: 'Reference ID',
  customer_id: 'Customer ID',
};

function SearchForm({ search }: { search: TestsSearch }) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  const box = useRef<HTMLInputElement>(null);
  const change = (changes: { [Name in keyof TestsSearch]: TestsSearch[Name] | undefined }): void => {
    const next = Object.fromEntries(
      Object.entries({ ...search, page: undefined, ...changes }).filter(([, value]) => value),
    );
    void navigate({ to: '/previews', search: next, replace: true });
  };
  const changeLater = useDebouncedCallback(change, 250);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <form className={classes.search} role="search" aria-label="Tests" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        ref={box}
        className={classes.text}
        type="search"
        aria-label="Search tests"
        placeholder={search.by ? 'Full ID' : 'Search subjects'}
        leftSection={<SearchIcon />}
        value={text}
        onChange={(event) => (setText(event.currentTarget.value), changeLater({ q: event.currentTarget.value }))}
      />
      <Select
        aria-label="Search in"
        w={140}
        allowDeselect={false}
        value={search.by ?? 'subject'}
        data={SEARCHED.map((value) => ({ value, label: FIELD_NAMES[value] }))}
        onChange={(by) => change({ by: by as Searched })}
      />
      <DateRange search={search} change={change} />
      {isSearched(search) && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => (setText(''), void navigate({ to: '/previews', search: {} }))}
        >
          Clear
        </Button>
      )}
    </form>
  );
}

function Paging({ search, hasNext }: { search: TestsSearch; hasNext: boolean }) {
  const { page = 1 } = search;
  if (page === 1 && !hasNext) return null;
  const link = (to: number) => (props: object) => (
    <Link to="/previews" search={{ ...search, ...(to > 1 ? { page: to } : { page: undefined as never }) }} {...props} />
  );
  return (
    <Group component="nav" aria-label="Pages" justify="center" mt={36} gap="lg">
      {page > 1 && (
        <Button variant="default" size="xs" leftSection={<ArrowLeftIcon />} renderRoot={link(page - 1)}>
          Newer
        </Button>
      )}
      <span className="dim">Page {page}</span>
      {hasNext && (
        <Button variant="default" size="xs" rightSection={<ArrowRightIcon />} renderRoot={link(page + 1)}>
          Older
        </Button>
      )}
    </Group>
  );
}

const deletion = {
  one: 'test',
  many: 'tests',
  remove: (id: string) => api.call('DELETE /v2/preview/tests/{test_id}', { path: { test_id: id } }),
  queryKey: ['tests'],
};

function isUnderWay({ clients }: TestSummary): boolean {
  return clients.processing > 0;
}

/** Tests under the day they were made. */
function Days({ rows }: { rows: Rows<TestSummary> }) {
  const days = Map.groupBy(rows.shown, (test) => day(fromUnix(test.date)));
  const today = day(new Date());
  return [...days].map(([date, members]) => (
    <section key={date} className={classes.day} aria-label={date}>
      <h2 className={classes.date}>{date === today ? 'Today' : date}</h2>
      <ul className={classes.list}>
        {members.map((test) => (
          <TestRow key={test.id} test={test} rows={rows} />
        ))}
      </ul>
    </section>
  ));
}

function Empty({ search }: { search: TestsSearch }) {
  if (isSearched(search) || search.page)
    return (
      <Notice
        title="No tests match"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/previews" search={{}} {...props} />}>
            All tests
          </Button>
        }
      >
        {search.by ? `Enter the full ${FIELD_NAMES[search.by]}.` : 'No subject matches in this date range.'}
      </Notice>
    );
  return (
    <>
      <Notice
        title="Preview your first email"
        action={
          <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/new" {...props} />}>
            New test
          </Button>
        }
      >
        Paste an email, drop a file or enter a web address, and see it in Gmail, Outlook, Apple Mail and dozens of other
        clients, in light and dark mode.
      </Notice>
      <AddressCard />
    </>
  );
}

/** Earlier tests, newest first. */
export function PreviewsPage() {
  const search = useSearch({ from: '/shell/previews' });
  const tests = useQuery({
    ...testsQuery(queryOf(search)),
    refetchInterval: (query) =>
      pollMs(query, () => true, query.state.data?.items.some(isUnderWay) ? UNDER_WAY_POLL_MS : LIST_POLL_MS),
  });
  const items = tests.data?.items ?? [];
  const { canWrite } = useRole();
  const rows = useRows({ items, idOf: ({ id }) => id, deletion: canWrite ? deletion : undefined });
  const isEmpty = tests.data?.items.length === 0;
  const isFirst = isEmpty && !isSearched(search) && !search.page;
  return (
    <>
      <PageHead title="Tests" lead={isFirst ? undefined : 'All preview tests'} />
      {!isFirst && <SearchForm search={search} />}
      {!isFirst && <SavedViews list="preview-tests" to="/previews" search={search} />}
      {tests.error && (
        <Alert color="red" title="The tests could not be loaded">
          {sentenceOf(tests.error)}
        </Alert>
      )}
      {tests.isPending && <Skeleton height={90} mt={30} />}
      {isEmpty && <Empty search={search} />}
      {tests.data && !isEmpty && (
        <div ref={rows.list} data-stale={tests.isPlaceholderData || undefined} className={classes.days}>
          <ListBar rows={rows} one="test" total={tests.data.meta.count} />
          <Days rows={rows} />
          <Paging search={search} hasNext={tests.data.meta.count > (search.page ?? 1) * TESTS_PER_PAGE} />
        </div>
      )}
    </>
  );
}

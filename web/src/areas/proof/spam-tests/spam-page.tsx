import { ActionIcon, Alert, Button, Select, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ListBar, RowCheck } from '../../../ground/lists/list-bar.tsx';
import { SavedViews } from '../../../ground/lists/saved-views.tsx';
import { useRows, type Rows } from '../../../ground/lists/use-rows.ts';
import {
  isUnderWay,
  PER_PAGE,
  spamTestsQuery,
  type SpamSearch,
  type SpamTestSummary,
} from '../../../shared/mail/mail-api.ts';
import classes from '../../../shared/mail/mail.module.css';
import { countsOf, outcomeOfReceiver, PlacementBar } from '../../../shared/mail/outcome.tsx';
import { Paging } from '../../../shared/mail/paging.tsx';
import { TestState } from '../../../shared/mail/test-state.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { STATUSES } from './spam-search.ts';

const STATUS_NAMES = { processing: 'In progress', completed: 'Done', failed: 'Failed' };

const deletion = {
  one: 'spam test',
  many: 'spam tests',
  remove: (id: string) => api.call('DELETE /v1/inspect/spam/{spam_test_id}', { path: { spam_test_id: id } }),
  queryKey: ['spam-tests'],
};

function Row({ test, rows }: { test: SpamTestSummary; rows: Rows<SpamTestSummary> }) {
  const { id, name } = test;
  const results = [...(test.results?.b2c.results ?? []), ...(test.results?.b2b.results ?? [])];
  const passed = (test.results?.b2c.passed ?? 0) + (test.results?.b2b.passed ?? 0);
  return (
    <li className={classes.row} data-row={id} data-chosen={rows.chosen.has(id) || undefined}>
      <RowCheck rows={rows} id={id} name={name} />
      <Link to="/spam/$spamTestId" params={{ spamTestId: test.id }} className={classes.open}>
        <span>
          <span className={classes.subject}>{test.name}</span>
          <span className={classes.facts}>
            <When at={new Date(test.created_at)} />
            <span>{test.region}</span>
            {test.sending_ip && <span className="mono">as {test.sending_ip}</span>}
            {test.status !== 'completed' && <TestState status={test.status} />}
          </span>
        </span>
        {results.length > 0 && (
          <span className={classes.share}>
            <PlacementBar isSmall counts={countsOf(results.map(outcomeOfReceiver))} label="Placement" />
            <span>
              Inbox at {passed} of {count(results.length, 'provider')}
            </span>
          </span>
        )}
      </Link>
      {rows.canChoose && (
        <Tooltip label="Delete">
          <ActionIcon className={classes.delete} aria-label={`Delete ${test.name}`} onClick={() => rows.remove([id])}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Notice
        title="No tests match"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/spam" search={{}} {...props} />}>
            All spam tests
          </Button>
        }
      />
    );
  return (
    <Notice
      title="Test your first email for spam"
      action={
        <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/spam/new" {...props} />}>
          New spam test
        </Button>
      }
    >
      Paste an email or drop an .eml file. Galley sends it over SMTP to its own receivers and to your seed mailboxes,
      and shows where each one puts it, which rules match, and what to change.
    </Notice>
  );
}

/** Earlier spam tests, newest first. */
export function SpamPage() {
  const search = useSearch({ from: '/shell/spam' });
  const navigate = useNavigate();
  const tests = useQuery(spamTestsQuery(search));
  const isFiltered = Boolean(search.status || search.region || search.page);
  const change = (changes: SpamSearch): void => {
    const next = Object.fromEntries(
      Object.entries({ ...search, page: undefined, ...changes }).filter(([, value]) => value),
    );
    void navigate({ to: '/spam', search: next, replace: true });
  };
  const items = tests.data?.items ?? [];
  const { canWrite } = useRole();
  const rows = useRows({ items, idOf: ({ id }) => id, deletion: canWrite ? deletion : undefined });
  const isFirst = tests.data && items.length === 0 && !isFiltered;
  return (
    <>
      <PageHead
        title="Spam tests"
        lead={isFirst ? undefined : 'Where mailboxes put your message, and which words trigger spam filters.'}
      />
      {!isFirst && (
        <div className={reportClasses.filters} role="search" aria-label="Spam tests">
          <Select
            aria-label="Status"
            placeholder="Any status"
            clearable
            w={150}
            value={search.status ?? null}
            onChange={(status) => change({ status: (status ?? undefined) as SpamSearch['status'] })}
            data={STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))}
          />
          <Select
            aria-label="Region"
            placeholder="Any region"
            clearable
            w={150}
            value={search.region ?? null}
            onChange={(region) => change({ region: (region ?? undefined) as SpamSearch['region'] })}
            data={[
              { value: 'us1', label: 'us1, United States' },
              { value: 'eu1', label: 'eu1, Europe' },
            ]}
          />
        </div>
      )}
      <SavedViews list="spam-tests" to="/spam" search={search} />
      {tests.error && (
        <Alert color="red" title="The tests could not be loaded">
          {sentenceOf(tests.error)}
        </Alert>
      )}
      {tests.isPending && <Skeleton height={90} />}
      {tests.data && items.length === 0 && <Empty isFiltered={isFiltered} />}
      {items.length > 0 && (
        <>
          <ListBar rows={rows} one="spam test" total={tests.data?.meta.count} />
          <ul ref={rows.list} className={classes.rows} aria-label="Spam tests">
            {rows.shown.map((test) => (
              <Row key={test.id} test={test} rows={rows} />
            ))}
          </ul>
        </>
      )}
      {items.some(isUnderWay) && (
        <span className="visually-hidden" role="status">
          Some tests are in progress.
        </span>
      )}
      {tests.data && (
        <Paging
          page={search.page ?? 1}
          hasNext={items.length === PER_PAGE}
          onPage={(page) => change({ page: page > 1 ? page : undefined })}
        />
      )}
    </>
  );
}

import { Alert, Button, Group, Select, Skeleton, Switch, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { SearchIcon } from '../../../ground/brand/icons.tsx';
import { DownloadButton } from '../../../ground/shell/download-button.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import classes from './audit.module.css';

const PER_PAGE = 50;
const DAY_MS = 86_400_000;
const PERIODS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '', label: 'All entries kept' },
];

interface Search {
  text: string;
  who: string;
  days: string;
  withSubaccounts: boolean;
}

/** What the search asks for, as the list and the export take it. */
function queryOf({ text, who, days, withSubaccounts }: Search, now: number) {
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(who.trim() !== '' && { who: who.trim() }),
    ...(days !== '' && { start: new Date(now - Number(days) * DAY_MS).toISOString() }),
    include_subaccounts: withSubaccounts,
  };
}

const pageQuery = (search: Search, skip: number) => ({
  queryKey: ['audit', search, skip],
  queryFn: () =>
    api.call('GET /v1/audit', { query: { ...queryOf(search, Date.now()), limit: PER_PAGE, offset: skip } }),
  placeholderData: keepPreviousData,
});

type Entry = Awaited<ReturnType<ReturnType<typeof pageQuery>['queryFn']>>['items'][number];

/** `createDomain` as words. */
const wordsOf = (operation: string): string => {
  const words = operation
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bip\b/g, 'IP')
    .replaceAll(/\bsso\b/g, 'single sign-on');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const throughOf = ({ type, session_id: session }: Entry['actor']): string => {
  if (type === 'operator') return 'a command on the machine of the service';
  return session === null ? 'the API' : 'the dashboard';
};

function More({ entry }: { entry: Entry }) {
  const { actor, requestor } = entry;
  const role = actor.role === null ? '' : `, role ${actor.role}`;
  const facts: [name: string, value: ReactNode][] = [
    ['Request', <bdi className="mono">{entry.path === '' ? 'none' : `${entry.method} ${entry.path}`}</bdi>],
    ['Fields given', <bdi>{entry.fields.length > 0 ? entry.fields.join(', ') : 'none'}</bdi>],
    ['By', `${actor.type} ${actor.id ?? ''}${role}`],
    ['Through', throughOf(actor)],
    ['Program', <bdi>{entry.user_agent || 'not given'}</bdi>],
    ['Account', <span className="mono">{entry.account_id}</span>],
    ['Request id', <span className="mono">{entry.request_id}</span>],
  ];
  if (requestor !== null) facts.push(['On behalf of', <bdi>{`${requestor} (as the caller says)`}</bdi>]);
  return <Facts facts={facts} />;
}

function Row({ entry }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const { actor } = entry;
  const about = Object.values(entry.resource).join(' · ');
  return (
    <Fragment>
      <tr>
        <td className={sendClasses.number}>
          <When at={new Date(entry.at)} />
        </td>
        <td>
          {wordsOf(entry.operation)} {entry.result === 'failure' && <Chip tone="bad">failed</Chip>}
          {about !== '' && (
            <div className={classes.about}>
              <bdi>{about}</bdi>
            </div>
          )}
        </td>
        <td>
          <bdi>{actor.name || actor.id || 'unknown'}</bdi>
        </td>
        <td>
          <bdi>{entry.address}</bdi>
        </td>
        <td className={classes.more}>
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Less' : 'Details'} of ${wordsOf(entry.operation)}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Less' : 'Details'}
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <More entry={entry} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Entries({ items }: { items: readonly Entry[] }) {
  return (
    <Sideways label="Audit log, table" minWidth={720}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">From</th>
            <th scope="col">
              <VisuallyHidden>Details</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

function Filters({ search, change }: { search: Search; change: (part: Partial<Search>) => void }) {
  return (
    <Group className={classes.filters} align="flex-end">
      <TextInput
        label="Search"
        placeholder="Operation or path"
        leftSection={<SearchIcon />}
        value={search.text}
        maxLength={200}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <TextInput
        label="Who"
        placeholder="Key, user or requestor"
        value={search.who}
        maxLength={200}
        onChange={(event) => change({ who: event.currentTarget.value })}
      />
      <Select
        label="Period"
        data={PERIODS}
        value={search.days}
        allowDeselect={false}
        onChange={(days) => change({ days: days ?? '' })}
      />
      <Switch
        label="Include subaccounts"
        checked={search.withSubaccounts}
        onChange={(event) => change({ withSubaccounts: event.currentTarget.checked })}
      />
    </Group>
  );
}

/** Where a file of what is searched for is downloaded. */
function exportAddress(search: Search, more: Record<string, string>): string {
  const given = Object.entries({ ...queryOf(search, Date.now()), ...more }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/v1/audit/export?${new URLSearchParams(given as string[][])}`;
}

function Exports({ search }: { search: Search }) {
  return (
    <>
      <DownloadButton size="xs" name="audit.csv" path={exportAddress(search, { format: 'csv' })}>
        CSV
      </DownloadButton>
      <DownloadButton
        size="xs"
        name="audit.csv"
        path={exportAddress(search, { format: 'csv', separator: 'semicolon' })}
      >
        CSV with semicolons
      </DownloadButton>
      <DownloadButton size="xs" name="audit.jsonl" path={exportAddress(search, { format: 'jsonl' })}>
        JSON lines
      </DownloadButton>
    </>
  );
}

function Log() {
  const [search, setSearch] = useState<Search>({ text: '', who: '', days: '30', withSubaccounts: false });
  const [asked] = useDebouncedValue(search, 300);
  const [skip, setSkip] = useState(0);
  const { data, error, isPending } = useQuery(pageQuery(asked, skip));
  const change = (part: Partial<Search>): void => (setSearch({ ...search, ...part }), setSkip(0));
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Who changed what, and from where. Sent messages are not listed here; they are in the events."
      >
        <Exports search={asked} />
      </PageHead>
      <Filters search={search} change={change} />
      {error && (
        <Alert color="red" title="The audit log could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={240} />}
      {data?.total === 0 && <Notice title="No entries match">Widen the period, or search for something else.</Notice>}
      {data && data.items.length > 0 && <Entries items={data.items} />}
      {data && data.total > PER_PAGE && (
        <Group className={classes.paging}>
          <Button size="xs" variant="default" disabled={skip === 0} onClick={() => setSkip(skip - PER_PAGE)}>
            Newer
          </Button>
          <span>
            {figure(skip + 1)} to {figure(skip + data.items.length)} of {figure(data.total)}
          </span>
          <Button
            size="xs"
            variant="default"
            disabled={skip + PER_PAGE >= data.total}
            onClick={() => setSkip(skip + PER_PAGE)}
          >
            Older
          </Button>
        </Group>
      )}
    </>
  );
}

/** Who changed what in this account. */
export function AuditPage() {
  const { canManage } = useRole();
  if (canManage) return <Log />;
  return (
    <>
      <PageHead title="Audit log" />
      <Notice title="Only an admin can read the audit log">You signed in with a key that is not an admin key.</Notice>
    </>
  );
}

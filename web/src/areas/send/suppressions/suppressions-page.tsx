import { ActionIcon, Alert, Button, Select, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { ArrowLeftIcon, ArrowRightIcon, PlusIcon, SearchIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { When } from '../../../ground/shell/when.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import classes from '../../../shared/send/send.module.css';
import { AddDialog } from './add-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { WORDS } from './list-words.ts';
import { ENTRIES_PER_PAGE, entriesQuery, removeEntry, type Entry } from './suppressions-api.ts';
import { entriesExport } from './suppressions-csv.ts';
import { LISTS, type ListName, type SuppressionsSearch } from './suppressions-search.ts';

interface ListProps {
  list: ListName;
  domain: string;
  search: SuppressionsSearch;
  change: (changes: { [Name in keyof SuppressionsSearch]: SuppressionsSearch[Name] | undefined }) => void;
}

function useRemove(list: ListName, domain: string): (name: string) => void {
  const queries = useQueryClient();
  const remove = async (name: string): Promise<void> => {
    try {
      announce((await removeEntry(list, domain, name)).message);
    } catch (error) {
      tell({ color: 'red', title: 'It was not removed', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['suppressions'] });
  };
  return (name) =>
    ask({
      title: 'Remove this entry?',
      text: `${name} is taken off the list. ${WORDS[list].removal}`,
      confirm: 'Remove',
      onConfirm: () => void remove(name),
    });
}

function Row({ entry, onRemove }: { entry: Entry; onRemove: ((name: string) => void) | undefined }) {
  const { name, about, since } = entry;
  return (
    <li className={mailClasses.row}>
      <div className={classes.entry}>
        <bdi className={classes.address}>{name}</bdi>
        <span className={classes.facts}>
          <When at={since} />
          {about && <bdi>{about.slice(0, 400)}</bdi>}
        </span>
      </div>
      {onRemove && (
        <Tooltip label="Remove">
          <ActionIcon className={mailClasses.delete} aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** An empty page: before the first entry of the list, or past its last. */
function Empty({ list, search }: Pick<ListProps, 'list' | 'search'>) {
  if (search.term || search.page)
    return (
      <Notice title={search.term ? 'No addresses match' : 'No more entries'}>
        {search.term ? `No address on this list begins with “${search.term}”.` : 'This is the end of the list.'}
      </Notice>
    );
  return <Notice title={`${WORDS[list].label}: none`}>{WORDS[list].empty}</Notice>;
}

function Pages({ entries, search, change }: Pick<ListProps, 'search' | 'change'> & { entries: readonly Entry[] }) {
  const isFull = entries.length === ENTRIES_PER_PAGE;
  const hasNext = search.page === 'previous' ? entries.length > 0 : isFull;
  const hasPrevious = search.page === 'next' || (search.page === 'previous' && isFull);
  if (!hasNext && !hasPrevious) return null;
  const [first, last] = [entries[0]?.name, entries.at(-1)?.name];
  return (
    <nav className={mailClasses.pages} aria-label="Pages">
      {hasPrevious && (
        <Button
          variant="default"
          size="xs"
          leftSection={<ArrowLeftIcon />}
          onClick={() => change(first ? { page: 'previous', address: first } : { page: undefined, address: undefined })}
        >
          {first ? 'Previous' : 'First page'}
        </Button>
      )}
      {hasNext && (
        <Button
          variant="default"
          size="xs"
          rightSection={<ArrowRightIcon />}
          onClick={() => change({ page: 'next', address: last })}
        >
          Next
        </Button>
      )}
    </nav>
  );
}

function List({ list, domain, search, change }: ListProps) {
  const { data, error, isPending } = useQuery(entriesQuery(list, domain, search));
  const { canWrite } = useRole('suppressions');
  const askRemove = useRemove(list, domain);
  return (
    <section aria-label={WORDS[list].label}>
      {error && (
        <Alert color="red" mb="md" title="The list could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data?.length === 0 && <Empty list={list} search={search} />}
      {data && data.length > 0 && (
        <ul className={mailClasses.rows}>
          {data.map((entry) => (
            <Row key={entry.name} entry={entry} onRemove={canWrite ? askRemove : undefined} />
          ))}
        </ul>
      )}
      {data && <Pages entries={data} search={search} change={change} />}
    </section>
  );
}

function Filters({ domains, domain, search, change }: Omit<ListProps, 'list'> & { domains: readonly string[] }) {
  const [text, setText] = useState(search.term ?? '');
  const box = useRef<HTMLInputElement>(null);
  const changeLater = useDebouncedCallback(change, 300);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <form
      className={classes.search}
      role="search"
      aria-label="Suppressions"
      onSubmit={(event) => event.preventDefault()}
    >
      <Select
        aria-label="Sending domain"
        allowDeselect={false}
        searchable
        w={230}
        value={domain}
        data={domains}
        onChange={(value) => change({ domain: value ?? undefined, page: undefined, address: undefined })}
      />
      <TextInput
        ref={box}
        className={classes.text}
        type="search"
        aria-label="Search addresses"
        placeholder="How the address begins"
        leftSection={<SearchIcon />}
        value={text}
        maxLength={320}
        onChange={(event) => {
          setText(event.currentTarget.value);
          changeLater({ term: event.currentTarget.value, page: undefined, address: undefined });
        }}
      />
    </form>
  );
}

function Tabs({ list, search }: { list: ListName; search: SuppressionsSearch }) {
  const { domain } = search;
  return (
    <div style={{ marginBottom: 20 }}>
      <TabNav label="Lists">
        {LISTS.map((name) => (
          <Link
            key={name}
            to="/suppressions"
            search={{ ...(name !== 'bounces' && { list: name }), ...(domain !== undefined && { domain }) }}
            className={reportClasses.tab}
            activeOptions={{ exact: true }}
            activeProps={{}}
            aria-current={name === list ? 'page' : undefined}
          >
            {WORDS[name].label}
          </Link>
        ))}
      </TabNav>
    </div>
  );
}

/** Who is not written to, by domain: bounces, unsubscribes, complaints; and who is written to all the same. */
export function SuppressionsPage() {
  const search = useSearch({ from: '/shell/suppressions' });
  const navigate = useNavigate();
  const { canWrite } = useRole('suppressions');
  const domains = useQuery(domainsQuery);
  const [isAdding, adding] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const names = (domains.data ?? [])
    .toSorted((a, b) => Number(a.type === 'sandbox') - Number(b.type === 'sandbox'))
    .map(({ name }) => name);
  const list = search.list ?? 'bounces';
  const domain = search.domain ?? names[0];
  const change: ListProps['change'] = (changes) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
    void navigate({ to: '/suppressions', search: next, replace: true });
  };
  return (
    <>
      <PageHead title="Suppressions" lead={<ModeNote />}>
        {domain !== undefined && (
          <CsvButtons
            of={WORDS[list].label}
            name={`${list}-of-${domain}`}
            {...entriesExport(list, domain, search.term)}
          />
        )}
        {canWrite && domain !== undefined && (
          <>
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={adding.open}>
              Add
            </Button>
            <Button size="xs" variant="default" onClick={importing.open}>
              Import
            </Button>
          </>
        )}
      </PageHead>
      <Tabs list={list} search={search} />
      <p className={classes.counted}>{WORDS[list].about}</p>
      {domains.error && (
        <Alert color="red" title="The domains could not be loaded">
          {sentenceOf(domains.error)}
        </Alert>
      )}
      {domain !== undefined && (
        <>
          <Filters
            key={list}
            domains={names.includes(domain) ? names : [domain, ...names]}
            domain={domain}
            search={search}
            change={change}
          />
          <List key={`${list} ${domain}`} list={list} domain={domain} search={search} change={change} />
        </>
      )}
      {domains.data?.length === 0 && (
        <Notice
          title="Add a sending domain first"
          action={<Button renderRoot={(props) => <Link to="/domains" {...props} />}>Sending domains</Button>}
        >
          Each domain has lists of its own.
        </Notice>
      )}
      {isAdding && domain !== undefined && <AddDialog list={list} domain={domain} onClose={adding.close} />}
      {isImporting && domain !== undefined && <ImportDialog list={list} domain={domain} onClose={importing.close} />}
    </>
  );
}

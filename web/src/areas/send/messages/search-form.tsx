import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../../../ground/brand/icons.tsx';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { KINDS, type Kind } from '../../../shared/send/event-words.ts';
import { DateRange } from '../../../ground/shell/date-range.tsx';
import classes from '../../../shared/send/send.module.css';
import { isSearched, SEARCHED, type MessagesSearch, type Searched } from './messages-search.ts';

const FIELD_NAMES: Record<Searched, string> = {
  recipient: 'Recipient',
  subject: 'Subject',
  tag: 'Tag',
  from: 'Sender',
  message_id: 'Message ID',
};

const EVENTS = (Object.keys(KINDS) as Kind[]).map((value) => ({ value, label: KINDS[value].label }));

interface SearchFormProps {
  search: MessagesSearch;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
}

/** What is searched for; the address of the page remembers it. */
export function SearchForm({ search, isLive, onLive }: SearchFormProps) {
  const navigate = useNavigate();
  const { data: domains = [] } = useQuery(domainsQuery);
  const [text, setText] = useState(search.q ?? '');
  const box = useRef<HTMLInputElement>(null);
  const change = (changes: { [Name in keyof MessagesSearch]: MessagesSearch[Name] | undefined }): void => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
    void navigate({ to: '/messages', search: next, replace: true });
  };
  const changeLater = useDebouncedCallback(change, 300);
  const isUnsaid = search.q === undefined;
  useEffect(() => {
    if (isUnsaid) setText('');
  }, [isUnsaid]);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <form className={classes.search} role="search" aria-label="Messages" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        ref={box}
        className={classes.text}
        type="search"
        aria-label="Search messages"
        placeholder={search.by === 'tag' || search.by === 'message_id' ? 'Whole, as it was given' : 'Any part'}
        leftSection={<SearchIcon />}
        value={text}
        maxLength={1000}
        onChange={(event) => (setText(event.currentTarget.value), changeLater({ q: event.currentTarget.value }))}
      />
      <Select
        aria-label="Search in"
        w={130}
        allowDeselect={false}
        value={search.by ?? 'recipient'}
        data={SEARCHED.map((value) => ({ value, label: FIELD_NAMES[value] }))}
        onChange={(by) => change({ by: by === 'recipient' ? undefined : (by as Searched) })}
      />
      <Select
        aria-label="Event"
        placeholder="Any event"
        clearable
        w={165}
        value={search.event ?? null}
        data={EVENTS}
        onChange={(event) => change({ event: (event ?? undefined) as Kind | undefined })}
      />
      <Select
        aria-label="Sending domain"
        placeholder="Any domain"
        clearable
        searchable
        w={190}
        value={search.domain ?? null}
        data={domains.map(({ name }) => name)}
        onChange={(domain) => change({ domain: domain ?? undefined })}
      />
      <DateRange search={search} change={change} />
      <Switch label="Live" checked={isLive} onChange={(event) => onLive(event.currentTarget.checked)} />
      {isSearched(search) && (
        <Button variant="subtle" size="compact-sm" onClick={() => void navigate({ to: '/messages', search: {} })}>
          Clear
        </Button>
      )}
    </form>
  );
}

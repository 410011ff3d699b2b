import { Alert, Button, Checkbox, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { bytes, count, figure, nameBySubject } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { MessagePane } from './message-pane.tsx';
import { messagesQuery, tagsQuery, type Inbox, type Summary } from './sandbox-api.ts';
import classes from './sandbox.module.css';
import { useMany } from './use-many.ts';

const TAGS_SHOWN = 20;
const FROM = '/shell/sandbox/$inbox';

interface ItemProps {
  inbox: string;
  message: Summary;
  isOn: boolean;
  isSelected: boolean;
  /** Without it, nothing can be selected. */
  onSelect?: ((isSelected: boolean) => void) | undefined;
}

function Item({ inbox, message, isOn, isSelected, onSelect }: ItemProps) {
  const name = nameBySubject(message.subject);
  return (
    <li className={classes.row} data-on={isOn || undefined} data-unread={!message.is_read || undefined}>
      {onSelect && (
        <Checkbox
          size="xs"
          className={classes.pick}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <Link
        to="/sandbox/$inbox"
        params={{ inbox }}
        search={(before) => ({ ...before, message: message.id })}
        className={classes.item}
        aria-current={isOn ? 'true' : undefined}
      >
        <span className={classes.line}>
          <bdi>{message.recipients.slice(0, 3).join(', ') || message.to}</bdi>
          <Ago at={new Date(message.received_at)} />
        </span>
        <span className={classes.name}>
          {!message.is_read && (
            <span className={classes.unread}>
              <span className="visually-hidden">Unread: </span>
            </span>
          )}
          <bdi>{name}</bdi>
        </span>
        <span className={classes.excerpt}>
          <bdi>{message.excerpt}</bdi>
        </span>
        {message.tags.length > 0 && (
          <span className={classes.tags}>
            {message.tags.slice(0, 6).map((tag) => (
              <Chip key={tag}>
                <bdi>{tag}</bdi>
              </Chip>
            ))}
          </span>
        )}
      </Link>
    </li>
  );
}

function State({ inbox, isLive, found }: { inbox: Inbox; isLive: boolean; found: number | undefined }) {
  return (
    <p className={classes.state} role="status">
      {found === undefined ? count(inbox.message_count, 'message') : `${count(found, 'message')} found`},{' '}
      {inbox.unread_count > 0 && `${figure(inbox.unread_count)} unread${found === undefined ? '' : ' in all'}, `}
      {bytes(inbox.size_bytes)} in all, kept for {count(inbox.retention_days, 'day')}.{' '}
      {isLive ? 'New ones appear by themselves.' : 'Connecting…'}
      {inbox.dropped_count > 0 &&
        ` ${count(inbox.dropped_count, 'older message was', 'older messages were')} deleted to make room.`}
    </p>
  );
}

/** How the field of the search asks for a tag. */
const searchOf = (tag: string): string => (tag.includes(' ') ? `tag:"${tag}"` : `tag:${tag}`);

/** The tags of the inbox: one press shows their messages, another all of them. */
function Tags({ inbox, search, onSearch }: { inbox: string; search: string; onSearch: (search: string) => void }) {
  const { data: tags = [] } = useQuery(tagsQuery(inbox));
  if (tags.length === 0) return null;
  return (
    <div className={classes.tags} role="group" aria-label="Tags">
      {tags.slice(0, TAGS_SHOWN).map(({ tag, message_count: messages }) => {
        const isOn = search.toLowerCase() === searchOf(tag).toLowerCase();
        return (
          <Button
            key={tag}
            size="compact-xs"
            variant={isOn ? 'filled' : 'default'}
            aria-pressed={isOn}
            onClick={() => onSearch(isOn ? '' : searchOf(tag))}
          >
            <span>
              <bdi>{tag}</bdi> {figure(messages)}
            </span>
          </Button>
        );
      })}
    </div>
  );
}

interface BarProps {
  inbox: Inbox;
  name: string;
  search: string | undefined;
  /** Of the messages that are listed. */
  ids: readonly string[];
  found: number | undefined;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[]) => void;
}

/** What is done with those that are selected; with none, with all that a search finds. */
function Bar({ inbox, name, search, ids, found = 0, selected, onSelect }: BarProps) {
  const many = useMany(name);
  const chosen = ids.filter((id) => selected.has(id));
  const button = (label: string, onClick: () => void) => (
    <Button size="compact-xs" variant="default" disabled={many.isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  const marked = (isRead: boolean) => () => (many.mark(isRead, { ids: chosen }), onSelect([]));
  return (
    <div className={classes.bar} role="group" aria-label="Several messages">
      <Checkbox
        size="xs"
        className={classes.pick}
        label={chosen.length > 0 ? `${figure(chosen.length)} selected` : 'Select'}
        aria-label="Select all that are listed"
        checked={ids.length > 0 && chosen.length === ids.length}
        indeterminate={chosen.length > 0 && chosen.length < ids.length}
        onChange={(event) => onSelect(event.currentTarget.checked ? ids : [])}
      />
      {chosen.length > 0 && (
        <>
          {button('Mark read', marked(true))}
          {button('Mark unread', marked(false))}
          {button('Delete selected', () => many.askDelete({ ids: chosen }, chosen.length, () => onSelect([])))}
        </>
      )}
      {chosen.length === 0 && search === undefined && inbox.unread_count > 0 && (
        <>{button('Mark all read', () => many.mark(true, {}))}</>
      )}
      {chosen.length === 0 && search !== undefined && found > 0 && (
        <>
          {button('Mark found read', () => many.mark(true, { search }))}
          {button('Delete found', () => many.askDelete({ search }, found))}
        </>
      )}
    </div>
  );
}

/** The field of a search, which asks some time after the last key. */
function useSought() {
  const { search } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/sandbox/$inbox' });
  const [words, setWords] = useState(search ?? '');
  const lookNow = (sought: string): void =>
    void navigate({ search: (before) => ({ ...before, search: sought.trim() || undefined }), replace: true });
  const look = useDebouncedCallback(lookNow, 250);
  return {
    search,
    words,
    onType: (sought: string) => (setWords(sought), look(sought)),
    onSearch: (sought: string) => (setWords(sought), lookNow(sought)),
  };
}

function List({ inbox, isLive }: { inbox: Inbox; isLive: boolean }) {
  const { message: open } = useSearch({ from: FROM });
  const { inbox: name } = useParams({ from: FROM });
  const { canWrite } = useRole();
  const { search, words, onType, onSearch } = useSought();
  const list = useInfiniteQuery(messagesQuery(name, search));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const found = search === undefined ? undefined : list.data?.pages[0]?.total;
  const isMisread = statusOf(list.error) === 400;
  const select = (id: string) => (isSelected: boolean) =>
    setSelected((before) => new Set([...[...before].filter((one) => one !== id), ...(isSelected ? [id] : [])]));
  return (
    <section aria-label="Messages">
      <TextInput
        type="search"
        aria-label="Search messages"
        placeholder="Words, from:, subject:, tag:, is:unread, -not"
        value={words}
        error={isMisread && sentenceOf(list.error)}
        onChange={(event) => onType(event.currentTarget.value)}
        mb="sm"
      />
      <Tags inbox={name} search={search ?? ''} onSearch={onSearch} />
      <State inbox={inbox} isLive={isLive} found={found} />
      {list.error && !isMisread && (
        <Alert color="red" title="The messages could not be loaded">
          {sentenceOf(list.error)}
        </Alert>
      )}
      {list.isPending && <Skeleton height={160} />}
      {list.data && items.length === 0 && <p className="dim">No message matches.</p>}
      {canWrite && items.length > 0 && (
        <Bar
          inbox={inbox}
          name={name}
          search={search}
          ids={items.map(({ id }) => id)}
          found={found}
          selected={selected}
          onSelect={(ids) => setSelected(new Set(ids))}
        />
      )}
      <ul className={classes.list} aria-label="Messages, newest first">
        {items.map((message) => (
          <Item
            key={message.id}
            inbox={name}
            message={message}
            isOn={message.id === open}
            isSelected={selected.has(message.id)}
            onSelect={canWrite ? select(message.id) : undefined}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={sendClasses.more}>
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show older
          </Button>
        </div>
      )}
    </section>
  );
}

/** The messages of an inbox, and the one that is open. */
export function Messages({ inbox, isLive }: { inbox: Inbox; isLive: boolean }) {
  const { message: open } = useSearch({ from: FROM });
  const { inbox: name } = useParams({ from: FROM });
  const navigate = useNavigate({ from: '/sandbox/$inbox' });
  const many = useMany(name);
  const close = (): void => void navigate({ search: (before) => ({ ...before, message: undefined }) });
  return (
    <div className={classes.sides} data-open={open !== undefined || undefined}>
      <List inbox={inbox} isLive={isLive} />
      {open === undefined ? (
        <Notice title="Choose a message">Its HTML, text, source, headers and files are shown here.</Notice>
      ) : (
        <MessagePane
          key={open}
          inbox={name}
          id={open}
          onClose={close}
          onMark={(isRead) => many.mark(isRead, { ids: [open] })}
          onDelete={() => {
            close();
            many.remove({ ids: [open] });
          }}
        />
      )}
    </div>
  );
}

import { Alert, Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { bytes, count, figure, nameBySubject } from '../../../ground/words.ts';
import sendClasses from '../../../shared/send/send.module.css';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { messagesExport } from './sandbox-csv.ts';
import { ChecksDialog } from './checks-dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { MessagePane } from './message-pane.tsx';
import { inboxQuery, messagesQuery, tagsQuery, type Inbox, type Summary } from './sandbox-api.ts';
import classes from './sandbox.module.css';
import { useInboxEvents } from './use-inbox-events.ts';

const TAGS_SHOWN = 20;
const FROM = '/shell/sandbox/$inbox';

function Item({ inbox, message, isOn }: { inbox: string; message: Summary; isOn: boolean }) {
  return (
    <li>
      <Link
        to="/sandbox/$inbox"
        params={{ inbox }}
        search={(before) => ({ ...before, message: message.id })}
        className={classes.item}
        data-on={isOn || undefined}
        aria-current={isOn ? 'true' : undefined}
      >
        <span className={classes.line}>
          <bdi>{message.recipients.slice(0, 3).join(', ') || message.to}</bdi>
          <Ago at={new Date(message.received_at)} />
        </span>
        <span className={classes.name}>
          <bdi>{nameBySubject(message.subject)}</bdi>
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

function useDeletes(inbox: string) {
  const queries = useQueryClient();
  const guarded = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    for (const key of ['sandbox-inbox', 'sandbox-messages', 'sandbox-tags'])
      await queries.invalidateQueries({ queryKey: [key, inbox] });
  };
  return {
    one: (id: string) =>
      guarded('The message was not deleted', () =>
        api.call('DELETE /v1/sandbox/{inbox}/messages/{message_id}', { path: { inbox, message_id: id } }),
      ),
    askAll: (messages: number) =>
      ask({
        title: 'Delete all messages?',
        text: `${count(messages, 'message')} of ${inbox} go for good.`,
        confirm: 'Delete all',
        onConfirm: () =>
          void guarded('The messages were not deleted', () =>
            api.call('DELETE /v1/sandbox/{inbox}/messages', { path: { inbox } }),
          ),
      }),
  };
}

function Empty({ inbox, onConnect }: { inbox: Inbox; onConnect: () => void }) {
  return (
    <Notice title="Waiting for the first message" action={<Button onClick={onConnect}>Show the settings</Button>}>
      Programs that log in over SMTP as {inbox.smtp_user} put their messages here. They appear as they come.
    </Notice>
  );
}

function State({ inbox, isLive, found }: { inbox: Inbox; isLive: boolean; found: number | undefined }) {
  return (
    <p className={classes.state} role="status">
      {found === undefined ? count(inbox.message_count, 'message') : `${count(found, 'message')} found`},{' '}
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

function Messages({ inbox, isLive }: { inbox: Inbox; isLive: boolean }) {
  const { message: open, search } = useSearch({ from: FROM });
  const { inbox: name } = useParams({ from: FROM });
  const navigate = useNavigate({ from: '/sandbox/$inbox' });
  const list = useInfiniteQuery(messagesQuery(name, search));
  const [words, setWords] = useState(search ?? '');
  const lookNow = (sought: string): void =>
    void navigate({ search: (before) => ({ ...before, search: sought.trim() || undefined }), replace: true });
  const look = useDebouncedCallback(lookNow, 250);
  const deletes = useDeletes(name);
  const close = (): void => void navigate({ search: (before) => ({ ...before, message: undefined }) });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const found = search === undefined ? undefined : list.data?.pages[0]?.total;
  return (
    <div className={classes.sides} data-open={open !== undefined || undefined}>
      <section aria-label="Messages">
        <TextInput
          type="search"
          aria-label="Search messages"
          placeholder="Subject, address, text, header or tag:"
          value={words}
          onChange={(event) => (setWords(event.currentTarget.value), look(event.currentTarget.value))}
          mb="sm"
        />
        <Tags inbox={name} search={search ?? ''} onSearch={(sought) => (setWords(sought), lookNow(sought))} />
        <State inbox={inbox} isLive={isLive} found={found} />
        {list.error && (
          <Alert color="red" title="The messages could not be loaded">
            {sentenceOf(list.error)}
          </Alert>
        )}
        {list.isPending && <Skeleton height={160} />}
        {list.data && items.length === 0 && <p className="dim">No message matches.</p>}
        <ul className={classes.list} aria-label="Messages, newest first">
          {items.map((message) => (
            <Item key={message.id} inbox={name} message={message} isOn={message.id === open} />
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
      {open === undefined ? (
        <Notice title="Choose a message">Its HTML, text, source, headers and files are shown here.</Notice>
      ) : (
        <MessagePane
          inbox={name}
          id={open}
          onClose={close}
          onDelete={() => {
            close();
            void deletes.one(open);
          }}
        />
      )}
    </div>
  );
}

/** The messages of one inbox, as they come. */
export function InboxPage() {
  const { inbox: name } = useParams({ from: FROM });
  const { search } = useSearch({ from: FROM });
  const inbox = useQuery(inboxQuery(name));
  const isLive = useInboxEvents(name);
  const { canWrite } = useRole();
  const [isConnecting, connecting] = useDisclosure();
  const [isChoosing, choosing] = useDisclosure();
  const deletes = useDeletes(name);
  if (statusOf(inbox.error) === 404)
    return (
      <Notice
        isPage
        title="Inbox not found"
        action={<Button renderRoot={(props) => <Link to="/sandbox" {...props} />}>All inboxes</Button>}
      >
        It was deleted, or it belongs to another account.
      </Notice>
    );
  return (
    <>
      <PageHead title={inbox.data?.name ?? name} tabTitle={`${name} · Sandbox`} lead="Delivered to nobody.">
        {inbox.data && inbox.data.message_count > 0 && (
          <CsvButtons of="messages" name={`sandbox-${name}`} {...messagesExport(name, search)} />
        )}
        {inbox.data && (
          <Button size="xs" variant="default" onClick={connecting.open}>
            Settings for programs
          </Button>
        )}
        {canWrite && inbox.data && (
          <Button size="xs" variant="default" onClick={choosing.open}>
            Checks
          </Button>
        )}
        {canWrite && inbox.data && inbox.data.message_count > 0 && (
          <Button size="xs" variant="default" onClick={() => deletes.askAll(inbox.data.message_count)}>
            Delete all
          </Button>
        )}
      </PageHead>
      {inbox.error && (
        <Alert color="red" title="The inbox could not be loaded">
          {sentenceOf(inbox.error)}
        </Alert>
      )}
      {inbox.isPending && <Skeleton height={300} />}
      {inbox.data?.message_count === 0 && <Empty inbox={inbox.data} onConnect={connecting.open} />}
      {inbox.data && inbox.data.message_count > 0 && <Messages inbox={inbox.data} isLive={isLive} />}
      {isChoosing && inbox.data && <ChecksDialog inbox={inbox.data} onClose={choosing.close} />}
      {isConnecting && inbox.data && <ConnectDialog inbox={inbox.data} onClose={connecting.close} />}
    </>
  );
}

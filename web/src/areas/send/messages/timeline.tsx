import { Alert, Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { SearchIcon } from '../../../ground/brand/icons.tsx';
import { pollMs } from '../../../ground/polling.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count, figure } from '../../../ground/words.ts';
import { replyOf, wordsOf } from '../../../shared/send/event-words.ts';
import { condition, readEvents, totalsQuery, type LogsBody, type SendEvent } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';
import { Conversation } from './conversation.tsx';

const POLL_MS = 3000;
/** A page of the service. */
const PAGE = 100;

/** One attempt, or what a reader did. */
function Step({ event, isOfMany, storageKey }: { event: SendEvent; isOfMany: boolean; storageKey: string }) {
  const { name, tone, about } = wordsOf(event);
  const status = event['delivery-status'];
  const isTold = event.event === 'failed' || (event.event === 'delivered' && event['delivery-mode'] !== 'capture');
  const reply = status && isTold ? replyOf(status) || (status.description ?? '') : '';
  const attempt = status?.['attempt-no'];
  return (
    <li className={classes.step} data-tone={tone}>
      <span className={classes.stepHead}>
        <strong>{name}</strong>
        <span className={classes.when}>
          <When at={new Date(event['@timestamp'])} />
        </span>
        {attempt !== undefined && attempt > 1 && <span className="dim">attempt {attempt}</span>}
      </span>
      {isOfMany && event.recipient !== undefined && (
        <span className={classes.facts}>
          <bdi>{event.recipient}</bdi>
        </span>
      )}
      <p className={classes.stepAbout}>
        {about} {event.event === 'accepted' && event['i-delivery-optimizer']}
      </p>
      {reply && <bdi className={classes.reply}>{reply.slice(0, 1000)}</bdi>}
      {isTold && attempt !== undefined && event.recipient !== undefined && (
        <Conversation storageKey={storageKey} recipient={event.recipient} attempt={attempt} />
      )}
    </li>
  );
}

const COUNTED: [metric: string, words: string][] = [
  ['accepted_count', 'accepted'],
  ['delivered_count', 'delivered'],
  ['temporary_failed_count', 'deferred'],
  ['permanent_failed_count', 'failed'],
  ['rejected_count', 'rejected or canceled'],
  ['opened_count', 'opened'],
  ['clicked_count', 'clicked'],
  ['unsubscribed_count', 'unsubscribed'],
  ['complained_count', 'complained'],
];

function Totals({ body, captured }: { body: LogsBody; captured: boolean }) {
  const { data } = useQuery(totalsQuery(body));
  if (!data) return null;
  const parts = COUNTED.flatMap(([metric, words]) => {
    const number = data.metrics[metric] ?? 0;
    const said = metric === 'delivered_count' && captured ? 'captured' : words;
    return number > 0 ? [`${figure(number)} ${said}`] : [];
  });
  return (
    <p className={classes.counted} role="status">
      {data.isBound && 'At least: '}
      {parts.join(' · ')}
    </p>
  );
}

interface TimelineProps {
  domain: string;
  storageKey: string;
  messageId: string;
}

/** Everything that happened to a message, oldest first. */
export function Timeline({ domain, storageKey, messageId }: TimelineProps) {
  const [text, setText] = useState('');
  const [recipient, setRecipient] = useState('');
  const later = useDebouncedCallback(setRecipient, 300);
  const ofMessage = [condition('message_id', messageId), condition('domain', domain)];
  const bodyWith = (more: typeof ofMessage): LogsBody => ({
    start: new Date(0).toUTCString(),
    filter: { AND: [...ofMessage, ...more] },
    include_subaccounts: false,
    include_totals: false,
  });
  const body = bodyWith(recipient.trim() ? [condition('recipient', recipient.trim(), 'contains')] : []);
  const events = useInfiniteQuery({
    queryKey: ['message-events', body],
    queryFn: ({ pageParam, signal }) => readEvents(body, { sort: 'asc', token: pageParam, limit: PAGE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ items, pagination }) => (items.length < PAGE ? undefined : pagination.next),
    refetchInterval: (query) => pollMs(query, ({ pages }) => pages.length === 1, POLL_MS),
  });
  // A sender may have used a Message-Id again: what another message of this name did is not shown.
  const items = (events.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter((event) => event.storage === undefined || event.storage.key === storageKey);
  const recipients = new Set(items.map((event) => event.recipient));
  const isOfMany = recipients.size > 1 || recipient !== '';
  return (
    <section aria-label="What happened">
      <h2 className={classes.part}>What happened</h2>
      <Totals body={bodyWith([])} captured={items.some((event) => event['delivery-mode'] === 'capture')} />
      {isOfMany && (
        <TextInput
          mb="md"
          type="search"
          aria-label="Search recipients"
          placeholder="Part of the recipient"
          leftSection={<SearchIcon />}
          value={text}
          maxLength={320}
          onChange={(event) => (setText(event.currentTarget.value), later(event.currentTarget.value))}
        />
      )}
      {events.error && (
        <Alert color="red" mb="md" title="The events could not be loaded">
          {sentenceOf(events.error)}
        </Alert>
      )}
      {events.isPending && <Skeleton height={120} />}
      {events.data && items.length === 0 && (
        <p className={classes.stepAbout}>
          {recipient ? 'No recipient matches.' : 'No events yet. They appear two seconds after they happen.'}
        </p>
      )}
      <ol className={classes.timeline}>
        {items.map((event) => (
          <Step key={event.id} event={event} isOfMany={isOfMany} storageKey={storageKey} />
        ))}
      </ol>
      {events.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            size="xs"
            loading={events.isFetchingNextPage}
            onClick={() => void events.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
      {items.length > PAGE - 1 && !events.hasNextPage && (
        <p className={classes.counted}>{count(items.length, 'event')} shown</p>
      )}
    </section>
  );
}

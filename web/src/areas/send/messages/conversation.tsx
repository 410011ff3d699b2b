import { Alert, Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Reply } from '@galley/sdk';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { count, figure } from '../../../ground/words.ts';
import classes from './conversation.module.css';

type Step = Reply<'GET /v1/galley/messages/{message}/timeline'>['items'][number]['steps'][number];
type Talk = NonNullable<Step['conversation']>;
type Connection = Talk['connections'][number];

interface OfAttempt {
  storageKey: string;
  recipient: string;
  attempt: number;
}

/** What was said does not change. */
function conversationQuery({ storageKey, recipient, attempt }: OfAttempt) {
  return queryOptions({
    queryKey: ['conversation', storageKey, recipient, attempt],
    queryFn: async ({ signal }) => {
      const { items } = await api.call(
        'GET /v1/galley/messages/{message}/timeline',
        { path: { message: storageKey }, query: { recipient, limit: 50 } },
        { signal },
      );
      const item = items.find((one) => one.recipient.toLowerCase() === recipient.toLowerCase());
      return item?.steps.find((step) => step.attempt === attempt) ?? null;
    },
    staleTime: 60_000,
  });
}

function Exchanges({ title, of }: { title: string; of: Connection['exchanges'] }) {
  if (of.length === 0) return null;
  return (
    <>
      <p className={classes.title}>{title}</p>
      <ol className={classes.lines}>
        {of.map(({ said, reply, took_ms: took }, index) => (
          <li key={index}>
            {said !== '' && <bdi className={classes.said}>{said === '.' ? '. (the end of the message)' : said}</bdi>}
            <bdi className={classes.reply}>{reply ?? 'No answer came.'}</bdi>
            {took !== null && <span className={classes.took}>{figure(took)} ms</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Server({ of }: { of: Connection }) {
  const { host, address, local_address: ours, tls, connect_ms: connectMs, is_reused: isReused } = of;
  const verdict = tls?.certificate_verified ? 'certificate verified' : 'certificate not verified';
  return (
    <div className={classes.server}>
      <p className={classes.facts}>
        <bdi>
          <strong>{host}</strong>
          {address !== null && ` [${address}]`}
        </bdi>
        {ours !== null && <span>from {ours}</span>}
        <span>{tls ? `${tls.protocol}, ${tls.cipher}, ${verdict}` : 'not encrypted'}</span>
        {connectMs !== null && !isReused && <span>connected in {figure(connectMs)} ms</span>}
      </p>
      <Exchanges
        title={isReused ? 'Opening of the connection, said earlier for another message' : 'Opening of the connection'}
        of={of.opening}
      />
      <Exchanges title="This message" of={of.exchanges} />
      <p className={classes.facts}>
        <bdi>Result: {of.result}</bdi>
      </p>
    </div>
  );
}

function Told({ of }: { of: Talk }) {
  const { connections_left_off: servers, exchanges_left_off: exchanges } = of;
  return (
    <>
      <p className={classes.facts}>
        <span>The attempt took {figure(of.took_ms)} ms.</span>
        {servers > 0 && <span>{count(servers, 'earlier connection')} left off.</span>}
        {exchanges > 0 && <span>{count(exchanges, 'earlier exchange')} left off.</span>}
      </p>
      {of.connections.map((connection, index) => (
        <Server key={index} of={connection} />
      ))}
    </>
  );
}

function Content(attempt: OfAttempt) {
  const { data, error, isPending } = useQuery(conversationQuery(attempt));
  if (error)
    return (
      <Alert color="red" title="The conversation could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (isPending) return <Skeleton height={80} />;
  if (data?.conversation) return <Told of={data.conversation} />;
  return <p className={classes.facts}>{data?.no_conversation ?? 'What was said is not known.'}</p>;
}

/** What was said to servers at an attempt, opened when it is asked for. */
export function Conversation(attempt: OfAttempt) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.conversation} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>SMTP conversation</summary>
      {isOpen && <Content {...attempt} />}
    </details>
  );
}

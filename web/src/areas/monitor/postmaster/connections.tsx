import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { pollMs } from '../../../ground/polling.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import { connectionsQuery, everything, type Connection } from './postmaster-api.ts';
import classes from './postmaster.module.css';
import { PROVIDER_LABELS } from './postmaster-search.ts';

const POLL_MS = 2000;
const STATES: Readonly<Record<Connection['state'], { tone?: 'good' | 'bad' | 'doubt'; words: string }>> = {
  waiting: { words: 'waiting' },
  connected: { tone: 'good', words: 'connected' },
  limited: { tone: 'doubt', words: 'asked too often' },
  failing: { tone: 'doubt', words: 'failing' },
  expired: { tone: 'bad', words: 'expired' },
};

/** Readings that were asked for here, with the time of the reading before each. */
type Begun = ReadonlyMap<string, string | null>;
const isRead = (begun: Begun, { id, state, checked_at: checkedAt }: Connection): boolean =>
  state !== 'waiting' && begun.get(id) !== checkedAt;

function useConnections() {
  const queries = useQueryClient();
  const [begun, setBegun] = useState<Begun>(new Map());
  const found = useQuery({
    ...connectionsQuery,
    refetchInterval: (query) => pollMs(query, ({ items }) => items.some((one) => !isRead(begun, one)), POLL_MS),
  });
  const readings = found.data?.items.map(({ checked_at: at }) => at).join();
  useEffect(() => {
    // What has been read since it was asked for.
    if (readings !== undefined)
      void queries.invalidateQueries({ ...everything, predicate: ({ queryKey }) => queryKey[1] !== 'connections' });
  }, [queries, readings]);
  const guarded = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  };
  const readAgain = ({ id, name, checked_at: at }: Connection): void =>
    void guarded('The connection is not read', async () => {
      await api.call('POST /v1/galley/postmaster/connections/{connection_id}/sync', {
        path: { connection_id: id },
        body: {},
      });
      setBegun((before) => new Map(before).set(id, at));
      announce(`${name} is being read.`);
    });
  const askRemove = ({ id, name }: Connection): void =>
    ask({
      title: 'Delete this connection?',
      text: `${name} is read no more, and its secret is deleted. Figures that were read stay.`,
      confirm: 'Delete',
      onConfirm: () =>
        void guarded('The connection was not deleted', () =>
          api.call('DELETE /v1/galley/postmaster/connections/{connection_id}', { path: { connection_id: id } }),
        ),
    });
  return { ...found, begun, readAgain, askRemove };
}

function Row({
  connection,
  isUnderWay,
  onRead,
  onRemove,
}: {
  connection: Connection;
  isUnderWay: boolean;
  onRead: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}) {
  const { provider, name, asks, identity, state, problem, ends_at: endsAt, succeeded_at: at } = connection;
  const { tone, words } = STATES[state];
  return (
    <tr>
      <td>
        {name}
        <span className={classes.small}>
          {[PROVIDER_LABELS[provider], identity || asks.replace(/^https?:\/\//, '')].filter(Boolean).join(', ')}
        </span>
      </td>
      <td>
        <Chip tone={tone}>{words}</Chip>
        {problem !== null && <span className={classes.small}>{problem}</span>}
        {endsAt !== null && state !== 'expired' && (
          <span className={classes.small}>
            Its link ends <Ago at={new Date(endsAt)} />.
          </span>
        )}
      </td>
      <td>{at === null ? 'never' : <Ago at={new Date(at)} />}</td>
      <td className={tables.number}>
        {onRead && (
          <Button
            size="compact-xs"
            variant="default"
            loading={isUnderWay}
            aria-label={`Read now: ${name}`}
            onClick={onRead}
          >
            Read now
          </Button>
        )}
        {onRemove && (
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${name}`} onClick={onRemove}>
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        )}
      </td>
    </tr>
  );
}

/** The tools that are read each day, how that goes, and what there is to do about it. */
export function Connections({ onConnect }: { onConnect: () => void }) {
  const { canWrite } = useRole();
  const { data, error, begun, readAgain, askRemove } = useConnections();
  if (error)
    return (
      <Alert color="red" mb="md" title="The connections could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={90} />;
  if (data.items.length === 0)
    return (
      <Notice title="No connections yet" action={canWrite && <Button onClick={onConnect}>New connection</Button>}>
        Connect Google Postmaster Tools or Microsoft SNDS, and they are read each day. Or upload their exports, and
        those of Yahoo.
      </Notice>
    );
  return (
    <section aria-labelledby="connections">
      <h2 id="connections" className={tables.part}>
        Connections
      </h2>
      <Sideways label="Connections, table" minWidth={620}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">Connection</th>
              <th scope="col">State</th>
              <th scope="col">Read</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {data.items.map((connection) => (
              <Row
                key={connection.id}
                connection={connection}
                isUnderWay={!isRead(begun, connection)}
                onRead={canWrite ? () => readAgain(connection) : undefined}
                onRemove={canWrite ? () => askRemove(connection) : undefined}
              />
            ))}
          </tbody>
        </table>
      </Sideways>
    </section>
  );
}

import { ActionIcon, Alert, Skeleton, Tooltip } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, clientsQuery, sentenceOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';

type Agent = Reply<'GET /v2/preview/capture_agents'>['items'][number];

/** More than an account may have by default. */
const AGENTS_MAX = 200;

const agentsQuery = queryOptions({
  queryKey: ['capture-agents'],
  queryFn: ({ signal }) => api.call('GET /v2/preview/capture_agents', { query: { limit: AGENTS_MAX } }, { signal }),
});

function useRemove(): (agent: Agent) => void {
  const queries = useQueryClient();
  const remove = async ({ id }: Agent): Promise<void> => {
    try {
      await api.call('DELETE /v2/preview/capture_agents/{agent_id}', { path: { agent_id: id } });
      tell({ message: 'The agent is removed.' });
    } catch (error) {
      tell({ color: 'red', title: 'The agent was not removed', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['capture-agents'] });
    await queries.invalidateQueries({ queryKey: ['captures'] });
  };
  return (agent) =>
    ask({
      title: 'Remove this agent?',
      text: `The token of ${agent.name} ends at once, and what it had claimed waits for another. Its captures stay.`,
      confirm: 'Remove',
      onConfirm: () => void remove(agent),
    });
}

function AgentRow({ agent, nameOf, onRemove }: { agent: Agent; nameOf: (id: string) => string; onRemove: () => void }) {
  const { name, clients, created_at: at, last_seen_at: seen } = agent;
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{name}</bdi>
        <span className={classes.facts}>
          {seen === null ? (
            <span>was never seen</span>
          ) : (
            <span>
              last seen <Ago at={new Date(seen)} />
            </span>
          )}
          <span>
            enrolled <Ago at={new Date(at)} />
          </span>
          {clients.map(({ client, version, os }) => (
            <bdi key={client}>
              {nameOf(client)} {version}, {os}
            </bdi>
          ))}
        </span>
      </div>
      <Tooltip label="Remove">
        <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
          <TrashIcon />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** The agents of this installation; for the operator. */
export function Agents() {
  const { data, error, isPending } = useQuery(agentsQuery);
  const { data: clients = {} } = useQuery(clientsQuery);
  const askRemove = useRemove();
  return (
    <section aria-labelledby="capture-agents">
      <h2 id="capture-agents" className={reportClasses.sectionTitle}>
        Agents
      </h2>
      {error && (
        <Alert color="red" title="The agents could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={60} />}
      {data?.meta.count === 0 && <p className={classes.counted}>No agent is enrolled.</p>}
      {data && data.meta.count > 0 && (
        <ul className={classes.rows} aria-label="Agents, newest first">
          {data.items.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              nameOf={(id) => clients[id]?.display_name ?? id}
              onRemove={() => askRemove(agent)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

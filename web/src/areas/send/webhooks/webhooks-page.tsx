import { Alert, Button, Select, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { ActionsCell } from '../../../shared/send/actions-cell.tsx';
import classes from '../../../shared/send/send.module.css';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { webhooksExport } from './webhooks-csv.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { WebhookSigningKey } from './signing-key.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { deleteWebhook, KINDS, urlsQuery, webhooksQuery, type UrlState, type Webhook } from './webhooks-api.ts';

const TONES = { active: 'good', failing: 'doubt', paused: 'bad', disabled: 'bad' } as const;

function useChanges(domain: string | null) {
  const queries = useQueryClient();
  const guarded = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    for (const key of ['webhooks', 'webhook-urls', 'webhook-deliveries'])
      void queries.invalidateQueries({ queryKey: [key] });
  };
  return {
    askDelete: (webhook: Webhook) =>
      ask({
        title: 'Delete this webhook?',
        text: `${webhook.url.slice(0, 300)} gets no more events, and what still waits for it is not sent.`,
        confirm: 'Delete',
        onConfirm: () => void guarded('The webhook was not deleted', () => deleteWebhook(domain, webhook)),
      }),
    enable: (url: string) =>
      guarded('The URL was not enabled', () => api.call('POST /v1/galley/webhooks/urls/enable', { body: { url } })),
  };
}

/** What is wrong with a URL, and the way out. */
function UrlAlert({ state, onEnable }: { state: UrlState; onEnable: (() => void) | undefined }) {
  if (state.state !== 'paused' && state.state !== 'disabled') return null;
  const isPaused = state.state === 'paused';
  return (
    <Alert color="red" mb="md" title={isPaused ? 'A URL is paused' : 'A URL is disabled'}>
      <p>
        <bdi>{state.url}</bdi>{' '}
        {isPaused
          ? `failed ${count(state.failures, 'time')} in a row. ${count(state.waiting, 'event')} waiting.`
          : 'answered 410 three times in a row. Nothing is sent there.'}
        {isPaused && state.next_probe_at && (
          <>
            {' '}
            Galley tries one event again <Ago at={new Date(state.next_probe_at)} />.
          </>
        )}{' '}
        {state.last_attempt && `Last answer: ${state.last_attempt.message}`}
      </p>
      {onEnable && (
        <Button size="compact-xs" variant="default" onClick={onEnable}>
          {isPaused ? 'Send now' : 'Enable again'}
        </Button>
      )}
    </Alert>
  );
}

interface TableProps {
  webhooks: readonly Webhook[];
  states: readonly UrlState[];
  onEdit: ((webhook: Webhook) => void) | undefined;
  onDelete: (webhook: Webhook) => void;
}

function Webhooks({ webhooks, states, onEdit, onDelete }: TableProps) {
  const rows = KINDS.flatMap(({ kind, label }) => {
    const named = webhooks.filter(({ kinds }) => kinds.includes(kind));
    return named.map((webhook, place) => ({ key: `${kind} ${webhook.url}`, label: place === 0 ? label : '', webhook }));
  });
  return (
    <Sideways label="Webhooks, table" minWidth={560}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">URL</th>
            <th scope="col">State</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, webhook }) => {
            const state = states.find(({ url }) => url === webhook.url);
            return (
              <tr key={key}>
                <td>{label}</td>
                <td>
                  <bdi>{webhook.url}</bdi>
                </td>
                <td>{state && <Chip tone={TONES[state.state]}>{state.state}</Chip>}</td>
                <ActionsCell
                  name={webhook.url.slice(0, 80)}
                  onEdit={onEdit && (() => onEdit(webhook))}
                  onDelete={() => onDelete(webhook)}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
    </Sideways>
  );
}

/** Where events are posted, how they were answered, and the key that signs them. */
export function WebhooksPage() {
  const { canWrite } = useRole('webhooks');
  const [domain, setDomain] = useState<string | null>(null);
  const { data: domains = [] } = useQuery(domainsQuery);
  const webhooks = useQuery(webhooksQuery(domain));
  const { data: states = [] } = useQuery(urlsQuery);
  const [edited, setEdited] = useState<{ webhook?: Webhook }>();
  const { askDelete, enable } = useChanges(domain);
  return (
    <>
      <PageHead title="Webhooks" lead="Galley posts events as signed JSON to the URLs that you name here.">
        {webhooks.data && webhooks.data.length > 0 && (
          <CsvButtons of="webhooks" name="webhooks" {...webhooksExport(webhooks.data, states)} />
        )}
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setEdited({})}>
            New webhook
          </Button>
        )}
      </PageHead>
      {states.map((state) => (
        <UrlAlert key={state.url} state={state} onEnable={canWrite ? () => void enable(state.url) : undefined} />
      ))}
      <div className={classes.search}>
        <Select
          aria-label="Webhooks of"
          w={260}
          clearable
          searchable
          placeholder="All domains of the account"
          value={domain}
          data={domains.map(({ name }) => name)}
          onChange={setDomain}
        />
      </div>
      {webhooks.error && (
        <Alert color="red" title="The webhooks could not be loaded">
          {sentenceOf(webhooks.error)}
        </Alert>
      )}
      {webhooks.isPending && <Skeleton height={90} />}
      {webhooks.data?.length === 0 && (
        <Notice title="No webhooks yet" action={canWrite && <Button onClick={() => setEdited({})}>New webhook</Button>}>
          {domain === null
            ? 'A webhook added here gets the events of every domain. Choose a domain to see its own.'
            : `${domain} has no webhooks of its own.`}
        </Notice>
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <Webhooks
          webhooks={webhooks.data}
          states={states}
          onEdit={canWrite ? (webhook) => setEdited({ webhook }) : undefined}
          onDelete={askDelete}
        />
      )}
      <WebhookSigningKey />
      <DeliveryLog />
      {edited && <WebhookDialog domain={domain} webhook={edited.webhook} onClose={() => setEdited(undefined)} />}
    </>
  );
}

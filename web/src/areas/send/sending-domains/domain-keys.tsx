// The DKIM keys of a domain: which sign, which DNS shows, and what can be done to them.
import { Alert, Button, Skeleton, Switch, Table, TextInput, VisuallyHidden } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { domainQuery } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from './credentials.module.css';

type DomainKey = Reply<'GET /v4/domains/{authority_name}/keys'>['items'][number];

const keysQuery = (domain: string) =>
  queryOptions({
    queryKey: ['domain-keys', domain],
    queryFn: async ({ signal }) => {
      const path = { authority_name: domain };
      return (await api.call('GET /v4/domains/{authority_name}/keys', { path }, { signal })).items;
    },
  });

interface Change {
  key: DomainKey;
  what: 'activate' | 'deactivate' | 'delete';
}

const DONE: Record<Change['what'], string> = {
  activate: 'The key signs from now on.',
  deactivate: 'The key signs no longer.',
  delete: 'The key is deleted.',
};

async function carryOut({ key: { signing_domain: authority, selector }, what }: Change): Promise<void> {
  const path = { authority_name: authority, selector };
  if (what === 'activate') await api.call('PUT /v4/domains/{authority_name}/keys/{selector}/activate', { path });
  else if (what === 'deactivate')
    await api.call('PUT /v4/domains/{authority_name}/keys/{selector}/deactivate', { path });
  else await api.call('DELETE /v1/dkim/keys', { query: { signing_domain: authority, selector } });
}

function useRefresh(domain: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: ['domain-keys', domain] });
    void queries.invalidateQueries({ queryKey: domainQuery(domain).queryKey });
  };
}

function useChangeKey(domain: string) {
  const refresh = useRefresh(domain);
  return useMutation({
    mutationFn: carryOut,
    onSuccess: async (_, { what }) => {
      await refresh();
      announce(DONE[what]);
    },
  });
}

function InDns({ valid }: Pick<DomainKey['dns_record'], 'valid'>) {
  if (valid === 'valid') return <Chip tone="good">found</Chip>;
  return valid === 'unknown' ? <Chip>not checked</Chip> : <Chip tone="doubt">not found</Chip>;
}

function Row({ domainKey, onChange }: { domainKey: DomainKey; onChange?: (what: Change['what']) => void }) {
  const { selector, active, created_at: createdAt, dns_record: record } = domainKey;
  const askDelete = (): void =>
    ask({
      title: 'Delete this key?',
      text: `Mail that was signed under ${selector} can no longer be verified once its record is gone. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => onChange?.('delete'),
    });
  return (
    <Table.Tr>
      <Table.Td className={classes.login}>{selector}</Table.Td>
      <Table.Td>{active ? <Chip tone="good">signs</Chip> : <Chip>does not sign</Chip>}</Table.Td>
      <Table.Td>
        <InDns valid={record.valid} />
      </Table.Td>
      <Table.Td>
        <When at={new Date(createdAt)} />
      </Table.Td>
      <Table.Td ta="right" className={classes.actions}>
        {onChange && (
          <>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${active ? 'Deactivate' : 'Activate'} ${selector}`}
              onClick={() => onChange(active ? 'deactivate' : 'activate')}
            >
              {active ? 'Deactivate' : 'Activate'}
            </Button>{' '}
            {!active && (
              <Button size="compact-xs" variant="default" aria-label={`Delete ${selector}`} onClick={askDelete}>
                Delete
              </Button>
            )}
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The record of a new key has to be published before it signs. */
function NewKey({ domain }: { domain: string }) {
  const refresh = useRefresh(domain);
  const [selector, setSelector] = useState('');
  const create = useMutation({
    mutationFn: () =>
      api.call('POST /v1/dkim/keys', { body: { signing_domain: domain, selector: selector.trim(), bits: 2048 } }),
    onSuccess: async () => {
      setSelector('');
      await refresh();
      announce('The key is created. Publish its record, then activate it.');
    },
  });
  const field = create.error ? fieldOf(create.error, ['selector']) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className={classes.below}>
      {create.error && field === undefined && (
        <Alert color="red" mb="sm" title="The key was not created">
          {sentenceOf(create.error)}
        </Alert>
      )}
      <div className={classes.ask}>
        <TextInput
          label="Selector of a new key"
          name="selector"
          placeholder="spring2027"
          autoComplete="off"
          value={selector}
          error={field === 'selector' && create.error && sentenceOf(create.error)}
          onChange={(event) => {
            setSelector(event.currentTarget.value);
            create.reset();
          }}
        />
        <Button type="submit" variant="default" loading={create.isPending} disabled={selector.trim() === ''}>
          Create key
        </Button>
      </div>
    </form>
  );
}

/** Who publishes the keys. */
function AutomaticKeys({ domain, isOn }: { domain: string; isOn: boolean }) {
  const refresh = useRefresh(domain);
  const { canWrite } = useRole('domains');
  const change = useMutation({
    mutationFn: (use_automatic_sender_security: boolean) =>
      api.call('PUT /v4/domains/{name}', { path: { name: domain }, body: { use_automatic_sender_security } }),
    onSuccess: async ({ domain: { use_automatic_sender_security: isNow } }) => {
      await refresh();
      announce(isNow ? 'Publish the two CNAME records; keys change by themselves.' : 'You publish the keys yourself.');
    },
  });
  return (
    <div className={classes.below}>
      {change.error && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(change.error)}
        </Alert>
      )}
      <Switch
        label="Keys by CNAME records"
        description="You publish two CNAME records once; the operator publishes the keys, which then change without you."
        checked={isOn}
        disabled={!canWrite || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </div>
  );
}

/** The keys that a domain has. */
export function DomainKeys({ domain, isAutomatic }: { domain: string; isAutomatic: boolean }) {
  const keys = useQuery(keysQuery(domain));
  const change = useChangeKey(domain);
  const { canWrite } = useRole('domains');
  const waiting = (keys.data ?? []).filter(({ active, dns_record: { valid } }) => !active && valid !== 'valid');
  return (
    <section aria-labelledby="domain-keys" className={classes.section}>
      <div className={classes.head}>
        <h2 id="domain-keys">DKIM keys</h2>
      </div>
      <p className={classes.about}>
        Every active key signs each message. A key is activated once DNS shows its record, so no message fails while
        keys change.
      </p>
      {keys.error && (
        <Alert color="red" title="The keys could not be loaded">
          {sentenceOf(keys.error)}
        </Alert>
      )}
      {change.error && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(change.error)}
        </Alert>
      )}
      {keys.isPending && <Skeleton height={80} />}
      {keys.data && keys.data.length > 0 && (
        <Sideways minWidth={620} label="DKIM keys, table">
          <Table verticalSpacing={10}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Selector</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>In DNS</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.data.map((key) => (
                <Row
                  key={`${key.signing_domain} ${key.selector}`}
                  domainKey={key}
                  {...(canWrite && { onChange: (what: Change['what']) => change.mutate({ key, what }) })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      {waiting.map(({ selector, dns_record: record }) => (
        <div key={selector} className={classes.about}>
          <p>
            Publish this record ({record.record_type}) before you activate {selector}:
          </p>
          <code>{record.name}</code>
          <br />
          <code>{record.value}</code>
        </div>
      ))}
      <AutomaticKeys domain={domain} isOn={isAutomatic} />
      {canWrite && <NewKey domain={domain} />}
    </section>
  );
}

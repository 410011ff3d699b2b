import { Alert, Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { ipsQuery, type PoolDetails } from './ips-api.ts';

interface PoolDialogProps {
  /** What is changed; undefined for a new one. */
  pool: PoolDetails | undefined;
  onClose: () => void;
}

interface Draft {
  name: string;
  description: string;
  ips: string[];
  domains: string[];
}

const without = (list: readonly string[], other: readonly string[]): string[] =>
  list.filter((one) => !other.includes(one));

/** A new pool, with its domains: without them it is not kept, so that saving again makes no second one. */
async function createPool({ name, description, ips, domains }: Draft): Promise<void> {
  const body = { name: name.trim(), description: description.trim(), ip: ips };
  const { pool_id: id } = await api.call('POST /v3/ip_pools', { body });
  const path = { pool_id: id };
  if (domains.length === 0) return;
  try {
    await api.call('PATCH /v3/ip_pools/{pool_id}', { path, body: { link_domain: domains } });
  } catch (error) {
    await api.call('DELETE /v3/ip_pools/{pool_id}', { path, body: {} });
    throw error;
  }
}

async function changePool(pool: PoolDetails, { name, description, ips, domains }: Draft): Promise<void> {
  const linked = pool.linked_domains.map((domain) => domain.name);
  await api.call('PATCH /v3/ip_pools/{pool_id}', {
    path: { pool_id: pool.pool_id },
    body: {
      name: name.trim(),
      description: description.trim(),
      add_ip: without(ips, pool.ips),
      remove_ip: without(pool.ips, ips),
      link_domain: without(domains, linked),
      unlink_domain: without(linked, domains),
    },
  });
}

/** The addresses of a pool, and the domains that send from it. */
export function PoolDialog({ pool, onClose }: PoolDialogProps) {
  const queries = useQueryClient();
  const [ips, domains] = [useQuery(ipsQuery), useQuery(domainsQuery)];
  const [draft, setDraft] = useState<Draft>(() => ({
    name: pool?.name ?? '',
    description: pool?.description ?? '',
    ips: pool?.ips ?? [],
    domains: pool?.linked_domains.map(({ name }) => name) ?? [],
  }));
  const save = useMutation({
    mutationFn: () => (pool ? changePool(pool, draft) : createPool(draft)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['ips'] });
      onClose();
    },
  });
  const change = (part: Partial<Draft>): void => (setDraft({ ...draft, ...part }), save.reset());
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  const free = ips.data?.assignable_to_pools ?? [];
  return (
    <Dialog onClose={onClose} title={pool ? 'Edit pool' : 'New pool'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The pool was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            value={draft.name}
            maxLength={200}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Description"
            value={draft.description}
            maxLength={1000}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <MultiSelect
            label="Addresses"
            description="An address can be in one pool. Shared addresses cannot be in any."
            value={draft.ips}
            data={[...(pool?.ips ?? []), ...free]}
            searchable
            onChange={(chosen) => change({ ips: chosen })}
          />
          <MultiSelect
            label="Domains"
            description="They send from this pool instead of any addresses of their own."
            value={draft.domains}
            data={domains.data?.map(({ name }) => name) ?? []}
            disabled={draft.ips.length === 0}
            searchable
            onChange={(chosen) => change({ domains: chosen })}
          />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={draft.name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

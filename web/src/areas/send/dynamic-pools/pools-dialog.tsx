import { Alert, Button, Group, MultiSelect, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { addressesQuery, BANDS, useRenew, type Pools } from './dynamic-pools-api.ts';

type Field = (typeof BANDS)[number]['field'];

/** Which addresses the pools send from. */
export function PoolsDialog({ pools, onClose }: { pools: Pools; onClose: () => void }) {
  const renew = useRenew();
  const { data: addresses } = useQuery(addressesQuery);
  const [draft, setDraft] = useState<Readonly<Record<Field, string[]>>>({
    good_reputation: pools.good_reputation,
    new_senders: pools.new_senders,
    poor_reputation: pools.poor_reputation,
  });
  const save = useMutation({
    mutationFn: () => api.call('POST /v3/dynamic_pools/all', { body: draft }),
    onSuccess: async () => {
      await renew();
      onClose();
    },
  });
  const taken = (field: Field): string[] => BANDS.flatMap((band) => (band.field === field ? [] : draft[band.field]));
  const inPools = [...pools.good_reputation, ...pools.new_senders, ...pools.poor_reputation];
  const usable = [...new Set([...(addresses?.free ?? []), ...inPools])].toSorted();
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title="Addresses of the pools">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The pools were not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          {addresses && usable.length < BANDS.length && (
            <Alert color="yellow" title="Not enough addresses">
              Each pool needs an address of its own that is in no other pool. The setting GALLEY_SENDING_IPS adds
              addresses.
            </Alert>
          )}
          {BANDS.map(({ field, label }) => (
            <MultiSelect
              key={field}
              label={`${label} reputation`.replace('New reputation', 'New senders')}
              value={draft[field]}
              data={usable.filter((ip) => !taken(field).includes(ip))}
              onChange={(ips) => (setDraft({ ...draft, [field]: ips }), save.reset())}
            />
          ))}
          <Group gap="xs">
            <Button
              type="submit"
              loading={save.isPending}
              disabled={BANDS.some(({ field }) => draft[field].length === 0)}
            >
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { BANDS, replacementQuery, useRenew, type PooledDomain } from './dynamic-pools-api.ts';
import { ReplacementSelect } from './replacement-select.tsx';

interface DialogProps {
  domain: PooledDomain;
  onClose: () => void;
}

/** Puts a domain into a pool by hand. */
export function OverrideDialog({ domain, onClose }: DialogProps) {
  const renew = useRenew();
  const { name } = domain;
  const [pool, setPool] = useState(domain.pool);
  const save = useMutation({
    mutationFn: () => api.call('PUT /v1/dynamic_pools/domains/{name}/override', { path: { name }, body: { pool } }),
    onSuccess: async () => {
      await renew();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={`Override ${name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The override was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <Select
            label="Pool"
            description="The domain stays there, whatever checks find, until you end the override."
            value={pool}
            allowDeselect={false}
            data={BANDS.map((band) => ({ value: band.pool, label: band.label }))}
            onChange={(chosen) => chosen !== null && setPool(chosen)}
          />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Takes a domain out of the dynamic pools. */
export function RemoveDialog({ domain, onClose }: DialogProps) {
  const renew = useRenew();
  const { name } = domain;
  const [replacement, setReplacement] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: () =>
      api.call('DELETE /v3/domains/{name}/dynamic_pools', {
        path: { name },
        body: replacementQuery(replacement ?? ''),
      }),
    onSuccess: async () => {
      await renew();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), remove.mutate());
  return (
    <Dialog onClose={onClose} title={`Remove ${name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {remove.error && (
            <Alert color="red" title="The domain was not removed">
              {sentenceOf(remove.error)}
            </Alert>
          )}
          <ReplacementSelect
            label="Then sends from"
            description="The domain leaves the dynamic pools. Its history stays."
            value={replacement}
            onChange={setReplacement}
          />
          <Group gap="xs">
            <Button type="submit" loading={remove.isPending} disabled={replacement === null}>
              Remove
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

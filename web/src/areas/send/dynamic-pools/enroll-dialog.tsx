import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { assignableQuery, replacementQuery, useRenew } from './dynamic-pools-api.ts';
import { ReplacementSelect } from './replacement-select.tsx';

/** Puts a domain into the dynamic pools, or all. */
export function EnrollDialog({ onClose }: { onClose: () => void }) {
  const renew = useRenew();
  const { data } = useQuery(assignableQuery);
  const [name, setName] = useState<string | null>(null);
  const [replacement, setReplacement] = useState<string | null>(null);
  const done = async (said: string): Promise<void> => {
    announce(said);
    await renew();
    onClose();
  };
  const enroll = useMutation({
    mutationFn: () =>
      api.call('POST /v3/domains/{name}/dynamic_pools', {
        path: { name: name ?? '' },
        body: replacementQuery(replacement ?? ''),
      }),
    onSuccess: () => done(`${name} was enrolled`),
  });
  const all = useMutation({
    mutationFn: () => api.call('POST /v3/domains/all/dynamic_pools/enroll', {}),
    onSuccess: () => done('All domains are being enrolled'),
  });
  const error = enroll.error ?? all.error;
  const submit = (event: FormEvent): void => (event.preventDefault(), enroll.mutate());
  return (
    <Dialog onClose={onClose} title="Enroll a domain">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {error && (
            <Alert color="red" title="The domain was not enrolled">
              {sentenceOf(error)}
            </Alert>
          )}
          <Select
            label="Domain"
            description={data?.items.length === 0 ? 'Every domain is enrolled already.' : undefined}
            searchable
            value={name}
            data={(data?.items ?? []).map((domain) => domain.name)}
            onChange={(chosen) => (setName(chosen), enroll.reset())}
          />
          <ReplacementSelect
            label="Fallback"
            description="The domain sends from this where its dynamic pool has no address."
            value={replacement}
            onChange={setReplacement}
          />
          <Group gap="xs">
            <Button type="submit" loading={enroll.isPending} disabled={name === null || replacement === null}>
              Enroll
            </Button>
            <Button
              variant="default"
              loading={all.isPending}
              disabled={!data || data.items.length === 0}
              onClick={() => all.mutate()}
            >
              Enroll all domains
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

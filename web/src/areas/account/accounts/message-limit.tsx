// The monthly limit of messages: of the account itself, and of a subaccount.
import { Alert, Button, Group, NumberInput, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';

const MINIMUM = 1000;

interface Limit {
  limit: number;
  current: number;
}

/** What can be done with a limit, whoever's it is. */
interface LimitDoors {
  queryKey: readonly string[];
  find(signal: AbortSignal): Promise<Limit>;
  set(limit: number): Promise<unknown>;
  remove(): Promise<unknown>;
  /** Sends on until the month ends. */
  enable?(): Promise<unknown>;
}

const path = (id: string) => ({ path: { subaccount_id: id } });

export const ownLimit: LimitDoors = {
  queryKey: ['message-limit', 'own'],
  find: (signal) => api.call('GET /v5/accounts/limit/custom/monthly', {}, { signal }),
  set: (limit) => api.call('PUT /v5/accounts/limit/custom/monthly', { query: { limit } }),
  remove: () => api.call('DELETE /v5/accounts/limit/custom/monthly', {}),
  enable: () => api.call('PUT /v5/accounts/limit/custom/enable', {}),
};

export const limitOf = (id: string): LimitDoors => ({
  queryKey: ['message-limit', id],
  find: (signal) => api.call('GET /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly', path(id), { signal }),
  set: (limit) =>
    api.call('PUT /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly', { ...path(id), query: { limit } }),
  remove: () => api.call('DELETE /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly', path(id)),
});

/** Undefined where there is no limit: the service answers that with 404. */
async function findLimit(doors: LimitDoors, signal: AbortSignal): Promise<Limit | null> {
  try {
    return await doors.find(signal);
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  }
}

function Used({ limit: { limit, current } }: { limit: Limit }) {
  const percent = Math.min(100, (current / limit) * 100);
  return (
    <div>
      <Text size="sm" mb={6}>
        {current.toLocaleString('en')} of {limit.toLocaleString('en')} messages accepted this month
      </Text>
      <Progress value={percent} color={current >= limit ? 'red' : undefined} aria-label="Used of the monthly limit" />
    </div>
  );
}

/** Shows the limit, and changes it for whom it is allowed. */
export function MessageLimit({ doors, canWrite }: { doors: LimitDoors; canWrite: boolean }) {
  const queries = useQueryClient();
  const [max, setMax] = useState<number | string>('');
  const found = useQuery({ queryKey: doors.queryKey, queryFn: ({ signal }) => findLimit(doors, signal) });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: async () => (setMax(''), await queries.invalidateQueries({ queryKey: ['message-limit'] })),
  });
  if (found.isPending) return <Skeleton height={70} />;
  const limit = found.data ?? null;
  const submit = (event: FormEvent): void => (event.preventDefault(), change.mutate(() => doors.set(Number(max))));
  return (
    <Stack gap="sm">
      {(found.error ?? change.error) && (
        <Alert color="red" title={found.error ? 'The limit could not be loaded' : 'Nothing was changed'}>
          {sentenceOf(found.error ?? change.error)}
        </Alert>
      )}
      {limit ? <Used limit={limit} /> : <Text size="sm">No limit is set.</Text>}
      {canWrite && (
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <NumberInput
              label="Messages a month"
              placeholder={(limit?.limit ?? 10_000).toLocaleString('en')}
              min={MINIMUM}
              value={max}
              onChange={setMax}
              allowDecimal={false}
              hideControls
              thousandSeparator=","
              w={180}
            />
            <Button type="submit" variant="default" disabled={Number(max) < MINIMUM} loading={change.isPending}>
              {limit ? 'Change limit' : 'Set limit'}
            </Button>
            {limit && (
              <Button variant="subtle" onClick={() => change.mutate(doors.remove)} disabled={change.isPending}>
                Remove limit
              </Button>
            )}
            {limit && doors.enable && limit.current >= limit.limit && (
              <Button variant="subtle" onClick={() => change.mutate(doors.enable!)} disabled={change.isPending}>
                Allow sending until the month ends
              </Button>
            )}
          </Group>
          <Text size="xs" c="var(--ink-dim)" mt={6}>
            At least {MINIMUM.toLocaleString('en')}. Each recipient counts as one message; months are UTC.
          </Text>
        </form>
      )}
    </Stack>
  );
}

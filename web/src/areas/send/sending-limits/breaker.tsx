// When batches of a domain are held, and those that were.
import { Alert, Button, Group, Skeleton, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import { Batches, batchesExport, batchesQuery } from '../../../shared/send/batches.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { breakerQuery, useSaveBreaker, type Breaker } from './rules-api.ts';
import classes from './rules.module.css';

type Draft = Pick<Breaker, 'mode'> & Record<'sample' | 'bounced_max' | 'deferred_max', number | ''>;

const draftOf = ({ mode, sample, bounced_max, deferred_max }: Breaker): Draft => ({
  mode,
  sample,
  bounced_max,
  deferred_max,
});

const isIn = (value: number | '', min: number, max: number): boolean => value !== '' && value >= min && value <= max;
const errorOf = (value: number | '', min: number, max: number): string | false =>
  !isIn(value, min, max) && `A whole number from ${min} to ${max.toLocaleString('en')}.`;

function Numbers({
  draft,
  change,
  isDisabled,
}: { draft: Draft; change: (part: Partial<Draft>) => void } & Record<'isDisabled', boolean>) {
  const { sample, bounced_max: bounced, deferred_max: deferred } = draft;
  return (
    <fieldset className={classes.numbers} disabled={isDisabled}>
      <CountInput
        label="First deliveries"
        name="sample"
        min={10}
        max={1000}
        value={sample}
        error={errorOf(sample, 10, 1000)}
        onChange={(value) => change({ sample: value })}
      />
      <CountInput
        label="Bounced, at most (%)"
        name="bounced_max"
        min={0}
        max={100}
        value={bounced}
        error={errorOf(bounced, 0, 100)}
        onChange={(value) => change({ bounced_max: value })}
      />
      <CountInput
        label="Deferred, at most (%)"
        name="deferred_max"
        min={0}
        max={100}
        value={deferred}
        error={errorOf(deferred, 0, 100)}
        onChange={(value) => change({ deferred_max: value })}
      />
    </fieldset>
  );
}

function Form({ saved }: { saved: Breaker }) {
  const { canWrite } = useRole('domains');
  const save = useSaveBreaker(saved.domain);
  const [draft, setDraft] = useState(() => draftOf(saved));
  const change = (part: Partial<Draft>): void => (setDraft({ ...draft, ...part }), save.reset());
  const { mode, sample, bounced_max: bounced, deferred_max: deferred } = draft;
  const isReady = isIn(sample, 10, 1000) && isIn(bounced, 0, 100) && isIn(deferred, 0, 100);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(saved));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ mode, sample: Number(sample), bounced_max: Number(bounced), deferred_max: Number(deferred) });
  };
  return (
    <form onSubmit={submit} noValidate className={classes.breaker}>
      <Stack gap="md">
        {save.error && (
          <Alert color="red" title="Nothing was changed">
            {sentenceOf(save.error)}
          </Alert>
        )}
        <Switch
          label="Use the circuit breaker"
          aria-label="Use the circuit breaker"
          description="A batch is what the domain sends within an hour with one campaign or tag or to one mailing list, or one call with more recipients than the number below."
          checked={mode === 'on'}
          disabled={!canWrite}
          onChange={(event) => change({ mode: event.currentTarget.checked ? 'on' : 'off' })}
        />
        {mode === 'on' && <Numbers draft={draft} change={change} isDisabled={!canWrite} />}
        {mode === 'on' && isReady && (
          <p className={classes.rule}>
            A batch is held if more than {bounced} % of its first {sample} deliveries bounce, or more than {deferred} %
            are deferred.
          </p>
        )}
        {canWrite && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isChanged || !isReady}>
              Save circuit breaker
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The circuit breaker of a domain, and its batches. */
export function BreakerPart({ domain }: { domain: string }) {
  const { data, error } = useQuery(breakerQuery(domain));
  const which = { domain, show: 'all' } as const;
  const { data: batches } = useQuery(batchesQuery(which));
  return (
    <>
      <p className={classes.about}>
        A large sending starts with its first recipients. If too many of them bounce or are deferred, the rest is held
        until you release or drop it; after 48 hours it is dropped.
      </p>
      {error && (
        <Alert color="red" mb="md" title="The circuit breaker could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={120} />}
      {data && <Form key={domain} saved={data} />}
      {batches?.meta.count === 0 && <p className={classes.about}>No batch of {domain} has been sent yet.</p>}
      <Batches {...which} />
      {batches !== undefined && batches.meta.count > 0 && (
        <div className={classes.toolbar}>
          <CsvButtons of={`batches of ${domain}`} name={`batches-of-${domain}`} {...batchesExport(which)} />
        </div>
      )}
    </>
  );
}

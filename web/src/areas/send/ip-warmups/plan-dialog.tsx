import { Alert, Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { count, figure } from '../../../ground/words.ts';
import { addressesQuery, earliest, proposalQuery, readVolumes, warmupsKey, type Warmup } from './warmups-api.ts';
import classes from './warmups.module.css';

const TARGET = 53_328;

interface PlanDialogProps {
  /** Whose plan is changed; undefined: a warm-up is started. */
  warmup: Warmup | undefined;
  onClose: () => void;
}

/** Bars as high as the stages' volumes. */
export function Bars({ volumes, stage }: { volumes: readonly number[]; stage?: number }) {
  const most = Math.max(1, ...volumes);
  return (
    <div
      className={classes.bars}
      role="img"
      aria-label={`${count(volumes.length, 'stage')}, up to ${figure(most)} a day`}
    >
      {volumes.map((volume, at) => (
        <span
          key={at}
          title={`Stage ${at + 1}: ${figure(volume)}`}
          data-state={stage === undefined || at + 1 > stage ? undefined : at + 1 === stage ? 'now' : 'done'}
          style={{ height: `${Math.max(4, Math.sqrt(volume / most) * 100)}%` }}
        />
      ))}
    </div>
  );
}

/** The field of the stages, and what follows from them. */
function StagesField(props: { text: string; onChange: (text: string) => void; isNew: boolean }) {
  const volumes = readVolumes(props.text);
  return (
    <>
      <Textarea
        label="Messages in each stage"
        description="A stage lasts 24 hours. Whole numbers, joined by commas; none is below the one before it."
        autosize
        minRows={2}
        maxRows={6}
        value={props.text}
        error={!volumes && 'From 1 to 60 whole numbers that do not fall.'}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
      {volumes && (
        <div>
          <Bars volumes={volumes} />
          {props.isNew && (
            <p className={classes.dim}>
              {count(volumes.length, 'stage')}: warm on {earliest(volumes.length)} at the earliest.
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** Starts a warm-up, or changes the stages of one. */
export function PlanDialog({ warmup, onClose }: PlanDialogProps) {
  const queries = useQueryClient();
  const addresses = useQuery({ ...addressesQuery, enabled: !warmup });
  const free = addresses.data?.details.filter(({ is_on_warmup: isWarming }) => !isWarming).map(({ ip }) => ip) ?? [];
  const [ip, setIp] = useState(warmup?.ip ?? null);
  const [target, setTarget] = useState(String(TARGET));
  const isTarget = /^[1-9]\d{0,7}$/.test(target) && Number(target) <= 50_000_000;
  const proposal = useQuery({ ...proposalQuery(Number(target)), enabled: !warmup && isTarget });
  const [typed, setTyped] = useState(warmup?.stages.join(', '));
  const text = typed ?? proposal.data?.stages.join(', ') ?? '';
  const save = useMutation({
    mutationFn: async () => {
      const [addr, stages] = [ip ?? '', readVolumes(text) ?? []];
      if (warmup) await api.call('PUT /v1/galley/ip_warmups/{addr}', { path: { addr }, body: { stages } });
      else await api.call('POST /v3/ip_warmups/{addr}', { path: { addr }, body: { stages } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: warmupsKey });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  const failure = save.error ?? addresses.error ?? proposal.error;
  return (
    <Dialog onClose={onClose} title={warmup ? `Change the stages of ${warmup.ip}` : 'Start a warm-up'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure && <Alert color="red">{sentenceOf(failure)}</Alert>}
          {!warmup && (
            <>
              <Select
                label="IP address"
                description="One of the account’s own addresses that is not warming up."
                data={free}
                value={ip}
                onChange={setIp}
              />
              <TextInput
                label="Messages a day when it is warm"
                inputMode="numeric"
                value={target}
                error={!isTarget && 'A whole number from 1 to 50,000,000.'}
                onChange={(event) => (setTarget(event.currentTarget.value), setTyped(undefined))}
              />
            </>
          )}
          {(warmup ?? proposal.data) && <StagesField text={text} onChange={setTyped} isNew={!warmup} />}
          {proposal.data && typed === undefined && (
            <p className={classes.dim}>
              Proposed from “{proposal.data.source.name}” of{' '}
              <a href={proposal.data.source.url} target="_blank" rel="noreferrer">
                {proposal.data.source.publisher}
              </a>
              , read on {proposal.data.source.read_on}.
            </p>
          )}
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={ip === null || !readVolumes(text)}>
              {warmup ? 'Save' : 'Start'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

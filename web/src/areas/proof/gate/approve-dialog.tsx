import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { count } from '../../../ground/words.ts';
import { baselinesQuery, type Screenshot } from './gate-api.ts';
import classes from './gate.module.css';

interface ApproveDialogProps {
  gateId: string;
  /** The baseline that the gate names. */
  baseline: string | null;
  shots: readonly Screenshot[];
  isAll: boolean;
  onClose: () => void;
  onApproved: () => void;
}

/** Makes pictures the baseline, after saying which. */
export function ApproveDialog({ gateId, baseline, shots, isAll, onClose, onApproved }: ApproveDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(baseline ?? '');
  const { data: baselines = [] } = useQuery(baselinesQuery);
  const known = baselines.find((one) => one.name === name.trim());
  const replaced = shots.filter(({ client }) => known?.clients.includes(client)).length;
  const approve = useMutation({
    mutationFn: () =>
      api.call('POST /v1/inspect/gate/{id}/approve', {
        path: { id: gateId },
        body: { baseline: name.trim(), ...(!isAll && { clients: shots.map(({ client }) => client) }) },
      }),
    onSuccess: (approved) => {
      void queries.invalidateQueries({ queryKey: ['baselines'] });
      void queries.invalidateQueries({ queryKey: ['gate', gateId] });
      tell({
        title: `Approved as “${approved.baseline}”`,
        message:
          `${count(approved.clients.length, 'screenshot')} approved. Later runs with this baseline are compared with ` +
          `${approved.clients.length === 1 ? 'it' : 'them'}. The verdict of this run does not change.`,
      });
      onApproved();
    },
  });
  const field = approve.error ? fieldOf(approve.error, ['baseline']) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), approve.mutate());
  return (
    <Dialog onClose={onClose} title={`Approve ${count(shots.length, 'screenshot')}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {approve.error && field === undefined && (
            <Alert color="red" title="Nothing was approved">
              {sentenceOf(approve.error)}
            </Alert>
          )}
          <p className={classes.clients}>{shots.map((shot) => shot.name).join(' · ')}</p>
          <TextInput
            label="Baseline"
            name="baseline"
            placeholder="spring"
            description={
              replaced > 0
                ? `${count(replaced, 'approved screenshot')} of this baseline will be replaced. This cannot be undone.`
                : known
                  ? 'The screenshots will be added to this baseline.'
                  : 'Choose a name. Later runs select the baseline by this name.'
            }
            value={name}
            error={field && sentenceOf(approve.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={approve.isPending} disabled={name.trim() === ''}>
            Approve
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

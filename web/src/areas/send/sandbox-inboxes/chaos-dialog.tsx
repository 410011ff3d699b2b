import { Alert, Button, NumberInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { TRIGGERS } from './chaos.ts';
import type { Inbox } from './sandbox-api.ts';
import classes from './sandbox.module.css';

/** One trigger as it is written. */
interface Row {
  probability: number | string;
  code: number | string;
}

type Rows = Record<(typeof TRIGGERS)[number]['name'], Row>;

function rowsOf(chaos: Inbox['chaos']): Rows {
  const rows = TRIGGERS.map(({ name, code }) => {
    const set = chaos?.[name];
    return [name, { probability: set?.probability ?? 0, code: set?.error_code ?? code }];
  });
  return Object.fromEntries(rows) as Rows;
}

/** What happens never is not set. */
function chaosOf(rows: Rows): Inbox['chaos'] {
  const set = TRIGGERS.filter(({ name }) => Number(rows[name].probability) !== 0).map(({ name }) => {
    const { probability, code } = rows[name];
    return [name, { error_code: Number(code), probability: Number(probability) }];
  });
  return set.length === 0 ? null : Object.fromEntries(set);
}

/** What an inbox refuses on purpose. */
export function ChaosDialog({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const queries = useQueryClient();
  const [rows, setRows] = useState(rowsOf(inbox.chaos));
  const save = useMutation({
    mutationFn: (chaos: Inbox['chaos']) =>
      api.call('PATCH /v1/sandbox/{inbox}', { path: { inbox: inbox.id }, body: { chaos } }),
    onSuccess: async () => {
      for (const key of ['sandbox', 'sandbox-inbox']) await queries.invalidateQueries({ queryKey: [key] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate(chaosOf(rows)));
  return (
    <Dialog onClose={onClose} title={`What ${inbox.name} refuses on purpose`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The settings were not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <p>
            Shows what a program does when a server refuses. Only programs that log in as {inbox.smtp_user} are refused,
            so often, with this code (400 to 599).
          </p>
          {TRIGGERS.map(({ name, label, command }) => (
            <div key={name} className={classes.trigger}>
              <NumberInput
                label={`${label}, in percent`}
                description={command}
                name={`${name}_probability`}
                min={0}
                max={100}
                allowDecimal={false}
                value={rows[name].probability}
                onChange={(probability) => setRows({ ...rows, [name]: { ...rows[name], probability } })}
              />
              <NumberInput
                label="Code"
                aria-label={`Code for ${command}`}
                name={`${name}_code`}
                allowDecimal={false}
                hideControls
                value={rows[name].code}
                onChange={(code) => setRows({ ...rows, [name]: { ...rows[name], code } })}
              />
            </div>
          ))}
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

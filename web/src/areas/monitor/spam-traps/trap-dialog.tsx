import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { TYPES, type TrapType } from './traps-api.ts';

/** Sets up a trap that Galley's own SMTP port takes mail for. */
export function TrapDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [value, setValue] = useState('');
  const [type, setType] = useState<TrapType>('pristine');
  const add = useMutation({
    mutationFn: () => api.call('POST /v1/spamtraps/traps', { body: { value: value.trim(), type } }),
    onSuccess: () => {
      announce('The spam trap is set up.');
      void queries.invalidateQueries({ queryKey: ['traps'] });
      onClose();
    },
  });
  const isOfValue = add.error ? fieldOf(add.error, ['value']) === 'value' : false;
  const submit = (event: FormEvent): void => (event.preventDefault(), add.mutate());
  return (
    <Dialog onClose={onClose} title="Set up a spam trap">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {add.error && !isOfValue && (
            <Alert color="red" title="The trap was not set up">
              {sentenceOf(add.error)}
            </Alert>
          )}
          <TextInput
            name="value"
            label="Address or domain"
            description="Its MX record must lead to this service's SMTP port."
            placeholder="trap.example.com"
            value={value}
            maxLength={320}
            error={isOfValue && sentenceOf(add.error)}
            onChange={(event) => setValue(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="Type"
            description={TYPES[type]}
            allowDeselect={false}
            value={type}
            data={Object.keys(TYPES)}
            onChange={(given) => setType((given ?? 'pristine') as TrapType)}
          />
          <Button type="submit" loading={add.isPending} disabled={value.trim() === ''}>
            Set up
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

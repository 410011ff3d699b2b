import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';

/** Names an inbox, and then shows how programs send to it. */
export function NewInboxDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api.call('POST /v1/sandbox', { body: { name: name.trim() } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sandbox'] }),
  });
  const isOfName = create.error && fieldOf(create.error, ['name']) === 'name';
  if (create.data) return <ConnectDialog inbox={create.data} password={create.data.smtp_password} onClose={onClose} />;
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  return (
    <Dialog onClose={onClose} title="New inbox">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {create.error && !isOfName && (
            <Alert color="red" title="The inbox was not created">
              {sentenceOf(create.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            placeholder="shop-tests"
            description="Lower-case letters, digits and hyphens. Tests ask for it by this name."
            value={name}
            error={isOfName && sentenceOf(create.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Create the inbox
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

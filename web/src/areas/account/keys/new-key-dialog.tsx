import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';

const ROLES = [
  { value: 'admin', label: 'Admin: full access' },
  { value: 'developer', label: 'Developer: everything except making keys, credentials and limits' },
  { value: 'support', label: 'Support: reads, and writes suppressions' },
] as const;
type Role = (typeof ROLES)[number]['value'];

const DAY_SECONDS = 86_400;
const LIFETIMES = [
  { value: '0', label: 'Never' },
  { value: String(30 * DAY_SECONDS), label: 'In 30 days' },
  { value: String(90 * DAY_SECONDS), label: 'In 90 days' },
  { value: String(365 * DAY_SECONDS), label: 'In a year' },
];

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert title="Copy this key now">You won’t be able to see it again.</Alert>
      <CopyField label="Key" value={secret} />
      <Button onClick={onClose}>Done</Button>
    </Stack>
  );
}

/** Makes a key and shows its secret once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [description, setDescription] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [lifetime, setLifetime] = useState('0');
  const create = useMutation({
    mutationFn: () =>
      api.call('POST /v1/keys', { body: { role, description: description.trim(), expiration: Number(lifetime) } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  const isAboutDescription = fieldOf(create.error, ['description']) !== undefined;
  return (
    <Dialog onClose={onClose} title="New key" closeOnClickOutside={!create.data}>
      {create.data ? (
        <Secret secret={create.data.key.secret} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack gap="md">
            {create.error && !isAboutDescription && (
              <Alert color="red" title="The key was not created">
                {sentenceOf(create.error)}
              </Alert>
            )}
            <TextInput
              label="Name"
              placeholder="Newsletter build"
              value={description}
              maxLength={500}
              error={isAboutDescription && sentenceOf(create.error)}
              onChange={(event) => setDescription(event.currentTarget.value)}
              data-autofocus
            />
            <Select
              label="Role"
              allowDeselect={false}
              data={ROLES}
              value={role}
              onChange={(value) => value && setRole(value)}
            />
            <Select
              label="Expires"
              allowDeselect={false}
              data={LIFETIMES}
              value={lifetime}
              onChange={(value) => value && setLifetime(value)}
            />
            <Button type="submit" loading={create.isPending}>
              Create key
            </Button>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

import { Alert, Button, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';

const LIFETIMES = [
  { value: '3', label: 'In 3 days' },
  { value: '14', label: 'In 14 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
];

/** Makes a link for a reviewer and shows it once. */
export function InviteDialog({ emailId, onClose }: { emailId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('14');
  const [password, setPassword] = useState('');
  const create = useMutation({
    mutationFn: () =>
      api.call('POST /v1/emails/{email_id}/review-links', {
        path: { email_id: emailId },
        body: { name: name.trim(), expires_in_days: Number(days), ...(password !== '' && { password }) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['email', emailId] }),
  });
  const field = create.error ? fieldOf(create.error, ['name', 'password'] as const) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  return (
    <Dialog onClose={onClose} title="Invite a reviewer" closeOnClickOutside={!create.data}>
      {create.data ? (
        <Stack gap="md">
          <Alert title="Copy this link now">You won’t be able to see it again.</Alert>
          <CopyField label="Link" value={create.data.url} />
          {create.data.has_password && <p className="dim">Send the password in another way than the link.</p>}
          <Button onClick={onClose}>Done</Button>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {create.error && field === undefined && (
              <Alert color="red" title="No link was made">
                {sentenceOf(create.error)}
              </Alert>
            )}
            <p className="dim">
              Whoever has the link sees the pictures and the review of this email, and nothing else. No account is
              needed.
            </p>
            <TextInput
              label="Name"
              name="name"
              placeholder="Ann of the agency"
              maxLength={100}
              value={name}
              error={field === 'name' && sentenceOf(create.error)}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Select
              label="Expires"
              allowDeselect={false}
              data={LIFETIMES}
              value={days}
              onChange={(value) => value && setDays(value)}
            />
            <PasswordInput
              label="Password (optional)"
              name="password"
              description="At least 8 characters; asked for beside the link."
              maxLength={200}
              autoComplete="new-password"
              value={password}
              error={field === 'password' && sentenceOf(create.error)}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              Make a link
            </Button>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

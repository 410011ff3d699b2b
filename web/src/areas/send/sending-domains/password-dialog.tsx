import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';

const FIELDS = ['login', 'password'] as const;

/** A password that the service made: shown here and never again. */
function Made({ login, password, onClose }: { login: string; password: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert title="Copy this password now">You won’t be able to see it again.</Alert>
      <CopyField label="Login" value={login} />
      <CopyField label="Password" value={password} />
      <Button onClick={onClose}>Done</Button>
    </Stack>
  );
}

function useSave({ domain, onClose }: { domain: string; onClose: () => void }) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ isNew, login, password }: { isNew: boolean; login: string; password: string }) => {
      const body = password === '' ? {} : { password };
      return isNew
        ? api.call('POST /v3/domains/{domain_name}/credentials', {
            path: { domain_name: domain },
            body: { ...body, login },
          })
        : api.call('PUT /v3/domains/{domain_name}/credentials/{spec}', {
            path: { domain_name: domain, spec: login },
            body,
          });
    },
    onSuccess: async ({ credentials }) => {
      await queries.invalidateQueries({ queryKey: ['credentials', domain] });
      if (!credentials) onClose();
    },
  });
}

/** Creates credentials, or changes the password of those that are there. `login` is empty for new ones. */
export function PasswordDialog({ domain, login, onClose }: { domain: string; login: string; onClose: () => void }) {
  const isNew = login === '';
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const save = useSave({ domain, onClose });
  const field = save.error ? fieldOf(save.error, FIELDS) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ isNew, login: isNew ? name.trim() : login, password });
  };
  const [made] = Object.entries(save.data?.credentials ?? {});
  return (
    <Dialog
      onClose={onClose}
      title={isNew ? 'New SMTP credentials' : `New password for ${login}`}
      closeOnClickOutside={!made}
    >
      {made ? (
        <Made login={made[0]} password={made[1]} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {save.error && field === undefined && (
              <Alert color="red" title={isNew ? 'The credentials were not created' : 'The password was not changed'}>
                {sentenceOf(save.error)}
              </Alert>
            )}
            {isNew && (
              <TextInput
                label="Login"
                name="login"
                placeholder="newsletter"
                description={`The part before @${domain}.`}
                value={name}
                error={field === 'login' && sentenceOf(save.error)}
                onChange={(event) => setName(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            <PasswordInput
              label="Password"
              name="password"
              placeholder="Chosen by Galley"
              description="5 to 32 characters. Leave it empty and Galley makes one."
              value={password}
              error={field === 'password' && sentenceOf(save.error)}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="new-password"
              {...(!isNew && { 'data-autofocus': true })}
            />
            <Button type="submit" loading={save.isPending} disabled={isNew && name.trim() === ''}>
              {isNew ? 'Create credentials' : 'Change password'}
            </Button>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

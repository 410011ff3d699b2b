import { Alert, Button, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';

type Format = 'csv' | 'json';
const FIELDS = [
  { name: 'name', label: 'Name', placeholder: 'Trap network', maxLength: 100, isNeeded: true },
  { name: 'url', label: 'Address', placeholder: 'https://feeds.example.com/hits.csv', maxLength: 2000, isNeeded: true },
  { name: 'user', label: 'User name', placeholder: '', maxLength: 320, isNeeded: false },
] as const;
type Given = Record<(typeof FIELDS)[number]['name'], string>;

/** Adds a provider's feed of hits, which is read each day. */
export function FeedDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [given, setGiven] = useState<Given>({ name: '', url: '', user: '' });
  const [secret, setSecret] = useState('');
  const [format, setFormat] = useState<Format>('csv');
  const add = useMutation({
    mutationFn: () => {
      const { name, url, user } = given;
      const access = secret === '' ? {} : user === '' ? { token: secret } : { user, password: secret };
      return api.call('POST /v1/spamtraps/feeds', { body: { name: name.trim(), url: url.trim(), format, ...access } });
    },
    onSuccess: () => {
      announce('The feed is added, and is being read.');
      void queries.invalidateQueries({ queryKey: ['traps'] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), add.mutate());
  return (
    <Dialog onClose={onClose} title="Add a feed">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {add.error && (
            <Alert color="red" title="The feed was not added">
              {sentenceOf(add.error)}
            </Alert>
          )}
          {FIELDS.map(({ name, label, placeholder, maxLength, isNeeded }) => (
            <TextInput
              key={name}
              name={name}
              label={label}
              description={isNeeded ? undefined : 'Only if the provider gave you one.'}
              placeholder={placeholder}
              maxLength={maxLength}
              autoComplete="off"
              value={given[name]}
              onChange={({ currentTarget: { value } }) => setGiven((before) => ({ ...before, [name]: value }))}
            />
          ))}
          <PasswordInput
            name="secret"
            label="Password or token"
            description="Without a user name, it is sent as a bearer token. It is kept encrypted."
            autoComplete="off"
            value={secret}
            maxLength={1000}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
          <Select
            label="Format"
            description="Columns or fields: date, type; hits, domain, subject, ip, from, sender where known."
            allowDeselect={false}
            value={format}
            data={[
              { value: 'csv', label: 'CSV' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(next) => setFormat((next ?? 'csv') as Format)}
          />
          <Button type="submit" loading={add.isPending} disabled={given.name.trim() === '' || given.url.trim() === ''}>
            Add
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { WORDS } from './list-words.ts';
import { addEntry } from './suppressions-api.ts';
import type { ListName } from './suppressions-search.ts';

interface AddDialogProps {
  list: ListName;
  domain: string;
  onClose: () => void;
}

const FIELDS = ['address', 'domain', 'code', 'error', 'tags', 'tag', 'reason'] as const;

/** What beside the address may be said. */
const MORE: Readonly<Record<ListName, readonly { name: string; label: string; placeholder: string }[]>> = {
  bounces: [
    { name: 'code', label: 'Code', placeholder: '550' },
    { name: 'error', label: 'Reply', placeholder: 'No such mailbox' },
  ],
  unsubscribes: [{ name: 'tag', label: 'Tag', placeholder: 'Every message' }],
  complaints: [],
  whitelists: [{ name: 'reason', label: 'Reason', placeholder: 'Our own test mailbox' }],
};

/** Adds one entry to a list. */
export function AddDialog({ list, domain, onClose }: AddDialogProps) {
  const queries = useQueryClient();
  const [fields, setFields] = useState<Record<string, string>>({});
  const set = (name: string, value: string): void => setFields((before) => ({ ...before, [name]: value }));
  const add = useMutation({
    mutationFn: () => {
      const given = Object.entries(fields).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []));
      const { address = '', ...rest } = Object.fromEntries(given) as Record<string, string>;
      const isDomain = list === 'whitelists' && !address.includes('@');
      return addEntry(list, domain, { [isDomain ? 'domain' : 'address']: address, ...rest });
    },
    onSuccess: ({ message }) => {
      announce(message);
      void queries.invalidateQueries({ queryKey: ['suppressions'] });
      onClose();
    },
  });
  const named = add.error ? fieldOf(add.error, FIELDS) : undefined;
  const field = named === 'domain' ? 'address' : named === 'tags' ? 'tag' : named;
  const submit = (event: FormEvent): void => (event.preventDefault(), add.mutate());
  const { addTitle, addressLabel } = WORDS[list];
  return (
    <Dialog onClose={onClose} title={addTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {add.error && field === undefined && (
            <Alert color="red" title="It was not added">
              {sentenceOf(add.error)}
            </Alert>
          )}
          <TextInput
            label={addressLabel}
            name="address"
            placeholder={list === 'whitelists' ? 'ann@example.com or example.com' : 'ann@example.com'}
            value={fields['address'] ?? ''}
            error={field === 'address' && sentenceOf(add.error)}
            onChange={(event) => set('address', event.currentTarget.value)}
            data-autofocus
          />
          {MORE[list].map(({ name, label, placeholder }) => (
            <TextInput
              key={name}
              label={label}
              name={name}
              placeholder={placeholder}
              value={fields[name] ?? ''}
              error={field === name && sentenceOf(add.error)}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ))}
          <Button type="submit" loading={add.isPending} disabled={!fields['address']?.trim()}>
            Add
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

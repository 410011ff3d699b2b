import { Alert, Button, Select, Stack, TextInput, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { ACCESS, REPLIES } from './list-words.ts';
import { changeList, createList, type MailingList, type Settings } from './lists-api.ts';

interface ListDialogProps {
  /** Undefined: a new one. */
  list?: MailingList;
  onClose: () => void;
}

const FIELDS = ['address', 'name', 'description'] as const;
const NEW: Settings = { address: '', name: '', description: '', access_level: 'readonly', reply_preference: 'list' };

const choices = (words: Readonly<Record<string, { label: string }>>) =>
  Object.entries(words).map(([value, { label }]) => ({ value, label }));

function useSave(list: MailingList | undefined, onClose: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (settings: Settings) => (list ? changeList(list.address, settings) : createList(settings)),
    onSuccess: async ({ list: saved }) => {
      await queries.invalidateQueries({ queryKey: ['mailing-lists'] });
      queries.setQueryData(['mailing-list', saved.address], saved);
      onClose();
      if (saved.address !== list?.address)
        await navigate({ to: '/lists/$address', params: { address: saved.address }, replace: list !== undefined });
    },
  });
}

/** What a list is called, where it is written to, and who may. */
export function ListDialog({ list, onClose }: ListDialogProps) {
  const [settings, setSettings] = useState<Settings>(list ?? NEW);
  const set = (change: Partial<Settings>): void => setSettings((before) => ({ ...before, ...change }));
  const { data: domains = [] } = useQuery(domainsQuery);
  const save = useSave(list, onClose);
  const field = save.error ? fieldOf(save.error, FIELDS) : undefined;
  const wrong = (name: (typeof FIELDS)[number]) => field === name && sentenceOf(save.error);
  const { address, name, description, access_level: access, reply_preference: replies } = settings;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({
      address: address.trim(),
      name: name.trim(),
      description,
      access_level: access,
      reply_preference: replies,
    });
  };
  const example = domains.find(({ type }) => type !== 'sandbox')?.name ?? domains[0]?.name ?? 'example.com';
  return (
    <Dialog onClose={onClose} title={list ? 'Settings of the list' : 'New mailing list'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="The list was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Address"
            name="address"
            description="Of one of your domains. What is sent there goes to the members."
            placeholder={`news@${example}`}
            value={address}
            error={wrong('address')}
            onChange={(event) => set({ address: event.currentTarget.value })}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Name"
            name="name"
            placeholder="Garden news"
            value={name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
            autoComplete="off"
          />
          <Textarea
            label="Description"
            name="description"
            description="Who leaves the list reads it."
            autosize
            minRows={2}
            value={description}
            error={wrong('description')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <Select
            label="Who may write to it"
            description={ACCESS[access].about}
            allowDeselect={false}
            data={choices(ACCESS)}
            value={access}
            onChange={(value) => value && set({ access_level: value as Settings['access_level'] })}
          />
          {access !== 'readonly' && (
            <Select
              label="Answers"
              description={REPLIES[replies].about}
              allowDeselect={false}
              data={choices(REPLIES)}
              value={replies}
              onChange={(value) => value && set({ reply_preference: value as Settings['reply_preference'] })}
            />
          )}
          <Button type="submit" loading={save.isPending} disabled={address.trim() === ''}>
            {list ? 'Save' : 'Create the list'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

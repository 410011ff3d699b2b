import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import type { SeedList } from '../../../shared/mail/mail-api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { ProviderChoice } from './provider-choice.tsx';

/** What a new list has at each of Galley's own receivers. */
const SEEDS_DEFAULT = 5;
const SEEDS_MAX = 50;
const FIELDS = ['name', 'provider_filter', 'seeds_per_provider'] as const;

interface ListDialogProps {
  /** The one that is changed; undefined makes a new one. */
  list: SeedList | undefined;
  onClose: () => void;
  onSaved: (list: SeedList) => void;
}

/** Generates a seed list, or changes one. */
export function ListDialog({ list, onClose, onSaved }: ListDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(list?.name ?? '');
  const [providers, setProviders] = useState<string[] | null>(list?.provider_filter ?? null);
  const [seeds, setSeeds] = useState<number | ''>(SEEDS_DEFAULT);
  const save = useMutation({
    mutationFn: async () => {
      const common = { name: name.trim(), provider_filter: providers ?? [] };
      if (list)
        return api.call('PUT /v4/inbox/seedlists/{address}', {
          path: { address: list.target_email },
          body: common,
          query: {},
        });
      return api.call('POST /v4/inbox/seedlists', {
        body: { ...common, seeds_per_provider: seeds || SEEDS_DEFAULT },
        query: {},
      });
    },
    onSuccess: async (saved) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['seed-lists'] }),
        queries.invalidateQueries({ queryKey: ['seed-list'] }),
      ]);
      onSaved(saved as SeedList);
    },
  });
  const field = save.error ? fieldOf(save.error, FIELDS) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={list ? 'Edit seed list' : 'New seed list'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="The seed list was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            placeholder="Weekly newsletter"
            value={name}
            error={field === 'name' && sentenceOf(save.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {!list && (
            <CountInput
              label="Seeds at each simulated receiver"
              name="seeds_per_provider"
              description="All of your own mailboxes are added to the list."
              min={1}
              max={SEEDS_MAX}
              value={seeds}
              error={field === 'seeds_per_provider' && sentenceOf(save.error)}
              onChange={setSeeds}
            />
          )}
          <ProviderChoice chosen={providers} onChange={setProviders} />
          {field === 'provider_filter' && (
            <Alert color="red" title="Providers">
              {sentenceOf(save.error)}
            </Alert>
          )}
          {list && (
            <p className="dim" style={{ margin: 0, fontSize: 13 }}>
              A change of providers takes effect when you regenerate the list.
            </p>
          )}
          <Button type="submit" loading={save.isPending} disabled={name.trim() === '' || providers?.length === 0}>
            {list ? 'Save' : 'Create list'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

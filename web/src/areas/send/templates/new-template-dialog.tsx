import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { createTemplate } from './templates-api.ts';

/** Names a template; its first version is written on its page. */
export function NewTemplateDialog({ domain, onClose }: { domain: string | undefined; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useMutation({
    mutationFn: () => createTemplate(domain, { name: name.trim(), description: description.trim() }),
    onSuccess: async ({ template }) => {
      await queries.invalidateQueries({ queryKey: ['templates'] });
      await navigate({
        to: '/templates/$name',
        params: { name: template.name },
        search: domain ? { domain } : {},
      });
    },
  });
  const isOfName = create.error && fieldOf(create.error, ['name']) === 'name';
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  return (
    <Dialog onClose={onClose} title="New template">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {create.error && !isOfName && (
            <Alert color="red" title="The template was not created">
              {sentenceOf(create.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            placeholder="welcome"
            description="It is kept in lower case. Calls name the template by it."
            value={name}
            error={isOfName && sentenceOf(create.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Description"
            name="description"
            placeholder="Greets whoever is new"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Create the template
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

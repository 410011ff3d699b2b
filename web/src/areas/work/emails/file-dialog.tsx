import { Alert, Button, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { labelsQuery, type Email } from './emails-api.ts';

/** Changes what an email is called, and where it is found. */
export function FileDialog({
  email,
  onClose,
}: {
  email: Pick<Email, 'id' | 'name' | 'folder' | 'tags'>;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const { data: labels } = useQuery(labelsQuery);
  const [{ name, folder, tags }, set] = useState({ name: email.name, folder: email.folder, tags: email.tags });
  const save = useMutation({
    mutationFn: () =>
      api.call('PATCH /v1/emails/{email_id}', {
        path: { email_id: email.id },
        body: { name: name.trim(), folder, tags },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['emails'] });
      await queries.invalidateQueries({ queryKey: ['email', email.id] });
      onClose();
    },
  });
  const field = save.error ? fieldOf(save.error, ['name', 'folder', 'tags'] as const) : undefined;
  const wrong = (one: 'name' | 'folder' | 'tags') => field === one && sentenceOf(save.error);
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title="Name, folder and tags">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="The email was not changed">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            value={name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value, folder, tags })}
            data-autofocus
          />
          <TextInput
            label="Folder"
            name="folder"
            placeholder="Campaigns/Spring"
            value={folder}
            error={wrong('folder')}
            onChange={(event) => set({ name, folder: event.currentTarget.value, tags })}
          />
          <TagsInput
            label="Tags"
            maxTags={20}
            data={labels?.tags.map((tag) => tag.name) ?? []}
            value={tags}
            error={wrong('tags')}
            onChange={(next) => set({ name, folder, tags: next })}
          />
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

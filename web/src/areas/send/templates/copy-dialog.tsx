import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { copyVersion, type Place } from './templates-api.ts';

interface CopyProps {
  place: Place;
  tag: string;
  onClose: () => void;
  onOpen: (tag: string) => void;
}

/** A version that begins as another one is. */
export function CopyDialog({ place, tag, onClose, onOpen }: CopyProps) {
  const queries = useQueryClient();
  const [to, setTo] = useState('');
  const copy = useMutation({
    mutationFn: () => copyVersion(place, tag, to.trim()),
    onSuccess: async ({ version }) => {
      await queries.invalidateQueries({ queryKey: ['template'] });
      onClose();
      onOpen(version.tag);
    },
  });
  const isOfTag = copy.error && fieldOf(copy.error, ['new_version_name']) !== undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), copy.mutate());
  return (
    <Dialog onClose={onClose} title={`Copy the version ${tag}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {copy.error && !isOfTag && (
            <Alert color="red" title="The version was not copied">
              {sentenceOf(copy.error)}
            </Alert>
          )}
          <TextInput
            label="Tag of the new version"
            name="tag"
            placeholder="shorter-greeting"
            description="Calls can name the version by it. It is not the active one until you make it so."
            value={to}
            error={isOfTag && sentenceOf(copy.error)}
            onChange={(event) => setTo(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Button type="submit" loading={copy.isPending} disabled={to.trim() === ''}>
            Copy the version
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

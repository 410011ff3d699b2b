import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { describeTemplate, type Place } from './templates-api.ts';

interface DescribeProps {
  place: Place;
  description: string;
  onClose: () => void;
}

/** What lists say about a template. */
export function DescribeDialog({ place, description: before, onClose }: DescribeProps) {
  const queries = useQueryClient();
  const [description, setDescription] = useState(before);
  const save = useMutation({
    mutationFn: () => describeTemplate(place, description.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['templates'] });
      await queries.invalidateQueries({ queryKey: ['template'] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={`Description of ${place.name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The description was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Description"
            name="description"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

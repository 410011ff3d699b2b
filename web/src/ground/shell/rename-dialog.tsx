import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../api.ts';
import { Dialog } from './dialog.tsx';

const LENGTH_MAX = 200;

interface RenameDialogProps {
  /** What is renamed. */
  noun: 'test' | 'gate';
  name: string;
  /** Asks the service, and reads again what shows the name. */
  save: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Gives a test another name. Its message keeps its subject. */
export function RenameDialog({ noun, name, save, onClose }: RenameDialogProps) {
  const [text, setText] = useState(name);
  const rename = useMutation({ mutationFn: () => save(text.trim()), onSuccess: onClose });
  const isAboutName = fieldOf(rename.error, ['name']) !== undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), rename.mutate());
  return (
    <Dialog onClose={onClose} title={`Rename this ${noun}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {rename.error && !isAboutName && (
            <Alert color="red" title={`The ${noun} keeps its name`}>
              {sentenceOf(rename.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            description={
              'Lists and headings show this name. The message keeps its subject' +
              (noun === 'gate' ? ', and existing reports keep their name.' : '.')
            }
            maxLength={LENGTH_MAX}
            value={text}
            error={isAboutName && sentenceOf(rename.error)}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={rename.isPending} disabled={text.trim() === ''}>
            Rename
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

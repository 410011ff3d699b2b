import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../api.ts';
import { Dialog } from './dialog.tsx';

const LENGTH_MAX = 200;

type Noun = 'test' | 'gate' | 'passkey';

const ABOUT: Record<Noun, string> = {
  test: 'Lists and headings show this name. The message keeps its subject.',
  gate: 'Lists and headings show this name. The message keeps its subject, and existing reports keep their name.',
  passkey: 'Your account shows this name. Your device keeps the name that it has for the passkey.',
};

interface RenameDialogProps {
  /** What is renamed. */
  noun: Noun;
  name: string;
  lengthMax?: number;
  /** Asks the service, and reads again what shows the name. */
  save: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Gives a test, a gate or a passkey another name. */
export function RenameDialog({ noun, name, lengthMax = LENGTH_MAX, save, onClose }: RenameDialogProps) {
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
            description={ABOUT[noun]}
            maxLength={lengthMax}
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

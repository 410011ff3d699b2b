import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf, testQuery } from '../../api.ts';
import { Dialog } from '../../shell/dialog.tsx';

const LENGTH_MAX = 200;

/** Gives a test another name. Its message keeps its subject. */
export function RenameDialog({ testId, name, onClose }: { testId: string; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState(name);
  const rename = useMutation({
    mutationFn: () => api.call('PATCH /v2/preview/tests/{test_id}', { path: { test_id: testId }, body: { name: text.trim() } }),
    onSuccess: async () => {
      await Promise.all([queries.invalidateQueries({ queryKey: testQuery(testId).queryKey }), queries.invalidateQueries({ queryKey: ['tests'] })]);
      onClose();
    },
  });
  const isAboutName = fieldOf(rename.error, ['name']) !== undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), rename.mutate());
  return (
    <Dialog onClose={onClose} title="Rename this test">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {rename.error && !isAboutName && <Alert color="red" title="The test keeps its name">{sentenceOf(rename.error)}</Alert>}
          <TextInput label="Name" name="name" description="In lists and headings; the message keeps its subject." maxLength={LENGTH_MAX} value={text} error={isAboutName && sentenceOf(rename.error)} onChange={(event) => setText(event.currentTarget.value)} data-autofocus />
          <Button type="submit" loading={rename.isPending} disabled={text.trim() === ''}>Rename</Button>
        </Stack>
      </form>
    </Dialog>
  );
}

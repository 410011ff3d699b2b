import { Alert, Button, FileInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { RowProblems } from '../../../ground/shell/row-problems.tsx';
import { count } from '../../../ground/words.ts';
import { startList } from './validations-api.ts';

/** Starts to validate the addresses of a spreadsheet. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: (given: File) => startList(name.trim(), given),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['validation-jobs'] }),
  });
  const field = upload.error ? fieldOf(upload.error, ['list_id', 'file']) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) upload.mutate(file);
  };
  const choose = (given: File | null): void => {
    setFile(given);
    upload.reset();
    if (given && name === '')
      setName(
        given.name
          .replace(/\.\w+$/, '')
          .replaceAll(/[@/]/g, '-')
          .slice(0, 200),
      );
  };
  return (
    <Dialog onClose={onClose} title="Validate a list">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {upload.error && field === undefined && (
            <Alert color="red" title="The list was not taken">
              {sentenceOf(upload.error)}
            </Alert>
          )}
          <FileInput
            label="CSV file or workbook"
            description="A column is named email or email_address. At most 100,000 addresses and 25 MB."
            placeholder="Choose a file"
            accept=".csv,.tsv,.txt,.gz,.xls,.xlsx"
            value={file}
            error={field === 'file' && sentenceOf(upload.error)}
            onChange={choose}
            data-autofocus
          />
          <TextInput
            label="Name"
            name="list-name"
            placeholder="spring"
            maxLength={200}
            value={name}
            error={field === 'list_id' && sentenceOf(upload.error)}
            onChange={(event) => (setName(event.currentTarget.value), upload.reset())}
          />
          {upload.data ? (
            <>
              <Alert title={`${count(upload.data.quantity, 'address', 'addresses')} taken`}>
                They are validated in the background.{' '}
                <RowProblems skipped={upload.data.skipped} problems={upload.data.problems} />
              </Alert>
              <Button onClick={onClose}>Done</Button>
            </>
          ) : (
            <Button type="submit" loading={upload.isPending} disabled={!file || name.trim() === ''}>
              Validate list
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

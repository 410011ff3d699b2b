import { Alert, Button, FileInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { RowProblems } from '../../../ground/shell/row-problems.tsx';
import { count } from '../../../ground/words.ts';
import { WORDS } from './list-words.ts';
import { importFile } from './suppressions-api.ts';
import type { ListName } from './suppressions-search.ts';

interface ImportDialogProps {
  list: ListName;
  domain: string;
  onClose: () => void;
}

type Read = Awaited<ReturnType<typeof importFile>>;

function Outcome({ read: { entries, skipped, problems } }: { read: Read }) {
  return (
    <Alert title={`${count(entries, 'entry', 'entries')} read`}>
      {entries > 0 && 'They are being written; a long list takes a moment to appear. '}
      <RowProblems skipped={skipped} problems={problems} />
    </Alert>
  );
}

/** Adds what a spreadsheet holds. */
export function ImportDialog({ list, domain, onClose }: ImportDialogProps) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: (given: File) => importFile(list, domain, given),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['suppressions'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) upload.mutate(file);
  };
  const close = (): void => {
    // What was written since.
    void queries.invalidateQueries({ queryKey: ['suppressions'] });
    onClose();
  };
  return (
    <Dialog onClose={close} title={`Import: ${WORDS[list].label}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {upload.error && (
            <Alert color="red" title="The file was not imported">
              {sentenceOf(upload.error)}
            </Alert>
          )}
          {upload.data && <Outcome read={upload.data} />}
          <FileInput
            label="CSV file or workbook"
            description={`The first row names the columns: ${WORDS[list].columns}.`}
            placeholder="Choose a file"
            accept=".csv,.tsv,.txt,.xls,.xlsx"
            value={file}
            onChange={(given) => (setFile(given), upload.reset())}
          />
          {upload.data ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <Button type="submit" loading={upload.isPending} disabled={!file}>
              Import
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

import { Alert, Button, FileInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { count } from '../../../ground/words.ts';

function upload(file: File) {
  const body = new FormData();
  body.append('file', file);
  return api.call('POST /v1/spamtraps/imports', { body });
}

function Outcome({ read: { rows, hits, skipped, problems } }: { read: Awaited<ReturnType<typeof upload>> }) {
  return (
    <Alert title={`${count(hits, 'hit')} in ${count(rows, 'row')}`}>
      {skipped > 0 && `${count(skipped, 'row was', 'rows were')} left out:`}
      {problems.length > 0 && (
        <ul style={{ margin: '6px 0 0', paddingLeft: 18, overflowWrap: 'anywhere' }}>
          {problems.map(({ row, message }) => (
            <li key={row}>
              Row {row}: {message.slice(0, 300)}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** Takes a report of a network of traps. */
export function ReportDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const sending = useMutation({
    mutationFn: upload,
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['traps'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) sending.mutate(file);
  };
  return (
    <Dialog onClose={onClose} title="Import a report">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {sending.error && (
            <Alert color="red" title="The report was not imported">
              {sentenceOf(sending.error)}
            </Alert>
          )}
          {sending.data && <Outcome read={sending.data} />}
          <FileInput
            label="CSV file or workbook"
            description="The first row names the columns: date, type; hits, domain, subject, ip, from, sender where known."
            placeholder="Choose a file"
            accept=".csv,.tsv,.txt,.xls,.xlsx"
            value={file}
            onChange={(given) => (setFile(given), sending.reset())}
          />
          {sending.data ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <Button type="submit" loading={sending.isPending} disabled={!file}>
              Import
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

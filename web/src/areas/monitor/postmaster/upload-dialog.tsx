import { Alert, Button, FileInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { RowProblems } from '../../../ground/shell/row-problems.tsx';
import { count } from '../../../ground/words.ts';
import { everything, uploadExport } from './postmaster-api.ts';
import { PROVIDER_LABELS, PROVIDERS, type Provider } from './postmaster-search.ts';

const COLUMNS =
  'The first row names the columns: date, domain, and figures such as spam rate, SPF, DKIM, DMARC, TLS, delivery ' +
  'errors, delivered.';

interface UploadDialogProps {
  provider: Provider;
  onClose: () => void;
}

/** Keeps what an export of a provider says. */
export function UploadDialog({ provider: first, onClose }: UploadDialogProps) {
  const queries = useQueryClient();
  const [provider, setProvider] = useState<Provider>(first);
  const [domain, setDomain] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: uploadExport,
    onSuccess: () => void queries.invalidateQueries(everything),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) upload.mutate({ provider, domain, file });
  };
  const close = (): void => {
    // Own figures are counted after the upload.
    void queries.invalidateQueries(everything);
    onClose();
  };
  return (
    <Dialog onClose={close} title="Upload an export">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {upload.error && (
            <Alert color="red" title="The file was not read">
              {sentenceOf(upload.error)}
            </Alert>
          )}
          {upload.data && (
            <Alert title={`${count(upload.data.records, 'record')} kept`}>
              <RowProblems skipped={upload.data.skipped} problems={upload.data.problems} />
            </Alert>
          )}
          <Select
            label="From"
            allowDeselect={false}
            value={provider}
            data={PROVIDERS.map((value) => ({ value, label: PROVIDER_LABELS[value] }))}
            onChange={(value) => value !== null && (setProvider(value), upload.reset())}
          />
          {provider !== 'snds' && (
            <TextInput
              label="Domain (optional)"
              description="Of a file without a column that names it."
              value={domain}
              maxLength={255}
              onChange={(event) => (setDomain(event.currentTarget.value), upload.reset())}
            />
          )}
          <FileInput
            label="CSV file or workbook"
            description={provider === 'snds' ? 'A report of SNDS as it is.' : COLUMNS}
            placeholder="Choose a file"
            accept=".csv,.tsv,.txt,.xls,.xlsx"
            value={file}
            onChange={(given) => (setFile(given), upload.reset())}
          />
          {upload.data ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <Button type="submit" loading={upload.isPending} disabled={!file}>
              Upload
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

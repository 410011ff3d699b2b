import { Alert, Button, Checkbox, FileInput, Progress, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { RowProblems } from '../../../ground/shell/row-problems.tsx';
import { count, figure } from '../../../ground/words.ts';
import { uploadMembers, uploadQuery, type Upload } from './lists-api.ts';

interface UploadDialogProps {
  list: string;
  onClose: () => void;
}

/** Addresses that were pasted are a file of one column, unless their first line names columns. */
function fileOf(pasted: string): File {
  const lines = pasted.trim();
  const [first = ''] = lines.split('\n', 1);
  const isSheet = first
    .split(/[,;\t]/)
    .some((cell) => /^\s*"?(?:address|e-?mail(?: address)?|recipient)"?\s*$/i.test(cell));
  if (isSheet) return new File([lines], 'pasted.csv');
  // A name may hold a comma; a line of bare addresses holds several.
  const cells = lines.split('\n').flatMap((line) => (/[<"]/.test(line) ? [line] : line.split(/[,;]/)));
  const rows = cells.flatMap((cell) => (cell.trim() ? [`"${cell.trim().replaceAll('"', '""')}"`] : []));
  return new File([['address', ...rows].join('\n')], 'pasted.csv');
}

/** How far it is, and what was left out. */
function Outcome({ upload }: { upload: Upload }) {
  const { state, members, written, added, updated, kept, skipped, problems } = upload;
  const isDone = state === 'finished';
  const said = [
    `${count(added, 'member')} added`,
    ...(updated > 0 ? [`${figure(updated)} changed`] : []),
    ...(kept > 0 ? [`${figure(kept)} there before, as they were`] : []),
  ];
  return (
    <Alert title={isDone ? `${said.join(', ')}.` : `${figure(written)} of ${count(members, 'member')} written`}>
      {!isDone && <Progress value={members > 0 ? (100 * written) / members : 0} aria-label="Written so far" mb="xs" />}
      <RowProblems skipped={skipped} problems={problems} />
    </Alert>
  );
}

function useUpload(list: string) {
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: ({ file, isUpsert }: { file: File; isUpsert: boolean }) => uploadMembers(list, file, isUpsert),
  });
  const progress = useQuery({ ...uploadQuery(list, start.data ?? ''), enabled: start.data !== undefined });
  const refresh = (): void => {
    for (const key of ['list-members', 'mailing-list', 'mailing-lists'])
      void queries.invalidateQueries({ queryKey: [key] });
  };
  return { start, progress, refresh };
}

/** Adds many members: from a spreadsheet, or from a text that is pasted. */
export function UploadDialog({ list, onClose }: UploadDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState('');
  const [isUpsert, setUpsert] = useState(false);
  const { start, progress, refresh } = useUpload(list);
  const isBegun = start.data !== undefined;
  const close = (): void => (refresh(), onClose());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = file ?? (pasted.trim() ? fileOf(pasted) : undefined);
    if (given) start.mutate({ file: given, isUpsert });
  };
  return (
    <Dialog onClose={close} title="Add members">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {start.error && (
            <Alert color="red" title="Nobody was added">
              {sentenceOf(start.error)}
            </Alert>
          )}
          {progress.error && (
            <Alert color="red" title="How far it is could not be loaded">
              {sentenceOf(progress.error)}
            </Alert>
          )}
          {progress.data && <Outcome upload={progress.data} />}
          {!isBegun && (
            <>
              <Textarea
                label="Addresses"
                name="addresses"
                description="One a line, or rows of a spreadsheet with their first row."
                placeholder={'ann@example.com\nBob Lee <bob@example.com>'}
                autosize
                minRows={4}
                maxRows={12}
                disabled={file !== null}
                value={pasted}
                onChange={(event) => (setPasted(event.currentTarget.value), start.reset())}
                data-autofocus
              />
              <FileInput
                label="Or a CSV file or workbook"
                description="At most 5 MB. The first row names the columns: address, name, subscribed, vars; every other one becomes a variable."
                placeholder="Choose a file"
                accept=".csv,.tsv,.txt,.xls,.xlsx"
                clearable
                value={file}
                onChange={(given) => (setFile(given), start.reset())}
              />
              <Checkbox
                label="Change members who are there already"
                checked={isUpsert}
                onChange={(event) => setUpsert(event.currentTarget.checked)}
              />
            </>
          )}
          {isBegun ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <Button type="submit" loading={start.isPending} disabled={!file && !pasted.trim()}>
              Add
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

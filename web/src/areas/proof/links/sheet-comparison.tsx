import '@mantine/dropzone/styles.layer.css';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { compareSheet, type SheetComparison } from '../../../shared/report/report-api.ts';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { count } from '../../../ground/words.ts';
import classes from './links-page.module.css';

const SIZE_BYTES_MAX = 10 * 1024 * 1024;

const KINDS: Record<SheetComparison['errors'][number]['alert']['type'], string> = {
  missing: 'Missing',
  other_url: 'Different URL',
  unexpected: 'Not in the file',
  status: 'Different status',
  final_url: 'Different final URL',
  text: 'Different link text',
  more: 'Other',
};

function Differences({ comparison, name }: { comparison: SheetComparison; name: string }) {
  if (comparison.valid)
    return (
      <p className={classes.agrees} role="status">
        <SeverityMark severity="pass" /> Every link is as {name} expects it.
      </p>
    );
  return (
    <>
      <p role="status" className={classes.differs}>
        <strong>{count(comparison.errors.length, 'difference')}</strong> from {name}
      </p>
      <Sideways className={classes.differences} minWidth={560} label="Differences">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Difference</th>
              <th scope="col">Expected</th>
              <th scope="col">In the message</th>
            </tr>
          </thead>
          <tbody>
            {comparison.errors.map(({ row, message, alert }, place) => (
              <tr key={place} title={message}>
                <td className="tabular">{row || '–'}</td>
                <td>{KINDS[alert.type]}</td>
                <td className="mono">{alert.expected ?? '–'}</td>
                <td className="mono">{alert.actual ?? (alert.expected === null ? message : '–')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
    </>
  );
}

/** Compares the links with a spreadsheet of expected links. */
export function SheetComparisonDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const open = useRef<() => void>(null);
  const compare = useMutation({ mutationFn: (file: File) => compareSheet(id, file) });
  const take = (file: File | undefined): void => {
    if (file) compare.mutate(file);
  };
  return (
    <Dialog onClose={onClose} title="Compare with a spreadsheet" size="min(860px, 100%)">
      <Stack gap="md">
        <Dropzone
          openRef={open}
          onDrop={(files) => take(files[0])}
          onReject={(rejected) => take(rejected[0]?.file)}
          multiple={false}
          maxSize={SIZE_BYTES_MAX}
          loading={compare.isPending}
          className={classes.drop}
          activateOnClick={false}
          enablePointerEvents
          inputProps={{ 'aria-label': 'Spreadsheet' }}
        >
          <strong>Drop a CSV, XLS or XLSX file</strong>
          <Text size="sm" c="dimmed">
            Galley reads the first sheet, one link per row. URL is required; Link text, Status and Final URL are
            optional columns.
          </Text>
          <Button variant="default" size="xs" onClick={() => open.current?.()}>
            Choose a file
          </Button>
        </Dropzone>
        {compare.error && (
          <Alert color="red" title="The file could not be compared">
            {sentenceOf(compare.error)}
          </Alert>
        )}
        {compare.data && <Differences comparison={compare.data} name={compare.variables.name} />}
      </Stack>
    </Dialog>
  );
}

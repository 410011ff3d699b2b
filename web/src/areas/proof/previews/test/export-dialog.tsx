import { Alert, Button, Progress, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DownloadIcon } from '../../../../ground/brand/icons.tsx';
import { api, pathOf, sentenceOf } from '../../../../ground/api.ts';
import { pollMs } from '../../../../ground/polling.ts';
import type { ProofClient } from '../../../../shared/proof/proof.ts';
import { Dialog } from '../../../../ground/shell/dialog.tsx';
import { count } from '../../../../ground/words.ts';

const POLL_MS = 500;

function download(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

function useExport(testId: string) {
  const start = useMutation({
    mutationFn: (clients: string[]) =>
      api.call('POST /v2/preview/tests/{test_id}/exports', { path: { test_id: testId }, body: { clients } }),
  });
  const jobId = start.data?.job_id;
  const job = useQuery({
    queryKey: ['export', testId, jobId],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v2/preview/tests/{test_id}/exports/{job_id}',
        { path: { test_id: testId, job_id: jobId as string } },
        { signal },
      ),
    enabled: jobId !== undefined,
    refetchInterval: (query) => pollMs(query, ({ job_status: status }) => status === 'Processing', POLL_MS),
  });
  return { start, job };
}

interface ExportDialogProps {
  testId: string;
  clients: ProofClient[];
  /** The clients that match the filters. */
  shown: ProofClient[];
  onClose: () => void;
}

/** Packs pictures into a zip file, and hands it over when it is ready. */
export function ExportDialog({ testId, clients, shown, onClose }: ExportDialogProps) {
  const [scope, setScope] = useState('all');
  const { start, job } = useExport(testId);
  const zip = job.data?.zip_url;
  useEffect(() => {
    if (zip) download(pathOf(zip));
  }, [zip]);
  const isPartial = shown.length < clients.length && shown.length > 0;
  const wanted = scope === 'shown' && isPartial ? shown : clients;
  const isWorking = start.isPending || (start.data !== undefined && !zip && job.data?.job_status !== 'Failed');
  const error = start.error ?? job.error;
  const failed = job.data?.failed_clients ?? [];
  return (
    <Dialog onClose={onClose} title="Export as a zip file">
      <Stack gap="md">
        {error && (
          <Alert color="red" title="The export failed">
            {sentenceOf(error)}
          </Alert>
        )}
        {job.data?.job_status === 'Failed' && (
          <Alert color="red" title="The zip file was not created">
            {job.data.error?.message}
          </Alert>
        )}
        {!start.data && !isPartial && (
          <Text size="sm">All screenshots of the {count(clients.length, 'client')}, at full size</Text>
        )}
        {!start.data && isPartial && (
          <Radio.Group value={scope} onChange={setScope} aria-label="Screenshots to export">
            <Stack gap={10}>
              <Radio value="all" label={`All ${count(clients.length, 'client')}`} />
              <Radio value="shown" label={`Only ${shown.length === 1 ? 'the one' : `the ${shown.length}`} shown`} />
            </Stack>
          </Radio.Group>
        )}
        {isWorking && (
          <>
            <Progress value={100} animated aria-label="Creating the zip file" />
            <Text size="sm" c="dimmed">
              Creating the zip file. The export waits for screenshots that are still in progress.
            </Text>
          </>
        )}
        {zip && (
          <Text size="sm">
            The zip file is ready{failed.length > 0 && `, without ${count(failed.length, 'client')} that bounced`}.
          </Text>
        )}
        {zip ? (
          <Button component="a" href={pathOf(zip)} download leftSection={<DownloadIcon />}>
            Download again
          </Button>
        ) : (
          <Button loading={isWorking} onClick={() => start.mutate(wanted.map((client) => client.id))}>
            Create zip file
          </Button>
        )}
      </Stack>
    </Dialog>
  );
}

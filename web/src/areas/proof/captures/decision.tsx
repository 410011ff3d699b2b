import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import type { Capture } from '../../../shared/captures/captures-api.ts';

type Verdict = 'accept' | 'reject';

function DecisionDialog({ capture, verdict, onClose }: { capture: Capture; verdict: Verdict; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const decide = useMutation({
    mutationFn: () => {
      const given = { path: { capture_id: capture.id }, body: { reason: reason.trim() } };
      return verdict === 'accept'
        ? api.call('POST /v2/preview/captures/{capture_id}/accept', given)
        : api.call('POST /v2/preview/captures/{capture_id}/reject', given);
    },
    onSuccess: () => {
      announce(verdict === 'accept' ? 'The capture is accepted.' : 'The capture is rejected.');
      void queries.invalidateQueries({ queryKey: ['captures'] });
      void queries.invalidateQueries({ queryKey: ['results', capture.test_id] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), decide.mutate());
  return (
    <Dialog onClose={onClose} title={verdict === 'accept' ? 'Accept as evidence' : 'Reject as evidence'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {decide.error && (
            <Alert color="red" title="Nothing was decided">
              {sentenceOf(decide.error)}
            </Alert>
          )}
          <Textarea
            label="Reason"
            description={
              verdict === 'accept'
                ? 'Accepted, it is shown beside each preview of this client. No preview changes.'
                : 'The capture stays, and does not count.'
            }
            autosize
            minRows={2}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={decide.isPending} disabled={reason.trim() === ''}>
            {verdict === 'accept' ? 'Accept' : 'Reject'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

function useDelete(capture: Capture, onDeleted: () => void): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v2/preview/captures/{capture_id}', { path: { capture_id: capture.id } });
      announce('The capture is deleted.');
      onDeleted();
    } catch (error) {
      tell({ color: 'red', title: 'The capture was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['captures'] });
    await queries.invalidateQueries({ queryKey: ['results', capture.test_id] });
  };
  return () =>
    ask({
      title: 'Delete this capture?',
      text: 'Its pictures are deleted, and it is evidence no longer. This cannot be undone.',
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

/** What may be done with a capture: its account deletes it, the operator decides whether it counts. */
export function CaptureActions({ capture, onDeleted }: { capture: Capture; onDeleted: () => void }) {
  const { canWrite } = useRole();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [verdict, setVerdict] = useState<Verdict>();
  const askDelete = useDelete(capture, onDeleted);
  const isOwn = capture.account_id === session.account.id;
  return (
    <Group gap={8}>
      {session.is_operator && capture.state !== 'accepted' && (
        <Button size="xs" onClick={() => setVerdict('accept')}>
          Accept
        </Button>
      )}
      {session.is_operator && capture.state !== 'rejected' && (
        <Button size="xs" variant="default" onClick={() => setVerdict('reject')}>
          Reject
        </Button>
      )}
      {isOwn && canWrite && (
        <Button size="xs" variant="default" onClick={askDelete}>
          Delete
        </Button>
      )}
      {verdict && <DecisionDialog capture={capture} verdict={verdict} onClose={() => setVerdict(undefined)} />}
    </Group>
  );
}

import { Alert, Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import type { Cause } from './emails-api.ts';

interface IgnoreDialogProps {
  emailId: string;
  cause: Cause;
  onClose: () => void;
}

/** Asks why a finding is ignored, and until when. */
export function IgnoreDialog({ emailId, cause: { id, rule, message }, onClose }: IgnoreDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const save = useMutation({
    mutationFn: () =>
      api.call('PUT /v1/emails/{email_id}/ignores/{cause}', {
        path: { email_id: emailId, cause: id },
        body: { rule, reason: reason.trim(), until: until === '' ? null : until },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['email', emailId] });
      onClose();
    },
  });
  const field = save.error ? fieldOf(save.error, ['reason', 'until'] as const) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title="Ignore this finding">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="Nothing was changed">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <p className="dim">{message}</p>
          <Textarea
            label="Reason"
            name="reason"
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            error={field === 'reason' && sentenceOf(save.error)}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            type="date"
            label="Until"
            name="until"
            description="The last day; left out, it is ignored until you count it again."
            value={until}
            error={field === 'until' && sentenceOf(save.error)}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <Button type="submit" loading={save.isPending} disabled={reason.trim() === ''}>
            Ignore it in this email
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

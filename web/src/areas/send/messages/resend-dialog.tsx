import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';

interface ResendDialogProps {
  domain: string;
  storageKey: string;
  subject: string;
  onClose: () => void;
}

/** Sends a stored message once more. */
export function ResendDialog({ domain, storageKey, subject, onClose }: ResendDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [to, setTo] = useState('');
  const resend = useMutation({
    mutationFn: () =>
      api.call('POST /v3/domains/{domain_name}/messages/{storage_key}', {
        path: { domain_name: domain, storage_key: storageKey },
        body: { to: to.trim() },
      }),
    onSuccess: async ({ id }) => {
      onClose();
      tell({ title: 'The message was queued', message: 'What becomes of it is listed here.' });
      void queries.invalidateQueries({ queryKey: ['queue'] });
      await navigate({ to: '/messages', search: { q: id.replace(/^<(.*)>$/, '$1'), by: 'message_id' } });
    },
  });
  const isField = resend.error ? fieldOf(resend.error, ['to']) === 'to' : false;
  const submit = (event: FormEvent): void => (event.preventDefault(), resend.mutate());
  return (
    <Dialog onClose={onClose} title="Send again">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {resend.error && !isField && (
            <Alert color="red" title="The message was not sent">
              {sentenceOf(resend.error)}
            </Alert>
          )}
          <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
            “<bdi>{subject.slice(0, 200)}</bdi>” is sent at once, with the tags, variables and options that it had.
          </p>
          <Textarea
            label="To"
            name="to"
            description="Addresses, joined by commas."
            placeholder="bob@example.com"
            autosize
            minRows={1}
            maxRows={6}
            value={to}
            error={isField && sentenceOf(resend.error)}
            onChange={(event) => setTo(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={resend.isPending} disabled={to.trim() === ''}>
            Send again
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

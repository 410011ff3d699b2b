import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';

interface ReleaseProps {
  inbox: string;
  messageId: string;
  onClose: () => void;
}

/** Sends a message of the sandbox to one address, as any other message is sent. */
export function ReleaseDialog({ inbox, messageId, onClose }: ReleaseProps) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const [domain, setDomain] = useState<string | null>(null);
  const [to, setTo] = useState('');
  const chosen = domain ?? domains[0]?.name ?? '';
  const release = useMutation({
    mutationFn: () =>
      api.call('POST /v1/sandbox/{inbox}/messages/{message_id}/release', {
        path: { inbox, message_id: messageId },
        body: { domain: chosen, to: to.trim() },
      }),
    onSuccess: () => {
      tell({
        message: `The message was accepted for ${to.trim().slice(0, 200)}. The page Messages shows what becomes of it.`,
      });
      onClose();
    },
  });
  const isOfAddress = release.error && fieldOf(release.error, ['to']) === 'to';
  const submit = (event: FormEvent): void => (event.preventDefault(), release.mutate());
  return (
    <Dialog onClose={onClose} title="Release to a real address">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {release.error && !isOfAddress && (
            <Alert color="red" title="The message was not released">
              {sentenceOf(release.error)}
            </Alert>
          )}
          <p>The message is sent once, as it is, to this address alone. Its own recipients get nothing.</p>
          <TextInput
            label="To"
            name="to"
            type="email"
            placeholder="you@example.com"
            value={to}
            error={isOfAddress && sentenceOf(release.error)}
            onChange={(event) => setTo(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="Sent by the domain"
            allowDeselect={false}
            value={chosen}
            data={domains.map(({ name }) => name)}
            onChange={setDomain}
          />
          <Button type="submit" loading={release.isPending} disabled={to.trim() === '' || chosen === ''}>
            Release
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { addressesIn } from './addresses.ts';

interface ReleaseProps {
  inbox: string;
  messageId: string;
  onClose: () => void;
}

const NAMED_MAX = 3;

function named(addresses: readonly string[]): string {
  const more = addresses.length - NAMED_MAX;
  const first = addresses.slice(0, NAMED_MAX).join(', ').slice(0, 300);
  return more > 0 ? `${first} and ${more} more` : first;
}

/** Sends a message of the sandbox to real addresses, as any other message is sent. */
export function ReleaseDialog({ inbox, messageId, onClose }: ReleaseProps) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const [domain, setDomain] = useState<string | null>(null);
  const [to, setTo] = useState('');
  const addresses = addressesIn(to);
  const chosen = domain ?? domains[0]?.name ?? '';
  const release = useMutation({
    mutationFn: () =>
      api.call('POST /v1/sandbox/{inbox}/messages/{message_id}/release', {
        path: { inbox, message_id: messageId },
        body: { domain: chosen, to: addresses },
      }),
    onSuccess: () => {
      tell({
        message: `The message was accepted for ${named(addresses)}. The page Messages shows what becomes of it.`,
      });
      onClose();
    },
  });
  const isOfAddress = release.error && fieldOf(release.error, ['to']) === 'to';
  const submit = (event: FormEvent): void => (event.preventDefault(), release.mutate());
  return (
    <Dialog onClose={onClose} title="Release to real addresses">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {release.error && !isOfAddress && (
            <Alert color="red" title="The message was not released">
              {sentenceOf(release.error)}
            </Alert>
          )}
          <p>The message is sent once, as it is, to these addresses alone. Its own recipients get nothing.</p>
          <TextInput
            label="To"
            name="to"
            description="Up to 20, with commas between them. Where one is wrong, nobody gets it."
            placeholder="you@example.com, team@example.com"
            value={to}
            error={isOfAddress && sentenceOf(release.error)}
            onChange={(event) => (setTo(event.currentTarget.value), release.reset())}
            data-autofocus
          />
          <Select
            label="Sent by the domain"
            allowDeselect={false}
            value={chosen}
            data={domains.map(({ name }) => name)}
            onChange={setDomain}
          />
          <Button type="submit" loading={release.isPending} disabled={addresses.length === 0 || chosen === ''}>
            Release
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

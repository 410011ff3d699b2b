import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';

function Token({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert title="Copy this token now">You won’t be able to see it again.</Alert>
      <CopyField
        label="Token"
        description="Whoever has it gets the messages that accounts ask captures of. It opens nothing else."
        value={token}
      />
      <CopyField
        label="Command on the machine with the client"
        description="Name the client, its version and the system as they are there; the command after -- shows the message."
        value={`GALLEY_AGENT_TOKEN=${token} galley capture-agent --url ${globalThis.location.origin} --client ol2021 --client-version '16.0.17932' --os 'Windows 11 24H2' -- ./show.ps1`}
      />
      <Button onClick={onClose}>Done</Button>
    </Stack>
  );
}

/** Enrolls an agent, and shows its token once. */
export function EnrollDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const enroll = useMutation({
    mutationFn: () => api.call('POST /v2/preview/capture_agents', { body: { name: name.trim() } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['capture-agents'] }),
  });
  const isOfName = fieldOf(enroll.error, ['name']) !== undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), enroll.mutate());
  return (
    <Dialog onClose={onClose} title="Enroll an agent" closeOnClickOutside={!enroll.data}>
      {enroll.data ? (
        <Token token={enroll.data.token} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {enroll.error && !isOfName && (
              <Alert color="red" title="The agent was not enrolled">
                {sentenceOf(enroll.error)}
              </Alert>
            )}
            <TextInput
              label="Name"
              description="Its captures are signed with it."
              placeholder="Lab 3"
              maxLength={200}
              value={name}
              error={isOfName && sentenceOf(enroll.error)}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" loading={enroll.isPending} disabled={name.trim() === ''}>
              Enroll
            </Button>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

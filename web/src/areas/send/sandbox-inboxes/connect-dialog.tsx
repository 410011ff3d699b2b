import { Alert, Button, Code, CopyButton, Select, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { SNIPPETS } from './snippets.ts';
import { submissionQuery, type Inbox } from './sandbox-api.ts';

const HIDDEN = 'YOUR-PASSWORD';

interface ConnectProps {
  inbox: Inbox;
  /** The password, where it was just made. */
  password?: string | undefined;
}

/** Where programs log in, and how each is told so. */
function Connection({ inbox, password }: ConnectProps) {
  const { data } = useQuery(submissionQuery);
  const [name, setName] = useState(SNIPPETS[0]!.name);
  if (!data) return null;
  const port = data.port ?? data.tls_port;
  const snippet = SNIPPETS.find((one) => one.name === name) ?? SNIPPETS[0]!;
  const code = snippet.code({
    host: data.host,
    port: port ?? 0,
    user: inbox.smtp_user,
    password: password ?? HIDDEN,
  });
  return (
    <>
      {port === null && (
        <Alert title="No fixed port">
          This installation has no fixed port for SMTP. Its log names those it took; put it where 0 stands below.
        </Alert>
      )}
      <CopyField label="Host" value={data.host} />
      {port !== null && <CopyField label="Port" value={String(port)} />}
      <CopyField label="User" value={inbox.smtp_user} />
      {password !== undefined && <CopyField label="Password" value={password} />}
      <Select
        label="Settings for"
        allowDeselect={false}
        value={snippet.name}
        data={SNIPPETS.map((one) => one.name)}
        onChange={(value) => setName(value ?? SNIPPETS[0]!.name)}
      />
      <Code block tabIndex={0} aria-label={`Settings for ${snippet.name}`} style={{ whiteSpace: 'pre-wrap' }}>
        {code}
      </Code>
      <CopyButton value={code} timeout={2000}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy the settings'}
          </Button>
        )}
      </CopyButton>
    </>
  );
}

/** How programs send to an inbox. A password is shown when it is made, and never again. */
export function ConnectDialog({ inbox, password: given, onClose }: ConnectProps & { onClose: () => void }) {
  const queries = useQueryClient();
  const { canWrite } = useRole();
  const replace = useMutation({
    mutationFn: () => api.call('POST /v1/sandbox/{inbox}/password', { path: { inbox: inbox.id }, body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sandbox'] }),
  });
  const password = replace.data?.smtp_password ?? given;
  return (
    <Dialog onClose={onClose} title={`Send to ${inbox.name}`} size="lg" closeOnClickOutside={password === undefined}>
      <Stack gap="md">
        {password === undefined ? (
          <p>
            Programs that log in with this user put their messages into this inbox. Nothing is delivered. The password
            was shown when it was made; Galley does not keep it.
          </p>
        ) : (
          <Alert title="Copy this password now">You won’t be able to see it again.</Alert>
        )}
        {replace.error && (
          <Alert color="red" title="The password was not replaced">
            {sentenceOf(replace.error)}
          </Alert>
        )}
        <Connection inbox={inbox} password={password} />
        {canWrite && password === undefined && (
          <Button variant="default" loading={replace.isPending} onClick={() => replace.mutate()}>
            Make a new password; the old one ends
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </Stack>
    </Dialog>
  );
}

import { Alert, Button, PasswordInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import { everything, type ReportMailbox } from './dmarc-api.ts';

type Security = 'tls' | 'starttls' | 'none';
type Trust = ReportMailbox['trust'];
const TEXTS = [
  { name: 'host', label: 'IMAP host', placeholder: 'imap.example.com', maxLength: 253 },
  { name: 'user', label: 'User name', placeholder: 'dmarc@example.com', maxLength: 320 },
  { name: 'folder', label: 'Folder', placeholder: 'INBOX', maxLength: 500 },
] as const;
const SECURITIES = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
];
const ON_THIS_MACHINE = { value: 'none', label: 'None' };
const TRUSTS = [
  { value: 'signed', label: 'Reports that their sender signed' },
  { value: 'all', label: 'All reports in the folder' },
];

interface Given {
  host: string;
  user: string;
  folder: string;
  port: number | '';
  security: Security;
  trust: Trust;
  /** Never filled from what is stored: it is not given out. */
  password: string;
  enabled: boolean;
}

function givenOf(box: ReportMailbox | undefined): Given {
  const {
    host = '',
    user = '',
    folder = 'INBOX',
    port = '',
    security = 'tls',
    trust = 'signed',
    enabled = true,
  } = box ?? {};
  return { host, user, folder, port, security: security as Security, trust, password: '', enabled };
}

function save(box: ReportMailbox | undefined, { host, user, folder, port, password, ...rest }: Given) {
  const body = {
    ...rest,
    host: host.trim(),
    user: user.trim(),
    folder: folder.trim() || 'INBOX',
    ...(port !== '' && { port }),
  };
  const own = password === '' ? {} : { password };
  return box
    ? api.call('PUT /v1/dmarc/mailboxes/{mailbox_id}', { path: { mailbox_id: box.id }, body: { ...body, ...own } })
    : api.call('POST /v1/dmarc/mailboxes', { body: { ...body, password } });
}

/** Adds a mailbox that is read for reports, or changes one. */
export function ReportMailboxDialog({ box, onClose }: { box?: ReportMailbox; onClose: () => void }) {
  const queries = useQueryClient();
  const [given, setGiven] = useState(() => givenOf(box));
  const put = (changes: Partial<Given>): void => setGiven((before) => ({ ...before, ...changes }));
  const saving = useMutation({
    mutationFn: () => save(box, given),
    onSuccess: () => {
      announce(given.enabled ? 'The mailbox is saved, and is being read.' : 'The mailbox is saved.');
      void queries.invalidateQueries(everything);
      onClose();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), saving.mutate());
  const isWhole = given.host.trim() !== '' && given.user.trim() !== '' && (box !== undefined || given.password !== '');
  return (
    <Dialog onClose={onClose} title={box ? 'Change the mailbox' : 'New mailbox of reports'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="The mailbox was not saved">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          {TEXTS.map(({ name, ...field }) => (
            <TextInput
              key={name}
              {...field}
              name={name}
              autoComplete="off"
              value={given[name]}
              onChange={({ currentTarget: { value } }) => put({ [name]: value })}
            />
          ))}
          <PasswordInput
            name="password"
            label={box ? 'New app password' : 'App password'}
            description={box ? 'Empty: the present one stays.' : 'It is kept encrypted and never shown.'}
            autoComplete="off"
            maxLength={8000}
            value={given.password}
            onChange={({ currentTarget: { value } }) => put({ password: value })}
          />
          <Select
            label="Encryption"
            allowDeselect={false}
            data={given.security === 'none' ? [...SECURITIES, ON_THIS_MACHINE] : SECURITIES}
            value={given.security}
            onChange={(value) => put({ security: (value ?? 'tls') as Security })}
          />
          <CountInput
            name="port"
            label="Port"
            description={`Empty: ${given.security === 'tls' ? 993 : 143}.`}
            min={1}
            max={65_535}
            value={given.port}
            onChange={(port) => put({ port })}
          />
          <Select
            label="What counts"
            description="Anybody can write to a mailbox that stands in a DMARC record."
            allowDeselect={false}
            data={TRUSTS}
            value={given.trust}
            onChange={(value) => put({ trust: (value ?? 'signed') as Trust })}
          />
          {box && (
            <Switch
              label="Read this mailbox"
              checked={given.enabled}
              onChange={({ currentTarget: { checked } }) => put({ enabled: checked })}
            />
          )}
          <Button type="submit" loading={saving.isPending} disabled={!isWhole}>
            {box ? 'Save' : 'Add'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

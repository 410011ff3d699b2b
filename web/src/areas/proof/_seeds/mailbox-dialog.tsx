import { Alert, Button, PasswordInput, SegmentedControl, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import type { Mailbox } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { imapHostOf } from '../../../shared/mail/mailbox-recipes.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';

interface Fields {
  email: string;
  displayName: string;
  category: 'b2c' | 'b2b';
  region: string;
  host: string;
  port: number | '';
  security: 'tls' | 'starttls' | 'none';
  user: string;
  credentials: 'password' | 'access_token';
  /** Never filled from what is stored: it is not given out. */
  secret: string;
  verifyCertificate: boolean;
  enabled: boolean;
}

function fieldsOf(box: Mailbox | undefined): Fields {
  if (!box)
    return {
      email: '',
      displayName: '',
      category: 'b2c',
      region: '',
      host: '',
      port: '',
      security: 'tls',
      user: '',
      credentials: 'password',
      secret: '',
      verifyCertificate: true,
      enabled: true,
    };
  return {
    email: box.email,
    displayName: box.display_name,
    category: box.category === 'b2b' ? 'b2b' : 'b2c',
    region: box.region,
    host: box.host,
    port: box.port,
    security: box.security as Fields['security'],
    user: box.user,
    credentials: box.credentials,
    secret: '',
    verifyCertificate: box.verify_certificate,
    enabled: box.enabled,
  };
}

function bodyOf({
  displayName,
  category,
  region,
  port,
  security,
  user,
  credentials,
  secret,
  verifyCertificate,
  enabled,
  ...fields
}: Fields) {
  return {
    email: fields.email.trim(),
    host: fields.host.trim(),
    category,
    security,
    verify_certificate: verifyCertificate,
    enabled,
    ...(displayName.trim() && { display_name: displayName.trim() }),
    ...(region.trim() && { region: region.trim() }),
    ...(port !== '' && { port }),
    ...(user.trim() && { user: user.trim() }),
    ...(secret && { [credentials]: secret }),
  };
}

const NAMES = [
  'email',
  'display_name',
  'region',
  'host',
  'port',
  'user',
  'password',
  'access_token',
  'security',
] as const;

interface PartProps {
  fields: Fields;
  set: (changes: Partial<Fields>) => void;
  errorOf: (name: (typeof NAMES)[number]) => string | undefined;
}

function Login({ fields, set, errorOf, isNew }: PartProps & { isNew: boolean }) {
  const isPassword = fields.credentials === 'password';
  return (
    <>
      <div className={mailClasses.pair}>
        <TextInput
          label="IMAP host"
          name="host"
          placeholder="imap.example.com"
          value={fields.host}
          error={errorOf('host')}
          onChange={(event) => set({ host: event.currentTarget.value })}
        />
        <CountInput
          label="Port"
          name="port"
          placeholder={fields.security === 'tls' ? '993' : '143'}
          min={1}
          max={65_535}
          value={fields.port}
          error={errorOf('port')}
          onChange={(port) => set({ port })}
        />
        <Select
          label="Security"
          allowDeselect={false}
          value={fields.security}
          error={errorOf('security')}
          onChange={(security) => security && set({ security: security as Fields['security'] })}
          data={[
            { value: 'tls', label: 'TLS' },
            { value: 'starttls', label: 'STARTTLS' },
            { value: 'none', label: 'None (this machine only)' },
          ]}
        />
        <TextInput
          label="User"
          name="user"
          placeholder="Same as the address"
          value={fields.user}
          error={errorOf('user')}
          onChange={(event) => set({ user: event.currentTarget.value })}
        />
      </div>
      <SegmentedControl
        aria-label="Login method"
        value={fields.credentials}
        onChange={(credentials) => set({ credentials: credentials as Fields['credentials'], secret: '' })}
        data={[
          { value: 'password', label: 'App password' },
          { value: 'access_token', label: 'OAuth 2.0 access token' },
        ]}
      />
      <PasswordInput
        label={isPassword ? 'App password' : 'Access token'}
        name="secret"
        autoComplete="new-password"
        description={
          isNew
            ? 'Galley stores it encrypted and never shows it again.'
            : 'Leave this empty to keep the stored one. Galley never shows it.'
        }
        value={fields.secret}
        error={errorOf('password') ?? errorOf('access_token')}
        onChange={(event) => set({ secret: event.currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': 'Show' }}
      />
      {fields.security !== 'none' && (
        <Switch
          label="Check the server’s certificate"
          checked={fields.verifyCertificate}
          onChange={(event) => set({ verifyCertificate: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

interface MailboxDialogProps {
  /** The one that is changed; undefined makes a new one. */
  box: Mailbox | undefined;
  onClose: () => void;
  onSaved: (box: Mailbox) => void;
}

/** Adds a mailbox of one's own, or changes it. */
export function MailboxDialog({ box, onClose, onSaved }: MailboxDialogProps) {
  const queries = useQueryClient();
  const [fields, setFields] = useState(() => fieldsOf(box));
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const setEmail = (email: string): void =>
    set({
      email,
      ...(fields.host === '' || fields.host === imapHostOf(fields.email) ? { host: imapHostOf(email) ?? '' } : {}),
    });
  const save = useMutation({
    mutationFn: () =>
      box
        ? api.call('PUT /v1/seeds/mailboxes/{mailbox_id}', { path: { mailbox_id: box.id }, body: bodyOf(fields) })
        : api.call('POST /v1/seeds/mailboxes', { body: bodyOf(fields) }),
    onSuccess: async (saved) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['mailboxes'] }),
        queries.invalidateQueries({ queryKey: ['seed-providers'] }),
      ]);
      onSaved(saved);
    },
  });
  const field = save.error ? fieldOf(save.error, NAMES) : undefined;
  const errorOf = (name: (typeof NAMES)[number]): string | undefined =>
    field === name ? sentenceOf(save.error) : undefined;
  const isComplete =
    fields.email.includes('@') && fields.host.trim() !== '' && (box !== undefined || fields.secret !== '');
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={box ? 'Edit mailbox' : 'New seed mailbox'} size="lg">
      <form onSubmit={submit} noValidate autoComplete="off">
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="The mailbox was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Address"
            name="email"
            type="email"
            placeholder="you@gmail.com"
            value={fields.email}
            error={errorOf('email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
            data-autofocus
          />
          <div className={mailClasses.pair}>
            <TextInput
              label="Display name"
              name="display_name"
              placeholder="Name of the provider"
              value={fields.displayName}
              error={errorOf('display_name')}
              onChange={(event) => set({ displayName: event.currentTarget.value })}
            />
            <Select
              label="Mailbox type"
              allowDeselect={false}
              value={fields.category}
              onChange={(category) => category && set({ category: category as Fields['category'] })}
              data={[
                { value: 'b2c', label: 'Consumer' },
                { value: 'b2b', label: 'Company' },
              ]}
            />
          </div>
          <Login fields={fields} set={set} errorOf={errorOf} isNew={!box} />
          <Switch
            label="Use in tests"
            checked={fields.enabled}
            onChange={(event) => set({ enabled: event.currentTarget.checked })}
          />
          <Button type="submit" loading={save.isPending} disabled={!isComplete}>
            {box ? 'Save' : 'Connect'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

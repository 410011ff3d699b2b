import { Alert, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { nameOf, ROLES, USERS_KEY, type AccountUser, type UserRole } from './users-query.ts';

interface Invited {
  user: { email: string };
  invitation: { url: string; expires_at: string };
}

function Link({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert title="The invitation is on its way">
        Galley sends this link to {invited.user.email}. It works once, until{' '}
        <When at={new Date(invited.invitation.expires_at)} />. You can hand it over yourself, too; you won’t be able to
        see it again.
      </Alert>
      <CopyField label="Link" value={invited.invitation.url} />
      <Button onClick={onClose}>Done</Button>
    </Stack>
  );
}

function useInvite(work: () => Promise<Invited>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: work, onSuccess: () => queries.invalidateQueries({ queryKey: USERS_KEY }) });
}

interface FrameProps {
  title: string;
  invite: ReturnType<typeof useInvite>;
  /** Told beside the field that it is about. */
  isToldElsewhere?: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Frame({ title, invite, isToldElsewhere = false, onClose, children }: FrameProps) {
  const submit = (event: FormEvent): void => (event.preventDefault(), invite.mutate());
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={!invite.data}>
      {invite.data ? (
        <Link invited={invite.data} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {invite.error && !isToldElsewhere && (
              <Alert color="red" title="Nobody was invited">
                {sentenceOf(invite.error)}
              </Alert>
            )}
            {children}
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** Invites a person by email. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<UserRole>('developer');
  const invite = useInvite(() =>
    api.call('POST /v5/users', { body: { email: email.trim(), name: name.trim(), role } }),
  );
  const isAboutEmail = fieldOf(invite.error, ['email']) !== undefined;
  return (
    <Frame title="Invite a user" invite={invite} isToldElsewhere={isAboutEmail} onClose={onClose}>
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        value={email}
        maxLength={320}
        error={isAboutEmail && sentenceOf(invite.error)}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="Name"
        name="name"
        autoComplete="off"
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Role"
        allowDeselect={false}
        data={ROLES}
        value={role}
        description={
          'Admins may do everything, developers all but users, keys and subaccounts; support reads; basic and billing ' +
          'read figures.'
        }
        onChange={(value) => value && setRole(value)}
      />
      <Button type="submit" loading={invite.isPending} disabled={email.trim() === ''}>
        Send invitation
      </Button>
    </Frame>
  );
}

/** Sends somebody another link in place of the one before it. */
export function InviteAgainDialog({ user, onClose }: { user: AccountUser; onClose: () => void }) {
  const invite = useInvite(() => api.call('POST /v5/users/{user_id}/invitation', { path: { user_id: user.id } }));
  return (
    <Frame title={`Invite ${nameOf(user)} again`} invite={invite} onClose={onClose}>
      <Text size="sm">Galley sends {user.email} a new link. The link before it stops working.</Text>
      <Button type="submit" loading={invite.isPending} data-autofocus>
        Send invitation
      </Button>
    </Frame>
  );
}

import { ActionIcon, Badge, Button, Group, Select, Table, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { nameOf, ROLES, USERS_KEY, type AccountUser, type UserRole } from './users-query.ts';
import classes from './users.module.css';

interface Change {
  role?: UserRole;
  is_disabled?: boolean;
}

/** Changes of one user, after which the list is read anew. */
function useChanges(user: AccountUser) {
  const queries = useQueryClient();
  const path = { user_id: user.id };
  const work = useMutation({
    mutationFn: (does: () => Promise<unknown>) => does(),
    onError: (error) => tell({ color: 'red', title: `${nameOf(user)} was not changed`, message: sentenceOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: USERS_KEY }),
  });
  const put = (body: Change): void => work.mutate(() => api.call('PUT /v5/users/{user_id}', { path, body }));
  const askDisable = (): void =>
    ask({
      title: `Disable ${nameOf(user)}?`,
      text: 'They are signed out at once and cannot sign in, and their keys are refused, until you enable them again.',
      confirm: 'Disable user',
      onConfirm: () => put({ is_disabled: true }),
    });
  const askDelete = (): void =>
    ask({
      title: `Delete ${nameOf(user)}?`,
      text: 'They are signed out at once, their links stop working, and their keys are refused. This cannot be undone.',
      confirm: 'Delete user',
      onConfirm: () => work.mutate(() => api.call('DELETE /v5/users/{user_id}', { path })),
    });
  const askReset = (): void =>
    ask({
      title: `Reset the second factor of ${nameOf(user)}?`,
      text: 'Their password alone signs them in until they set up a new one. Do it for who lost the app and all codes.',
      confirm: 'Reset second factor',
      onConfirm: () => work.mutate(() => api.call('DELETE /v5/users/{user_id}/second-factor', { path })),
    });
  return { isPending: work.isPending, put, askDisable, askDelete, askReset };
}

const WAYS: Record<string, string> = { password: 'by password', passkey: 'with a passkey', sso: 'by single sign-on' };

function State({ user }: { user: AccountUser }) {
  const { sign_in: own } = user;
  const expires = own.invitation_expires_at === null ? null : new Date(own.invitation_expires_at);
  const isOpen = expires !== null && expires.getTime() > Date.now();
  return (
    <>
      <div>{user.is_disabled ? 'disabled' : user.activated ? 'active' : isOpen ? 'invited' : 'invitation expired'}</div>
      {!user.activated && !user.is_disabled && isOpen && (
        <div className={classes.more}>
          The link works until <When at={expires} />
        </div>
      )}
      {user.tfa_enabled && <div className={classes.more}>with a second factor</div>}
      {own.mail_problem !== null && (
        <div className={classes.problem}>The last email was not delivered: {own.mail_problem}</div>
      )}
    </>
  );
}

function LastSignIn({ user: { sign_in: own } }: { user: AccountUser }) {
  if (own.last_sign_in_at === null) return 'never';
  return (
    <>
      <Ago at={new Date(own.last_sign_in_at)} />
      {own.last_sign_in_by !== null && <div className={classes.more}>{WAYS[own.last_sign_in_by]}</div>}
    </>
  );
}

interface UserRowProps {
  user: AccountUser;
  isOwn: boolean;
  onInviteAgain: () => void;
}

export function UserRow({ user, isOwn, onInviteAgain }: UserRowProps) {
  const { isPending, put, askDisable, askDelete, askReset } = useChanges(user);
  const label = nameOf(user);
  const button = { size: 'compact-xs', variant: 'default', disabled: isPending } as const;
  return (
    <Table.Tr>
      <Table.Td>
        <strong className={classes.name}>{label}</strong>
        {isOwn && (
          <Badge ml={8} size="xs" variant="default">
            you
          </Badge>
        )}
        {user.name !== '' && <div className={classes.more}>{user.email}</div>}
      </Table.Td>
      <Table.Td>
        {isOwn ? (
          ROLES.find(({ value }) => value === user.role)?.label
        ) : (
          <Select
            aria-label={`Role of ${label}`}
            className={classes.role}
            size="xs"
            allowDeselect={false}
            data={ROLES}
            value={user.role}
            disabled={isPending}
            onChange={(role) => role && role !== user.role && put({ role })}
          />
        )}
      </Table.Td>
      <Table.Td>
        <State user={user} />
      </Table.Td>
      <Table.Td>
        <LastSignIn user={user} />
      </Table.Td>
      <Table.Td>
        {!isOwn && (
          <Group gap={6} justify="flex-end" wrap="nowrap">
            {!user.activated && !user.is_disabled && (
              <Button {...button} aria-label={`Invite again: ${label}`} onClick={onInviteAgain}>
                Invite again
              </Button>
            )}
            {user.tfa_enabled && (
              <Button {...button} aria-label={`Reset second factor: ${label}`} onClick={askReset}>
                Reset second factor
              </Button>
            )}
            {user.is_disabled ? (
              <Button {...button} aria-label={`Enable ${label}`} onClick={() => put({ is_disabled: false })}>
                Enable
              </Button>
            ) : (
              <Button {...button} aria-label={`Disable ${label}`} onClick={askDisable}>
                Disable
              </Button>
            )}
            <Tooltip label="Delete">
              <ActionIcon aria-label={`Delete ${label}`} disabled={isPending} onClick={askDelete}>
                <TrashIcon />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

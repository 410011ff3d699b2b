import { Alert, Button, Skeleton, Table, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { InviteAgainDialog, InviteDialog } from './invite-dialog.tsx';
import { UserRow } from './user-row.tsx';
import { USERS_PER_PAGE, usersQuery, type AccountUser } from './users-query.ts';
import classes from './users.module.css';

function UsersTable({ users }: { users: readonly AccountUser[] }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [again, setAgain] = useState<AccountUser>();
  return (
    <>
      <Sideways minWidth={820} label="Users, table">
        <Table verticalSpacing={10} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>User</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Last sign-in</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {users.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                isOwn={user.id === session.user?.id}
                onInviteAgain={() => setAgain(user)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
      {again && <InviteAgainDialog user={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}

function Users() {
  const [page, setPage] = useState(1);
  const { data, error, isPending } = useQuery(usersQuery(page));
  const pages = Math.ceil((data?.total ?? 0) / USERS_PER_PAGE);
  return (
    <section aria-label="Users" className={classes.users}>
      {error && (
        <Alert color="red" title="The users could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={120} />}
      {data?.total === 0 && (
        <Notice title="No users yet">
          Until you invite somebody, people sign in to this account with its API keys only.
        </Notice>
      )}
      {data && data.users.length > 0 && <UsersTable users={data.users} />}
      <PageNumbers label="Pages of users" pages={pages} page={page} onChange={setPage} />
    </section>
  );
}

/** The people of the account. */
export function UsersPage() {
  const { canManage } = useRole();
  const [isOpen, dialog] = useDisclosure();
  if (!canManage)
    return (
      <>
        <PageHead title="Users" />
        <Notice title="Only an admin can do this">You signed in with a role that cannot see or change users.</Notice>
      </>
    );
  return (
    <>
      <PageHead title="Users" lead="People who sign in with their own email address. Programs use keys.">
        <Button leftSection={<PlusIcon />} onClick={dialog.open}>
          Invite
        </Button>
      </PageHead>
      <Users />
      {isOpen && <InviteDialog onClose={dialog.close} />}
    </>
  );
}

import { Alert, Button, Group, Skeleton, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actFor, api, fieldOf, sentenceOf, subaccountsQuery, type Subaccount } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import classes from './accounts.module.css';
import { SubaccountDialog } from './subaccount-dialog.tsx';

function NewSubaccount() {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api.call('POST /v5/accounts/subaccounts', { body: { name: name.trim() } }),
    onSuccess: async () => (setName(''), await queries.invalidateQueries({ queryKey: ['subaccounts'] })),
  });
  const error =
    create.error &&
    (fieldOf(create.error, ['name'])
      ? sentenceOf(create.error)
      : `The subaccount was not created: ${sentenceOf(create.error)}`);
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  return (
    <form onSubmit={submit} className={classes.create}>
      <TextInput
        label="New subaccount"
        placeholder="Name"
        value={name}
        error={error}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''} loading={create.isPending}>
        Create
      </Button>
    </form>
  );
}

const switchedOff = ({ features }: Subaccount): string[] =>
  Object.entries(features)
    .filter(([, { enabled }]) => !enabled)
    .map(([name]) => name.replaceAll('_', ' '));

function SubaccountRow({ account, onManage }: { account: Subaccount; onManage: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { canWrite } = useRole('subaccounts');
  const off = switchedOff(account);
  const enter = async (): Promise<void> => {
    actFor(account.id);
    await navigate({ to: '/' });
    await queries.resetQueries();
  };
  return (
    <Table.Tr>
      <Table.Td>
        <strong>{account.name}</strong>
        <div className={`mono ${classes.id}`}>{account.id}</div>
      </Table.Td>
      <Table.Td>
        <When at={new Date(account.created_at)} />
      </Table.Td>
      <Table.Td>
        {account.status}
        {account.disabled_reason !== undefined && <div className={classes.why}>{account.disabled_reason}</div>}
        {off.length > 0 && <div className={classes.why}>Without {off.join(', ')}</div>}
      </Table.Td>
      <Table.Td>
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {account.status === 'open' && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Act as ${account.name}`}
              onClick={() => void enter()}
            >
              Act as
            </Button>
          )}
          {account.status !== 'closed' && canWrite && (
            <Button size="compact-xs" variant="subtle" aria-label={`Manage ${account.name}`} onClick={onManage}>
              Manage
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Accounts below this one, each with tests and keys of its own. */
export function Subaccounts() {
  const accounts = useQuery(subaccountsQuery);
  const { canWrite } = useRole('subaccounts');
  const [managed, setManaged] = useState<string>();
  const found = accounts.data?.subaccounts ?? [];
  const account = found.find(({ id, status }) => id === managed && status !== 'closed');
  return (
    <section aria-label="Subaccounts">
      {accounts.error && (
        <Alert color="red" title="The subaccounts could not be loaded">
          {sentenceOf(accounts.error)}
        </Alert>
      )}
      {accounts.isPending && <Skeleton height={80} />}
      {found.length > 0 && (
        <Sideways minWidth={520} label="Subaccounts, table">
          <Table verticalSpacing={10}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.map((account) => (
                <SubaccountRow key={account.id} account={account} onManage={() => setManaged(account.id)} />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      {accounts.data && found.length === 0 && <p className={classes.about}>There are no subaccounts yet.</p>}
      {canWrite && <NewSubaccount />}
      {account && <SubaccountDialog account={account} onClose={() => setManaged(undefined)} />}
    </section>
  );
}

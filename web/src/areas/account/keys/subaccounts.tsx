import { Alert, Button, Group, Skeleton, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actFor, actingFor, api, fieldOf, sentenceOf, subaccountsQuery, type Subaccount } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import classes from './keys-page.module.css';

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

function SubaccountRow({ account }: { account: Subaccount }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = { subaccount_id: account.id };
  const toggle = async (): Promise<void> => {
    try {
      await api.call(
        account.status === 'open'
          ? 'POST /v5/accounts/subaccounts/{subaccount_id}/disable'
          : 'POST /v5/accounts/subaccounts/{subaccount_id}/enable',
        { path },
      );
    } catch (error) {
      tell({ color: 'red', title: 'Nothing was changed', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['subaccounts'] });
  };
  const enter = async (): Promise<void> => {
    actFor(account.id);
    await navigate({ to: '/previews' });
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
      <Table.Td>{account.status}</Table.Td>
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
          {account.status !== 'closed' && (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`${account.status === 'open' ? 'Disable' : 'Enable'} ${account.name}`}
              onClick={() => void toggle()}
            >
              {account.status === 'open' ? 'Disable' : 'Enable'}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Accounts below this one, each with tests and keys of its own. */
export function Subaccounts() {
  const accounts = useQuery({ ...subaccountsQuery, enabled: !actingFor() });
  if (actingFor()) return null;
  const found = accounts.data?.subaccounts ?? [];
  return (
    <section aria-labelledby="subaccounts">
      <div className={classes.head}>
        <h2 id="subaccounts">Subaccounts</h2>
      </div>
      <p className={classes.about}>A subaccount has its own tests and keys. Your admin key can act on its behalf.</p>
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
                <SubaccountRow key={account.id} account={account} />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      <NewSubaccount />
    </section>
  );
}

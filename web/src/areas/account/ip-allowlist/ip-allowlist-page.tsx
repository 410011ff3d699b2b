import { Alert, Button, Skeleton, TextInput, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import classes from './ip-allowlist.module.css';

const KEY = ['ip-allowlist'];
const listQuery = { queryKey: KEY, queryFn: () => api.call('GET /v2/ip_whitelist', {}) };

type Entry = Awaited<ReturnType<typeof listQuery.queryFn>>['addresses'][number];

function NewEntry() {
  const queries = useQueryClient();
  const [address, setAddress] = useState('');
  const [description, setDescription] = useState('');
  const add = useMutation({
    mutationFn: () => api.call('POST /v2/ip_whitelist', { body: { address: address.trim(), description } }),
    onSuccess: (list) => {
      queries.setQueryData(KEY, list);
      setAddress('');
      setDescription('');
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), add.mutate());
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      {add.error && (
        <Alert color="red" title="The address was not added" className={classes.wide}>
          {sentenceOf(add.error)}
        </Alert>
      )}
      <TextInput
        label="Address or network"
        placeholder="203.0.113.7 or 203.0.113.0/24"
        value={address}
        maxLength={60}
        onChange={(event) => (setAddress(event.currentTarget.value), add.reset())}
      />
      <TextInput
        label="Description"
        placeholder="Office"
        value={description}
        maxLength={300}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Button type="submit" disabled={address.trim() === ''} loading={add.isPending}>
        Add address
      </Button>
    </form>
  );
}

function useDelete(): (entry: Entry) => void {
  const queries = useQueryClient();
  const remove = async (address: string): Promise<void> => {
    try {
      queries.setQueryData(KEY, await api.call('DELETE /v2/ip_whitelist', { query: { address } }));
    } catch (error) {
      tell({ color: 'red', title: 'The address was not deleted', message: sentenceOf(error) });
      await queries.invalidateQueries({ queryKey: KEY });
    }
  };
  return ({ ip_address: address }) =>
    ask({
      title: 'Delete this address?',
      text: `Nobody uses the account from ${address} any more. If it is the last entry, the account is used from anywhere.`,
      confirm: 'Delete',
      onConfirm: () => void remove(address),
    });
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { canWrite } = useRole('ipAllowlist');
  const askDelete = useDelete();
  return (
    <Sideways label="IP allowlist, table" minWidth={320}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Address or network</th>
            <th scope="col">Description</th>
            {canWrite && (
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.ip_address}>
              <td className="mono">{entry.ip_address}</td>
              <td>
                <bdi>{entry.description}</bdi>
              </td>
              {canWrite && (
                <td className={classes.actions}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Delete ${entry.ip_address}`}
                    onClick={() => askDelete(entry)}
                  >
                    Delete
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** From which addresses the account is used. */
export function IpAllowlistPage() {
  const { canWrite } = useRole('ipAllowlist');
  const { data, error, isPending } = useQuery(listQuery);
  return (
    <>
      <PageHead
        title="IP allowlist"
        lead={
          'While there are entries, API keys, dashboard sessions and SMTP logins of this account and its subaccounts ' +
          'work from these addresses only. Add your own address first.'
        }
      />
      {error && (
        <Alert color="red" title="The IP allowlist could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {canWrite && <NewEntry />}
      {isPending && <Skeleton height={120} />}
      {data?.addresses.length === 0 && (
        <p className={classes.empty}>No entries: the account can be used from every address.</p>
      )}
      {data && data.addresses.length > 0 && <Entries entries={data.addresses} />}
    </>
  );
}

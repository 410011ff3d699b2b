// Who may log in over SMTP to send from a domain.
import type { Reply } from '@galley/sdk';
import { ActionIcon, Alert, Button, Skeleton, Table, Tooltip, VisuallyHidden } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PencilIcon, PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { SubmissionPlace } from './delivery.tsx';
import { credentialsExport } from './domains-csv.ts';
import { PasswordDialog } from './password-dialog.tsx';
import classes from './credentials.module.css';

type Credential = Reply<'GET /v3/domains/{domain_name}/credentials'>['items'][number];

const SHOWN_MAX = 1000;

function credentialsQuery(domain: string) {
  return queryOptions({
    queryKey: ['credentials', domain],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v3/domains/{domain_name}/credentials',
        { path: { domain_name: domain }, query: { limit: SHOWN_MAX, skip: 0 } },
        { signal },
      ),
  });
}

function useDelete(domain: string): (login: string) => void {
  const queries = useQueryClient();
  const remove = async (login: string): Promise<void> => {
    try {
      const path = { domain_name: domain, spec: login };
      await api.call('DELETE /v3/domains/{domain_name}/credentials/{spec}', { path });
      tell({ message: 'The credentials are deleted.' });
    } catch (error) {
      tell({ color: 'red', title: 'The credentials were not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['credentials', domain] });
  };
  return (login) =>
    ask({
      title: 'Delete these credentials?',
      text: `${login} can no longer log in. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => void remove(login),
    });
}

interface Actions {
  onChange(login: string): void;
  onDelete(login: string): void;
}

function Row({ credential: { login, created_at: createdAt }, actions }: { credential: Credential; actions?: Actions }) {
  return (
    <Table.Tr>
      <Table.Td className={classes.login}>{login}</Table.Td>
      <Table.Td>
        <When at={new Date(createdAt)} />
      </Table.Td>
      <Table.Td ta="right" className={classes.actions}>
        {actions && (
          <>
            <Tooltip label="Change password">
              <ActionIcon aria-label={`Change the password of ${login}`} onClick={() => actions.onChange(login)}>
                <PencilIcon />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Delete">
              <ActionIcon aria-label={`Delete ${login}`} onClick={() => actions.onDelete(login)}>
                <TrashIcon />
              </ActionIcon>
            </Tooltip>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The credentials of one domain, with everything that can be done to them. */
export function Credentials({ domain }: { domain: string }) {
  const credentials = useQuery(credentialsQuery(domain));
  const { canWrite } = useRole('credentials');
  /** The login whose password is chosen; the empty text is a new one. */
  const [chosen, setChosen] = useState<string>();
  const onDelete = useDelete(domain);
  const { items, total_count: total } = credentials.data ?? { items: [], total_count: 0 };
  return (
    <section aria-labelledby="smtp-credentials" className={classes.section}>
      <div className={classes.head}>
        <h2 id="smtp-credentials">SMTP credentials</h2>
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setChosen('')}>
            New credentials
          </Button>
        )}
      </div>
      <p className={classes.about}>Programs that send over SMTP log in with these to send from {domain}.</p>
      <SubmissionPlace />
      {credentials.error && (
        <Alert color="red" title="The credentials could not be loaded">
          {sentenceOf(credentials.error)}
        </Alert>
      )}
      {credentials.isPending && <Skeleton height={80} />}
      {credentials.data && total === 0 && <Notice title="No credentials yet">Nobody can log in over SMTP.</Notice>}
      {total > 0 && (
        <Sideways minWidth={440} label="SMTP credentials, table">
          <Table verticalSpacing={10}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Login</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((credential) => (
                <Row
                  key={credential.login}
                  credential={credential}
                  {...(canWrite && { actions: { onChange: setChosen, onDelete } })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      {total > 0 && (
        <p className={classes.file}>
          <CsvButtons
            of="SMTP credentials"
            size="compact-xs"
            name={`credentials-of-${domain}`}
            {...credentialsExport(domain)}
          />
        </p>
      )}
      {total > items.length && (
        <p className={classes.about}>
          {count(total, 'login')} in all; the first {items.length} are shown.
        </p>
      )}
      {chosen !== undefined && <PasswordDialog domain={domain} login={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

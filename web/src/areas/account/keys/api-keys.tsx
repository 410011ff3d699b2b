import { ActionIcon, Alert, Badge, Button, Skeleton, Table, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { api, keysQuery, sentenceOf, sessionQuery, type ApiKey } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago, When } from '../../../ground/shell/when.tsx';
import classes from './keys-page.module.css';
import { NewKeyDialog } from './new-key-dialog.tsx';

/** The service writes UTC without saying so. */
function utc(text: string): Date {
  return new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
}

function useRevoke(): (key: ApiKey) => void {
  const queries = useQueryClient();
  const revoke = async (key: ApiKey): Promise<void> => {
    try {
      await api.call('DELETE /v1/keys/{key_id}', { path: { key_id: key.id } });
      tell({ message: 'The key is revoked.' });
    } catch (error) {
      tell({ color: 'red', title: 'The key was not revoked', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['keys'] });
  };
  return (key) =>
    ask({
      title: 'Revoke this key?',
      text: `“${key.description || key.id}” stops working at once, and everyone who signed in with it is signed out.`,
      confirm: 'Revoke',
      onConfirm: () => void revoke(key),
    });
}

function KeyRow({ apiKey, isOwn, onRevoke }: { apiKey: ApiKey; isOwn: boolean; onRevoke: () => void }) {
  const used = apiKey.last_used_at ? utc(apiKey.last_used_at) : null;
  const expires = apiKey.expires_at ? utc(apiKey.expires_at) : null;
  return (
    <Table.Tr>
      <Table.Td>
        <strong>{apiKey.description || 'Unnamed key'}</strong>
        {isOwn && (
          <Badge ml={8} size="xs" variant="default">
            this session
          </Badge>
        )}
        <div className={`mono ${classes.id}`}>{apiKey.id}</div>
      </Table.Td>
      <Table.Td>{apiKey.role}</Table.Td>
      <Table.Td>
        <When at={utc(apiKey.created_at)} />
      </Table.Td>
      <Table.Td>{used ? <Ago at={used} /> : 'never'}</Table.Td>
      <Table.Td>
        {apiKey.is_disabled ? (apiKey.disabled_reason ?? 'disabled') : expires ? <Ago at={expires} /> : 'never'}
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label="Revoke">
          <ActionIcon aria-label={`Revoke ${apiKey.description || apiKey.id}`} onClick={onRevoke}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}

export function ApiKeys() {
  const keys = useQuery(keysQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isOpen, dialog] = useDisclosure();
  const askRevoke = useRevoke();
  return (
    <section aria-labelledby="api-keys">
      <div className={classes.head}>
        <h2 id="api-keys">API keys</h2>
        <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
          New key
        </Button>
      </div>
      {keys.error && (
        <Alert color="red" title="The keys could not be loaded">
          {sentenceOf(keys.error)}
        </Alert>
      )}
      {keys.isPending && <Skeleton height={120} />}
      {keys.data && (
        <Sideways minWidth={640} label="API keys, table">
          <Table verticalSpacing={10}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.data.map((key) => (
                <KeyRow key={key.id} apiKey={key} isOwn={key.id === session.key_id} onRevoke={() => askRevoke(key)} />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      {isOpen && <NewKeyDialog onClose={dialog.close} />}
    </section>
  );
}

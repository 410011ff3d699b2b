// Who gets mail of the sandbox domain once it delivers.
import type { Reply } from '@galley/sdk';
import { ActionIcon, Alert, Button, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { onePage } from '../../../shared/send/list-pages.ts';
import classes from './credentials.module.css';

type Recipient = Reply<'GET /v5/sandbox/auth_recipients'>['recipients'][number];

const RECIPIENTS_MAX = 5;
const KEY = ['sandbox-recipients'];

const recipientsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await api.call('GET /v5/sandbox/auth_recipients', {}, { signal })).recipients,
  // Somebody may press the button in the mail at any time.
  refetchInterval: 5000,
});

function useAsk(onAsked: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => api.call('POST /v5/sandbox/auth_recipients', { query: { email } }),
    onSuccess: async ({ recipient }) => {
      announce(recipient.activated ? `${recipient.email} has agreed already.` : `${recipient.email} is asked by mail.`);
      onAsked();
      await queries.invalidateQueries({ queryKey: KEY });
    },
  });
}

function useRemove(): (email: string) => void {
  const queries = useQueryClient();
  const remove = async (email: string): Promise<void> => {
    try {
      await api.call('DELETE /v5/sandbox/auth_recipients/{email}', { path: { email } });
      tell({ message: 'The recipient is deleted.' });
    } catch (error) {
      tell({ color: 'red', title: 'The recipient was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (email) =>
    ask({
      title: 'Delete this recipient?',
      text: `${email} gets no more messages of the sandbox domain, and the link in its mail works no longer.`,
      confirm: 'Delete',
      onConfirm: () => void remove(email),
    });
}

function Row({ recipient, onDelete }: { recipient: Recipient; onDelete?: (email: string) => void }) {
  const { email, activated, problem } = recipient;
  return (
    <li>
      <div>
        <span className={classes.login}>{email}</span>{' '}
        {activated ? <Chip tone="good">agreed</Chip> : <Chip>asked</Chip>}
        {problem !== undefined && <p className={classes.about}>The mail has not arrived: {problem}</p>}
      </div>
      {onDelete && (
        <Tooltip label="Delete">
          <ActionIcon aria-label={`Delete ${email}`} onClick={() => onDelete(email)}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** The form that asks one more. */
function AskForm() {
  const [email, setEmail] = useState('');
  const asking = useAsk(() => setEmail(''));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    asking.mutate(email.trim());
  };
  return (
    <form onSubmit={submit} noValidate className={classes.ask}>
      <TextInput
        label="Address"
        name="email"
        type="email"
        placeholder="ann@example.com"
        value={email}
        error={asking.error && sentenceOf(asking.error)}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="off"
      />
      <Button type="submit" variant="default" loading={asking.isPending} disabled={email.trim() === ''}>
        Ask by mail
      </Button>
    </form>
  );
}

/** The authorized recipients, on the page of the sandbox domain. */
export function SandboxRecipients() {
  const { data, error, isPending } = useQuery(recipientsQuery);
  const { canWrite } = useRole('account');
  const onDelete = useRemove();
  return (
    <section aria-labelledby="sandbox-recipients" className={classes.section}>
      <div className={classes.head}>
        <h2 id="sandbox-recipients">Authorized recipients</h2>
      </div>
      <p className={classes.about}>
        When this domain delivers, it writes to these addresses only: {RECIPIENTS_MAX} at most, each asked by a mail
        with a link. While messages are captured, that mail is under Messages, and counts for captured messages only.
      </p>
      {error && (
        <Alert color="red" title="The recipients could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={48} />}
      {data && data.length > 0 && (
        <ul className={classes.list}>
          {data.map((recipient) => (
            <Row key={recipient.email} recipient={recipient} {...(canWrite && { onDelete })} />
          ))}
        </ul>
      )}
      {data && data.length > 0 && (
        <p className={classes.file}>
          <CsvButtons
            of="authorized recipients"
            size="compact-xs"
            name="authorized-recipients"
            columns={['address', 'agreed', 'problem']}
            pages={() =>
              onePage(data.map(({ email, activated, problem }) => [email, activated ? 'yes' : 'no', problem ?? null]))
            }
          />
        </p>
      )}
      {canWrite && data && data.length < RECIPIENTS_MAX && <AskForm />}
      {data && data.length >= RECIPIENTS_MAX && (
        <p className={classes.about}>There are {RECIPIENTS_MAX}; delete one to ask another.</p>
      )}
    </section>
  );
}

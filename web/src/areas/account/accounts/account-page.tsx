import { Alert, Button, NumberInput, Skeleton, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import classes from './accounts.module.css';
import { MessageLimit, ownLimit } from './message-limit.tsx';

const load = (signal: AbortSignal) => api.call('GET /v1/galley/account', {}, { signal });
type Account = Awaited<ReturnType<typeof load>>;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

function Settings({ account, canWrite }: { account: Account; canWrite: boolean }) {
  const queries = useQueryClient();
  const [name, setName] = useState(account.name);
  const [minutes, setMinutes] = useState<number | string>(
    account.inactive_session_timeout === 0 ? '' : account.inactive_session_timeout / MINUTE_SECONDS,
  );
  const [hours, setHours] = useState<number | string>(account.absolute_session_timeout / HOUR_SECONDS);
  const [redirect, setRedirect] = useState(account.logout_redirect_url);
  const save = useMutation({
    mutationFn: () =>
      api.call('PUT /v5/accounts', {
        body: {
          name: name.trim(),
          inactive_session_timeout: Math.round(Number(minutes) * MINUTE_SECONDS),
          absolute_session_timeout: Math.round(Number(hours) * HOUR_SECONDS),
          logout_redirect_url: redirect.trim(),
        },
      }),
    onSuccess: async () => {
      tell({ message: 'The account is saved.' });
      await queries.invalidateQueries();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="md">
        {save.error && (
          <Alert color="red" title="The account was not saved">
            {sentenceOf(save.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          value={name}
          maxLength={200}
          disabled={!canWrite}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label="Minutes without a request until people are signed out"
          description="5 or more. Empty: only the limit below signs them out."
          value={minutes}
          min={5}
          max={43_200}
          hideControls
          disabled={!canWrite}
          onChange={setMinutes}
        />
        <NumberInput
          label="Hours until people are signed out in any case"
          description="12 by default, 720 at most. A shorter time also holds for people who are signed in now."
          value={hours}
          max={720}
          hideControls
          disabled={!canWrite}
          onChange={setHours}
        />
        <TextInput
          label="Page to open after signing out"
          placeholder="https://example.com/bye"
          description="Empty: the sign-in page."
          value={redirect}
          maxLength={2000}
          disabled={!canWrite}
          onChange={(event) => setRedirect(event.currentTarget.value)}
        />
        {canWrite && (
          <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
            Save
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** What holds for the whole account: its name, how long people stay signed in, how much it may send. */
export function AccountPage() {
  const { canWrite, canManage } = useRole('account');
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => load(signal) });
  return (
    <>
      <PageHead
        title="Account"
        lead="The name of the account, how long people stay signed in, and how much it may send."
      />
      <div className={classes.sections}>
        <section aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          {account.error && (
            <Alert color="red" title="The account could not be loaded">
              {sentenceOf(account.error)}
            </Alert>
          )}
          {account.isPending && <Skeleton height={280} />}
          {account.data && <Settings key={account.data.id} account={account.data} canWrite={canWrite} />}
        </section>
        <section aria-labelledby="monthly-limit">
          <h2 id="monthly-limit">Monthly limit</h2>
          <p className={classes.about}>
            Messages over the limit are refused until the month ends; messages accepted before are delivered. Messages
            of subaccounts count, too.
          </p>
          <MessageLimit doors={ownLimit} canWrite={canManage} />
        </section>
      </div>
    </>
  );
}

import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../../ground/api.ts';
import { tell } from '../../../../ground/shell/ask.ts';
import { CurrentPassword } from './current-password.tsx';
import { OWN_SESSIONS_KEY, OWN_USER_KEY, type OwnUser } from './own-query.ts';
import classes from './own.module.css';

const PASSWORD_LENGTH_MAX = 200;

function useChange(onChanged: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { current_password: string; password: string }) =>
      api.call('PUT /v5/users/me/password', { body }),
    onSuccess: async () => {
      onChanged();
      tell({ message: 'Your password is changed. Your other sessions are ended.' });
      await queries.invalidateQueries({ queryKey: OWN_USER_KEY });
      await queries.invalidateQueries({ queryKey: OWN_SESSIONS_KEY });
    },
  });
}

export function OwnPassword({ user }: { user: OwnUser }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useChange(() => (setCurrent(''), setPassword('')));
  const hasPassword = user.password_updated_at !== null;
  const about = (field: string): string | false =>
    fieldOf(change.error, [field]) !== undefined && sentenceOf(change.error);
  const [aboutCurrent, aboutNew] = [about('current_password'), about('password')];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ current_password: current, password });
  };
  return (
    <section aria-labelledby="own-password">
      <h2 id="own-password">Password</h2>
      <p className={classes.about}>
        {hasPassword ? 'Changing it ends your sessions in other browsers.' : 'You have no password yet.'}
      </p>
      <form onSubmit={submit} className={classes.form} noValidate>
        <Stack gap="md">
          {change.error && aboutCurrent === false && aboutNew === false && (
            <Alert color="red" title="Your password was not changed">
              {sentenceOf(change.error)}
            </Alert>
          )}
          {hasPassword && (
            <CurrentPassword label="Current password" value={current} error={aboutCurrent} onChange={setCurrent} />
          )}
          <PasswordInput
            label="New password"
            name="new-password"
            description="At least 10 characters. A few words are easier to keep in mind than signs."
            autoComplete="new-password"
            value={password}
            maxLength={PASSWORD_LENGTH_MAX}
            error={aboutNew}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={change.isPending}
            disabled={password === '' || (hasPassword && current === '')}
            style={{ alignSelf: 'flex-start' }}
          >
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </Stack>
      </form>
    </section>
  );
}

import { Alert, Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import classes from './public-sheet.module.css';

interface KeyFormProps {
  isFirst: boolean;
  onSignedIn: () => Promise<void>;
}

/** Signs in with an API key. */
export function KeyForm({ isFirst, onSignedIn }: KeyFormProps) {
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.call('POST /v1/session', { body: { key } }),
    onSuccess: onSignedIn,
  });
  const isWrong = statusOf(signIn.error) === 401;
  const submit = (event: FormEvent): void => (event.preventDefault(), signIn.mutate());
  return (
    <>
      <form onSubmit={submit} className={classes.form}>
        {signIn.error && !isWrong && (
          <Alert color="red" title="You were not signed in">
            {sentenceOf(signIn.error)}
          </Alert>
        )}
        <PasswordInput
          label="API key"
          name="key"
          size="md"
          autoComplete="current-password"
          autoFocus={isFirst}
          required
          withAsterisk={false}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={isWrong && 'This key is unknown, revoked or expired.'}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className={classes.hint}>
        Galley prints a key when it starts for the first time. To create another, run{' '}
        <code>npm run galley -- keys create</code>.
      </p>
    </>
  );
}

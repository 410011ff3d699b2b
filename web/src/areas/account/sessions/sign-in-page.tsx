import { Alert, Button, PasswordInput } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actFor, api, sentenceOf, sessionQuery, statusOf } from '../../../ground/api.ts';
import { Logo } from '../../../ground/brand/logo.tsx';
import classes from './sign-in-page.module.css';

/** Only pages of the dashboard are returned to. */
function safePath(from: string | undefined): string {
  return from?.startsWith('/') && !from.startsWith('//') ? from : '/previews';
}

export function SignInPage() {
  const { from } = useSearch({ from: '/sign-in' });
  const [key, setKey] = useState('');
  const router = useRouter();
  const queries = useQueryClient();
  useDocumentTitle('Sign in · Galley');
  const signIn = useMutation({
    mutationFn: () => api.call('POST /v1/session', { body: { key } }),
    onSuccess: async (session) => {
      actFor(null);
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      router.history.push(safePath(from));
    },
  });
  const isWrong = statusOf(signIn.error) === 401;
  const submit = (event: FormEvent): void => (event.preventDefault(), signIn.mutate());
  return (
    <main className={classes.page}>
      <div className={classes.sheet}>
        <Logo size={34} />
        <h1 className={classes.title}>See every email as your readers will see it.</h1>
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
            autoFocus
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
      </div>
    </main>
  );
}

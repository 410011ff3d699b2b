import { Alert, Anchor, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import classes from './public-sheet.module.css';

interface CodeFormProps {
  /** What the password was answered with. */
  challenge: string;
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}

/** The second step of who has a second factor. */
export function CodeForm({ challenge, onSignedIn, onBack }: CodeFormProps) {
  const [code, setCode] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.call('POST /v1/session/code', { body: { challenge, code } }),
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
        <TextInput
          label="Code"
          name="code"
          size="md"
          description="The six digits that your authenticator app shows now, or one of your recovery codes."
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          value={code}
          maxLength={40}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isWrong && sentenceOf(signIn.error)}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className={classes.hint}>
        <Anchor component="button" type="button" inherit onClick={onBack}>
          Back to the password
        </Anchor>
        . An admin of the account can reset the second factor of who lost the app and all recovery codes.
      </p>
    </>
  );
}

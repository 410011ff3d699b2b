import { Alert, Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { waysQuery } from '../../../shared/sign-in/ways.ts';
import { CodeForm } from './code-form.tsx';
import classes from './public-sheet.module.css';

interface EmailFieldProps {
  email: string;
  isFirst: boolean;
  onChange: (email: string) => void;
}

function EmailField({ email, isFirst, onChange }: EmailFieldProps) {
  return (
    <TextInput
      label="Email"
      name="email"
      type="email"
      size="md"
      autoComplete="username"
      autoFocus={isFirst}
      required
      withAsterisk={false}
      value={email}
      maxLength={320}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FormProps extends EmailFieldProps {
  onSwitch: () => void;
}

/** Asks for a link with which a new password is chosen. */
function ResetForm({ onSwitch, ...field }: FormProps) {
  const request = useMutation({
    mutationFn: () => api.call('POST /v5/users/password-reset', { body: { email: field.email.trim() } }),
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), request.mutate());
  return (
    <>
      <form onSubmit={submit} className={classes.form}>
        {request.error && (
          <Alert color="red" title="No link was sent">
            {sentenceOf(request.error)}
          </Alert>
        )}
        {request.data && <Alert title="Look into your mailbox">{request.data.message}</Alert>}
        <EmailField {...field} />
        <Button type="submit" size="md" fullWidth loading={request.isPending}>
          Send me a link
        </Button>
      </form>
      <p className={classes.hint}>
        <Anchor component="button" type="button" inherit onClick={onSwitch}>
          Back to the password
        </Anchor>
      </p>
    </>
  );
}

interface SignInFormProps extends FormProps {
  onSignedIn: () => Promise<void>;
  onChallenge: (challenge: string) => void;
}

function SignInForm({ onSwitch, onSignedIn, onChallenge, ...field }: SignInFormProps) {
  const [password, setPassword] = useState('');
  const ways = useQuery(waysQuery);
  const signIn = useMutation({
    mutationFn: () => api.call('POST /v1/session/password', { body: { email: field.email.trim(), password } }),
    onSuccess: ({ challenge }) => (challenge === undefined ? onSignedIn() : onChallenge(challenge)),
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
        <EmailField {...field} />
        <PasswordInput
          label="Password"
          name="password"
          size="md"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          maxLength={500}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong && sentenceOf(signIn.error)}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className={classes.hint}>
        {ways.data?.password_reset === true ? (
          <Anchor component="button" type="button" inherit onClick={onSwitch}>
            I forgot my password
          </Anchor>
        ) : (
          'Whoever has no password, or forgot it, asks an admin of the account.'
        )}
      </p>
    </>
  );
}

interface PasswordFormProps {
  isFirst: boolean;
  onSignedIn: () => Promise<void>;
}

/** Signs in with an email address and a password, or asks for a link to choose a new one. */
export function PasswordForm({ isFirst, onSignedIn }: PasswordFormProps) {
  const [email, setEmail] = useState('');
  const [isForgotten, setForgotten] = useState(false);
  const [challenge, setChallenge] = useState<string>();
  const field = { email, onChange: setEmail };
  if (isForgotten) return <ResetForm {...field} isFirst onSwitch={() => setForgotten(false)} />;
  if (challenge !== undefined)
    return <CodeForm challenge={challenge} onSignedIn={onSignedIn} onBack={() => setChallenge(undefined)} />;
  return (
    <SignInForm
      {...field}
      isFirst={isFirst}
      onSwitch={() => setForgotten(true)}
      onSignedIn={onSignedIn}
      onChallenge={setChallenge}
    />
  );
}

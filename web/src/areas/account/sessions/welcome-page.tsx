import { Alert, Button, Loader, PasswordInput, TextInput } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actFor, api, fieldOf, sentenceOf, statusOf } from '../../../ground/api.ts';
import { PublicSheet } from './public-sheet.tsx';
import classes from './public-sheet.module.css';
import { useSignInWay } from './sign-in-way.ts';

type UserLink = Reply<'POST /v5/users/links/read'>;

const PASSWORD_LENGTH_MAX = 200;

/** Read once: a link that was used in the meantime is told when it is used again. */
const linkQuery = (token: string) => ({
  queryKey: ['user-link', token],
  queryFn: () => api.call('POST /v5/users/links/read', { body: { token } }),
  staleTime: Infinity,
  enabled: token !== '',
});

function ToSignIn() {
  return (
    <Button variant="default" size="md" fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      Go to the sign-in page
    </Button>
  );
}

function Gone() {
  return (
    <PublicSheet title="This link does not work any more" tabTitle="Welcome">
      <p className={classes.text}>
        It was used already, a newer one was sent, or its time is over. If you have chosen a password, sign in with it.
        Otherwise ask an admin of the account for a new invitation.
      </p>
      <ToSignIn />
    </PublicSheet>
  );
}

/** Uses the link, then signs in: the second may be refused where the first was not. */
function useChoose({ token, email }: { token: string; email: string }) {
  const [isSet, setSet] = useState(false);
  const [, keepWay] = useSignInWay();
  const choose = useMutation({
    mutationFn: async ({ name, password }: { name: string | undefined; password: string }) => {
      await api.call('POST /v5/users/links/use', {
        body: { token, password, ...(name !== undefined && { name: name.trim() }) },
      });
      setSet(true);
      keepWay('password');
      const { signed_in: isIn } = await api.call('POST /v1/session/password', { body: { email, password } });
      // Loaded anew: nothing of whoever was signed in here before is left, nor the link. A code is asked for there.
      actFor(null);
      window.location.replace(isIn ? '/' : '/sign-in');
    },
  });
  return { choose, isSet };
}

function Fields({ token, link }: { token: string; link: UserLink }) {
  const isInvitation = link.kind === 'invitation';
  const [name, setName] = useState(link.name);
  const [password, setPassword] = useState('');
  const { choose, isSet } = useChoose({ token, email: link.email });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choose.mutate({ name: isInvitation ? name : undefined, password });
  };
  if (statusOf(choose.error) === 410) return <Gone />;
  const title = isInvitation ? `Welcome to ${link.account_name}` : 'Choose a new password';
  if (isSet && choose.error)
    return (
      <PublicSheet title={title} tabTitle="Welcome">
        <Alert color="red" title="Your password is set, but you were not signed in" mb="md">
          {sentenceOf(choose.error)}
        </Alert>
        <ToSignIn />
      </PublicSheet>
    );
  const isAboutPassword = fieldOf(choose.error, ['password']) !== undefined;
  return (
    <PublicSheet title={title} tabTitle={isInvitation ? 'Welcome' : 'New password'}>
      {isInvitation && (
        <p className={classes.text}>You are invited to this account of Galley. Choose a password to sign in with.</p>
      )}
      <form onSubmit={submit} className={classes.form}>
        {choose.error && !isAboutPassword && (
          <Alert color="red" title="The password was not set">
            {sentenceOf(choose.error)}
          </Alert>
        )}
        <TextInput label="Email" name="email" size="md" autoComplete="username" readOnly value={link.email} />
        {isInvitation && (
          <TextInput
            label="Name"
            name="name"
            size="md"
            autoComplete="name"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="Password"
          name="password"
          description="At least 10 characters. A few words are easier to keep in mind than signs."
          size="md"
          autoComplete="new-password"
          autoFocus
          required
          withAsterisk={false}
          value={password}
          maxLength={PASSWORD_LENGTH_MAX}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isAboutPassword && sentenceOf(choose.error)}
        />
        <Button type="submit" size="md" fullWidth loading={choose.isPending}>
          Set password and sign in
        </Button>
      </form>
    </PublicSheet>
  );
}

/** Where the links of invitations and for new passwords lead. What is secret of a link stands behind its #. */
export function WelcomePage() {
  const token = useLocation({ select: ({ hash }) => hash });
  const link = useQuery(linkQuery(token));
  if (link.data) return <Fields key={token} token={token} link={link.data} />;
  if (statusOf(link.error) === 410) return <Gone />;
  return (
    <PublicSheet title={token === '' ? 'This link is not complete' : 'Welcome'} tabTitle="Welcome">
      {token === '' && (
        <>
          <p className={classes.text}>Open the whole link from the email, up to its end.</p>
          <ToSignIn />
        </>
      )}
      {link.error && (
        <Alert color="red" title="The link could not be read">
          {sentenceOf(link.error)}
        </Alert>
      )}
      {token !== '' && !link.error && <Loader />}
    </PublicSheet>
  );
}

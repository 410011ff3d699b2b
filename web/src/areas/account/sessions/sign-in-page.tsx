import { SegmentedControl } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { actFor, sessionQuery } from '../../../ground/api.ts';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PublicSheet } from './public-sheet.tsx';
import classes from './public-sheet.module.css';
import { safePath } from './safe-path.ts';
import { useSignInWay, type SignInWay } from './sign-in-way.ts';
import { SsoButton } from './sso-button.tsx';

const WAYS = [
  { value: 'key', label: 'API key' },
  { value: 'password', label: 'Email and password' },
];

export function SignInPage() {
  const { from } = useSearch({ from: '/sign-in' });
  const [kept, keep] = useSignInWay();
  const [chosen, choose] = useState<SignInWay>();
  const router = useRouter();
  const queries = useQueryClient();
  const way = chosen ?? kept;
  const enter = async (): Promise<void> => {
    actFor(null);
    queries.clear();
    await queries.fetchQuery(sessionQuery);
    keep(way);
    router.history.push(safePath(from));
  };
  const Form = way === 'password' ? PasswordForm : KeyForm;
  return (
    <PublicSheet title="See every email as your readers will see it." tabTitle="Sign in">
      <SsoButton from={safePath(from)} />
      <SegmentedControl
        aria-label="How to sign in"
        className={classes.ways}
        fullWidth
        data={WAYS}
        value={way}
        onChange={(value) => choose(value as SignInWay)}
      />
      <Form isFirst={chosen === undefined} onSignedIn={enter} />
      <PasskeyButton onSignedIn={enter} />
    </PublicSheet>
  );
}

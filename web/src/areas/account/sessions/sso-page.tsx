import { Alert, Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { actFor, api, sentenceOf } from '../../../ground/api.ts';
import { PublicSheet } from './public-sheet.tsx';
import { safePath } from './safe-path.ts';
import classes from './public-sheet.module.css';

/** Handed over once: a code counts once. */
const answerQuery = (answer: string) => ({
  queryKey: ['sso-answer', answer],
  queryFn: () => api.call('POST /v1/session/sso/answer', { body: { answer } }),
  staleTime: Infinity,
  retry: false,
  enabled: answer !== '',
});

/** Where the provider of single sign-on sends the browser back to, with a code in the query. */
export function SsoPage() {
  const [answer] = useState(() => window.location.search.slice(1));
  const { data, error } = useQuery(answerQuery(answer));
  // Neither the history nor a copied address has the code.
  useEffect(() => window.history.replaceState(window.history.state, '', '/sign-in/sso'), []);
  useEffect(() => {
    if (!data) return;
    // Loaded anew: nothing of whoever was signed in here before is left.
    actFor(null);
    window.location.replace(safePath(data.from));
  }, [data]);
  const isComplete = answer !== '';
  return (
    <PublicSheet title={isComplete && !error ? 'One moment …' : 'You are not signed in'} tabTitle="Sign in">
      {isComplete && !error && <Loader aria-label="Signing in" />}
      {error && (
        <Alert color="red" mb="md">
          {sentenceOf(error)}
        </Alert>
      )}
      {!isComplete && <p className={classes.text}>This page finishes a sign-in, and none was begun.</p>}
      {(error || !isComplete) && (
        <Button variant="default" size="md" fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Go to the sign-in page
        </Button>
      )}
    </PublicSheet>
  );
}

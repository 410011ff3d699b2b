import { Alert, Button, Divider } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { waysQuery } from '../../../shared/sign-in/ways.ts';
import classes from './public-sheet.module.css';

/** Goes to the provider of single sign-on, where the service has one, and comes back at `/sign-in/sso`. */
export function SsoButton({ from }: { from: string }) {
  const ways = useQuery(waysQuery);
  const begin = useMutation({
    mutationFn: () => api.call('POST /v1/session/sso', { body: { from } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const sso = ways.data?.sso;
  if (!sso) return null;
  return (
    <div className={classes.sso}>
      {begin.error && (
        <Alert color="red" title="You were not signed in">
          {sentenceOf(begin.error)}
        </Alert>
      )}
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate()}
      >
        Sign in with {sso.name}
      </Button>
      <Divider label="or" />
    </div>
  );
}

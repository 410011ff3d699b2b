import { Alert, Button, Divider } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { askForPasskey, passkeyProblem } from '../../../shared/sign-in/passkeys.ts';
import { waysQuery } from '../../../shared/sign-in/ways.ts';
import classes from './public-sheet.module.css';

/** Signs in with a key in the person's device, where the service takes any; it tells why this browser cannot. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { data: ways } = useQuery(waysQuery);
  const signIn = useMutation({
    mutationFn: async () => {
      const problem = passkeyProblem(ways?.passkeys);
      if (problem !== undefined) throw new Error(problem);
      const { options } = await api.call('POST /v1/session/passkey/challenge', { body: {} });
      return api.call('POST /v1/session/passkey', { body: { credential: await askForPasskey(options) } });
    },
    onSuccess: onSignedIn,
  });
  if (!ways?.passkeys) return null;
  return (
    <div className={classes.passkey}>
      <Divider label="or" />
      {signIn.error && (
        <Alert color="red" title="You were not signed in">
          {sentenceOf(signIn.error)}
        </Alert>
      )}
      <Button variant="default" size="md" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </div>
  );
}

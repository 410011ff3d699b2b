import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { actFor, actingFor, sentenceOf, sessionQuery } from '../../../../ground/api.ts';
import { Notice, PageHead } from '../../../../ground/shell/page.tsx';
import { OwnName } from './own-name.tsx';
import { OwnPassword } from './own-password.tsx';
import { ownUserQuery } from './own-query.ts';
import { OwnSessions } from './own-sessions.tsx';
import classes from './own.module.css';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

function Parts() {
  const { data: user, error, isPending } = useQuery(ownUserQuery);
  if (error)
    return (
      <Alert color="red" title="Your account could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (isPending) return <Skeleton height={320} />;
  return (
    <div className={classes.parts}>
      <OwnName user={user} />
      <OwnPassword user={user} />
      <SecondFactor user={user} />
      <Passkeys user={user} />
      <OwnSessions />
    </div>
  );
}

/** The person who is signed in: the name, how they prove who they are, and where they are signed in. */
export function OwnAccountPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queries = useQueryClient();
  if (!session.user)
    return (
      <>
        <PageHead title="Your account" />
        <Notice title="You signed in with an API key">
          A key has no name, no password, no second factor and no passkeys. Sign in with your own email address to see
          yours here; an admin invites people on the page Users.
        </Notice>
      </>
    );
  if (actingFor())
    return (
      <>
        <PageHead title="Your account" />
        <Notice
          title="You are acting on behalf of a subaccount"
          action={<Button onClick={() => (actFor(null), void queries.resetQueries())}>Back to the main account</Button>}
        >
          Go back to your own account to change your name or how you sign in.
        </Notice>
      </>
    );
  return (
    <>
      <PageHead title="Your account" lead="Your name, how you sign in, and where you are signed in now." />
      <Parts />
    </>
  );
}

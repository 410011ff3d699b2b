import { Alert, Button } from '@mantine/core';
import { CatchBoundary, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { faultSentence, isOwnFault, sentenceOf, statusOf } from '../api.ts';
import { Notice } from './page.tsx';

/** What a page shows when it cannot show what it is for. */
export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const isMissing = statusOf(error) === 404;
  const action = isMissing ? <Button renderRoot={(props) => <Link to="/previews" {...props} />}>All tests</Button> : <Button onClick={reset}>Try again</Button>;
  return (
    <Notice isPage title={isMissing ? 'There is nothing here' : isOwnFault(error) ? 'This page failed' : 'This did not work'} action={action}>
      {isMissing ? 'The test was deleted, its retention has ended, or it belongs to another account.' : thrownSentence(error)}
    </Notice>
  );
}

/** What is thrown while a page is drawn, and did not come from the service, is a fault of ours. */
function thrownSentence(error: unknown): string {
  return isOwnFault(error) ? faultSentence(error) : sentenceOf(error);
}

function PartFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Alert color="red" m="md" title="This part of the page failed">
      {thrownSentence(error)}
      <Button mt="sm" variant="default" size="compact-sm" style={{ display: 'block' }} onClick={reset}>Try again</Button>
    </Alert>
  );
}

/** Keeps a fault in this part of a page from taking the rest with it. Another `subject` is another try. */
export function PartBoundary({ subject, children }: { subject: unknown; children: ReactNode }) {
  return <CatchBoundary getResetKey={() => subject} errorComponent={PartFailure}>{children}</CatchBoundary>;
}

import { Alert, Button } from '@mantine/core';
import { fetchAnswer } from '@galley/sdk';
import { CatchBoundary, Link, useRouter } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { faultSentence, isNotLoaded, isOwnFault, isPassing, sentenceOf, statusOf } from '../api.ts';
import { Notice } from './page.tsx';
import { alsoRetry, tryNow } from './retries.ts';
import { useTryingAgain } from './trouble.tsx';

/** What a page shows when it cannot show what it is for. */
export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const again = useTryingAgain();
  const isMissing = statusOf(error) === 404;
  const action = isMissing ? (
    <Button renderRoot={(props) => <Link to="/previews" {...props} />}>All tests</Button>
  ) : (
    <Button onClick={reset}>Try again</Button>
  );
  return (
    <Notice
      isPage
      title={isMissing ? 'Not found' : isOwnFault(error) ? 'This page failed' : 'The page could not be loaded'}
      action={action}
    >
      {isMissing
        ? 'The test was deleted, its retention period ended, or it belongs to another account.'
        : thrownSentence(error)}
      {isPassing(error) && again && ` ${again}`}
    </Notice>
  );
}

/** Loads the page anew, once the service answers: before that the browser would show a page of its own. */
async function loadAnew(): Promise<void> {
  await fetchAnswer('/favicon.svg', { cache: 'no-store' });
  globalThis.location.reload();
}

/** What is shown in place of a page whose loading failed. What may work later is tried again by itself. */
export function RouteFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  useEffect(() => {
    if (!isPassing(error)) return;
    const retry = isNotLoaded(error) ? loadAnew : async () => (await router.invalidate(), reset());
    return alsoRetry({ error, retry });
  }, [error, reset, router]);
  const again = isPassing(error) ? () => void tryNow() : () => (reset(), void router.invalidate());
  return <Failure error={error} reset={again} />;
}

/** What is thrown while a page is drawn, and did not come from the service, is a fault of ours. */
function thrownSentence(error: unknown): string {
  return isOwnFault(error) ? faultSentence(error) : sentenceOf(error);
}

function PartFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Alert color="red" m="md" title="This part of the page failed">
      {thrownSentence(error)}
      <Button mt="sm" variant="default" size="compact-sm" style={{ display: 'block' }} onClick={reset}>
        Try again
      </Button>
    </Alert>
  );
}

/** Keeps a fault in this part of a page from taking the rest with it. Another `subject` is another try. */
export function PartBoundary({ subject, children }: { subject: unknown; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => subject} errorComponent={PartFailure}>
      {children}
    </CatchBoundary>
  );
}

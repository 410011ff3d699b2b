import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sentenceOf, statusOf } from '../api.ts';
import { Notice } from './page.tsx';

/** What a page shows when it cannot show what it is for. */
export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const isMissing = statusOf(error) === 404;
  const action = isMissing ? <Button renderRoot={(props) => <Link to="/previews" {...props} />}>All tests</Button> : <Button onClick={reset}>Try again</Button>;
  return (
    <Notice isPage title={isMissing ? 'There is nothing here' : 'This did not work'} action={action}>
      {isMissing ? 'The test was deleted, its retention has ended, or it belongs to another account.' : sentenceOf(error)}
    </Notice>
  );
}

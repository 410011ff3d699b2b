import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../ground/shell/page.tsx';

/** Where a gate was, or never. */
export function NoSuchGate() {
  return (
    <Notice
      isPage
      title="There is no such gate"
      action={<Button renderRoot={(props) => <Link to="/gate" {...props} />}>All gates</Button>}
    >
      It was deleted, its retention has ended, or it belongs to another account.
    </Notice>
  );
}

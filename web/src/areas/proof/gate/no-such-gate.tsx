import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../ground/shell/page.tsx';

/** The page at the address of a gate that does not exist, or was deleted. */
export function NoSuchGate() {
  return (
    <Notice
      isPage
      title="Gate run not found"
      action={<Button renderRoot={(props) => <Link to="/gate" {...props} />}>All runs</Button>}
    >
      The run was deleted, its retention period ended, or it belongs to another account.
    </Notice>
  );
}

import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRole } from '../../../ground/shell/role.ts';
import { CauseCard } from './cause-card.tsx';
import type { Cause } from './emails-api.ts';
import classes from './emails.module.css';
import { IgnoreDialog } from './ignore-dialog.tsx';

/** Causes, in the order of what their repair gains. */
export function CausesList({ emailId, causes, label }: { emailId: string; causes: readonly Cause[]; label: string }) {
  const { canWrite } = useRole();
  const [ignoring, setIgnoring] = useState<Cause>();
  const [isOpen, dialog] = useDisclosure();
  const ask = (cause: Cause): void => (setIgnoring(cause), dialog.open());
  return (
    <>
      <ul className={classes.causes} aria-label={label}>
        {causes.map((cause) => (
          <CauseCard key={cause.id} cause={cause} onIgnore={canWrite ? () => ask(cause) : undefined} />
        ))}
      </ul>
      {isOpen && ignoring && <IgnoreDialog emailId={emailId} cause={ignoring} onClose={dialog.close} />}
    </>
  );
}

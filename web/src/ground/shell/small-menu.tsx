import type { ReactNode } from 'react';
import classes from './sidebar.module.css';
import { SideDialog } from './dialog.tsx';

/** The pages, on a screen that has no room for them in its header. */
export function SmallMenu({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <SideDialog onClose={onClose} title="Menu" size="xs">
      <nav aria-label="Main, small" className={classes.small}>
        {children}
      </nav>
    </SideDialog>
  );
}

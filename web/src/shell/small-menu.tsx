import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shell.module.css';

/** The pages, on a screen that has no room for them in its header. */
export function SmallMenu({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer opened onClose={onClose} title="Menu" position="right" size="xs">
      <nav aria-label="Main, small" className={classes.small}>{children}</nav>
    </Drawer>
  );
}

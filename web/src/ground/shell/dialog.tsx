// The one dialog and the one drawer of the dashboard: shown while they are open, and the focus returns when they close.
import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useFocusReturn } from './focus-return.ts';

/** A dialog in the middle of the page. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  useFocusReturn();
  return <Modal opened returnFocus={false} {...props} />;
}

/** A dialog that stands at an edge of the page, the right one unless it says another. */
export function SideDialog(props: Omit<DrawerProps, 'opened' | 'returnFocus'>) {
  useFocusReturn();
  return <Drawer opened returnFocus={false} position="right" {...props} />;
}

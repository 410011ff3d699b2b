import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { ReaderIcon } from '../../ground/brand/icons.tsx';
import { useFocusReturn } from '../../ground/shell/focus-return.ts';
import classes from './report.module.css';

/** In a narrower window the message is a sheet over the page, which opens when a finding is chosen. */
const BESIDE = '(min-width: 70em)';

interface Sheet {
  isOpen: boolean;
  /** The chosen finding: it is scrolled to where the sheet does not cover it. */
  selected: number | undefined;
  onClose: () => void;
}

/** Whether the message is next to its findings or over them; Escape closes it where it is over them. */
export function useMessageSheet({ isOpen, selected, onClose }: Sheet): { isBeside: boolean; isSheet: boolean } {
  const isBeside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false }) ?? false;
  const isSheet = !isBeside && isOpen;
  useEffect(() => {
    if (!isSheet) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  useEffect(() => {
    // The sheet covers the lower half of the page.
    if (isSheet && selected !== undefined)
      document.getElementById(`finding-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [isSheet, selected]);
  return { isBeside, isSheet };
}

/** The message over the page. It takes the focus when the button that opened it is hidden, and gives it back. */
function MessageSheet({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null);
  useFocusReturn();
  useEffect(() => {
    // A button that hides as it opens this still counts as the focus until the page is drawn.
    const active = document.activeElement;
    if (active === null || active === document.body || !active.checkVisibility())
      sheet.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={sheet} tabIndex={-1} className={classes.beside}>
      {children}
    </div>
  );
}

interface MessageBesideProps {
  isBeside: boolean;
  isOpen: boolean;
  children: ReactNode;
}

/** The message next to its findings; where there is no room, over them. */
export function MessageBeside({ isBeside, isOpen, children }: MessageBesideProps) {
  if (isBeside) return <div className={classes.beside}>{children}</div>;
  return isOpen && <MessageSheet>{children}</MessageSheet>;
}

/** Opens the message where it is not next to the findings. The button is above them, where it covers nothing. */
export function MessageOpener({
  isBeside,
  isOpen,
  onOpen,
}: Omit<MessageBesideProps, 'children'> & { onOpen: () => void }) {
  if (isBeside) return null;
  return (
    <div className={classes.openBar} hidden={isOpen}>
      <Button variant="default" fullWidth leftSection={<ReaderIcon />} onClick={onOpen}>
        Message
      </Button>
    </div>
  );
}

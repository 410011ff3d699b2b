import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ReaderIcon } from '../brand/icons.tsx';
import { useFocusReturn } from '../shell/focus-return.ts';
import classes from './report.module.css';
import type { MessageOf } from './report-api.ts';
import { Viewer, type Placed, type View } from './viewer.tsx';

/** Narrower than this the message is a sheet over the page, opened when something is chosen. */
const BESIDE = '(min-width: 70em)';

export interface Choice {
  selected: number | undefined;
  view: View;
  isOpen: boolean;
}

export interface Chooser {
  choice: Choice;
  /** Shows a place, where it is best seen. */
  choose: (number: number | undefined, view?: View) => void;
  set: (changes: Partial<Choice>) => void;
}

/** Which of the placed things is shown in the message. */
export function useChoice(view: View = 'message'): Chooser {
  const [choice, setChoice] = useState<Choice>({ selected: undefined, view, isOpen: false });
  return {
    choice,
    set: (changes) => setChoice((before) => ({ ...before, ...changes })),
    choose: (number, wanted) => setChoice((before) => ({ selected: number, view: wanted ?? before.view, isOpen: number !== undefined || before.isOpen })),
  };
}

/** The message over the page. It takes the focus where what opened it is gone, and gives it back. */
function MessageSheet({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null);
  useFocusReturn();
  useEffect(() => {
    if (document.activeElement === document.body) sheet.current?.focus({ preventScroll: true });
  }, []);
  return <div ref={sheet} tabIndex={-1} className={classes.beside}>{children}</div>;
}

interface SplitParts {
  placed: readonly Placed[];
  chooser: Chooser;
  /** A place in the message was clicked: these are about it. */
  onPick: (numbers: number[]) => void;
  children: ReactNode;
}

type SplitProps = SplitParts & MessageOf;

/** What was found, and beside it the message. */
export function Split({ placed, chooser, onPick, children, ...message }: SplitProps) {
  const { choice, set } = chooser;
  const isBeside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  const isSheet = !isBeside;
  const close = (): void => set({ isOpen: false, selected: undefined });
  useEffect(() => {
    if (!isSheet || !choice.isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  useEffect(() => {
    // The sheet covers the lower half of the page: what was chosen is moved out from under it.
    if (isSheet && choice.isOpen && choice.selected !== undefined) document.getElementById(`finding-${choice.selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [isSheet, choice.isOpen, choice.selected]);
  const viewer = <Viewer {...message} placed={placed} selected={choice.selected} onPick={onPick} view={choice.view} onView={(view) => set({ view })} onClose={close} />;
  return (
    <div className={classes.split} data-sheet={(isSheet && choice.isOpen) || undefined}>
      <div className={classes.side}>{children}</div>
      {isBeside && <div className={classes.beside}>{viewer}</div>}
      {isSheet && choice.isOpen && <MessageSheet>{viewer}</MessageSheet>}
      {isSheet && <Button className={classes.opener} hidden={choice.isOpen} leftSection={<ReaderIcon />} onClick={() => set({ isOpen: true })}>Message</Button>}
    </div>
  );
}

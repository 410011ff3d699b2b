import { useState, type ReactNode } from 'react';
import { MessageBeside, MessageOpener, useMessageSheet } from './message-beside.tsx';
import classes from './report.module.css';
import type { MessageOf } from './report-api.ts';
import { Viewer, type Placed, type View } from './viewer.tsx';

interface Choice {
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
    choose: (number, wanted) =>
      setChoice((before) => ({
        selected: number,
        view: wanted ?? before.view,
        isOpen: number !== undefined || before.isOpen,
      })),
  };
}

interface SplitParts {
  placed: readonly Placed[];
  chooser: Chooser;
  /** A place in the message was clicked: these are about it. */
  onPick: (numbers: number[]) => void;
  children: ReactNode;
}

type SplitProps = SplitParts & MessageOf;

/** The findings, with the message next to them. */
export function Split({ placed, chooser, onPick, children, ...message }: SplitProps) {
  const { choice, set } = chooser;
  const close = (): void => set({ isOpen: false, selected: undefined });
  const { isBeside, isSheet } = useMessageSheet({ isOpen: choice.isOpen, selected: choice.selected, onClose: close });
  const viewer = (
    <Viewer
      {...message}
      placed={placed}
      selected={choice.selected}
      onPick={onPick}
      view={choice.view}
      onView={(view) => set({ view })}
      onClose={close}
    />
  );
  return (
    <div className={classes.split} data-sheet={isSheet || undefined}>
      <div className={classes.side}>
        <MessageOpener isBeside={isBeside} isOpen={choice.isOpen} onOpen={() => set({ isOpen: true })} />
        {children}
      </div>
      <MessageBeside isBeside={isBeside} isOpen={choice.isOpen}>
        {viewer}
      </MessageBeside>
    </div>
  );
}

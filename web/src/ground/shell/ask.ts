// Asking and telling, from anywhere. What shows it is loaded when it is first needed.
import { useSyncExternalStore } from 'react';

export interface Question {
  title: string;
  text: string;
  /** What the button that does it says. */
  confirm: string;
  onConfirm: () => void;
}

export interface Message {
  title?: string;
  message: string;
  color?: 'red' | 'yellow';
  /** A button in it; the message goes when it is pressed. */
  action?: { label: string; run: () => void };
  autoCloseMs?: number;
  /** Ends when the message is no longer true: it goes. */
  until?: AbortSignal;
}

type Word = { question: Question } | { message: Message };

let waiting: Word[] = [];
const listeners = new Set<() => void>();

function say(word: Word): void {
  waiting = [...waiting, word];
  for (const listener of listeners) listener();
}

/** Asks before something is lost. */
export function ask(question: Question): void {
  say({ question });
}

export function tell(message: Message): void {
  say({ message });
}

/** Takes what waits to be shown. */
export function takeWords(): Word[] {
  const words = waiting;
  waiting = [];
  // Who looks at how many wait must see that none does: else the next one looks like the one that was taken.
  if (words.length > 0) for (const listener of listeners) listener();
  return words;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many wait to be shown. */
export function useWaiting(): number {
  return useSyncExternalStore(subscribe, () => waiting.length);
}

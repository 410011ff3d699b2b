// What actions do, in words.
import { readAction, type Does } from './actions.ts';

const WORDS: Readonly<Record<Does | 'stop', string>> = {
  forward_url: 'Posts the message to',
  forward_address: 'Forwards the message to',
  notify: 'Keeps the message and notifies',
  store: 'Keeps the message',
  stop: 'Ends: no further route is looked at',
};

export interface ActionWords {
  words: string;
  target?: string | undefined;
}

export const wordsOfAction = (does: Does | 'stop', target: string | undefined): ActionWords => ({
  words: WORDS[does],
  ...(target && { target }),
});

/** An action as it is written. */
export function readActionWords(action: string): ActionWords {
  const read = readAction(action);
  if (read === undefined) return { words: action };
  return read === 'stop' ? wordsOfAction('stop', undefined) : wordsOfAction(read.does, read.target);
}

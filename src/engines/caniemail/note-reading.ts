// How a note of the data is understood. Notes are prose; each is read by a person once, and `reviewed-notes.json` in
// data/caniemail makes a test fail when the words change afterwards.

import type { FeatureRule } from './rule.ts';

/** The kind of mailbox that a client shows: some clients show less for accounts of others. */
export type Account = 'google' | 'microsoft' | 'other';

export type NoteReading =
  /** These rules apply. On a cell that says "not supported", `instead` puts them in place of the feature's own. */
  | { kind: 'rules'; rules: readonly FeatureRule[]; instead?: true }
  /**
   * It depends on the account. `lacks` says what is missing then; the whole feature when it is left out. `instead` as
   * above.
   */
  | { kind: 'account'; supported: (account: Account) => boolean; lacks?: readonly FeatureRule[]; instead?: true }
  /** Nothing of the feature is taken out of the message. */
  | { kind: 'kept'; why: string }
  /** The filter can't show it. */
  | { kind: 'undecided'; why: string };

/** Readings by note number, by slug. */
export type NoteTable = Record<string, Record<number, NoteReading>>;

export const rules = (...list: (FeatureRule | FeatureRule[])[]): NoteReading => ({ kind: 'rules', rules: list.flat() });
export const instead = (...list: (FeatureRule | FeatureRule[])[]): NoteReading => ({
  kind: 'rules',
  rules: list.flat(),
  instead: true,
});
export const kept = (why: string): NoteReading => ({ kind: 'kept', why });
export const undecided = (why: string): NoteReading => ({ kind: 'undecided', why });

export const reasons = {
  static: 'no meaning in a still picture',
  traceless: 'leaves no trace in the HTML part or in a still picture',
  engine: 'depends on the browser, which the rendering engine decides',
  style: "about the client's own default style, not about the message's code",
  plugin: "layout of the client's own engine, left to its family plug-in",
  limit: 'the limit of 16 KB is applied by the family plug-in',
  heads: 'depends on how many <head> tags the source has, which an HTML parser merges',
  missing: 'the data points to a note that it does not have, or to none',
  unread: 'nobody has said what the note means',
  prefix: 'depends on how the webmail renames selectors',
  colors: 'the picture shows with other colors',
  converted: 'the picture is converted on the way and looks the same',
} as const;

// Which clients read a piece of a message.

/** The number that Word answers to `[if mso N]`: Outlook 2007, 2010, 2013, and 2016 with all later ones. */
export type WordVersion = 12 | 14 | 15 | 16;

/** Which clients read a piece of the source: conditional comments show parts only to Word, or to all but Word. */
export interface Readers {
  word: readonly WordVersion[];
  others: boolean;
}

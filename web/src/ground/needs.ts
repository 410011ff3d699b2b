// What pages declare of the things on them that need somebody: what the first page asks.

/** A thing that somebody should look at. */
interface NeedyThing {
  name: string;
  /** What is the matter, in a few words. */
  about?: string | undefined;
  /** The path of its page, and what its address says behind the question mark. */
  href: string;
  search?: Record<string, string> | undefined;
  since?: Date | undefined;
}

/** What one page knows of. */
export interface Needs {
  things: readonly NeedyThing[];
  /** How many there are; undefined: only the newest were looked at, and more may need somebody. */
  total?: number | undefined;
  /** The list of all of them. */
  href: string;
  search?: Record<string, string> | undefined;
  /** What was looked at, as it stands behind “Looked at”: `open alerts`, `the newest 100 gate runs`. */
  looked: string;
  /** Nothing is wrong with them: they are under way. */
  isUnderWay?: boolean | undefined;
}

/** At most so many things of one page are shown. */
export const NEEDY_MAX = 5;
/** Where a list cannot be asked for what needs somebody, so many of the newest are looked through. */
export const LOOKED_MAX = 100;

/** Looks for what needs somebody: at most {@link NEEDY_MAX} things. */
export type FindNeeds = (signal: AbortSignal) => Promise<Needs>;

// How things of a page are found by words: what pages declare for the search over everything.

/** A thing that was found, such as an email or a domain. */
interface FoundThing {
  name: string;
  /** What tells it from others of its name. */
  about?: string | undefined;
  /** The address of its page. */
  href: string;
}

/** At most so many things of one page are shown. */
export const FOUND_MAX = 5;

/** Looks for things whose name holds the words: at most {@link FOUND_MAX}. */
export type Find = (words: string, signal: AbortSignal) => Promise<FoundThing[]>;

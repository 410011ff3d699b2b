// What is published of the lists of messages of each client; see data/inbox-rows/README.md.
import table from '../../../data/inbox-rows/clients.json' with { type: 'json' };

export interface Source {
  what: string;
  url: string;
  /** Of publication or test, or the day the page was read. */
  date: string;
  strength: 'measured' | 'documented' | 'common';
}

/** How much of a text shows: a number of characters, or what fits into lines of a width. */
export type Room =
  | { characters: number; source: string }
  | {
      pixels: number;
      lines: number;
      fontSize: number;
      weight: 'regular' | 'bold';
      /** The sender's name begins the first line. */
      followsSender?: boolean;
      source: string;
    };

export type AvatarKind = 'none' | 'letter' | 'english-letter' | 'any-letter' | 'initials' | 'monogram';
export type RowLayout = 'line' | 'stack' | 'subject-first';

export interface RowOfClient {
  id: string;
  name: string;
  system: string;
  layout: RowLayout;
  /** Ids of the clients whose list this is. */
  clients: readonly string[];
  /** Undefined: not known. */
  subject?: Room;
  /** Undefined: not known. 0 characters: the list shows none. */
  preview?: Room;
  /** What the client does with the text before it cuts it. */
  text?: { charactersMax: number; addressesAs: string; source: string };
  /** Invisible characters that do not hold the body's text out. */
  filler?: { dropped: string; source: string };
  avatar?: { kind: AvatarKind; source: string };
  logo?: {
    where: 'list' | 'opened' | 'never' | 'unknown';
    /** Undefined: sources disagree, or say nothing. */
    needs?: 'certificate' | 'provider' | 'nothing';
    source: string;
  };
  notes?: readonly { text: string; source: string }[];
}

export interface NotificationOfClient {
  id: string;
  name: string;
  system: string;
  /** The row that says how the client takes its text. */
  row: string;
  app: string;
  text: 'subject' | 'subject-and-preview';
  unfolded?: 'subject-and-preview';
  titleCharacters?: number;
  characters: number;
  lines: number;
  source: string;
  textSource?: string;
  /** What a locked phone shows instead. */
  locked?: { shows: 'app' | 'count'; when: string; source: string };
}

/** The day of the table. */
export const TABLE_DATE = table.date;
export const rowsOfClients = table.rows as readonly RowOfClient[];
export const notificationsOfClients = table.notifications as readonly NotificationOfClient[];
const sources = table.sources as Readonly<Record<string, Source>>;

/** Throws for a name that the table does not have. */
export function sourceOf(name: string): Source {
  const source = sources[name];
  if (!source) throw new Error(`data/inbox-rows has no source ${name}.`);
  return source;
}

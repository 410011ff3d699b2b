import type { Sql } from '../db/index.ts';
import type { EventKind, Severity } from './kinds.ts';

/** What happened, as it is told. */
export interface NewEvent {
  at: Date;
  accountId: string;
  event: EventKind;
  /** Of `failed`. */
  severity?: Severity;
  /** Of `failed` and `rejected`: a word, such as `bounce`. */
  reason?: string;
  /** The domain that sends. */
  domain: string;
  /** Lower case; empty for what has none. */
  recipient: string;
  /** Who runs the recipient's servers, when it is known. */
  provider?: string;
  messageId?: string;
  /** Place of the recipient in the message. */
  position?: number;
  attempt?: number;
  code?: number;
  /** What only this event has: delivery status, client, url. JSON. */
  about?: Readonly<Record<string, unknown>>;
}

/** An event as it is read. Ids are decimal numbers. */
export interface LoggedEvent {
  at: Date;
  id: string;
  accountId: string;
  event: EventKind;
  severity: Severity | null;
  reason: string | null;
  domain: string;
  recipient: string;
  recipientDomain: string;
  provider: string;
  messageId: string | null;
  position: number | null;
  attempt: number | null;
  code: number | null;
  about: Readonly<Record<string, unknown>> | null;
}

/** Between two events: behind the one that is named. */
export interface Position {
  at: Date;
  id: string;
}

/** Columns that the index of pages holds, or that of recipients; a page is found by them without a look at the rows. */
type IndexedField = 'event' | 'severity' | 'domain' | 'recipient' | 'recipientDomain' | 'provider' | 'messageId';
/** What stands in the rows alone: slow over many days. */
type BodyField = 'reason' | 'code' | 'url' | 'ip' | 'country' | 'device' | 'bot' | 'isUnique';

/** A condition on events. Texts are compared without regard to case. */
export type EventPredicate =
  | { field: IndexedField | BodyField; is: 'in' | 'contains'; values: readonly string[] }
  | { field: 'code' | 'attempt'; is: 'above' | 'below'; value: number }
  | { all: readonly EventPredicate[] }
  | { any: readonly EventPredicate[] }
  | { not: EventPredicate };

export interface EventFilter {
  /** Whose events; several for an account with its subaccounts. */
  accountIds: readonly string[];
  /** The first moment, included. */
  from: Date;
  /** The last moment, not included. */
  to: Date;
  where?: EventPredicate;
}

export interface PageQuery extends EventFilter {
  order: 'ascending' | 'descending';
  /** The page begins behind this. */
  after?: Position | undefined;
  limit: number;
}

export interface EventPage {
  events: LoggedEvent[];
  /** The page ended before its limit because it took long: the next one begins here. */
  resume?: Position;
}

interface EventCount {
  count: number;
  /** There are so many at least; they were not counted further. */
  isBound: boolean;
}

/** What readers do, and what comes back, is told so long after a delivery at most; older ones have no IP. */
export const FOLLOWS_DAYS = 10;

/** What events are told apart by, beside their kind. `sendingIp`, `ipPool`: empty where none is known of an event. */
export type TallyDimension = 'account' | 'day' | 'domain' | 'provider' | 'sendingIp' | 'ipPool';

export interface TallyQuery extends EventFilter {
  by: readonly TallyDimension[];
  /** A regular expression of PostgreSQL, without regard to case: replies that match it are counted apart. */
  replyPattern?: string;
}

/** So many events of one kind and one reply, in one group. */
export interface TallyRow {
  /** By dimension; `day` as `2026-11-22`, UTC. */
  group: Readonly<Partial<Record<TallyDimension, string>>>;
  event: EventKind;
  severity: Severity | null;
  /** These four of `failed` only. */
  reason: string | null;
  code: number | null;
  enhancedCode: string | null;
  bounceType: string | null;
  /** Of those that failed: whether what the receiver said matches the pattern of the query. */
  isMatch: boolean;
  count: number;
}

export interface Tally {
  rows: TallyRow[];
  /** A day, or the number of groups, went over its bound: there is more than these rows say. */
  isBound: boolean;
}

/** What sums are made of. */
export interface UncountedEvent extends Pick<
  LoggedEvent,
  | 'at'
  | 'id'
  | 'accountId'
  | 'event'
  | 'severity'
  | 'reason'
  | 'domain'
  | 'recipient'
  | 'recipientDomain'
  | 'messageId'
  | 'attempt'
  | 'code'
> {
  /** These three: of the event, or, for what came later, of the delivery; empty where none is known. */
  provider: string;
  sendingIp: string;
  ipPool: string;
  /** Of who opened or clicked; empty where it is not known, and `bot` for people. */
  country: string;
  device: string;
  bot: string;
  isDelayedBounce: boolean;
  isCallback: boolean;
  /** Of those that failed: what the receiver said. */
  enhancedCode: string | null;
  reply: string | null;
}

/** What happens to messages, kept in order for as long as it is told. */
export interface EventLog {
  /** Writes events, in the transaction of what made them so. */
  append(on: Sql, events: readonly NewEvent[]): Promise<void>;
  /**
   * A page, newest or oldest first. Events of the last two seconds are not shown: one of them may belong to a
   * transaction that is still open, and who reads on would never see it.
   */
  page(query: PageQuery): Promise<EventPage>;
  /** These events of an account, as far as they are kept, in no order. */
  find(accountId: string, places: readonly Position[]): Promise<LoggedEvent[]>;
  /** How many there are, counted up to a bound. */
  count(filter: EventFilter): Promise<EventCount>;
  /** How many there are of each kind, counted up to the same bound. */
  aggregate(filter: EventFilter): Promise<{ event: EventKind; severity: Severity | null; count: number }[]>;
  /**
   * How many there are in each group, by kind and, of those that failed, by what the receiver said. Read a day at a
   * statement, so that nothing else waits long; a day is counted up to the same bound.
   */
  tally(query: TallyQuery): Promise<Tally>;
  /**
   * Takes events that are in no sum yet, the oldest writes first, each once: what is taken in a transaction that does not
   * end well is there again. About so many; several processes may take at once, and get different ones.
   */
  takeUncounted(tx: Sql, about: number): Promise<UncountedEvent[]>;
  /** Deletes what is older: of one account, or whole days of everybody. */
  prune(before: Date, accountId?: string): Promise<void>;
  /** Sends some of what waits to be kept elsewhere. Answers how many events; 0: nothing waits that nobody sends. */
  send(): Promise<number>;
  close(): Promise<void>;
}

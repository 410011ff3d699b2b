// The log of events: what happened to each message, in the order in which it did. PostgreSQL keeps it, embedded or not;
// whoever would keep it elsewhere meets the same interface.
import { migrationsIn } from '../feature/migrations-in.ts';

export { EVENT_KINDS, type EventKind } from './kinds.ts';
export { openEventLog } from './postgres.ts';
export type {
  EventLog,
  EventPredicate,
  LoggedEvent,
  NewEvent,
  PageQuery,
  TallyDimension,
  TallyRow,
  UncountedEvent,
} from './types.ts';

/** The log's tables. */
export const EVENT_MIGRATIONS = migrationsIn(import.meta.url);

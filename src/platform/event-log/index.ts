// The log of events: what happened to each message, in the order in which it did. PostgreSQL keeps it, embedded or not,
// or ClickHouse, where the operator runs one.
import type { Clock } from '../clock/index.ts';
import type { Db } from '../db/index.ts';
import { migrationsIn } from '../feature/migrations-in.ts';
import { openClickHouseLog } from './clickhouse/index.ts';
import { openPostgresLog } from './postgres.ts';
import type { EventLog } from './types.ts';

export { botOf } from './bots.ts';
export { EVENT_KINDS, type EventKind } from './kinds.ts';
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

/** Opens the log of a database whose tables are there. `clickHouseUrl`: of the server that keeps it, if there is one. */
export function openEventLog({
  clickHouseUrl,
  ...doors
}: {
  db: Db;
  clock: Clock;
  clickHouseUrl?: string | undefined;
}): EventLog {
  const before = openPostgresLog({ ...doors, isSent: clickHouseUrl !== undefined });
  return clickHouseUrl === undefined ? before : openClickHouseLog({ ...doors, url: clickHouseUrl, before });
}

/** The log's tables. */
export const EVENT_MIGRATIONS = migrationsIn(import.meta.url);

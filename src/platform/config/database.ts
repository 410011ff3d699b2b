// The settings of the database, and of the server that may keep the log of events.
import type { Setting } from './settings.ts';
import { url, whole } from './values.ts';

export const DATABASE_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_DATABASE_URL',
    default: '',
    about:
      'PostgreSQL 15 or newer, `postgres://user:password@host/database`. Unset: the embedded ' +
      'database in the data directory.',
    check: url('postgres:', 'postgresql:'),
    isSecret: true,
  },
  {
    name: 'GALLEY_CLICKHOUSE_URL',
    default: '',
    about:
      'A ClickHouse server that keeps the log of events, `https://user:password@host:8443/database`. Events are written ' +
      'to the database first and sent on in batches. Set it for all processes, or for none. Unset: the database keeps ' +
      'the log.',
    check: url('http:', 'https:'),
    isSecret: true,
  },
  {
    name: 'GALLEY_DATABASE_CONNECTIONS',
    default: '16',
    about:
      'Connections to PostgreSQL that this process opens at most; all processes together must stay below the ' +
      'server’s `max_connections`.',
    check: whole(2, 500),
  },
  {
    name: 'GALLEY_DATABASE_TIMEOUT_SECONDS',
    default: '60',
    about: 'Seconds that PostgreSQL may take for one statement, before its connection counts as broken.',
    check: whole(1, 3600),
  },
];

// The only code that speaks with ClickHouse: by its official client, over HTTP.
import type { ClickHouseClient } from '@clickhouse/client';
import { unavailable } from '../../errors/index.ts';
import { statementOf, type Fragment } from './statements.ts';

/** A request that takes longer is given up; the server ends a statement that computes so long. */
const REQUEST_SECONDS = 30;
const CONNECTIONS = 8;

/** Columns as PostgreSQL has them. A month of events is one part of the disk. */
const TABLE = `
  create table if not exists events (
    at DateTime64(3, 'UTC'),
    id Int64,
    account_id String,
    event UInt8,
    severity Nullable(UInt8),
    reason Nullable(String),
    domain String,
    recipient String,
    recipient_domain String,
    provider String,
    message_id Nullable(Int64),
    position Nullable(Int32),
    attempt Nullable(Int32),
    code Nullable(Int32),
    about Nullable(String)
  )
  engine = MergeTree
  partition by toYYYYMM(at)
  order by (account_id, at, id)
  settings non_replicated_deduplication_window = 10000`;

export interface ClickHouse {
  rows<Row>(query: Fragment): Promise<Row[]>;
  run(statement: Fragment): Promise<void>;
  /** Writes rows of `events`, each a line of JSON. Those of a token that was written before are not written again. */
  insert(lines: readonly string[], token: string): Promise<void>;
  close(): Promise<void>;
}

/** Why it did not do what it was asked, without a word of the statement. */
function reasonOf(error: unknown): string {
  const { code, type } = error as { code?: string; type?: string };
  if (type !== undefined) return `ClickHouse answers ${type}`;
  return code === 'ECONNREFUSED' ? 'ClickHouse refuses connections' : 'ClickHouse does not answer';
}

/** Connects when it is first asked; makes the table where it is not there. */
export function openClickHouse(url: string): ClickHouse {
  let opened: Promise<ClickHouseClient> | undefined;
  const open = async (): Promise<ClickHouseClient> => {
    // Whoever has no such server does not read its client.
    const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
    const client = createClient({
      url,
      application: 'Galley',
      request_timeout: REQUEST_SECONDS * 1000,
      max_open_connections: CONNECTIONS,
      // What goes wrong is thrown, and said once by who asked.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: {
        max_execution_time: REQUEST_SECONDS,
        output_format_json_quote_64bit_integers: 1,
        date_time_input_format: 'best_effort',
      },
    });
    try {
      await client.command({ query: TABLE });
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  };
  const using = async <Result>(work: (client: ClickHouseClient) => Promise<Result>): Promise<Result> => {
    try {
      opened ??= open();
      return await work(await opened.catch((error: unknown) => ((opened = undefined), Promise.reject(error))));
    } catch (error) {
      throw unavailable('events', reasonOf(error), error);
    }
  };
  return {
    rows: (query) =>
      using(async (client) => {
        const { text, values } = statementOf(query);
        return (await client.query({ query: text, query_params: values, format: 'JSONEachRow' })).json();
      }),
    run: (statement) =>
      using(async (client) => {
        const { text, values } = statementOf(statement);
        await client.command({ query: text, query_params: values });
      }),
    insert: (lines, token) =>
      using(async (client) => {
        await client.command({
          query: `insert into events format JSONEachRow\n${lines.join('\n')}`,
          clickhouse_settings: { insert_deduplication_token: token, input_format_skip_unknown_fields: 1 },
        });
      }),
    async close() {
      const client = await opened?.catch(() => undefined);
      await client?.close();
    },
  };
}

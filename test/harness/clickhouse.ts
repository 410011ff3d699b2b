// ClickHouse for a test: the engine that npm has, in a process of its own, to which the official client speaks.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHDB = join(import.meta.dirname, '../../.runtime/test-packages-clickhouse/node_modules/chdb');

/** Why tests with ClickHouse cannot run here; undefined when they can. */
export const clickHouseAbsence = existsSync(CHDB)
  ? undefined
  : 'ClickHouse is not installed (node scripts/tool.mjs --with clickhouse)';

export interface ClickHouseServer {
  /** For `GALLEY_CLICKHOUSE_URL`. */
  url: string;
  /** Rows as the server has them. */
  query(statement: string): Promise<any[]>;
  /** The next batch is written, and who sent it does not hear of it. */
  loseAnswer(): void;
  /** Nobody answers any more; what was written stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an empty one. */
export async function startClickHouse(): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'galley-clickhouse-'));
  let child: ChildProcess | undefined;
  let port = 0;
  const server: ClickHouseServer = {
    url: '',
    async query(statement) {
      const response = await fetch(server.url, { method: 'POST', body: `${statement} format JSONEachRow` });
      const answer = await response.text();
      if (!response.ok) throw new Error(answer);
      return answer
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    loseAnswer: () => void child?.send('lose the answer'),
    async stop() {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      child = undefined;
    },
    async start() {
      child = fork(join(import.meta.dirname, 'clickhouse-program.mjs'), [CHDB, join(directory, 'data'), String(port)]);
      [port] = (await once(child, 'message')) as [number];
      server.url = `http://127.0.0.1:${port}`;
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

// A PostgreSQL server of its own for a test: Debian's programs, an empty cluster, no privileges, gone afterwards.
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { daemonDirectory, freePorts, isRoot } from './daemon.ts';

const bin = globSync('/usr/lib/postgresql/*/bin')
  .filter((path) => existsSync(join(path, 'postgres')))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .at(-1);

/** Why tests with a server of their own cannot run here; undefined when they can. */
export const postgresAbsence =
  bin === undefined ? 'PostgreSQL is not installed (/usr/lib/postgresql/*/bin)' : undefined;

// The server refuses to run as root.
const NOBODY = 65_534;
const asNobody: SpawnOptions = { cwd: '/', ...(isRoot && { uid: NOBODY, gid: NOBODY }) };

export interface PostgresServer {
  port: number;
  url: string;
  /** Starts it again, or for the first time; resolves when it answers. */
  start(): Promise<void>;
  /** Ends it without a word to anybody, as a crash or a failover does. */
  stop(): Promise<void>;
  /** For a look from beside the program under test. */
  query(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A running server; a first start takes about a second and a half. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const directory = await daemonDirectory('postgres');
  const [port] = (await freePorts(1)) as [number];
  const data = join(directory.path, 'data');
  const made = spawnSync(
    join(bin as string, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'galley', '-E', 'UTF8', '--no-sync'],
    { ...asNobody, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const url = `postgres://galley@127.0.0.1:${port}/postgres`;
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  let child: ChildProcess | undefined;
  const server: PostgresServer = {
    port,
    url,
    query,
    async start() {
      const options = Object.entries({
        port: String(port),
        listen_addresses: '127.0.0.1',
        unix_socket_directories: directory.path,
        shared_buffers: '32MB',
        // The machine does not lose its power: what a process has written outlasts the process.
        fsync: 'off',
        full_page_writes: 'off',
        ...settings,
      });
      child = spawn(
        join(bin as string, 'postgres'),
        ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        { ...asNobody, stdio: 'ignore' },
      );
      const deadline = Date.now() + 60_000;
      for (;;) {
        if (
          await query('select 1').then(
            () => true,
            () => false,
          )
        )
          return;
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`PostgreSQL did not start (exit code ${child.exitCode}).`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      // What `pg_ctl stop -m immediate` sends.
      child.kill('SIGQUIT');
      await exited;
    },
    async close() {
      await server.stop();
      await directory.remove();
    },
  };
  await server.start();
  return server;
}

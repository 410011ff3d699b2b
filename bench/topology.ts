// The processes of deploy/compose/compose.yaml, with its settings but for hosts and ports: each is killed in turn, the
// database and the object store too, and a check and a message pass through what is left meanwhile.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startObjectStore, type ObjectStore } from '../test/harness/object-store.ts';
import { startPostgres, type PostgresServer } from '../test/harness/postgres.ts';
import { FREE_PORTS, startProgram, type Program } from '../test/harness/program.ts';
import { requireTestPackage } from '../test/harness/test-packages.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'deploy/compose');
const DOMAIN = 'news.example.com';
const PATIENCE_MS = 180_000;

interface Service {
  name: string;
  /** As the file has them, with the values of example.env. */
  settings: Record<string, string>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function servicesOf(): Promise<Service[]> {
  const lines = (await readFile(join(FOLDER, 'example.env'), 'utf8')).split('\n');
  const values = new Map(
    lines.flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : [])),
  );
  const text = await readFile(join(FOLDER, 'compose.yaml'), 'utf8');
  const filled = text.replaceAll(/\$\{(\w+):[?-][^}]*\}/g, (_, name: string) => values.get(name) ?? '');
  const { services } = requireTestPackage('js-yaml').load(filled);
  return Object.entries<any>(services)
    .filter(([, { image }]) => image === 'galley:latest')
    .map(([name, { environment }]) => ({
      name,
      settings: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value ?? '')])),
    }));
}

interface Running extends Service {
  program: Program;
  url: string;
}

class Topology {
  readonly running = new Map<string, Running>();
  readonly #dir: string;
  readonly #server: PostgresServer;
  readonly #store: ObjectStore;
  readonly #key: string;
  /** Ids of checks that were accepted. */
  readonly checks: string[] = [];

  constructor({ dir, server, store, key }: { dir: string; server: PostgresServer; store: ObjectStore; key: string }) {
    [this.#dir, this.#server, this.#store, this.#key] = [dir, server, store, key];
  }

  async start({ name, settings }: Service): Promise<void> {
    const env = {
      ...settings,
      ...FREE_PORTS,
      GALLEY_DATABASE_URL: settings['GALLEY_DATABASE_URL']!.replace(
        '@postgres:5432',
        `@127.0.0.1:${this.#server.port}`,
      ),
      GALLEY_STORAGE_URL: this.#store.url,
      GALLEY_DATA_DIR: join(this.#dir, name),
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_FIND_FILTERS: 'off',
      GALLEY_BROWSERS: '1',
      GALLEY_LOG_LEVEL: 'silent',
    };
    const program = startProgram([process.execPath, join(ROOT, 'src/main.ts'), 'start'], { env });
    const url = await program.says(/(?:Dashboard|Health) +(http:\/\/[\d.:]+)/);
    this.running.set(name, { name, settings, program, url });
  }

  async kill(name: string): Promise<Service> {
    const found = this.running.get(name)!;
    this.running.delete(name);
    await found.program.end();
    return found;
  }

  /** By whichever process answers; asked again until one does. */
  async call(method: string, path: string, body?: object): Promise<any> {
    const deadline = performance.now() + PATIENCE_MS;
    const headers = { authorization: `Basic ${btoa(`api:${this.#key}`)}`, 'content-type': 'application/json' };
    let said = 'no process answered';
    while (performance.now() < deadline) {
      for (const { url, name } of [...this.running.values()].filter((one) => one.name.startsWith('api'))) {
        const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
          () => undefined,
        );
        if (answer?.ok) return answer.json();
        said = `${name} answered ${answer?.status ?? 'nothing'}`;
      }
      await pause(100);
    }
    throw new Error(`${method} ${path}: ${said}.`);
  }

  async begin(round: string): Promise<void> {
    const letter = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: round, text: round };
    await this.call('POST', `/v3/${DOMAIN}/messages`, letter);
    const check = await this.call('POST', '/v1/inspect/analyze', { html: `<p>${round}</p>` });
    this.checks.push(check.items.id);
  }

  /** Resolves when every check is complete and no message waits. */
  async untilDone(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const { waiting, in_delivery: under } = await this.call('GET', '/v1/galley/queue');
      const last = this.checks.at(-1);
      const { items, meta } = await this.call('GET', `/v1/inspect/analyze/${last}`);
      if (waiting + under === 0 && (meta?.status ?? items?.status) !== 'Processing') return;
      await pause(100);
    }
    throw new Error('Not everything was done in time.');
  }
}

/** Starts everything, kills each in turn and prints how long what was accepted meanwhile took. */
export async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-topology-'));
  const [server, store, services] = await Promise.all([startPostgres(), startObjectStore(), servicesOf()]);
  await server.query('create database galley');
  const topology = new Topology({ dir, server, store, key: services[0]!.settings['GALLEY_API_KEY']! });
  const round = async (name: string, away: () => Promise<void>, back: () => Promise<unknown>): Promise<void> => {
    await away();
    const since = performance.now();
    const begun = topology.begin(`without ${name}`);
    // Nothing passes without these: what is asked meanwhile is asked again.
    if (name === 'postgres' || name === 'objects') await pause(2000).then(back);
    await begun;
    await topology.untilDone();
    console.log(
      `${name.padEnd(9)} killed: a check and a message were done after ${Math.round(performance.now() - since)} ms`,
    );
    if (name !== 'postgres' && name !== 'objects') await back();
  };
  try {
    for (const service of services) await topology.start(service);
    console.log(`started: ${services.map(({ name }) => name).join(', ')}, postgres, objects`);
    await topology.call('POST', '/v4/domains', { name: DOMAIN });
    for (const service of services)
      await round(
        service.name,
        async () => void (await topology.kill(service.name)),
        () => topology.start(service),
      );
    await round(
      'postgres',
      () => server.stop(),
      () => server.start(),
    );
    await round(
      'objects',
      () => store.stop(),
      () => store.start(),
    );
    const ends = await Promise.all(
      [...topology.running.values()].map(async ({ name, program }) => {
        program.child.kill('SIGTERM');
        return { name, code: (await program.ended).code };
      }),
    );
    console.log(`SIGTERM: ${ends.map(({ name, code }) => `${name} ${code}`).join(', ')}`);
    if (ends.some(({ code }) => code !== 0)) process.exitCode = 1;
  } finally {
    for (const { program } of topology.running.values()) await program.end();
    await server.close();
    await store.close();
    await rm(dir, { recursive: true, force: true });
  }
}

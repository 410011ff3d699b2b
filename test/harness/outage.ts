// Takes PostgreSQL or the object store away from a running Galley again and again while it is used, and says what
// became of what it accepted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY } from './crash.ts';
import { startObjectStore } from './object-store.ts';
import { startPostgres, type PostgresServer } from './postgres.ts';
import { FREE_PORTS } from './program.ts';

export interface OutageOptions {
  /** What goes away. */
  part: 'database' | 'objects';
  restarts: number;
  awayMs: number;
  /** From one return to the next outage. */
  betweenMs: number;
}

interface OutageOutcome {
  restarts: number;
  /** Of the process, at the SIGTERM in the end. */
  exitCode: number | null;
  accepted: number;
  completed: number;
  /** Accepted, and not listed exactly once. */
  lostOrTwice: string[];
  /** Jobs that ended well more than once. */
  doneTwice: string[];
  /** Answers of 503 with `Retry-After`. */
  refusals: number;
  /** Answers that are neither 200 nor such a 503. */
  unexpected: Record<string, number>;
  /** From the moment that the part took connections again to the first accepted change. */
  backMs: number[];
  /** The same, to the first job that ended well. */
  workMs: number[];
}

/** The real program with what it logs. */
export class Program {
  url = '';
  exitCode: number | null | undefined;
  readonly done = new Map<string, number>();
  lastDoneAt = 0;
  #child;
  #logged = '';

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, ['src/main.ts', 'start'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, GALLEY_LOG_LEVEL: 'debug', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.once('exit', (code) => (this.exitCode = code));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  #read(text: string): void {
    const lines = (this.#logged + text).split('\n');
    this.#logged = lines.pop() ?? '';
    for (const line of lines) {
      if (process.env['GALLEY_TEST_LOG'] && !line.includes('"level":20')) process.stderr.write(`${line}\n`);
      const entry = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; job?: string; payload?: unknown }) : {};
      if (entry.msg !== 'job done') continue;
      const name = `${entry.job} ${JSON.stringify(entry.payload)}`;
      this.done.set(name, (this.done.get(name) ?? 0) + 1);
      this.lastDoneAt = performance.now();
    }
  }

  async ready(): Promise<void> {
    let text = '';
    this.url = await new Promise<string>((resolve, reject) => {
      this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const found = /(?:Dashboard|Health)\s+(http:\/\/[\d.:]+)/.exec(text)?.[1];
        if (found) resolve(found);
      });
      this.#child.once('exit', (code) =>
        reject(new Error(`Galley ended with code ${code} before it was ready: ${this.#logged}`)),
      );
    });
  }

  async stop(): Promise<number | null> {
    if (this.exitCode !== undefined) return this.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    return ((await exited) as [number | null])[0];
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** One request: its status and body. Status 0: there was no answer at all. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; retryAfter: string | null; body: any }> {
  const headers = { authorization: `Basic ${btoa(`api:${KEY}`)}`, ...(body && { 'content-type': 'application/json' }) };
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(60_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json().catch(() => undefined),
    };
  } catch (error) {
    return { status: 0, retryAfter: null, body: String((error as Error).cause ?? error) };
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Kind {
  path: string;
  body: (n: number) => object;
  id: (answer: any) => string;
}

const KINDS: Kind[] = [
  {
    path: '/v2/preview/tests',
    body: (n) => ({ subject: `outage ${n}`, html: `<h1>Test ${n}</h1>`, clients: ['gmail_chrome'] }),
    id: (answer) => answer.id,
  },
  {
    path: '/v1/inspect/analyze',
    body: (n) => ({ html: `<p style="display:grid">Test ${n}</p>` }),
    id: (answer) => answer.items.id,
  },
];

class Load {
  readonly accepted: { kind: Kind; id: string }[] = [];
  readonly unexpected: Record<string, number> = {};
  refusals = 0;
  lastAcceptedAt = 0;
  isStopped = false;
  #program: Program;
  #count = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Uses the service like one caller: changes, with reads in between. */
  async run(kind: Kind, pauseMs: number): Promise<void> {
    while (!this.isStopped && this.#program.exitCode === undefined) {
      this.#count += 1;
      const made = await ask(this.#program.url, 'POST', kind.path, kind.body(this.#count));
      this.#note(`POST ${kind.path}`, made);
      if (made.status === 200 || made.status === 201) {
        this.accepted.push({ kind, id: kind.id(made.body) });
        this.lastAcceptedAt = performance.now();
      }
      this.#note('GET /v2/preview/tests', await ask(this.#program.url, 'GET', '/v2/preview/tests?results=1'));
      await pause(pauseMs);
    }
  }

  #note(what: string, { status, retryAfter, body }: Awaited<ReturnType<typeof ask>>): void {
    if (status === 200 || status === 201) return;
    if (status === 503 && retryAfter) this.refusals += 1;
    else {
      const name = `${what}: ${status} ${JSON.stringify(body)}`;
      this.unexpected[name] = (this.unexpected[name] ?? 0) + 1;
    }
  }
}

async function until(happened: () => boolean, limitMs = 60_000): Promise<number> {
  const began = performance.now();
  while (!happened() && performance.now() - began < limitMs) await pause(20);
  return Math.round(performance.now() - began);
}

/** What can be taken away and given back. */
type Part = Pick<PostgresServer, 'stop' | 'start'>;

async function restartAgainAndAgain(
  part: Part,
  { program, load, options }: { program: Program; load: Load; options: OutageOptions },
): Promise<Pick<OutageOutcome, 'restarts' | 'backMs' | 'workMs'>> {
  const backMs: number[] = [];
  const workMs: number[] = [];
  let restarts = 0;
  for (; restarts < options.restarts && program.exitCode === undefined; restarts += 1) {
    await pause(options.betweenMs);
    await part.stop();
    await pause(options.awayMs);
    await part.start();
    const at = performance.now();
    const isOver = (moment: number): boolean => moment > at || program.exitCode !== undefined;
    await until(() => isOver(load.lastAcceptedAt));
    backMs.push(Math.round(performance.now() - at));
    await until(() => isOver(program.lastDoneAt));
    workMs.push(Math.round(performance.now() - at));
  }
  return { restarts, backMs, workMs };
}

const ENDED: Record<string, (answer: any) => boolean> = {
  '/v2/preview/tests': (answer) => answer.processing?.length === 0 && answer.completed?.length === 1,
  '/v1/inspect/analyze': (answer) => answer.meta?.status === 'Completed',
};

async function countEnded(url: string, accepted: Load['accepted']): Promise<number> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    let ended = 0;
    for (const { kind, id } of accepted)
      ended += ENDED[kind.path]?.((await ask(url, 'GET', `${kind.path}/${id}`)).body ?? {}) ? 1 : 0;
    if (ended === accepted.length || Date.now() > deadline) return ended;
    await pause(300);
  }
}

/** Runs the whole experiment on a PostgreSQL and a directory, or an object store, of its own. */
export async function outageRun(options: OutageOptions): Promise<OutageOutcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-outage-'));
  const postgres = await startPostgres();
  const objects = options.part === 'objects' ? await startObjectStore() : undefined;
  const program = new Program({
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_BROWSERS: '1',
    GALLEY_DATABASE_URL: postgres.url,
    ...(objects && { GALLEY_STORAGE_URL: objects.url }),
  });
  try {
    await program.ready();
    const load = new Load(program);
    const callers = [
      load.run(KINDS[0] as Kind, 1500),
      load.run(KINDS[1] as Kind, 200),
      load.run(KINDS[1] as Kind, 200),
    ];
    const round = await restartAgainAndAgain(objects ?? postgres, { program, load, options });
    load.isStopped = true;
    await Promise.all(callers);
    const completed = program.exitCode === undefined ? await countEnded(program.url, load.accepted) : 0;
    const exitCode = await program.stop();
    const rows = (await postgres.query('select id from preview_tests union all select id from inspections')) as {
      id: string;
    }[];
    const times = (id: string): number => rows.filter((row) => row.id === id).length;
    return {
      ...round,
      exitCode,
      accepted: load.accepted.length,
      completed,
      lostOrTwice: load.accepted.filter(({ id }) => times(id) !== 1).map(({ id }) => id),
      doneTwice: [...program.done]
        .filter(([name, count]) => count > 1 && !name.endsWith(' {}'))
        .map(([name, count]) => `${name}: ${count} times`),
      refusals: load.refusals,
      unexpected: load.unexpected,
    };
  } finally {
    program.kill();
    await postgres.close();
    await objects?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

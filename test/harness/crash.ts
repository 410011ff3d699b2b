// Kills Galley at random moments while preview tests run, starts it again, and says what became of what it had
// accepted.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from './template-database.ts';
import { FREE_PORTS } from './program.ts';

export const KEY = 'key-of-the-crash-test-account';
const ROOT = join(import.meta.dirname, '../..');

export interface Running {
  child: ChildProcess;
  url: string;
}

interface CrashOutcome {
  kills: number;
  accepted: number;
  completed: number;
  /** Accepted tests that the list does not show exactly once. */
  lostOrTwice: string[];
  slowestStartMs: number;
}

interface CrashOptions {
  kills: number;
  tests: number;
  clients: string[];
  /** A moment in `[0, 1)`; seeded by the caller to repeat a run. */
  random: () => number;
}

/** The real program, as `npm start` runs it. */
export async function start(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /Dashboard\s+(http:\/\/[\d.:]+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`Galley ended with code ${code} before it was ready.`)));
  });
  return { child, url };
}

export async function call(url: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
  return response.json();
}

/** Every second one is so long that its first screen is made before the rest. */
const htmlOf = (n: number): string =>
  `<h1>Test ${n}</h1>${n % 2 ? '<p>A line of a long message.</p>'.repeat(150) : ''}`;

/** Posts tests until the process is killed; keeps the ids that were answered. */
async function postUntilKilled(url: string, accepted: string[], options: CrashOptions): Promise<void> {
  while (accepted.length < options.tests) {
    const body = {
      subject: `crash ${accepted.length}`,
      html: htmlOf(accepted.length),
      clients: options.clients,
    };
    const answer = await call(url, 'POST', '/v2/preview/tests', body).catch(() => undefined);
    if (!answer) return;
    accepted.push(answer.id);
  }
}

export async function kill({ child }: Running): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** After so long without one more picture nothing more is waited for. */
const STANDSTILL_MS = 120_000;

/** How many tests have all of their pictures in the end. */
async function waitForAll(url: string, accepted: readonly string[], clients: number): Promise<number> {
  let [pictures, since] = [0, Date.now()];
  for (;;) {
    const infos = await Promise.all(accepted.map((id) => call(url, 'GET', `/v2/preview/tests/${id}`)));
    const completed = infos.filter((info) => info.completed.length === clients).length;
    const there = infos.reduce((sum, info) => sum + info.completed.length, 0);
    if (there > pictures) [pictures, since] = [there, Date.now()];
    if (completed === accepted.length || Date.now() - since > STANDSTILL_MS) return completed;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freshPlace(): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
  const database = await freshDatabase(dataDir);
  const env = {
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_LOG_LEVEL: 'silent',
    ...database.env,
  };
  return {
    env,
    async remove() {
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface RecoveryOutcome {
  accepted: number;
  completed: number;
  /** For each kill: from the new process being ready until every test that the kill hit was complete. */
  recoveryMs: number[];
}

/**
 * Kills Galley while some tests are under way, and waits for those after each start: how long until they are complete.
 */
export async function recoveryRun({ kills, tests, clients, random }: CrashOptions): Promise<RecoveryOutcome> {
  const { env, remove } = await freshPlace();
  const outcome: RecoveryOutcome = { accepted: 0, completed: 0, recoveryMs: [] };
  let running = await start(env);
  try {
    for (let round = 0; round < kills; round += 1) {
      const accepted: string[] = [];
      const posting = postUntilKilled(running.url, accepted, { kills, tests, clients, random });
      await new Promise((resolve) => setTimeout(resolve, 300 + random() * 2500));
      await kill(running);
      await posting;
      running = await start(env);
      const ready = performance.now();
      outcome.accepted += accepted.length;
      outcome.completed += await waitForAll(running.url, accepted, clients.length);
      outcome.recoveryMs.push(performance.now() - ready);
    }
    return outcome;
  } finally {
    running.child.kill('SIGKILL');
    await remove();
  }
}

/** Runs the whole experiment on a database and directory of its own. */
export async function crashRun(options: CrashOptions): Promise<CrashOutcome> {
  const { env, remove } = await freshPlace();
  const accepted: string[] = [];
  let slowestStartMs = 0;
  let running: Running | undefined;
  try {
    for (let round = 0; round <= options.kills; round += 1) {
      const began = performance.now();
      running = await start(env);
      slowestStartMs = Math.max(slowestStartMs, performance.now() - began);
      if (round === options.kills) break;
      const posting = postUntilKilled(running.url, accepted, options);
      await new Promise((resolve) => setTimeout(resolve, 30 + options.random() * 2500));
      await kill(running);
      await posting;
    }
    const { url } = running as Running;
    await postUntilKilled(url, accepted, options);
    const completed = await waitForAll(url, accepted, options.clients.length);
    const listed: string[] = (await call(url, 'GET', '/v2/preview/tests?results=200')).map(
      (test: { id: string }) => test.id,
    );
    const lostOrTwice = accepted.filter((id) => listed.filter((other) => other === id).length !== 1);
    const exited = once((running as Running).child, 'exit');
    (running as Running).child.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`SIGTERM ended Galley with code ${code}.`);
    return { kills: options.kills, accepted: accepted.length, completed, lostOrTwice, slowestStartMs };
  } finally {
    running?.child.kill('SIGKILL');
    await remove();
  }
}

/** A small repeatable generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

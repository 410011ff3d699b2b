// How long a spam test and a placement test take on a bare machine: the real program, its own database, local
// receivers.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, KEY, start } from '../test/harness/crash.ts';
import { sandboxOf } from '../test/harness/placement-crash.ts';
import { FREE_PORTS } from '../test/harness/program.ts';

const ROUNDS = 5;
/** What somebody who waits for a result accepts. */
const LIMIT_MS = 15_000;
const LETTER =
  '<h1>Garden notes</h1>' +
  `${'<p>The tomatoes are out of the greenhouse at last, and the roses by the south wall have begun to flower.</p>'.repeat(20)}`;

async function until<Answer>(ask: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function spamTest(url: string): Promise<number> {
  const began = performance.now();
  const { item } = await call(url, 'POST', '/v1/inspect/spam', { subject: 'Garden notes', html: LETTER });
  await until(
    () => call(url, 'GET', `/v1/inspect/spam/${item.id}`),
    (answer) => answer.item.status !== 'processing',
  );
  return performance.now() - began;
}

async function placementTest(url: string, from: string): Promise<{ ms: number; seeds: number }> {
  const began = performance.now();
  const { result_id: id } = await call(url, 'POST', '/v4/inbox/tests', { from, subject: 'Garden notes', html: LETTER });
  const { result } = await until(
    () => call(url, 'GET', `/v4/inbox/results/${id}`),
    (answer) => answer.result.status === 'complete',
  );
  return { ms: performance.now() - began, seeds: result.delivery_stats.all.total };
}

const said = (times: number[]): string => `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`;

export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-placement-'));
  const { child, url } = await start({
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_BROWSERS: '1',
    GALLEY_LOG_LEVEL: 'silent',
  });
  try {
    const from = `bench@${await sandboxOf(url)}`;
    const spam: number[] = [];
    const placement: number[] = [];
    let seeds = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      spam.push(await spamTest(url));
      const placed = await placementTest(url, from);
      placement.push(placed.ms);
      seeds = placed.seeds;
    }
    console.log(
      `spam test, 8 receivers: ${said(spam)}; placement test, ${seeds} seeds: ${said(placement)}; ` +
        `${ROUNDS} rounds, limit ${LIMIT_MS} ms`,
    );
    if (Math.max(...spam, ...placement) > LIMIT_MS) process.exitCode = 1;
  } finally {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { after, before, test } from 'node:test';
import { AppError } from '../errors/index.ts';
import { createLog } from '../log/index.ts';
import { breakDown, die, double, eat, eatBuffers, hold, list, refuse, reverse, spin, wait } from './compute.fixture.ts';
import { ComputeError, openCompute, type Compute } from './index.ts';

const log = createLog('silent');
const open = (given: Partial<Parameters<typeof openCompute>[0]> = {}): Compute =>
  openCompute({ processes: 2, memoryMb: 256, seconds: 30, answerSeconds: 30, log, ...given });

let compute: Compute;
before(() => {
  compute = open();
});
after(() => compute.close());

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function rejection(work: Promise<unknown>): Promise<any> {
  return work.then(
    () => assert.fail('It should have been rejected.'),
    (error: unknown) => error,
  );
}

test('a computation runs in another process, which gets nothing of the environment', async () => {
  const answer = await compute.run(double, { number: 21, bytes: Buffer.from('ab') });
  assert.equal(answer.number, 42);
  assert.deepEqual(answer.bytes, Buffer.from('abab'));
  assert.deepEqual(answer.at, new Date(21));
  assert.deepEqual(answer.map, new Map([['a', 1]]));
  assert.notEqual(answer.pid, process.pid);
  assert.deepEqual(
    answer.environment.filter((name) => /GALLEY|NODE_OPTIONS|HOME/.test(name)),
    [],
  );
  assert.ok(getPriority(answer.pid) > getPriority(), 'it gives way to the process that answers');
});

test('long lists come whole and in order, wherever they stand', async () => {
  const rows = Array.from({ length: 20_001 }, (_, n) => ({ n, at: new Date(n), texts: [`${n}`] }));
  const inner = { deep: { deeper: { numbers: rows.map(({ n }) => n) }, short: rows.slice(0, 500) }, none: [] };
  const asked = structuredClone({ rows, inner });
  for (const time of [1, 2]) {
    const answer = await compute.run(reverse, asked);
    assert.deepEqual(answer, { rows: rows.toReversed(), inner, isList: true }, `time ${time}`);
  }
  assert.deepEqual(asked, { rows, inner }, 'what was given stays as it is');
  assert.deepEqual(await compute.run(list, rows), rows);
  assert.deepEqual(await compute.run(list, []), []);
  const stop = new AbortController();
  const stopped = rejection(compute.run(list, rows, { signal: stop.signal }));
  stop.abort(new Error('Nobody waits for it.'));
  assert.equal((await stopped).message, 'Nobody waits for it.');
  assert.deepEqual(await compute.run(list, rows.slice(0, 700)), rows.slice(0, 700));
});

test('what it throws is thrown here: an AppError with its code and field, a fault of ours with its words', async () => {
  const refused = await rejection(compute.run(refuse, 'html'));
  assert.ok(refused instanceof AppError);
  assert.deepEqual(
    [refused.code, refused.message, refused.details],
    ['invalid_request', 'html is wrong.', { field: 'html' }],
  );
  const broken = await rejection(compute.run(breakDown, undefined));
  assert.deepEqual([broken.name, broken.message], ['TypeError', 'A fault of ours.']);
});

test('this process goes on while others compute', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await compute.run(spin, 1_000);
  clearInterval(timer);
  assert.ok(turns > 5, `${turns} turns in a second`);
});

test('a computation that takes too long is ended, its process with it, and the next one runs', async () => {
  const quick = open({ seconds: 1 });
  try {
    const error = await rejection(quick.run(spin, 60_000));
    assert.ok(error instanceof ComputeError);
    assert.deepEqual([error.reason, error.isOverrun, error.code], ['time', true, 'too_large']);
    assert.equal(error.message, 'The message is too slow to analyze: it took more than 1 second of computing.');
    assert.equal((await quick.run(double, { number: 1, bytes: Buffer.alloc(0) })).number, 2);
  } finally {
    await quick.close();
  }
});

for (const [name, hungry] of [
  ['heap', eat],
  ['buffers', eatBuffers],
] as const) {
  test(`a computation that takes too much memory (${name}) is ended, and this process is not`, async () => {
    const error = await rejection(compute.run(hungry, undefined));
    assert.ok(error instanceof ComputeError, String(error));
    assert.equal(error.reason, 'memory');
    assert.equal(error.message, 'The message is too large to analyze: it took more than 256 MB of memory.');
    assert.equal((await compute.run(double, { number: 1, bytes: Buffer.alloc(0) })).number, 2);
  });
}

test('a process that ends by itself rejects with that, and another takes its place', async () => {
  const error = await rejection(compute.run(die, undefined));
  assert.deepEqual([error.reason, error.isOverrun], ['stopped', false]);
  assert.equal((await compute.run(double, { number: 1, bytes: Buffer.alloc(0) })).number, 2);
});

test('an abort ends what runs and takes back what waits', async () => {
  const one = open({ processes: 1 });
  try {
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = rejection(one.run(spin, 60_000, { signal: running.signal }));
    const second = rejection(one.run(spin, 60_000, { signal: waiting.signal }));
    waiting.abort(new Error('not wanted'));
    assert.equal((await second).message, 'not wanted');
    running.abort(new Error('not wanted either'));
    assert.equal((await first).message, 'not wanted either');
    assert.equal((await one.run(double, { number: 1, bytes: Buffer.alloc(0) })).number, 2);
  } finally {
    await one.close();
  }
});

test('what a request waits for does not wait for jobs', async () => {
  const one = open({ processes: 1 });
  try {
    const busy = new AbortController();
    const jobs = [rejection(one.run(wait, 600_000, { signal: busy.signal })), one.run(wait, 0)];
    await one.run(double, { number: 1, bytes: Buffer.alloc(0) }, { urgency: 'answer' });
    busy.abort(new Error('not wanted'));
    await Promise.all(jobs);
  } finally {
    await one.close();
  }
});

test('a process stays warm, whatever its orders leave behind, unless it keeps much of it', async () => {
  const one = open({ processes: 1, memoryMb: 512 });
  try {
    const pid = await one.run(wait, 0);
    assert.equal(await one.run(wait, 0), pid);
    for (let n = 0; n < 3; n += 1) assert.equal((await one.run(hold, { bytes: 600e6, isKept: false })).pid, pid);
    assert.equal((await one.run(hold, { bytes: 600e6, isKept: true })).pid, pid);
    assert.notEqual(await one.run(wait, 0), pid);
  } finally {
    await one.close();
  }
});

test('closing leaves no process behind', async () => {
  const one = open();
  const pid = await one.run(wait, 0);
  const running = rejection(one.run(spin, 60_000));
  await one.close();
  assert.equal((await running).code, 'unavailable');
  assert.equal(isAlive(pid), false);
  assert.equal((await rejection(one.run(wait, 0))).code, 'unavailable');
});

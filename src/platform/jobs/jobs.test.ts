// The queue on a real database: whose turn it is, what counts as a try, and what becomes of what was lost.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Type } from 'typebox';
import { migrate, openDatabase, sql, type Db } from '../db/index.ts';
import { unavailable } from '../errors/index.ts';
import { createLog } from '../log/index.ts';
import { freshDatabase } from '../../../test/harness/template-database.ts';
import {
  defineJob,
  Hopeless,
  JOB_MIGRATIONS,
  openJobs,
  type Job,
  type JobFailure,
  type Jobs,
  type JobTurn,
} from './index.ts';

const Payload = Type.Object({ n: Type.Integer(), of: Type.String() });
type Work = { n: number; of: string };
type Handler = (work: Work, turn: JobTurn) => Promise<void>;

interface Made {
  job: Job<object, typeof Payload>;
  failures: JobFailure[];
}

let dataDir: string;
let db: Db;
let removeDatabase: () => Promise<void>;
const open: Jobs[] = [];

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'galley-jobs-'));
  const database = await freshDatabase(dataDir);
  removeDatabase = database.remove;
  const url = database.env['GALLEY_DATABASE_URL'];
  db = await openDatabase(url ? { url } : { dir: join(dataDir, 'db') });
  await migrate(db, JOB_MIGRATIONS);
});
beforeEach(async () => {
  for (const jobs of open.splice(0)) await jobs.close(0);
  for (const table of ['jobs', 'job_turns', 'job_lanes', 'job_workers']) await db.text(`delete from ${table}`);
});
after(async () => {
  for (const jobs of open.splice(0)) await jobs.close(0);
  await db.close();
  await removeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});

function make(name: string, run: Handler, more: Partial<Job<object, typeof Payload>> = {}): Made {
  const failures: JobFailure[] = [];
  const gaveUp = async (_outside: object, _work: Work, failure: JobFailure): Promise<void> =>
    void failures.push(failure);
  const job = defineJob<object>()({
    name,
    payload: Payload,
    lane: 'render',
    attempts: 3,
    timeoutMs: 60_000,
    run: (_outside, work, turn) => run(work, turn),
    gaveUp,
    ...more,
  });
  return { job, failures };
}

/** A process of its own, on the same database. */
async function processWith(made: readonly Made[], slots = 1): Promise<Jobs> {
  const concurrency = { render: slots, slow: slots, net: slots, mail: slots, quick: slots };
  const jobs = await openJobs<object>({
    db,
    log: createLog('silent'),
    jobs: made.map(({ job }) => job as unknown as Job<object>),
    concurrency,
    outside: () => ({}),
  });
  open.push(jobs);
  return jobs;
}

async function queue(
  jobs: Jobs,
  { job }: Made,
  { account, count, of = '' }: { account: string; count: number; of?: string },
): Promise<void> {
  await db.tx((tx) =>
    jobs.enqueue(tx, job, { payloads: Array.from({ length: count }, (_, n) => ({ n, of: of || account })), account }),
  );
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the turn of an account', () => {
  it('comes at once, however many jobs of another wait', async () => {
    const ran: string[] = [];
    const made = make('t.work', async ({ of }) => void ran.push(of));
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'many', count: 40 });
    await queue(jobs, made, { account: 'one', count: 1 });
    await jobs.work();
    await until(() => jobs.isIdle());
    assert.equal(ran.length, 41);
    assert.ok(ran.indexOf('one') < 10, `it was number ${ran.indexOf('one')}`);
  });

  it('is counted over all kinds of jobs of a lane, by what they take', async () => {
    const spent: Record<string, number> = {};
    const work =
      (ms: number): Handler =>
      async ({ of }) => {
        await pause(ms);
        spent[of] = (spent[of] ?? 0) + ms;
      };
    const [long, short] = [make('t.long', work(900)), make('t.short', work(300))];
    const jobs = await processWith([long, short]);
    await queue(jobs, long, { account: 'long', count: 20 });
    await queue(jobs, short, { account: 'short', count: 60 });
    await jobs.work();
    await until(() => (spent['long'] ?? 0) >= 3600);
    const share = (spent['long'] ?? 0) / ((spent['long'] ?? 0) + (spent['short'] ?? 0));
    assert.ok(share > 0.3 && share < 0.7, `${JSON.stringify(spent)}`);
  });

  it('comes for bulk work too, but seldom while somebody waits', async () => {
    const ran: string[] = [];
    const run: Handler = async ({ of }) => {
      await pause(100);
      ran.push(of);
    };
    const [bulk, interactive] = [make('t.bulk', run, { urgency: 'bulk' }), make('t.interactive', run)];
    const jobs = await processWith([bulk, interactive]);
    await queue(jobs, bulk, { account: 'bulk', count: 100 });
    await queue(jobs, interactive, { account: 'waits', count: 100 });
    await jobs.work();
    await until(() => ran.length >= 60);
    const share = ran.slice(0, 60).filter((of) => of === 'bulk').length;
    assert.ok(share >= 1 && share <= 15, `${share} of 60`);
  });

  it('is kept by several processes', async () => {
    const ran: string[] = [];
    const made = make('t.work', async ({ of, n }) => {
      await pause(20);
      ran.push(`${of} ${n}`);
    });
    const processes = [await processWith([made], 2), await processWith([made], 2), await processWith([made], 2)];
    const [jobs] = processes as [Jobs];
    await queue(jobs, made, { account: 'many', count: 120 });
    await queue(jobs, made, { account: 'few', count: 10 });
    await Promise.all(processes.map((one) => one.work()));
    await until(() => jobs.isIdle());
    assert.equal(new Set(ran).size, 130);
    assert.equal(ran.length, 130, 'a job ran twice');
    assert.ok(
      ran.findLastIndex((one) => one.startsWith('few')) < 100,
      `the last of the few was number ${ran.findLastIndex((one) => one.startsWith('few'))}`,
    );
  });
});

describe('one thing with many jobs', () => {
  it('holds half of the slots while others wait, and all when nobody waits', async () => {
    const running: { of: string; end: () => void }[] = [];
    const made = make(
      't.part',
      async ({ of }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ of, end: resolve });
        await promise;
      },
      { partOf: ({ of }) => of },
    );
    const runs = (of: string): number => running.filter((one) => one.of === of).length;
    const end = (of: string): void => {
      const place = running.findIndex((one) => one.of === of);
      if (place >= 0) running.splice(place, 1)[0]?.end();
    };
    const jobs = await processWith([made], 4);
    // Of one account: its first message does not keep its second waiting.
    await queue(jobs, made, { account: 'a', count: 8, of: 'large' });
    await jobs.work();
    await until(() => runs('large') === 4);
    await queue(jobs, made, { account: 'a', count: 3, of: 'small' });
    end('large');
    await until(() => runs('small') === 1);
    end('large');
    await until(() => runs('small') === 2);
    end('small');
    await until(() => runs('small') === 2 && running.length === 4);
    assert.equal(runs('large'), 2);
    end('small');
    end('small');
    await until(() => runs('large') === 4);
    while (!(await jobs.isIdle())) {
      end('large');
      await pause(5);
    }
  });
});

describe('a try', () => {
  it('that fails goes to the end of the queue of its account', async () => {
    const ran: number[] = [];
    const made = make('t.fails', async ({ n }, { attempt }) => {
      ran.push(n);
      await pause(n === 0 ? 0 : 500);
      if (n === 0 && attempt === 1) throw new Error('Not yet.');
    });
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 5 });
    await jobs.work();
    await until(() => jobs.isIdle().then((isIdle) => isIdle && ran.length === 6));
    assert.deepEqual(ran, [0, 1, 2, 3, 4, 0]);
    assert.deepEqual(made.failures, []);
  });

  it('that is the last tells its reason and how many there were', async () => {
    const made = make(
      't.fails',
      async () => {
        throw new Error('It is broken.');
      },
      { attempts: 2 },
    );
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 1 });
    await jobs.work();
    await until(() => made.failures.length > 0);
    assert.deepEqual(made.failures, [{ reason: 'It is broken.', tries: 2 }]);
  });

  it('that is hopeless is the last', async () => {
    const made = make(
      't.fails',
      async () => {
        throw new Hopeless('It needs more memory than a picture may.');
      },
      { attempts: 10 },
    );
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 1 });
    await jobs.work();
    await until(() => made.failures.length > 0);
    assert.deepEqual(made.failures, [{ reason: 'It needs more memory than a picture may.', tries: 1 }]);
  });

  it('is ended when it runs too long, and says so; waiting for its turn does not count', async () => {
    const ran: number[] = [];
    const made = make(
      't.slow',
      async ({ n }, { signal }) => {
        ran.push(n);
        // Together longer than one may run, each far from it, however busy the machine is.
        if (n < 8) await pause(150);
        else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Called off.'))));
      },
      { attempts: 1, timeoutMs: 1000 },
    );
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 9 });
    await jobs.work();
    await until(() => made.failures.length > 0);
    assert.deepEqual(ran, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(made.failures, [{ reason: 'It ran for 1 seconds and was ended.', tries: 1 }]);
  });

  it('that a stop cuts off does not count, and begins again elsewhere', async () => {
    const attempts: number[] = [];
    const made = make('t.cut', async (_work, { attempt, signal }) => {
      attempts.push(attempt);
      if (attempts.length === 1)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Called off.'))));
    });
    const first = await processWith([made]);
    await queue(first, made, { account: 'a', count: 1 });
    await first.work();
    await until(() => attempts.length === 1);
    await first.close(0);
    const second = await processWith([made]);
    await second.work();
    await until(() => second.isIdle());
    assert.deepEqual(attempts, [1, 1]);
  });
});

describe('a job', () => {
  it('that says the same as one that waits is not queued', async () => {
    let ran = 0;
    const made = make('t.same', async () => void (ran += 1), { sameAs: ({ n }) => String(n) });
    const jobs = await processWith([made]);
    for (let round = 0; round < 3; round += 1) await queue(jobs, made, { account: 'a', count: 2 });
    await jobs.work();
    await until(() => jobs.isIdle());
    assert.equal(ran, 2);
  });

  it('of a process that died goes on in another; that of one that lives is left alone', async () => {
    const ran: number[] = [];
    const made = make('t.lost', async ({ n }) => {
      ran.push(n);
      if (n === 1) await pause(4000);
    });
    const [living, other] = [await processWith([made]), await processWith([made])];
    await queue(living, made, { account: 'a', count: 2 });
    // Number 0 runs in a process that was last seen long ago; number 1 here.
    await db.run(sql`
      update jobs
      set state = 'running', worker = 'dead', attempts = 1, started_at = now()
      where payload ->> 'n' = '0'
    `);
    await db.run(sql`insert into job_workers (id, seen_at) values ('dead', now() - interval '9 seconds')`);
    await living.work();
    await until(() => ran.includes(1));
    await other.work();
    await until(() => ran.includes(0));
    await until(() => living.isIdle());
    assert.deepEqual(ran, [1, 0]);
  });

  it('that was taken by a process that never heard of it goes on', async () => {
    let ran = 0;
    const made = make('t.unheard', async () => void (ran += 1));
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 1 });
    await jobs.work();
    await until(() => jobs.isIdle());
    const worker = (await db.first(sql<{ id: string }>`select id from job_workers`))?.id as string;
    await jobs.enqueue(db, made.job, { payloads: [{ n: 0, of: 'a' }], account: 'a', startAfterSeconds: 3600 });
    await db.run(sql`
      update jobs
      set state = 'running', worker = ${worker}, attempts = 1, started_at = now() - interval '1 minute'
    `);
    await until(() => ran === 2);
  });

  it('for which a part of the service was away is put off, and the try does not count', async () => {
    const attempts: number[] = [];
    const made = make(
      't.away',
      async (_work, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length === 1) throw unavailable('objects', 'nobody listens there');
      },
      { attempts: 1 },
    );
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 1 });
    await jobs.work();
    await until(() => attempts.length === 2);
    assert.deepEqual([attempts, made.failures], [[1, 1], []]);
  });

  it('of the queue that there was before goes on', async () => {
    await db.text('create schema pgboss');
    await db.text(
      `create table pgboss.job (name text, data jsonb, state text, start_after timestamptz, created_on timestamptz)`,
    );
    await db.text(`
      insert into pgboss.job
      values ('t.old', '{"n": 7, "of": "old"}', 'active', now(), now()),
        ('t.old', '{"n": 8, "of": "old"}', 'completed', now(), now())
    `);
    const ran: number[] = [];
    const jobs = await processWith([make('t.old', async ({ n }) => void ran.push(n))]);
    await jobs.work();
    await until(() => ran.length === 1);
    assert.deepEqual(ran, [7]);
  });

  it('whose process died too often is given up, and the reason says so', async () => {
    const made = make('t.killer', async () => assert.fail('It is not tried again.'));
    const jobs = await processWith([made]);
    await queue(jobs, made, { account: 'a', count: 1 });
    await db.run(sql`update jobs set losses = 30`);
    await jobs.work();
    await until(() => made.failures.length > 0);
    assert.deepEqual(made.failures, [
      { reason: 'The service was cut off 30 times while it worked on this.', tries: 30 },
    ]);
  });
});

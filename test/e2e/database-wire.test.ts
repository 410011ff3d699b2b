import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { postgresAbsence, startPostgres, type PostgresServer } from '../harness/postgres.ts';
import { startApp, type Answer, type App } from '../harness/start-app.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** Asks until the answer is as it should be; fails when it never is. */
async function until(ask: () => Promise<Answer>, isRight: (answer: Answer) => boolean): Promise<Answer> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (Date.now() > deadline) assert.fail(`the last answer: ${answer.status} ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function untilHealth(app: App, status: number, database: object): Promise<Answer> {
  return until(
    () => app.call('GET /health', { key: null }),
    (answer) => answer.status === status && isDeepStrictEqual(answer.body.parts.database, database),
  );
}

const MESSAGE = (reason: string): string =>
  `The database is not available at the moment: ${reason}. Try again in a few seconds.`;

describe('the wire to the database', { skip: postgresAbsence }, () => {
  let postgres: PostgresServer;
  let proxy: TcpProxy;
  let app: App;
  before(async () => {
    postgres = await startPostgres();
    proxy = await startTcpProxy(postgres.port);
    app = await startApp({
      GALLEY_DATABASE_URL: `postgres://galley@127.0.0.1:${proxy.port}/postgres`,
      GALLEY_DATABASE_TIMEOUT_SECONDS: '2',
    });
  });
  after(async () => {
    await app?.close();
    await proxy?.close();
    await postgres?.close();
  });

  const create = () => app.call('POST /v1/inspect/analyze', { body: { html: '<p>x</p>' } });
  /** New work is taken, and done. What is left of a broken wire may still cost a request. */
  const works = async (): Promise<void> => {
    await untilHealth(app, 200, { status: 'ok' });
    const made = await until(create, ({ status }) => status === 200);
    await until(
      () => app.call(`GET /v1/inspect/analyze/${made.body.items.id}`),
      ({ body }) => body.meta?.status === 'Completed',
    );
  };

  it('is reset under load: each request is answered, with its result or with 503', async () => {
    const over = new AbortController();
    const counts = new Map<string, number>();
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) {
          const { status, headers, body } = await create();
          const told =
            status === 503
              ? `503 ${headers.get('retry-after')}`
              : status === 200
                ? '200'
                : `${status} ${JSON.stringify(body)}`;
          counts.set(told, (counts.get(told) ?? 0) + 1);
        }
      }),
    );
    for (let n = 0; n < 6; n += 1) {
      const before = counts.get('200');
      while (counts.get('200') === before) await new Promise((resolve) => setTimeout(resolve, 5));
      proxy.reset();
    }
    over.abort();
    await load;
    counts.delete('503 2');
    assert.deepEqual([...counts.keys()], ['200']);
    await works();
  });

  it('is refused: 503 with Retry-After, /health and /metrics say what is missing, and all goes on by itself', async () => {
    await proxy.refuse();
    const health = await untilHealth(app, 503, { status: 'away', reason: 'it refuses connections' });
    assert.deepEqual([health.body.status, health.body.missing], ['unavailable', ['database']]);
    const { status, headers, body } = await create();
    assert.deepEqual(
      [status, headers.get('retry-after'), body],
      [503, '2', { message: MESSAGE('it refuses connections') }],
    );
    assert.match((await app.call('GET /metrics', { key: null })).body, /galley_part_up\{part="database"\} 0/);
    await proxy.mend();
    await works();
  });

  it('hangs: nothing waits for ever, and all goes on by itself', async () => {
    proxy.hang();
    const { status, headers } = await create();
    assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
    await untilHealth(app, 503, { status: 'away', reason: 'it does not answer' });
    await proxy.mend();
    await works();
  });

  it('is half open: what hears nothing any more is given up, new connections take over', async () => {
    proxy.leaveHalfOpen();
    assert.equal((await create()).status, 503);
    await works();
  });
});

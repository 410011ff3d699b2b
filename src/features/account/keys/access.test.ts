// What a request costs before it reaches its endpoint, and how soon a change of rights is felt.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startApp, type App, type Call } from '../../../../test/harness/start-app.ts';
import { TEST_DATABASE_URL } from '../../../../test/harness/template-database.ts';

let app: App;
before(async () => {
  // Who asks on while a key ends is no guesser here.
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_WRONG_KEYS_PER_MINUTE: '0' });
});
after(() => app.close());

/** What the driver was given so far, in whatever way a query was written. */
let statements = 0;
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  statements += 1;
  return query.apply(this, args);
} as never;

/** How many statements the database gets while `work` runs. */
async function statementsOf(work: () => Promise<void>): Promise<number> {
  const before = statements;
  await work();
  return statements - before;
}

async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n++) await work();
}

async function newKey(role = 'developer'): Promise<{ id: string; secret: string }> {
  return (await app.call('POST /v1/keys', { body: { role } })).body.key;
}

const CLIENTS = 'GET /v1/preview/tests/clients';

describe('what a request asks the database about its caller', () => {
  for (const [what, status, operation, key] of [
    ['a read', 200, CLIENTS, undefined],
    ['a request with a wrong field', 400, 'GET /v2/preview/tests?results=0', undefined],
    ['a wrong key that comes again', 401, CLIENTS, 'key-wrong'],
  ] as const) {
    it(`asks nothing for ${what} but once in a while`, async () => {
      const send = async () =>
        assert.equal((await app.call(operation, key === undefined ? {} : { key })).status, status);
      await send();
      const started = performance.now();
      const count = await statementsOf(() => repeat(60, send));
      const seconds = (performance.now() - started) / 1000;
      assert.ok(count <= 4 + seconds * 4, `${count} statements for 60 requests in ${seconds.toFixed(1)} s`);
    });
  }

  it('asks once for a preview test, and twice to make a key: the key, and its entry in the audit log', async () => {
    const clients = { clients: ['gmail_chrome'] };
    const made = await app.call('POST /v2/preview/tests', { body: { subject: 'x', html: '<p>x</p>', ...clients } });
    const read = async () => {
      const { status, body } = await app.call(`GET /v2/preview/tests/${made.body.id}`);
      assert.deepEqual([status, body.processing], [200, ['gmail_chrome']]);
    };
    for (const [send, each] of [
      [read, 1],
      [() => newKey().then(() => undefined), 2],
    ] as const) {
      await send();
      const started = performance.now();
      const count = await statementsOf(() => repeat(20, send));
      const seconds = (performance.now() - started) / 1000;
      assert.ok(count <= 20 * each + 4 + seconds * 4, `${count} statements for 20 requests in ${seconds.toFixed(1)} s`);
    }
  });

  it('asks nothing for a subaccount that is named in a header', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Cached')).body.subaccount;
    const send = async () =>
      assert.equal((await app.call(CLIENTS, { headers: { 'x-service-account-id': id } })).status, 200);
    await send();
    const started = performance.now();
    const count = await statementsOf(() => repeat(60, send));
    assert.ok(count <= 4 + (performance.now() - started) / 250, `${count} statements`);
  });
});

describe('a change of rights', () => {
  it('ends a key at once, however warm it is, while others ask with it', async () => {
    const { id, secret } = await newKey();
    const revocation = new AbortController();
    const answers: number[] = [];
    const callers = Array.from({ length: 8 }, async () => {
      while (!revocation.signal.aborted) {
        const { status } = await app.call(CLIENTS, { key: secret });
        if (!revocation.signal.aborted) answers.push(status);
      }
      return (await app.call(CLIENTS, { key: secret })).status;
    });
    while (answers.length < 40) await new Promise((resolve) => setImmediate(resolve));
    await app.call(`DELETE /v1/keys/${id}`);
    revocation.abort();
    assert.deepEqual(
      await Promise.all(callers),
      callers.map(() => 401),
    );
    assert.ok(answers.slice(0, 40).every((status) => status === 200));
  });

  it('ends a disabled account at once and opens it at once', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Switched')).body.subaccount;
    const own = (
      await app.call('POST /v1/keys', { body: { role: 'developer' }, headers: { 'x-service-account-id': id } })
    ).body.key.secret;
    const both = async () => [
      (await app.call(CLIENTS, { key: own })).status,
      (await app.call(CLIENTS, { headers: { 'x-service-account-id': id } })).status,
    ];
    assert.deepEqual(await both(), [200, 200]);
    await app.call(`POST /v5/accounts/subaccounts/${id}/disable`);
    assert.deepEqual(await both(), [401, 403]);
    await app.call(`POST /v5/accounts/subaccounts/${id}/enable`);
    assert.deepEqual(await both(), [200, 200]);
  });

  it(
    'is felt by every other process within a second',
    { skip: !TEST_DATABASE_URL && 'needs PostgreSQL: the embedded database has one process' },
    async () => {
      const other = await startApp({
        GALLEY_ROLES: 'api',
        GALLEY_DATABASE_URL: app.galley.outside.config.databaseUrl as string,
      });
      try {
        const { id, secret } = await newKey();
        /** Every request that is sent a second after the change, or later, must be answered by it. */
        const isFelt = async (call: Call, status: number) => {
          const changed = performance.now();
          for (;;) {
            const sentMs = performance.now() - changed;
            const answer = await other.call(CLIENTS, call);
            if (answer.status === status) return;
            assert.ok(sentMs < 1000, `sent ${sentMs.toFixed(0)} ms after the change, answered ${answer.status}`);
          }
        };
        await repeat(20, async () => assert.equal((await other.call(CLIENTS, { key: secret })).status, 200));
        await app.call(`DELETE /v1/keys/${id}`);
        await isFelt({ key: secret }, 401);
        const { id: account } = (await app.call('POST /v5/accounts/subaccounts?name=Elsewhere')).body.subaccount;
        const acting = { headers: { 'x-service-account-id': account } };
        assert.equal((await other.call(CLIENTS, acting)).status, 200);
        await app.call(`POST /v5/accounts/subaccounts/${account}/disable`);
        await isFelt(acting, 403);
        const made = await newKey();
        await isFelt({ key: made.secret }, 200);
      } finally {
        await other.close();
      }
    },
  );
});

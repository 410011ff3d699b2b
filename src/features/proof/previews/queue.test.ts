// Many tests at once: whose turn it is, what waiting counts as, and what becomes of work that is lost.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { requeue } from './jobs.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'applemail_26_dm', 'outlookcom_chrome'];
let app: App;
let stranger: string;

before(async () => {
  app = await startApp();
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
  const made = await app.call('POST /v1/keys', {
    headers: { 'x-service-account-id': body.subaccount.id },
    body: { role: 'admin' },
  });
  stranger = made.body.key.secret;
});
after(() => app.close());

async function post(
  n: number,
  { key = app.key, clients = CLIENTS }: { key?: string; clients?: string[] } = {},
): Promise<string> {
  const { status, body } = await app.call('POST /v2/preview/tests', {
    key,
    body: { subject: `queue ${n}`, html: `<h1>Test ${n}</h1><p>Of many</p>`, clients },
  });
  assert.equal(status, 200);
  return body.id;
}

async function completed(id: string, key = app.key): Promise<number> {
  return (await app.call(`GET /v2/preview/tests/${id}`, { key })).body.completed?.length ?? 0;
}

async function allCompleted(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    for (
      let test;
      test?.completed.length !== CLIENTS.length;
      await new Promise((resolve) => setTimeout(resolve, 100))
    ) {
      test = (await app.call(`GET /v2/preview/tests/${id}`)).body;
      assert.deepEqual(test.bounced, [], JSON.stringify(test));
    }
}

async function results(id: string): Promise<any[]> {
  return Promise.all(
    CLIENTS.map(async (client) => (await app.call(`GET /v2/preview/tests/${id}/results/${client}`)).body[client]),
  );
}

async function turnOfRequeue(): Promise<void> {
  await requeue.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
}

describe('many tests at once', () => {
  it('lets an account with one test go before the many of another', async () => {
    const many: string[] = [];
    for (let n = 0; n < 8; n += 1) many.push(await post(n));
    const one = await post(99, { key: stranger, clients: ['gmail_chrome'] });
    while ((await completed(one, stranger)) < 1) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = await Promise.all(many.map((id) => completed(id)));
    const pictures = before.reduce((sum, count) => sum + count, 0);
    assert.ok(pictures < 16, `${pictures} of 32 pictures of the other account were made first`);
    await allCompleted(many);
  });

  it('does not queue again what only waits, however long', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await post(n));
    // Everything is planned; most of it waits for the one browser.
    for (let round = 0; round < 11; round += 1) {
      app.clock.advance(181_000);
      await turnOfRequeue();
    }
    const { counts } = app.galley.outside.jobs;
    const queued = await counts();
    const jobs = (queued['previews.prepare'] ?? 0) * CLIENTS.length + (queued['previews.render'] ?? 0);
    assert.ok(jobs <= ids.length * CLIENTS.length, `${jobs} jobs for ${ids.length * CLIENTS.length} pictures`);
    await allCompleted(ids);
    const made = (await Promise.all(ids.map(results))).flat();
    assert.deepEqual(
      [...new Set(made.map((result) => `${result.status} after ${result.statusdetails.attempts}`))],
      ['complete after 1'],
    );
  });

  it('takes up again within seconds what lost its jobs', async () => {
    const ids = [await post(1), await post(2)];
    await app.galley.outside.db.text('delete from jobs');
    assert.equal((await Promise.all(ids.map((id) => completed(id)))).reduce((sum, count) => sum + count, 0) < 8, true);
    app.clock.advance(15_000);
    await turnOfRequeue();
    await allCompleted(ids);
  });
});

// A test of somebody's program asks for the message that the program is about to send.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App, type Answer } from '../../../../test/harness/start-app.ts';
import { takePlace } from './places.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v1/sandbox', { body: { name: 'tests' } });
});
after(() => app.close());

const latest = (query: string): Promise<Answer> => app.call(`GET /v1/sandbox/tests/messages/latest?${query}`);
const send = (to: string, subject = 'Confirm your address'): Promise<Answer> =>
  app.call('POST /v1/sandbox/tests/messages', {
    body: { from: 'app@shop.example', to, subject, text: `For ${to}: 4711` },
  });

describe('the newest message', () => {
  it('is there at once where it came before', async () => {
    await send('early@example.net', 'First');
    await send('early@example.net', 'Second');
    const { status, body } = await latest('to=early@example.net');
    assert.deepEqual([status, body.subject, body.text], [200, 'Second', 'For early@example.net: 4711\n']);
    assert.equal((await latest('to=early@example.net&subject=first')).body.subject, 'First');
  });

  it('is none, in plain words, where none came', async () => {
    const none = await latest('to=nobody@example.net&subject=Hi');
    assert.deepEqual(
      [none.status, none.body.message],
      [404, 'The sandbox inbox "tests" has no message that matches to=nobody@example.net, subject=Hi.'],
    );
    const late = await latest('to=nobody@example.net&wait=1');
    assert.deepEqual(
      [late.status, late.body.message],
      [404, 'The sandbox inbox "tests" has no message that matches to=nobody@example.net; none came within 1 seconds.'],
    );
    const { revision } = (await app.call('GET /v1/sandbox/tests')).body;
    assert.equal((await latest(`to=early@example.net&after=${revision}`)).status, 404);
  });

  it('is waited for, past those that are for others', async () => {
    const waiting = latest('to=late@example.net&wait=60');
    await send('other@example.net');
    await send('late@example.net');
    const { status, body } = await waiting;
    assert.deepEqual([status, body.recipients], [200, ['late@example.net']]);
  });

  it('is waited for by every condition', async () => {
    const queries = [
      'to=all@example.net&text=bring%20UMBRELLAS',
      'from=Weather@shop',
      'header=x-order:%2017',
      'search=x-order:%2017',
      'subject=rain&since=2020-01-01T00:00:00Z',
      'subject=rain&text=sunshine',
    ];
    const waiting = queries.map((query) => latest(`${query}&wait=${query.endsWith('sunshine') ? 5 : 60}`));
    await send('all@example.net', 'Sun');
    await app.call('POST /v1/sandbox/tests/messages', {
      body: {
        from: 'weather@shop.example',
        to: 'all@example.net',
        subject: 'Rain',
        text: 'Bring umbrellas.',
        'h:X-Order': '17',
      },
    });
    const answers = await Promise.all(waiting);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.subject]),
      [...Array.from({ length: 5 }, () => [200, 'Rain']), [404, undefined]],
    );
  });

  it('is that of the own inbox, while another account waits for the same', async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
    const headers = { 'x-mailgun-on-behalf-of': body.subaccount.id };
    await app.call('POST /v1/sandbox', { body: { name: 'tests' }, headers });
    const theirs = app.call('GET /v1/sandbox/tests/messages/latest?to=both@example.net&wait=60', { headers });
    const ours = latest('to=both@example.net&wait=60');
    const letter = { from: 'app@shop.example', to: 'both@example.net', text: 'Hi' };
    await app.call('POST /v1/sandbox/tests/messages', { body: { ...letter, subject: 'Ours' } });
    await app.call('POST /v1/sandbox/tests/messages', { body: { ...letter, subject: 'Theirs' }, headers });
    const answers = await Promise.all([ours, theirs]);
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.body.subject]),
      [
        [200, 'Ours'],
        [200, 'Theirs'],
      ],
    );
  });

  it('is what each of 200 tests waits for at the same time', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `user${n}@example.net`);
    const waiting = names.map((name) => latest(`to=${name}&subject=confirm&wait=60`));
    for (let from = 0; from < names.length; from += 20)
      await Promise.all(names.slice(from, from + 20).map((name) => send(name)));
    const answers = await Promise.all(waiting);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.recipients?.[0]]),
      names.map((name) => [200, name]),
    );
  });

  it('is waited for by 250 calls of an account, and no more', async () => {
    const { rows } = await app.galley.outside.db.text('select account_id from sandbox_inboxes order by created_at');
    const [{ account_id: accountId }] = rows as [{ account_id: string }];
    const leave = Array.from({ length: 250 }, () => takePlace(accountId));
    const refused = await latest('to=full@example.net&wait=1');
    assert.equal(refused.status, 429);
    assert.match(refused.body.message, /^250 calls of this account wait for messages of its sandbox/);
    for (const one of leave) one();
    assert.equal((await latest('to=full@example.net&wait=1')).status, 404);
  });

  it('is not waited for in an inbox that is deleted meanwhile', async () => {
    await app.call('POST /v1/sandbox', { body: { name: 'gone' } });
    const waiting = app.call('GET /v1/sandbox/gone/messages/latest?wait=60');
    await app.call('GET /v1/sandbox/gone/messages/latest?wait=1');
    await app.call('DELETE /v1/sandbox/gone');
    assert.equal((await waiting).status, 404);
  });

  for (const query of ['wait=61', 'wait=-1', 'wait=soon', 'after=x', 'since=never'])
    it(`is not asked for by ${query}`, async () => {
      const { status, body } = await latest(query);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(query.split('=')[0]!));
    });
});

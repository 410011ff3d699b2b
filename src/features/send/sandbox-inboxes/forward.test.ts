// An inbox that sends each message on to real addresses.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'mail.example.com';
const LETTER = { from: `ann@${DOMAIN}`, to: 'team@example.net', subject: 'Try it', text: 'Sent on.' };
const BOTH = ['me@example.org', 'you@example.org'];

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

async function put(inbox: string): Promise<string> {
  const { status, body } = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body: LETTER });
  assert.equal(status, 200, JSON.stringify(body));
  return body.sandbox_message_id;
}

/** What became of sending a message on, once that has ended. */
async function forwarded(inbox: string, id: string): Promise<any> {
  for (;;) {
    const { forward } = (await app.call(`GET /v1/sandbox/${inbox}/messages/${id}`)).body;
    if (forward?.state !== 'waiting') return forward;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const recipientsOf = async (id: string): Promise<string[]> =>
  (await app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(id)}`)).body.items
    .map((one: any) => one.recipient)
    .toSorted();

describe('an inbox that forwards', () => {
  it('sends each message to its addresses alone, once, as a message of the domain', async () => {
    const forward = { domain: DOMAIN, to: BOTH };
    const made = await app.call('POST /v1/sandbox', { body: { name: 'demo', forward } });
    assert.deepEqual([made.status, made.body.forward], [201, forward]);
    const queuedIds = new Set<string>();
    for (const id of [await put('demo'), await put('demo')]) {
      const { id: queued, ...sent } = await forwarded('demo', id);
      queuedIds.add(queued);
      assert.deepEqual(sent, { domain: DOMAIN, to: BOTH, state: 'queued', message: null });
      assert.deepEqual(await recipientsOf(queued), BOTH);
    }
    assert.equal(queuedIds.size, 2);
  });

  it('forwards what comes from now on, and nothing once it is told to stop', async () => {
    await app.call('POST /v1/sandbox', { body: { name: 'later' } });
    const before = await put('later');
    const forward = { domain: DOMAIN.toUpperCase(), to: [' Me@Example.org ', 'me@example.org'] };
    const changed = await app.call('PATCH /v1/sandbox/later', { body: { forward } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(changed.body.forward.domain, DOMAIN);
    assert.equal((await forwarded('later', await put('later'))).state, 'queued');
    assert.equal(await forwarded('later', before), null);
    const stopped = await app.call('PATCH /v1/sandbox/later', { body: { forward: null } });
    assert.deepEqual([stopped.status, stopped.body.forward], [200, null]);
    assert.equal(await forwarded('later', await put('later')), null);
  });

  it('says why sending refused', async () => {
    await app.call('POST /v4/domains', { body: { name: 'gone.example.com' } });
    const forward = { domain: 'gone.example.com', to: ['me@example.org'] };
    await app.call('POST /v1/sandbox', { body: { name: 'gone', forward } });
    assert.equal((await app.call('DELETE /v3/domains/gone.example.com')).status, 200);
    const { state, id, message } = await forwarded('gone', await put('gone'));
    assert.deepEqual([state, id], ['refused', null]);
    assert.match(message, /gone\.example\.com|[Dd]omain/);
  });

  for (const [forward, status, words] of [
    [{ domain: DOMAIN, to: [] }, 400, /forward/],
    [
      { domain: DOMAIN, to: ['nobody'] },
      400,
      /forward\.to must be addresses such as ann@example\.com; "nobody" is none/,
    ],
    [{ domain: DOMAIN, to: ['a@b.example\r\nRCPT TO:<c@d.example>'] }, 400, /forward\.to/],
    [{ domain: DOMAIN, to: Array.from({ length: 21 }, (_, n) => `r${n}@b.example`) }, 400, /forward/],
    [{ domain: 'other.example.com', to: ['me@example.org'] }, 404, /omain/],
    [{ to: ['me@example.org'] }, 400, /domain/],
  ] as const)
    it(`is not set to ${JSON.stringify(forward).slice(0, 80)}`, async () => {
      const { status: answered, body } = await app.call('POST /v1/sandbox', { body: { name: 'wrong', forward } });
      assert.deepEqual([answered, words.test(body.message)], [status, true], JSON.stringify(body));
      assert.equal((await app.call('GET /v1/sandbox/wrong')).status, 404);
    });

  it('does not send as a domain of another account', async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
    const headers = { 'x-mailgun-on-behalf-of': body.subaccount.id };
    const forward = { domain: DOMAIN, to: ['me@example.org'] };
    const answer = await app.call('POST /v1/sandbox', { body: { name: 'theirs', forward }, headers });
    assert.equal(answer.status, 404, JSON.stringify(answer.body));
  });
});

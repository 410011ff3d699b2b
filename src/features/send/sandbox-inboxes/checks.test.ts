// Inboxes that check each message that comes by themselves.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const LETTER = {
  from: 'Ann <ann@shop.example>',
  to: 'bob@example.net',
  subject: 'Your order',
  html: '<!doctype html><html lang="en"><title>Your order</title><p>It is on its way.</p></html>',
};

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
});
after(() => app.close());

async function newInbox(name: string, more: object): Promise<any> {
  const { status, body } = await app.call('POST /v1/sandbox', { body: { name, ...more } });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function put(inbox: string, more: object = {}): Promise<string> {
  const answer = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body: { ...LETTER, ...more } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.sandbox_message_id;
}

const checksOf = async (inbox: string, id: string): Promise<any[]> =>
  (await app.call(`GET /v1/sandbox/${inbox}/messages/${id}`)).body.checks;

/** Until none of the checks is queued any more. */
async function settled(inbox: string, id: string): Promise<any[]> {
  const giveUpAt = performance.now() + 90_000;
  for (;;) {
    const checks = await checksOf(inbox, id);
    if (checks.every(({ status }) => status !== 'queued')) return checks;
    if (performance.now() > giveUpAt) assert.fail(`Still queued: ${JSON.stringify(checks)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('an inbox', () => {
  it('checks nothing by itself unless it is told to', async () => {
    const { checks, checks_per_hour: perHour } = await newInbox('still', {});
    assert.deepEqual([checks, perHour], [[], 60]);
    assert.deepEqual(await checksOf('still', await put('still')), []);
  });

  it('starts what was chosen for each message that comes', async () => {
    const inbox = await newInbox('checked', { checks: ['gate', 'spam', 'previews', 'gate'] });
    assert.deepEqual(inbox.checks, ['gate', 'spam', 'previews']);
    const id = await put('checked');
    const checks = await settled('checked', id);
    const paths = { previews: '/v2/preview/tests', spam: '/v1/inspect/spam', gate: '/v1/inspect/gate' };
    assert.deepEqual(
      checks,
      Object.entries(paths).map(([name, path], place) => ({
        name,
        status: 'started',
        id: checks[place]?.id,
        url: `${app.url}${path}/${checks[place]?.id}`,
        message: null,
      })),
    );
    for (const { url } of checks) assert.equal((await app.call(`GET ${url.slice(app.url.length)}`)).status, 200, url);
    const test = (await app.call(`GET /v2/preview/tests/${checks[0]?.id}`)).body;
    assert.deepEqual(
      [test.subject, Object.keys(test.content_checking).toSorted()],
      ['Your order', ['accessibility', 'code_analysis', 'image_validation', 'link_validation']],
    );
    const [listed] = (await app.call('GET /v1/sandbox/checked/messages')).body.items;
    assert.deepEqual(listed.checks, checks);
  });

  it('checks as many messages of an hour as it may, and says so of the others', async () => {
    await newInbox('bounded', { checks: ['gate'], checks_per_hour: 2 });
    const statusOf = async (id: string) => (await checksOf('bounded', id))[0];
    await app.clock.holding(async () => {
      const ids = [await put('bounded'), await put('bounded'), await put('bounded')];
      assert.deepEqual(await statusOf(ids[2]!), {
        name: 'gate',
        status: 'refused',
        id: null,
        url: null,
        message: 'The inbox checks 2 messages an hour, and has begun as many.',
      });
      assert.notEqual((await statusOf(ids[1]!)).status, 'refused');
      app.clock.advance(3_600_000);
      assert.notEqual((await statusOf(await put('bounded'))).status, 'refused');
    });
    await app.call('DELETE /v1/sandbox/bounded/messages');
    await app.clock.holding(async () => {
      await put('bounded');
      assert.equal((await statusOf(await put('bounded'))).status, 'refused');
    });
  });

  it('says what the account may not do', async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Without previews' } });
    const { id: account } = body.subaccount;
    const changed = await app.call(`PUT /v5/accounts/subaccounts/${account}/features`, {
      body: new URLSearchParams({ email_preview: '{"enabled":false}' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const headers = { 'x-mailgun-on-behalf-of': account };
    await app.call('POST /v1/sandbox', { body: { name: 'bare', checks: ['previews'] }, headers });
    await app.call('POST /v1/sandbox/bare/messages', { body: LETTER, headers });
    let check: any = { status: 'queued' };
    for (const giveUpAt = performance.now() + 90_000; check.status === 'queued' && performance.now() < giveUpAt;) {
      const { items } = (await app.call('GET /v1/sandbox/bare/messages', { headers })).body;
      [check] = items[0].checks;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.deepEqual(
      [check.status, check.id, check.message],
      ['refused', null, 'Email Preview is not enabled for this account'],
    );
  });

  it('checks what it is told to later, and nothing any more', async () => {
    await newInbox('later', {});
    const changed = await app.call('PATCH /v1/sandbox/later', { body: { checks: ['gate'], checks_per_hour: 5 } });
    assert.deepEqual([changed.body.checks, changed.body.checks_per_hour], [['gate'], 5]);
    const [gate] = await settled('later', await put('later'));
    assert.deepEqual([gate.name, gate.status], ['gate', 'started']);
    await app.call('PATCH /v1/sandbox/later', { body: { checks: [] } });
    assert.deepEqual(await checksOf('later', await put('later')), []);
  });

  for (const [body, field] of [
    [{ checks: ['pop3'] }, 'checks'],
    [{ checks: 'gate' }, 'checks'],
    [{ checks_per_hour: 0 }, 'checks_per_hour'],
    [{ checks_per_hour: 501 }, 'checks_per_hour'],
  ] as const)
    it(`is not told to check ${JSON.stringify(body)}`, async () => {
      const answer = await app.call('PATCH /v1/sandbox/still', { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, new RegExp(field));
    });
});

// More hits than are written at once: readers go on all the same, no account takes the room of another, and what is
// counted is counted once.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sealLink } from '../../../engines/tracking/index.ts';
import { deliverySecret } from '../messages/index.ts';
import { countHit } from './hits.ts';

const ACCOUNT_MAX = 5000;
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_PUBLIC_URL: 'https://mail.example.com' });
});
after(() => app.close());

/** A domain with a message, and where its one link leads. */
async function messageOf(name: string, headers: Record<string, string> = {}) {
  const { domain } = (await app.call('POST /v4/domains', { headers, body: { name } })).body;
  const letter = { from: `ann@${name}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
  assert.equal((await app.call(`POST /v3/${name}/messages`, { headers, body: letter })).status, 200);
  const { outside } = app.galley;
  const { rows } = await outside.db.text('select id::text, account_id from sent_messages where domain = $1', [name]);
  const [{ id: messageId, account_id: accountId }] = rows as [{ id: string; account_id: string }];
  const place = { domainId: domain.id, messageId, position: 0, link: 0, url: 'https://shop.example/' };
  return { accountId, messageId, path: `/c/${sealLink(place, deliverySecret(outside, 'click'))}` };
}

const follow = (path: string) =>
  fetch(app.url + path, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/132.0' } });

async function countsOf(headers: Record<string, string>): Promise<{ opened: number; clicked: number }> {
  const metrics = ['opened_count', 'clicked_count', 'unique_opened_count'];
  const { body } = await app.call('POST /v1/analytics/metrics', { headers, body: { duration: '7d', metrics } });
  const { opened_count: opened = 0, clicked_count: clicked = 0 } = body.items[0]?.metrics ?? {};
  return { opened, clicked };
}

async function comesTo(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await isSo());) {
    assert.ok(Date.now() < end, 'it was not counted in time');
    app.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('a queue of hits that is full', () => {
  it('keeps nobody from going on, and leaves room for other accounts', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const headers = { 'x-service-account-id': id };
    const [own, other] = [await messageOf('news.example.com'), await messageOf('shop.example.org', headers)];
    const shared = { kind: 'opened', domain: 'news.example.com', position: 0, link: 0, url: '' } as const;
    const { accountId, messageId } = own;
    for (let count = 0; count < ACCOUNT_MAX + 1000; count += 1)
      countHit(app.galley.outside, { ...shared, accountId, messageId, ip: '192.0.2.1', userAgent: 'Firefox/132.0' });
    const answers = await Promise.all([follow(own.path), follow(other.path)]);
    for (const answer of answers)
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'https://shop.example/']);
    await comesTo(async () => (await countsOf({})).opened >= ACCOUNT_MAX);
    await comesTo(async () => (await countsOf(headers)).clicked === 1);
    assert.equal((await countsOf({})).opened, ACCOUNT_MAX);
    assert.equal((await follow(own.path)).status, 302);
    await comesTo(async () => (await countsOf({})).clicked >= 1);
  });
});

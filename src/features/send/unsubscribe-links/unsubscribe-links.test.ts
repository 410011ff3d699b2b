// The address in List-Unsubscribe: looked at, clicked once, clicked again, forged.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { unsubscribeLinksOf } from '../messages/index.ts';

const DOMAIN = 'news.example.com';
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_PUBLIC_URL: 'https://mail.example.com' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

/** Accepts a message, and answers the links of its one copy, as paths. */
async function linksTo(recipient: string, tags: string[] = []) {
  const letter = { from: `ann@${DOMAIN}`, to: recipient, subject: 'Hello', text: 'Hello', 'o:tag': tags };
  assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
  const { rows } = await app.galley.outside.db.text('select max(id)::text as id from sent_messages');
  const links = unsubscribeLinksOf(app.galley.outside, { messageId: (rows[0] as { id: string }).id, position: 0 })!;
  const path = (url: string) => url.replace('https://mail.example.com', '');
  return { tagged: path(links.tagUnsubscribe), all: path(links.unsubscribe) };
}

const tagsOf = async (address: string) => (await app.call(`GET /v3/${DOMAIN}/unsubscribes/${address}`)).body.tags;
const click = (path: string) =>
  fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });

async function countEvents(recipient: string): Promise<number> {
  app.clock.advance(3000);
  const { items } = (await app.call(`GET /v3/${DOMAIN}/events?event=unsubscribed&recipient=${recipient}`)).body;
  return items.length;
}

describe('the link to unsubscribe', () => {
  it('stands in two fields of the header and in the text of a captured message, which asks for it', async () => {
    const letter = { from: `ann@${DOMAIN}`, to: 'Zoe <zoe@example.net>', subject: 'Hello', text: '%unsubscribe_url%' };
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
    const { rows } = await app.galley.outside.db.text('select key from sent_messages order by id desc limit 1');
    const { key } = rows[0] as { key: string };
    const { body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`);
    const fields = new Map<string, string>(body['message-headers']);
    assert.match(fields.get('List-Unsubscribe')!, /^<https:\/\/mail\.example\.com\/u\/[\w-]{22}>$/);
    assert.equal(fields.get('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    const url = body['body-plain'].trim();
    assert.equal(url, `${fields.get('List-Unsubscribe')!.slice(1, -1)}?all=yes`);
    assert.match(body.To, /zoe@example\.net/);
    assert.equal((await click(new URL(url).pathname + new URL(url).search)).status, 200);
    assert.deepEqual(await tagsOf('zoe@example.net'), ['*']);
  });

  it('asks when it is followed, and changes nothing', async () => {
    const { tagged } = await linksTo('b@example.net', ['<b>"news"']);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(`${app.url}${tagged}`, { method });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('set-cookie'), null);
      const text = await answer.text();
      if (method === 'GET') {
        assert.match(text, /<form method="post"><button/);
        assert.match(text, /b@example\.net/);
        assert.match(text, /&lt;b&gt;&quot;news&quot;/);
      }
    }
    assert.equal(await tagsOf('b@example.net'), undefined);
    assert.equal(await countEvents('b@example.net'), 0);
  });

  it('unsubscribes by one click from the tags of the message, and tells it once', async () => {
    const { tagged, all } = await linksTo('c@example.net', ['news', 'spring']);
    for (let time = 0; time < 2; time += 1) {
      const answer = await click(tagged);
      assert.equal(answer.status, 200);
      assert.doesNotMatch(await answer.text(), /<(form|button|input|script)/);
    }
    await Promise.all([click(tagged), click(tagged)]);
    assert.deepEqual(await tagsOf('c@example.net'), ['news', 'spring']);
    assert.equal(await countEvents('c@example.net'), 1);
    await click(all);
    assert.deepEqual(await tagsOf('c@example.net'), ['*', 'news', 'spring']);
    assert.equal(await countEvents('c@example.net'), 2);
  });

  it('unsubscribes from everything where the message has no tags, also without a body or as a multipart form', async () => {
    const bodies: [string, RequestInit][] = [
      ['d@example.net', {}],
      ['e@example.net', { body: form() }],
    ];
    for (const [address, init] of bodies) {
      const { tagged } = await linksTo(address);
      assert.equal((await fetch(`${app.url}${tagged}`, { method: 'POST', ...init })).status, 200);
      assert.deepEqual(await tagsOf(address), ['*']);
    }
  });

  it('does nothing when it was not made here', async () => {
    const { tagged } = await linksTo('f@example.net');
    const forged = tagged.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const path of [forged, `${tagged}x`, '/u/x']) {
      assert.equal((await fetch(`${app.url}${path}`)).status, 404);
      assert.equal((await click(path)).status, 404);
    }
    assert.equal(await tagsOf('f@example.net'), undefined);
  });
});

function form(): FormData {
  const data = new FormData();
  data.set('List-Unsubscribe', 'One-Click');
  return data;
}

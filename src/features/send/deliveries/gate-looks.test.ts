// The gate follows the links of what it judges. That is nobody's click, nobody's open, and unsubscribes nobody.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { startSite, type Site } from '../../../../test/harness/link-playground.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const READER = 'bob@example.net';
const PHONE = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
const GATE = { mode: 'hold', checks: ['links', 'images'], policy: { limits: { broken_links_max: 0 } } };
/** More than the time within which many clicks of one copy count as a program's. */
const LONGER_MS = 60_000;

let site: Site;
/** The service under the address that its links have, and a shop beside it. */
const settings: Record<string, string> = {};
before(async () => {
  site = await startSite({
    handle({ url = '/', method = 'GET', headers }, response) {
      if (url.startsWith('/shop'))
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Shop</p>');
      const asked = fetch(bed.app.url + url, {
        method,
        redirect: 'manual',
        headers: { 'user-agent': headers['user-agent'] ?? '' },
      });
      asked.then(
        async (answer) => {
          const { location } = Object.fromEntries(answer.headers);
          const type = answer.headers.get('content-type') ?? 'text/plain';
          response.writeHead(answer.status, { 'content-type': type, ...(location !== undefined && { location }) });
          response.end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.writeHead(502).end(),
      );
    },
  });
  settings['GALLEY_PUBLIC_URL'] = site.origin;
});
const bed = liveBed({ settings });
after(() => site.close());

const html = (): string =>
  `<!doctype html><html lang="en"><title>Hello</title><p><a href="${site.origin}/shop/one">The first shop</a> ` +
  `<a href="${site.origin}/gone">Gone</a> <a href="%unsubscribe_url%">Unsubscribe</a></p></html>`;

const requestsTo = (path: string): string[] => site.requests.filter((request) => request.includes(` ${path}`));

/** What happened so far, oldest first. */
async function events(): Promise<any[]> {
  bed.app.clock.advance(3000);
  return (await bed.app.call(`GET /v3/${DOMAIN}/events?recipient=${READER}&ascending=yes`)).body.items;
}

const kinds = async (): Promise<string[]> => (await events()).map(({ event }) => event);

async function unsubscribed(): Promise<string[]> {
  const { body } = await bed.app.call(`GET /v3/${DOMAIN}/unsubscribes`);
  return body.items.map(({ address }: { address: string }) => address);
}

/** Events that were on their way are there. */
async function comesTo(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await isSo());) {
    assert.ok(Date.now() < end, 'it was not so in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the gate that looks at a message', () => {
  let delivered = '';

  it('follows the link to unsubscribe, and unsubscribes nobody', async () => {
    assert.equal((await bed.app.call(`PUT /v1/galley/domains/${DOMAIN}/gate`, { body: GATE })).status, 200);
    const id = await bed.send({ to: READER, html: html(), 'o:tracking': 'yes' });
    await bed.app.idle();
    const { body } = await bed.app.call('GET /v1/galley/gate/messages');
    const [held] = body.items;
    assert.deepEqual([held.message.id, held.state, held.verdict.state], [id, 'held', 'fail']);
    assert.ok(requestsTo('/u/').length > 0, 'the link to unsubscribe was not followed');
    assert.ok(requestsTo('/shop/one').length > 0);
    assert.deepEqual(requestsTo('/c/'), [], 'what is judged has links that are tracked');
    assert.deepEqual(requestsTo('/o/'), [], 'what is judged has the image of opens');
    assert.deepEqual(
      site.requests.filter((request) => request.startsWith('POST')),
      [],
    );
    assert.deepEqual(await unsubscribed(), []);
    assert.deepEqual(await kinds(), ['accepted']);
    const path = `POST /v1/galley/gate/messages/${held.message.storage_key}/release`;
    assert.equal((await bed.app.call(path)).status, 200);
    await comesTo(async () => (await kinds()).includes('delivered'));
    const { html: received = '' } = await parseMime(Buffer.from(bed.taken(READER)[0]!.raw, 'latin1'));
    assert.match(received, /\/c\/[\w-]{60,}/);
    delivered = received;
  });

  it('counts neither clicks nor opens where a delivered copy is judged again', async () => {
    const { status, body } = await bed.app.call('POST /v1/inspect/gate', {
      body: { html: delivered, checks: ['links', 'images'] },
    });
    assert.ok(status < 300, JSON.stringify(body));
    await bed.app.idle();
    assert.ok(requestsTo('/c/').length >= 2, 'the tracked links were not followed');
    assert.ok(requestsTo('/o/').length > 0, 'the image of opens was not loaded');
    bed.app.clock.advance(LONGER_MS);
    // Written behind those of the gate, if there were any.
    const [link] = /[^"]*\/c\/[\w-]+/.exec(delivered)!;
    const answer = await fetch(link, { redirect: 'manual', headers: { 'user-agent': PHONE } });
    assert.equal(answer.headers.get('location'), `${site.origin}/shop/one`);
    await comesTo(async () => (await kinds()).includes('clicked'));
    assert.deepEqual(await kinds(), ['accepted', 'delivered', 'clicked']);
    const [clicked] = (await events()).slice(-1);
    assert.deepEqual([clicked['is-unique'], clicked['client-info'].bot], [true, '']);
    assert.deepEqual(await unsubscribed(), []);
  });
});

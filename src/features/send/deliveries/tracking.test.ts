// Sent, received, read and followed: what leaves is rewritten, where its links lead, and which events come of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const BASE = 'https://mail.example.com';
const bed = liveBed({ settings: { GALLEY_PUBLIC_URL: BASE } });
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const YES = { 'o:tracking': 'yes' };
const HTML =
  '<html><body><a href="https://shop.example/?a=1&amp;b=%recipient.code%">Shop</a>' +
  "<a href='https://shop.example/two'>2</a> <a href=https://shop.example/three>3</a>" +
  '<a href="mailto:ann@example.com">mail</a> <a href="#top">top</a> <a href="tel:+1">call</a>' +
  '<a disable-tracking href="https://shop.example/plain">plain</a> <a href="%unsubscribe_url%">stop</a>' +
  '<!-- <a href="https://shop.example/hidden">x</a> --></body></html>';

async function received(recipient: string) {
  await bed.eventsOf(recipient);
  const { html, text } = await parseMime(Buffer.from(bed.taken(recipient)[0]!.raw, 'latin1'));
  return { html: html ?? '', text: text ?? '' };
}

const hrefs = (html: string): string[] => [...html.matchAll(/href=["']?([^"'>]*)/g)].map(([, url]) => url as string);
const pixelOf = (html: string): string => /<img src="([^"]*)"/.exec(html)![1]!;
const hit = (url: string, agent = PHONE, init: RequestInit = {}) =>
  fetch(url.replace(BASE, bed.app.url), {
    redirect: 'manual',
    ...init,
    headers: { 'user-agent': agent, ...(init.headers as Record<string, string>) },
  });

/** Waits until so many of these events are there. */
async function eventsOf(recipient: string, kind: string, count: number): Promise<any[]> {
  const until = Date.now() + 90_000;
  for (;;) {
    const found = (await bed.eventsOf(recipient)).filter(({ event }) => event === kind);
    if (found.length >= count || Date.now() > until) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a tracked message', () => {
  it('leaves with links that lead by way of the service, each recipient’s own', async () => {
    const variables = { 'a@example.net': { code: 'x y' }, 'b@example.net': { code: 'z' } };
    const text = 'See https://shop.example/text (or http://shop.example/other).';
    await bed.send({
      ...YES,
      to: 'a@example.net, b@example.net',
      html: HTML,
      text,
      'recipient-variables': JSON.stringify(variables),
    });
    const [a, b] = [await received('a@example.net'), await received('b@example.net')];
    const [one, two, three, ...rest] = hrefs(a.html);
    for (const url of [one, two, three]) assert.match(url!, /^https:\/\/mail\.example\.com\/c\/[\w-]{60,}$/);
    assert.deepEqual(rest.slice(0, 4), ['mailto:ann@example.com', '#top', 'tel:+1', 'https://shop.example/plain']);
    assert.match(rest[4]!, /^https:\/\/mail\.example\.com\/u\//);
    assert.equal(rest[5], 'https://shop.example/hidden');
    assert.notEqual(hrefs(b.html)[1], two);
    assert.match(a.html, /<img src="https:\/\/mail\.example\.com\/o\/[\w-]+" width="1"[^>]*><\/body><\/html>\s*$/);
    const leads = async (url: string) => (await hit(url, PHONE, { method: 'HEAD' })).headers.get('location');
    assert.equal(await leads(one!), 'https://shop.example/?a=1&b=x%20y');
    assert.equal(await leads(hrefs(b.html)[0]!), 'https://shop.example/?a=1&b=z');
    assert.equal(await leads(two!), 'https://shop.example/two');
    assert.equal(await leads(three!), 'https://shop.example/three');
    const [, first, second] = /^See (\S+) \(or (\S+)\)\.\s*$/.exec(a.text)!;
    assert.equal(await leads(first!), 'https://shop.example/text');
    assert.equal(await leads(second!), 'http://shop.example/other');
    assert.deepEqual(await eventsOf('a@example.net', 'clicked', 0), []);
  });

  it('tells of opens and clicks, those by people once as unique', async () => {
    await bed.send({ ...YES, to: 'c@example.net', html: HTML, 'o:tag': 'spring', 'v:order': '7' });
    const { html } = await received('c@example.net');
    const pixel = await hit(pixelOf(html));
    assert.equal(pixel.status, 200);
    assert.equal(pixel.headers.get('content-type'), 'image/gif');
    assert.match(pixel.headers.get('cache-control')!, /no-store/);
    assert.equal((await hit(pixelOf(html))).status, 200);
    const answer = await hit(hrefs(html)[1]!);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), 'https://shop.example/two');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('set-cookie'), null);
    const opened = await eventsOf('c@example.net', 'opened', 2);
    assert.deepEqual(
      opened.map((event) => event['is-unique']),
      [true, false],
    );
    const [clicked, another] = await eventsOf('c@example.net', 'clicked', 1);
    assert.equal(another, undefined);
    const { timestamp: _, id: _id, message, ...rest } = clicked;
    assert.equal(message.headers.subject, 'Hello');
    assert.deepEqual(rest, {
      event: 'clicked',
      'log-level': 'info',
      recipient: 'c@example.net',
      'recipient-domain': 'example.net',
      tags: ['spring'],
      campaigns: [],
      'user-variables': { order: '7' },
      'delivery-mode': 'live',
      ip: '127.0.0.1',
      url: 'https://shop.example/two',
      geolocation: { country: 'Unknown', region: 'Unknown', city: 'Unknown' },
      'client-info': {
        'client-name': 'Safari',
        'client-os': 'iOS',
        'client-type': 'mobile browser',
        'device-type': 'mobile',
        'user-agent': PHONE,
        bot: '',
      },
      'is-unique': true,
    });
  });

  it('tells mail proxies and scanners apart, and nothing of what is fetched ahead', async () => {
    await bed.send({ ...YES, to: 'd@example.net', html: HTML });
    const { html } = await received('d@example.net');
    const agents = [
      'Mozilla/5.0',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'curl/8.0',
    ];
    for (const agent of agents) await hit(pixelOf(html), agent);
    await hit(pixelOf(html), PHONE, { headers: { 'sec-purpose': 'prefetch' } });
    const opened = await eventsOf('d@example.net', 'opened', 4);
    const told = opened.map((event) => [event['client-info'].bot, event['is-unique']]);
    assert.deepEqual(told.sort(), [
      ['apple', false],
      ['gmail', false],
      ['scanner', false],
      ['yahoo', false],
    ]);
    await Promise.all(
      hrefs(html)
        .slice(0, 3)
        .map((url) => hit(url)),
    );
    for (const event of await eventsOf('d@example.net', 'clicked', 3))
      assert.deepEqual([event['client-info'].bot, event['is-unique']], ['scanner', false]);
  });

  it('does what the domain and the message say', async () => {
    const set = (what: string, body: object) => bed.app.call(`PUT /v3/domains/${DOMAIN}/tracking/${what}`, { body });
    const link = { html: '<p><a href="https://shop.example/">x</a></p>', text: 'https://shop.example/' };
    const isTracked = ({ html, text }: { html: string; text: string }) =>
      [html.includes('/c/'), text.includes('/c/'), html.includes('/o/')].map(Number).join('');
    const cases: [string, object, object, string][] = [
      ['e1', { active: 'no' }, {}, '000'],
      ['e2', { active: 'htmlonly' }, {}, '100'],
      ['e3', { active: 'yes' }, {}, '110'],
      ['e4', { active: 'yes' }, { 'o:tracking': 'no' }, '000'],
      ['e5', { active: 'yes' }, { 'o:tracking': 'no', 'o:tracking-opens': 'yes' }, '001'],
      ['e6', { active: 'no' }, { 'o:tracking-clicks': 'htmlonly' }, '100'],
      ['e7', { active: 'no' }, { 'o:tracking': 'htmlonly' }, '101'],
    ];
    for (const [name, click, options, expected] of cases) {
      assert.equal((await set('click', click)).status, 200);
      await bed.send({ ...options, ...link, to: `${name}@example.net` });
      assert.equal(isTracked(await received(`${name}@example.net`)), expected, name);
    }
    await set('open', { active: 'yes', place_at_the_top: 'yes' });
    await bed.send({ ...link, to: 'e8@example.net' });
    assert.match((await received('e8@example.net')).html, /^<img src="https:\/\/mail\.example\.com\/o\//);
    await set('open', { active: 'no' });
  });

  it('is a whole message (MIME), too, and leaves addresses that are too long', async () => {
    const long = `https://shop.example/${'x'.repeat(1000)}`;
    const html = `<p><a href="${long}">long</a><a href="https://shop.example/short">short</a></p>`;
    const lines = [`From: ann@${DOMAIN}`, 'Subject: Hello', 'Content-Type: text/html; charset=utf-8', '', html];
    await bed.send({ ...YES, to: 'f@example.net', message: lines.join('\r\n') }, `/v3/${DOMAIN}/messages.mime`);
    const [first, second] = hrefs((await received('f@example.net')).html);
    assert.equal(first, long);
    assert.equal((await hit(second!)).headers.get('location'), 'https://shop.example/short');
  });
});

describe('a link', () => {
  it('leads nowhere when it was changed, or made for another purpose', async () => {
    await bed.send({ ...YES, to: 'g@example.net', html: HTML });
    const { html } = await received('g@example.net');
    const url = hrefs(html)[1]!;
    const token = url.slice(url.lastIndexOf('/') + 1);
    const changed = [...token].map(
      (letter, at) => token.slice(0, at) + (letter === 'A' ? 'B' : 'A') + token.slice(at + 1),
    );
    const forged = Buffer.from(token, 'base64url');
    const elsewhere = Buffer.from(forged.toString('latin1').replace('shop.example', 'evil.example'), 'latin1');
    const image = pixelOf(html).split('/').at(-1)!;
    const wrong = [...changed, elsewhere.toString('base64url'), token.slice(0, -1), `${token}A`, image, 'x'];
    for (const one of wrong) {
      const answer = await hit(`${BASE}/c/${one}?url=https://evil.example`);
      assert.deepEqual([answer.status, answer.headers.get('location')], [404, null], one);
    }
    assert.equal((await hit(`${BASE}/o/${token}`)).status, 404);
  });

  it('ends with its domain, and does not come back with another of the same name', async () => {
    const name = 'short.example.com';
    await bed.verify(name);
    const letter = { from: `ann@${name}`, to: 'h@example.net', html: HTML, ...YES };
    await bed.send(letter, `/v3/${name}/messages`);
    await bed.eventsOf('h@example.net');
    const { html } = await received('h@example.net');
    assert.equal((await hit(hrefs(html)[1]!)).status, 302);
    await bed.app.call(`DELETE /v3/domains/${name}`);
    bed.app.clock.advance(11_000);
    assert.equal((await hit(hrefs(html)[1]!)).status, 404);
    assert.equal((await hit(pixelOf(html))).status, 404);
    await bed.verify(name);
    bed.app.clock.advance(11_000);
    assert.equal((await hit(hrefs(html)[1]!)).status, 404);
  });
});

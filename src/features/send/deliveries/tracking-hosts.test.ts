// Links on a host of the domain: only where its DNS leads here, and only for its own links.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const TARGET = 'mail.example.com';
const bed = liveBed({ settings: { GALLEY_PUBLIC_URL: `https://${TARGET}` } });
const HOST = `email.${DOMAIN}`;
const OTHER = 'shop.example.org';
const HTML = '<p><a href="https://shop.example/two">2</a></p>';

interface Links {
  click: string;
  open: string;
}

async function linksOf(recipient: string): Promise<Links> {
  await bed.eventsOf(recipient);
  const until = Date.now() + 90_000;
  while (bed.taken(recipient).length === 0 && Date.now() < until) await new Promise((go) => setTimeout(go, 20));
  const { html = '' } = await parseMime(Buffer.from(bed.taken(recipient)[0]!.raw, 'latin1'));
  return { click: /href="([^"]*)/.exec(html)![1]!, open: /<img src="([^"]*)/.exec(html)![1]! };
}

/** What a host answers for the path of a link. */
function ask(host: string, url: string): Promise<{ status: number; location: string | undefined }> {
  const { pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request(bed.app.url + pathname, { headers: { host, 'user-agent': 'Firefox/1' } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode!, location: answer.headers.location });
    });
    asked.on('error', reject).end();
  });
}

const linksView = async () => (await bed.app.call(`GET /v3/domains/${DOMAIN}/tracking`)).body.tracking.links;
const look = () => bed.app.call(`PUT /v4/domains/${DOMAIN}/verify`);
const send = (recipient: string) => bed.send({ to: recipient, html: HTML, 'o:tracking': 'yes' });

async function addOther(): Promise<Record<string, string>> {
  const { id } = (await bed.app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  const headers = { 'x-service-account-id': id };
  const { body } = await bed.app.call('POST /v4/domains', { headers, body: { name: OTHER, web_prefix: 'links' } });
  for (const { name, value, record_type: type } of body.sending_dns_records) bed.zone[name] = { [type]: [value] };
  await bed.app.call(`PUT /v4/domains/${OTHER}/verify`, { headers });
  return headers;
}

describe('the tracking host of a domain', () => {
  it('is used once its CNAME record is seen, and while DNS is silent', async () => {
    const links = { start_with: `https://${TARGET}`, host: HOST, host_target: TARGET, is_host_used: false };
    assert.deepEqual(await linksView(), links);
    const { sending_dns_records: records } = (await look()).body;
    const record = records.find(({ purpose }: any) => purpose === 'tracking');
    assert.deepEqual(record, {
      is_active: false,
      cached: [],
      name: HOST,
      record_type: 'CNAME',
      valid: 'invalid',
      value: TARGET,
      purpose: 'tracking',
      is_needed: false,
    });
    await send('a@example.net');
    assert.ok((await linksOf('a@example.net')).click.startsWith(`https://${TARGET}/c/`));

    bed.zone[HOST] = { CNAME: ['elsewhere.example'] };
    await look();
    assert.deepEqual(await linksView(), links);
    bed.zone[HOST] = { CNAME: [`${TARGET.toUpperCase()}.`] };
    assert.equal((await look()).body.domain.state, 'active');
    assert.deepEqual(await linksView(), { ...links, start_with: `http://${HOST}`, is_host_used: true });
    await send('b@example.net');
    const { click, open } = await linksOf('b@example.net');
    assert.ok(click.startsWith(`http://${HOST}/c/`), click);
    assert.ok(open.startsWith(`http://${HOST}/o/`), open);
    bed.zone[HOST] = { fails: 'ESERVFAIL' };
    await look();
    assert.equal((await linksView()).is_host_used, true);
    bed.zone[HOST] = {};
    await look();
    assert.deepEqual(await linksView(), links);
    bed.zone[HOST] = { CNAME: [TARGET] };
    await look();
  });

  it('answers for links of its domain alone; no host leads anywhere for another’s, or for a token that was changed', async () => {
    await send('c@example.net');
    const { click, open } = await linksOf('c@example.net');
    const headers = await addOther();
    const letter = { from: `ann@${OTHER}`, to: 'd@example.net', subject: 'Hello', html: HTML, 'o:tracking': 'yes' };
    assert.equal((await bed.app.call(`POST /v3/${OTHER}/messages`, { headers, body: letter })).status, 200);
    const others = await linksOf('d@example.net');
    assert.ok(others.click.startsWith(`http://links.${OTHER}/c/`), others.click);
    bed.app.clock.advance(11_000);

    const leads = { status: 302, location: 'https://shop.example/two' };
    const nowhere = { status: 404, location: undefined };
    for (const host of [HOST, `${HOST}:8400`, `${HOST.toUpperCase()}.`, TARGET, '127.0.0.1', 'proxy']) {
      assert.deepEqual(await ask(host, click), leads, host);
      assert.equal((await ask(host, open)).status, 200, host);
    }
    for (const host of [`links.${OTHER}`, `LINKS.${OTHER}:80`]) {
      assert.deepEqual(await ask(host, click), nowhere, host);
      assert.deepEqual(await ask(host, open), nowhere, host);
      assert.deepEqual(await ask(host, others.click), leads, host);
    }
    assert.deepEqual(await ask(HOST, others.click), nowhere);
    assert.deepEqual(await ask(HOST, others.open), nowhere);
    const token = click.slice(click.lastIndexOf('/') + 1);
    const turned = [...token].reverse().join('');
    for (const wrong of [token.slice(1), token.slice(0, -4), turned, open.split('/o/')[1]!, 'https:%2F%2Fevil.example'])
      for (const host of [HOST, TARGET]) assert.deepEqual(await ask(host, `http://x/c/${wrong}`), nowhere, wrong);
  });

  it('gets another name: links that have left go on working, and new ones wait for its record', async () => {
    await send('e@example.net');
    const before = await linksOf('e@example.net');
    assert.ok(before.click.startsWith(`http://${HOST}/c/`), before.click);
    const renamed = `go.${DOMAIN}`;
    const PUT = `PUT /v3/domains/${DOMAIN}/web_prefix`;
    const { links } = (await bed.app.call(`${PUT}?web_prefix=go&web_scheme=https`)).body;
    const service = { start_with: `https://${TARGET}`, host: renamed, host_target: TARGET, is_host_used: false };
    assert.deepEqual(links, service);
    const { sending_dns_records: records } = (await bed.app.call(`GET /v4/domains/${DOMAIN}`)).body;
    const { name, valid, cached, is_active: isActive } = records.find(({ purpose }: any) => purpose === 'tracking');
    assert.deepEqual(
      { name, valid, cached, isActive },
      { name: renamed, valid: 'unknown', cached: [], isActive: false },
    );
    await send('f@example.net');
    const between = await linksOf('f@example.net');
    assert.ok(between.click.startsWith(`https://${TARGET}/c/`), between.click);

    bed.zone[renamed] = { CNAME: [TARGET] };
    await look();
    assert.deepEqual(await linksView(), { ...service, start_with: `https://${renamed}`, is_host_used: true });
    await send('g@example.net');
    const after = await linksOf('g@example.net');
    assert.ok(after.click.startsWith(`https://${renamed}/c/`), after.click);
    bed.app.clock.advance(11_000);
    const leads = { status: 302, location: 'https://shop.example/two' };
    for (const [host, { click, open }] of [
      [HOST, before],
      [TARGET, between],
      [renamed, after],
    ] as const) {
      assert.deepEqual(await ask(host, click), leads, host);
      assert.equal((await ask(host, open)).status, 200, host);
    }
    await bed.app.call(`${PUT}?web_prefix=email&web_scheme=http`);
    await look();
    assert.equal((await linksView()).start_with, `http://${HOST}`);
  });

  it('ends with its account', async () => {
    const others = await linksOf('d@example.net');
    const { subaccounts } = (await bed.app.call('GET /v5/accounts/subaccounts')).body;
    const { id } = subaccounts.find(({ name }: any) => name === 'Other');
    assert.equal((await ask(`links.${OTHER}`, others.click)).status, 302);
    const act = (request: string, headers = {}) => bed.app.call(request, { headers });
    const gone = async () => {
      bed.app.clock.advance(11_000);
      for (const host of [`links.${OTHER}`, TARGET])
        for (const url of [others.click, others.open])
          assert.deepEqual(await ask(host, url), { status: 404, location: undefined }, host + url.slice(0, 30));
    };
    assert.equal((await act(`POST /v5/accounts/subaccounts/${id}/disable`)).status, 200);
    await gone();
    assert.equal((await act(`POST /v5/accounts/subaccounts/${id}/enable`)).status, 200);
    bed.app.clock.advance(11_000);
    assert.equal((await ask(TARGET, others.click)).status, 302);
    const closed = await act('DELETE /v5/accounts/subaccounts', { 'x-mailgun-on-behalf-of': id });
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    await gone();
  });
});

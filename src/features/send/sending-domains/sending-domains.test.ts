import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { authenticate, signDkim } from '../../../engines/mail-authentication/index.ts';
import { createZoneDns, type DeclaredZone, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { declaredZoneOf, dkimKeysOf, findVerifiedDomain, sandboxNameOf } from './index.ts';

let zone: DeclaredZone = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let accountId = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_SMTP_HELO: 'out.galley.test' }, { dns });
  accountId = ((await app.galley.outside.db.text('select id from accounts')).rows as { id: string }[])[0]!.id;
});
after(() => app.close());

const GMT = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

async function publish(name: string): Promise<void> {
  const { body } = await app.call(`GET /v4/domains/${name}`);
  zone = Object.fromEntries(
    body.sending_dns_records.map((record: { name: string; value: string }) => [record.name, { TXT: [record.value] }]),
  );
}

describe('POST /v4/domains', () => {
  it('answers with the domain, unverified, and the records to publish', async () => {
    const { status, body } = await app.call('POST /v4/domains', {
      body: { name: 'News.Example.COM', dkim_selector: 's1' },
    });
    assert.equal(status, 200);
    const { id, created_at, ...domain } = body.domain;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.match(created_at, GMT);
    const next = new Date(Date.parse(created_at) + 60_000).toUTCString();
    assert.deepEqual(domain, {
      name: 'news.example.com',
      type: 'custom',
      state: 'unverified',
      is_disabled: false,
      disabled: null,
      require_tls: false,
      skip_verification: false,
      smtp_login: 'postmaster@news.example.com',
      spam_action: 'disabled',
      use_automatic_sender_security: false,
      tracking_host: 'email.news.example.com',
      web_prefix: 'email',
      web_scheme: 'http',
      wildcard: false,
      encrypt_incoming_message: false,
      message_ttl: 259200,
      verified_at: null,
      checked_at: null,
      next_check_at: next,
    });
    assert.equal(body.message, 'Domain DNS records have been created');
    const [spf, dkim, dmarc] = body.sending_dns_records;
    assert.deepEqual(spf, {
      is_active: false,
      cached: [],
      name: 'news.example.com',
      record_type: 'TXT',
      valid: 'unknown',
      value: 'v=spf1 a:out.galley.test ~all',
      purpose: 'spf',
      is_needed: false,
    });
    assert.equal(dkim.name, 's1._domainkey.news.example.com');
    assert.match(dkim.value, /^v=DKIM1; k=rsa; p=MII[A-Za-z0-9+/=]{300,}$/);
    assert.equal(dkim.is_needed, true);
    assert.deepEqual([dmarc.name, dmarc.value], ['_dmarc.news.example.com', 'v=DMARC1; p=none']);
    assert.deepEqual(body.receiving_dns_records, [
      {
        is_active: false,
        cached: [],
        name: 'news.example.com',
        priority: '10',
        record_type: 'MX',
        valid: 'unknown',
        value: 'galley.localhost',
        purpose: 'mx',
        is_needed: false,
      },
    ]);
  });

  it('takes a form, as existing clients send it', async () => {
    const form = new FormData();
    form.set('name', 'form.example.com');
    form.set('dkim_key_size', '1024');
    form.set('wildcard', 'true');
    const response = await fetch(`${app.url}/v3/domains`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
    });
    const body = (await response.json()) as { domain: { wildcard: boolean }; sending_dns_records: { value: string }[] };
    assert.equal(response.status, 200);
    assert.equal(body.domain.wildcard, true);
    assert.ok(body.sending_dns_records[1]!.value.length < 260);
  });

  const wrong: [name: string, message: RegExp][] = [
    ['', /name must be a domain name/],
    ['localhost', /name must be/],
    ['a b.com', /name must be/],
    ['192.0.2.1', /name must be/],
    ['bücher.example', /xn--/],
    ['news.example.com', /already in use/],
    ['-x.example.com', /name must be/],
    ['sandbox0123456789ab.galley.localhost', /is a sandbox, which Galley makes itself/],
  ];
  for (const [name, message] of wrong) {
    it(`refuses "${name}"`, async () => {
      const { status, body } = await app.call('POST /v4/domains', { body: { name } });
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.equal(body.Reason, body.message);
    });
  }

  it('keeps the private key encrypted, with a key that only the owner can read', async () => {
    const rows = (await app.galley.outside.db.text('select private_key from dkim_keys')).rows as {
      private_key: string;
    }[];
    assert.ok(rows.length > 0);
    for (const { private_key: sealed } of rows) assert.match(sealed, /^v1\.[A-Za-z0-9_-]+$/);
    const path = join(app.galley.outside.config.dataDir, 'secret.key');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, 'utf8'), /^[0-9a-f]{64}\n$/);
  });
});

describe('PUT /v4/domains/{name}/verify', () => {
  it('says record by record what DNS holds', async () => {
    zone = {
      'news.example.com': { TXT: ['v=spf1 include:other.test -all'] },
      '_dmarc.news.example.com': { fails: 'ESERVFAIL' },
    };
    const { body } = await app.call('PUT /v4/domains/news.example.com/verify');
    assert.equal(body.message, 'Domain DNS records have been updated');
    assert.equal(body.domain.state, 'unverified');
    assert.deepEqual(
      body.sending_dns_records.map((record: any) => [record.purpose, record.valid, record.is_active, record.cached]),
      [
        ['spf', 'invalid', false, ['v=spf1 include:other.test -all']],
        ['dkim', 'invalid', false, []],
        ['dmarc', 'unknown', false, []],
      ],
    );
  });

  it('activates a domain whose key is published, and only then may mail be sent as it', async () => {
    const { outside } = app.galley;
    assert.equal(await findVerifiedDomain(outside, accountId, 'ann@news.example.com'), undefined);
    await publish('news.example.com');
    const { body } = await app.call('PUT /v3/domains/news.example.com/verify');
    assert.equal(body.domain.state, 'active');
    assert.match(body.domain.verified_at, GMT);
    assert.ok(body.sending_dns_records.every((record: any) => record.valid === 'valid' && record.is_active));
    const domain = await findVerifiedDomain(outside, accountId, 'Ann@News.Example.com');
    assert.equal(domain?.name, 'news.example.com');
    assert.equal(await findVerifiedDomain(outside, 'another-account', 'ann@news.example.com'), undefined);
  });

  it('keeps an active domain while DNS is silent, and not when the key is gone', async () => {
    zone = { 's1._domainkey.news.example.com': { fails: 'ETIMEOUT' } };
    assert.equal((await app.call('PUT /v4/domains/news.example.com/verify')).body.domain.state, 'active');
    zone = {};
    assert.equal((await app.call('PUT /v4/domains/news.example.com/verify')).body.domain.state, 'unverified');
  });

  it('accepts a record that says the same in other words, and no other key', async () => {
    await publish('news.example.com');
    const dkim = zone['s1._domainkey.news.example.com']!.TXT![0] as string;
    zone = {
      's1._domainkey.news.example.com': {
        TXT: [[` v = DKIM1;p=${dkim.split('p=')[1]!.slice(0, 100)}`, ` ${dkim.split('p=')[1]!.slice(100)};`]],
      },
      'news.example.com': { TXT: ['x', 'V=spf1 mx +A:out.galley.test -all'] },
    };
    const records = (await app.call('PUT /v4/domains/news.example.com/verify')).body.sending_dns_records;
    assert.deepEqual(
      records.map((record: any) => record.valid),
      ['valid', 'valid', 'invalid'],
    );
    zone = { 's1._domainkey.news.example.com': { TXT: [dkim.replace('p=MII', 'p=MIJ')] } };
    assert.equal((await app.call('PUT /v4/domains/news.example.com/verify')).body.domain.state, 'unverified');
  });
});

describe('a domain that several accounts have added', () => {
  const NAME = 'contested.example.com';
  const accounts: Record<string, string>[] = [];
  before(async () => {
    for (const name of ['One', 'Two', 'Three'])
      accounts.push({
        'x-service-account-id': (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount.id,
      });
  });
  const ask = (n: number, operation: string, body?: object) =>
    app.call(operation, { headers: accounts[n] as Record<string, string>, ...(body && { body }) });
  const stateOf = async (n: number): Promise<string> => (await ask(n, `GET /v4/domains/${NAME}`)).body.domain.state;
  const dkimOf = async (n: number) =>
    (await ask(n, `GET /v4/domains/${NAME}`)).body.sending_dns_records.find((record: any) => record.purpose === 'dkim');
  const verify = async (n: number): Promise<string> =>
    (await ask(n, `PUT /v4/domains/${NAME}/verify`)).body.domain.state;

  it('locks nobody out, and tells nobody that the others are there', async () => {
    const answers = [];
    for (const n of [0, 1]) answers.push(await ask(n, 'POST /v4/domains', { name: NAME }));
    const shape = ({ status, body }: any) => [
      status,
      body.message,
      { ...body.domain, id: '', created_at: '', next_check_at: '' },
    ];
    assert.deepEqual(shape(answers[1]), shape(answers[0]));
    assert.equal(answers[1]?.status, 200);
    const again = await ask(0, 'POST /v4/domains', { name: NAME });
    assert.deepEqual(
      [again.status, again.body.message],
      [400, `The domain ${NAME} is already in use in this account.`],
    );
  });

  it('belongs to the account that verifies it; one without its own record in DNS does not get it', async () => {
    const records = [await dkimOf(0), await dkimOf(1)];
    assert.notEqual(records[0].value, records[1].value);
    zone = { [records[0].name]: { TXT: [records[0].value] } };
    assert.deepEqual([await verify(1), await verify(0), await verify(1)], ['unverified', 'active', 'unverified']);
    assert.equal(await stateOf(0), 'active');
    // A third may still add it, and hears nothing of the one who has it.
    assert.deepEqual([(await ask(2, 'POST /v4/domains', { name: NAME })).status, await verify(2)], [200, 'unverified']);
    assert.equal(await stateOf(0), 'active');
  });

  it('goes to the one that verifies it next: the one before it may not send as it any more', async () => {
    const [one, two] = [await dkimOf(0), await dkimOf(1)];
    zone = { [one.name]: { TXT: [one.value] }, [two.name]: { TXT: [two.value] } };
    assert.deepEqual([await verify(1), await stateOf(0)], ['active', 'unverified']);
    const [first, second] = accounts.map((headers) => headers['x-service-account-id'] as string);
    const { outside } = app.galley;
    assert.equal(await findVerifiedDomain(outside, first as string, `a@${NAME}`), undefined);
    assert.equal((await findVerifiedDomain(outside, second as string, `a@${NAME}`))?.name, NAME);
    zone = { [one.name]: { fails: 'ETIMEOUT' } };
    assert.equal(await verify(0), 'unverified', 'a silent DNS gives nothing back');
    zone = { [two.name]: { TXT: [two.value] } };
    assert.deepEqual([await verify(0), await stateOf(1)], ['unverified', 'active']);
  });

  it('has one owner also when several verify at the same time', async () => {
    const records = [await dkimOf(0), await dkimOf(1), await dkimOf(2)];
    zone = Object.fromEntries(records.map(({ name, value }) => [name, { TXT: [value] }]));
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([0, 1, 2].map((n) => ask(n, `PUT /v4/domains/${NAME}/verify`)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.deepEqual((await Promise.all([0, 1, 2].map(stateOf))).sort(), ['active', 'unverified', 'unverified']);
    }
  });
});

describe('GET /v4/domains', () => {
  it('lists with filters, the sandbox among them', async () => {
    const { body } = await app.call('GET /v4/domains?sort=name');
    const sandbox = sandboxNameOf(app.galley.outside, accountId);
    assert.equal(body.total_count, 3);
    assert.deepEqual(
      body.items.map((item: any) => item.name),
      ['form.example.com', 'news.example.com', sandbox],
    );
    assert.deepEqual(
      body.items.filter((item: any) => item.state === 'active').map((item: any) => [item.name, item.type]),
      [[sandbox, 'sandbox']],
    );
    assert.deepEqual(
      (await app.call('GET /v3/domains?search=NEWS&limit=1')).body.items.map((item: any) => item.name),
      ['news.example.com'],
    );
    assert.deepEqual((await app.call('GET /v4/domains?state=unverified&sort=name:desc&skip=1')).body, {
      total_count: 2,
      items: [body.items[0]],
    });
    assert.equal((await app.call('GET /v4/domains?limit=0')).status, 400);
  });

  it('does not know what belongs to nobody or to others', async () => {
    const { status, body } = await app.call('GET /v4/domains/gone.example.com');
    assert.deepEqual([status, body], [404, { message: 'Domain not found' }]);
    const sub = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'other' } });
    assert.equal(sub.status, 200);
    assert.equal(
      (
        await app.call('GET /v4/domains/news.example.com', {
          headers: { 'x-service-account-id': sub.body.subaccount.id },
        })
      ).status,
      404,
    );
  });
});

describe('mail as a domain', () => {
  it('of the sandbox authenticates where its records are taken as published', async () => {
    const { outside } = app.galley;
    const name = sandboxNameOf(outside, accountId);
    const domain = (await findVerifiedDomain(outside, accountId, `a@${name}`))!;
    const raw = signDkim(
      Buffer.from(`From: a@${name}\r\nTo: b@example.com\r\nSubject: x\r\n\r\nx\r\n`),
      await dkimKeysOf(outside, domain),
      outside.clock.now(),
    );
    const declared = await declaredZoneOf(outside, domain, '203.0.113.5');
    const verdict = await authenticate(raw, {
      ip: '203.0.113.5',
      helo: 'out.galley.test',
      mailFrom: `bounce@${name}`,
      mta: 'mx.test',
      dns: createZoneDns(declared),
      now: outside.clock.now(),
    });
    assert.deepEqual(
      [verdict.spf.result, verdict.dkim.map(({ result }) => result), verdict.dmarc.result, verdict.reverseDns.result],
      ['pass', ['pass'], 'pass', 'pass'],
    );
  });
});

describe('DELETE /v3/domains/{name}', () => {
  it('deletes the domain with its keys', async () => {
    assert.deepEqual((({ status, body }) => [status, body])(await app.call('DELETE /v3/domains/form.example.com')), [
      200,
      { message: 'Domain has been deleted' },
    ]);
    assert.equal((await app.call('GET /v4/domains/form.example.com')).status, 404);
    assert.deepEqual((({ status, body }) => [status, body])(await app.call('DELETE /v3/domains/form.example.com')), [
      404,
      { message: 'Domain not found' },
    ]);
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { authenticate, signDkim } from '../../../engines/mail-authentication/index.ts';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App, type Call } from '../../../../test/harness/start-app.ts';
import { dkimKeysOf, findDomain } from './index.ts';

const NAME = 'keys.example.com';
const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let accountId = '';
let stranger: Record<string, string>;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' }, { dns });
  accountId = ((await app.galley.outside.db.text('select id from accounts')).rows as { id: string }[])[0]!.id;
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  stranger = { 'x-service-account-id': body.subaccount.id };
  await app.call('POST /v4/domains', { body: { name: NAME, dkim_selector: 'S1' } });
});
after(() => app.close());

const call = async (operation: string, call?: Call) => {
  const { status, body } = await app.call(operation, call);
  return { status, body };
};
const keysOf = async (name: string): Promise<any[]> => (await call(`GET /v4/domains/${name}/keys`)).body.items;
const shortOf = (keys: any[]): [string, boolean, string][] =>
  keys.map(({ selector, active, dns_record: { valid } }) => [selector, active, valid]);
const selectorsOf = (keys: any[]): string[] => keys.map(({ selector }) => selector);
function publish(...keys: any[]): void {
  for (const { dns_record: record } of keys) zone[record.name] = { TXT: [record.value] };
}
/** What our own receivers say of a message that the domain signs now. */
async function verdicts(name: string): Promise<[domain: string, selector: string, result: string][]> {
  const { outside } = app.galley;
  const domain = await findDomain(outside.db, accountId, name);
  assert.ok(domain);
  const message = `From: Ann <ann@${name}>\r\nTo: bob@example.net\r\nSubject: Roses\r\n\r\nIn flower.\r\n`;
  const raw = signDkim(Buffer.from(message), await dkimKeysOf(outside, domain), app.clock.now());
  const { dkim } = await authenticate(raw, {
    ip: '192.0.2.1',
    helo: 'out.test',
    mailFrom: `ann@${name}`,
    mta: 'mx.test',
    dns,
    now: app.clock.now(),
  });
  return dkim.map(({ domain: signer, selector, result }) => [String(signer), String(selector), result]);
}

describe('POST /v1/dkim/keys', () => {
  it('makes a key that signs nothing yet, and says what to publish', async () => {
    const { status, body } = await call('POST /v1/dkim/keys', {
      body: { signing_domain: 'Keys.Example.com', selector: 'Spring', bits: 1024 },
    });
    assert.equal(status, 200);
    const { created_at, dns_record, ...key } = body;
    assert.match(created_at, / GMT$/);
    assert.deepEqual(key, { signing_domain: NAME, selector: 'spring', active: false });
    const { value, ...record } = dns_record;
    assert.match(value, /^v=DKIM1; k=rsa; p=MIGf[A-Za-z0-9+/=]{200,220}$/);
    assert.deepEqual(record, {
      is_active: false,
      cached: [],
      name: 'spring._domainkey.keys.example.com',
      record_type: 'TXT',
      valid: 'unknown',
    });
  });

  it('takes your own key as a text and as a file, RSA or Ed25519, and keeps it encrypted', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const text = rsa.export({ type: 'pkcs1', format: 'pem' }).toString();
    const one = await call('POST /v1/dkim/keys', { body: { signing_domain: NAME, selector: 'own', pem: text } });
    assert.match(one.body.dns_record.value, /^v=DKIM1; k=rsa; p=MIIB/);
    const edwards = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const form = new FormData();
    form.set('signing_domain', NAME);
    form.set('selector', 'own-ed');
    form.set('pem', new File([edwards], 'key.pem'));
    const two = await call('POST /v1/dkim/keys', { body: form });
    assert.match(two.body.dns_record.value, /^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/);
    const { rows } = await app.galley.outside.db.text('select private_key from dkim_keys');
    for (const { private_key: sealed } of rows as { private_key: string }[]) assert.match(sealed, /^v1\.[\w-]+$/);
    for (const selector of ['own', 'own-ed'])
      assert.equal((await call(`DELETE /v1/dkim/keys?signing_domain=${NAME}&selector=${selector}`)).status, 200);
  });

  const shortKey = generateKeyPairSync('rsa', { modulusLength: 768 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const wrong: [body: object, status: number, message: RegExp][] = [
    [{}, 400, /^signing_domain is required/],
    [{ signing_domain: NAME }, 400, /^selector must be 1 to 63 letters/],
    [{ signing_domain: NAME, selector: 'a.b' }, 400, /^selector must be/],
    [{ signing_domain: NAME, selector: 'SPRING' }, 400, /^selector must be another one/],
    [{ signing_domain: NAME, selector: 'new', bits: 512 }, 400, /^bits must be one of 1024, 2048/],
    [{ signing_domain: NAME, selector: 'new', pem: 'wax' }, 400, /^pem must be a private key/],
    [{ signing_domain: NAME, selector: 'new', pem: shortKey }, 400, /^pem must be an RSA key of 1024/],
    [{ signing_domain: NAME, selector: 'new', pem: 'x'.repeat(20_000) }, 400, /^pem must have at most 16384/],
    [{ signing_domain: 'gone.example.com', selector: 'new' }, 404, /^Domain not found$/],
  ];
  for (const [body, status, message] of wrong)
    it(`refuses ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const answer = await call('POST /v1/dkim/keys', { body });
      assert.deepEqual([answer.status, message.test(answer.body.message)], [status, true], answer.body.message);
    });

  it('refuses the eleventh key of a domain, also of those that ask at once', async () => {
    await call('POST /v4/domains', { body: { name: 'full.example.com' } });
    const asked = Array.from({ length: 11 }, (_, place) =>
      call('POST /v1/dkim/keys', { body: { signing_domain: 'full.example.com', selector: `k${place}`, bits: 1024 } }),
    );
    const answers = await Promise.all(asked);
    assert.equal(answers.filter(({ status }) => status === 200).length, 9);
    assert.match(answers.find(({ status }) => status !== 200)!.body.message, /^A domain may have 10 keys/);
    assert.equal((await call('DELETE /v3/domains/full.example.com')).status, 200);
  });
});

describe('a key', () => {
  it('is not activated before its record is in DNS', async () => {
    const path = `PUT /v4/domains/${NAME}/keys/spring/activate`;
    const missing = await call(path);
    assert.equal(missing.status, 400);
    assert.match(
      missing.body.message,
      /^domain key cannot be activated: its record is not in DNS\. Publish TXT spring\._domainkey\.keys\.example\.com "v=DKIM1/,
    );
    zone[`spring._domainkey.${NAME}`] = { fails: 'ETIMEOUT' };
    assert.match((await call(path)).body.message, /DNS did not answer/);
    const [first, spring] = await keysOf(NAME);
    publish(first, { dns_record: { ...spring.dns_record, value: first.dns_record.value } });
    assert.match((await call(path)).body.message, /its record is not in DNS/, 'another key under its name');
    assert.equal((await call(`PUT /v4/domains/${NAME}/verify`)).body.domain.state, 'active');
    assert.deepEqual(shortOf(await keysOf(NAME)), [
      ['s1', true, 'valid'],
      ['spring', false, 'invalid'],
    ]);
  });

  it('signs from its activation on, beside the others, and no longer after its deactivation', async () => {
    assert.deepEqual(await verdicts(NAME), [[NAME, 's1', 'pass']]);
    publish((await keysOf(NAME))[1]);
    const active = { message: 'domain key activated', authority: NAME, selector: 'spring', active: true };
    for (const selector of ['spring', 'SPRING'])
      assert.deepEqual(await call(`PUT /v4/domains/${NAME}/keys/${selector}/activate`), { status: 200, body: active });
    assert.deepEqual(shortOf(await keysOf(NAME)), [
      ['s1', true, 'valid'],
      ['spring', true, 'valid'],
    ]);
    assert.deepEqual((await verdicts(NAME)).toSorted(), [
      [NAME, 's1', 'pass'],
      [NAME, 'spring', 'pass'],
    ]);
    const records = (await call(`GET /v4/domains/${NAME}`)).body.sending_dns_records;
    assert.deepEqual(
      records.filter(({ purpose }: any) => purpose === 'dkim').map(({ name, valid }: any) => [name, valid]),
      [
        ['s1._domainkey.keys.example.com', 'valid'],
        ['spring._domainkey.keys.example.com', 'valid'],
      ],
    );
    assert.deepEqual((await call(`PUT /v4/domains/${NAME}/keys/s1/deactivate`)).body, {
      message: 'domain key deactivated',
      authority: NAME,
      selector: 's1',
      active: false,
    });
    assert.deepEqual(await verdicts(NAME), [[NAME, 'spring', 'pass']]);
  });

  it('stays active when it is the last one, also when two are asked for at once', async () => {
    const last = await call(`PUT /v4/domains/${NAME}/keys/spring/deactivate`);
    assert.deepEqual(last, {
      status: 400,
      body: { message: 'cannot deactivate domain key: must have at least one active domain key' },
    });
    assert.deepEqual(await call(`DELETE /v1/dkim/keys?signing_domain=${NAME}&selector=spring`), {
      status: 400,
      body: { message: 'cannot delete domain key: must have at least one active domain key' },
    });
    await call(`PUT /v4/domains/${NAME}/keys/s1/activate`);
    const both = await Promise.all(
      ['s1', 'spring'].map((selector) => call(`PUT /v4/domains/${NAME}/keys/${selector}/deactivate`)),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400]);
    assert.equal((await keysOf(NAME)).filter(({ active }) => active).length, 1);
    for (const selector of ['s1', 'spring']) await call(`PUT /v4/domains/${NAME}/keys/${selector}/activate`);
  });

  it('is refused as the fourth active one', async () => {
    for (const selector of ['third', 'fourth']) {
      const { body } = await call('POST /v1/dkim/keys', { body: { signing_domain: NAME, selector, bits: 1024 } });
      publish(body);
    }
    assert.equal((await call(`PUT /v4/domains/${NAME}/keys/third/activate`)).status, 200);
    const { status, body } = await call(`PUT /v4/domains/${NAME}/keys/fourth/activate`);
    assert.deepEqual([status, /3 keys are active/.test(body.message)], [400, true], body.message);
    for (const selector of ['third', 'fourth'])
      assert.deepEqual(await call(`DELETE /v1/dkim/keys?signing_domain=${NAME}&selector=${selector}`), {
        status: 200,
        body: { message: 'success' },
      });
  });

  it('is not there for another account, and neither is one that was never made', async () => {
    const missing = { status: 404, body: { message: 'domain key not found' } };
    assert.deepEqual(await call(`PUT /v4/domains/${NAME}/keys/none/activate`), missing);
    assert.deepEqual(await call(`PUT /v4/domains/${NAME}/keys/none/deactivate`), missing);
    assert.deepEqual(await call(`DELETE /v1/dkim/keys?signing_domain=${NAME}&selector=none`), missing);
    const headers = stranger;
    for (const operation of [
      `GET /v4/domains/${NAME}/keys`,
      `PUT /v4/domains/${NAME}/keys/s1/activate`,
      `PUT /v4/domains/${NAME}/keys/s1/deactivate`,
      `DELETE /v1/dkim/keys?signing_domain=${NAME}&selector=s1`,
      `PUT /v3/domains/${NAME}/dkim_authority?self=true`,
      `PUT /v3/domains/${NAME}/dkim_selector?dkim_selector=x`,
    ])
      assert.deepEqual(await call(operation, { headers }), { status: 404, body: { message: 'Domain not found' } });
    const body = { signing_domain: NAME, selector: 'theirs' };
    assert.equal((await call('POST /v1/dkim/keys', { headers, body })).status, 404);
    assert.deepEqual((await call('GET /v1/dkim/keys', { headers })).body.items, []);
  });
});

describe('GET /v1/dkim/keys', () => {
  it('pages over the keys of all domains', async () => {
    await call('POST /v4/domains', { body: { name: 'more.example.com', dkim_selector: 's1' } });
    const all = (await call('GET /v1/dkim/keys?page=&limit=')).body.items;
    assert.deepEqual(selectorsOf(all).toSorted(), ['s1', 's1', 'spring']);
    const first = (await call('GET /v1/dkim/keys?limit=2')).body;
    const next = await app.call(`GET ${new URL(first.paging.next).pathname}${new URL(first.paging.next).search}`);
    assert.deepEqual([...first.items, ...next.body.items], all);
    const previous = new URL(next.body.paging.previous);
    assert.deepEqual((await call(`GET ${previous.pathname}${previous.search}`)).body.items, first.items);
    assert.deepEqual(selectorsOf((await call(`GET /v1/dkim/keys?signing_domain=${NAME}&selector=Spring`)).body.items), [
      'spring',
    ]);
    for (const [query, message] of [
      ['limit=0', /^limit must be a whole number from 1 to 1000/],
      ['page=third', /^page must be one of/],
      ['page=next', /^key is required/],
    ] as const) {
      const { status, body } = await call(`GET /v1/dkim/keys?${query}`);
      assert.deepEqual([status, message.test(body.message)], [400, true], body.message);
    }
  });
});

describe('PUT /v3/domains/{name}/dkim_selector', () => {
  it('lets another key of the domain sign, once DNS shows its record', async () => {
    const { body } = await call('POST /v1/dkim/keys', { body: { signing_domain: NAME, selector: 'summer' } });
    await call(`PUT /v4/domains/${NAME}/keys/spring/deactivate`);
    const path = `PUT /v3/domains/${NAME}/dkim_selector?dkim_selector=summer`;
    const refused = await call(path);
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /^DKIM selector was not changed: its record is not in DNS/);
    publish(body);
    assert.deepEqual(await call(path), { status: 200, body: { message: 'DKIM selector changed' } });
    assert.deepEqual(await verdicts(NAME), [[NAME, 'summer', 'pass']]);
  });

  it('gives the key that signs another selector where there is none under it', async () => {
    const body = { dkim_selector: 'autumn' };
    const path = `PUT /v3/domains/${NAME}/dkim_selector`;
    assert.match((await call(path, { body })).body.message, /Publish TXT autumn\._domainkey\.keys\.example\.com/);
    const summer = (await keysOf(NAME)).find(({ selector }) => selector === 'summer');
    zone[`autumn._domainkey.${NAME}`] = { TXT: [summer.dns_record.value] };
    assert.equal((await call(path, { body })).status, 200);
    assert.deepEqual(await verdicts(NAME), [[NAME, 'autumn', 'pass']]);
    // Nobody has published anything of a domain that is not verified.
    await call('PUT /v3/domains/more.example.com/dkim_selector?dkim_selector=two');
    assert.deepEqual(selectorsOf(await keysOf('more.example.com')), ['two']);
    const wrong = await call(path, { body: { dkim_selector: 'a b' } });
    assert.deepEqual([wrong.status, wrong.body.message.startsWith('dkim_selector must be')], [400, true]);
  });
});

describe('PUT /v3/domains/{name}/dkim_authority', () => {
  const SUB = `sub.${NAME}`;
  const dkimNames = (body: any): string[] =>
    body.sending_dns_records.filter(({ purpose }: any) => purpose === 'dkim').map(({ name }: any) => name);

  it('leaves a domain below a verified one to the keys of that one, unless its own are asked for', async () => {
    const { body } = await call('POST /v4/domains', { body: { name: SUB } });
    assert.deepEqual(dkimNames(body), [`autumn._domainkey.${NAME}`]);
    assert.equal((await call(`PUT /v4/domains/${SUB}/verify`)).body.domain.state, 'active');
    assert.deepEqual(await verdicts(SUB), [[NAME, 'autumn', 'pass']]);
    const own = await call('POST /v4/domains', {
      body: { name: `own.${NAME}`, force_dkim_authority: true, dkim_selector: 'mine' },
    });
    assert.deepEqual(dkimNames(own.body), [`mine._domainkey.own.${NAME}`]);
  });

  it('changes it when DNS shows the keys that would sign', async () => {
    const path = `PUT /v3/domains/${SUB}/dkim_authority`;
    const refused = await call(`${path}?self=yes`);
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /^DKIM authority was not changed: publish TXT galley/);
    publish(...(await keysOf(SUB)));
    const { status, body } = await call(path, { body: { self: true } });
    assert.deepEqual(
      [status, body.message, body.changed, dkimNames(body).length],
      [200, 'Domain DKIM authority has been changed', true, 1],
    );
    assert.deepEqual((await call(path, { body: { self: 'true' } })).body.changed, false);
    assert.deepEqual(
      (await verdicts(SUB)).map(([domain, , result]) => [domain, result]),
      [[SUB, 'pass']],
    );
    assert.equal((await call(`${path}?self=false`)).body.changed, true);
    assert.match((await call(`${path}?self=maybe`)).body.message, /^self must be one of true, false, yes, no/);
    assert.match(
      (await call(`PUT /v3/domains/${NAME}/dkim_authority?self=false`)).body.message,
      /^self must be true: this account has no domain above keys\.example\.com/,
    );
  });

  it('asks for verification again when the domain above is deleted', async () => {
    assert.equal((await call(`DELETE /v3/domains/${NAME}`)).status, 200);
    const { body } = await call(`GET /v4/domains/${SUB}`);
    assert.equal(body.domain.state, 'unverified');
    assert.deepEqual(
      dkimNames(body).map((name) => name.endsWith(`._domainkey.${SUB}`)),
      [true],
    );
  });
});

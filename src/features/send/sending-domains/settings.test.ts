import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const NAME = 'settings.example.com';
const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let stranger: Record<string, string>;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' }, { dns });
  await call('POST /v4/domains', { name: NAME });
  stranger = { 'x-service-account-id': (await call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id };
});
after(() => app.close());

const call = async (operation: string, body?: unknown, headers = {}): Promise<{ status: number; body: any }> => {
  const { status, body: said } = await app.call(operation, { ...(body !== undefined && { body }), headers });
  return { status, body: said };
};
const read = async (): Promise<any> => (await call(`GET /v4/domains/${NAME}`)).body.domain;

describe('POST /v4/domains with settings of inbound mail', () => {
  it('keeps them', async () => {
    const body = {
      name: 'full.example.com',
      archive_to: 'https://archive.example.com/in',
      message_ttl: 3600,
      encrypt_incoming_message: true,
      use_automatic_sender_security: false,
      dkim_host_name: 'x.example.com',
      force_root_dkim_host: true,
    };
    const { domain } = (await call('POST /v4/domains', body)).body;
    assert.deepEqual(
      [domain.archive_to, domain.message_ttl, domain.encrypt_incoming_message, domain.use_automatic_sender_security],
      ['https://archive.example.com/in', 3600, true, false],
    );
    assert.equal((await call('DELETE /v3/domains/full.example.com')).status, 200);
  });

  const wrong: [field: object, message: RegExp][] = [
    [{ archive_to: 'ftp://archive.example.com' }, /^archive_to: ftp:.* is not a valid url: invalid URL scheme/],
    [{ archive_to: 'https://ann:secret@archive.example.com' }, /^archive_to: .* must not carry a user name or a pass/],
    [{ message_ttl: -1 }, /^message_ttl must be >= 0/],
    [
      { use_automatic_sender_security: true },
      /^use_automatic_sender_security must be false: the operator of this service has named/,
    ],
  ];
  for (const [field, message] of wrong)
    it(`refuses ${JSON.stringify(field)}, there and in a change`, async () => {
      const made = await call('POST /v4/domains', { name: 'wrong.example.com', ...field });
      assert.deepEqual([made.status, message.test(made.body.Reason)], [400, true], made.body.Reason);
      assert.equal((await call('GET /v4/domains/wrong.example.com')).status, 404);
      const changed = await call(`PUT /v4/domains/${NAME}`, field);
      assert.deepEqual([changed.status, message.test(changed.body.Reason)], [400, true], changed.body.Reason);
    });
});

describe('PUT /v4/domains/{name}', () => {
  it('changes what is given, and leaves the rest', async () => {
    const before = await read();
    const { status, body } = await call(`PUT /v4/domains/${NAME}`, { require_tls: true, spam_action: 'tag' });
    assert.equal(status, 200);
    assert.equal(body.message, 'Domain has been updated');
    assert.deepEqual(body.domain, { ...before, require_tls: true, spam_action: 'tag' });
    assert.deepEqual(await read(), body.domain);
    assert.ok(body.sending_dns_records.length >= 3 && body.receiving_dns_records.length === 1);
    const form = new FormData();
    form.set('wildcard', 'true');
    form.set('web_prefix', 'links');
    form.set('web_scheme', 'https');
    form.set('message_ttl', '60');
    form.set('archive_to', 'http://archive.example.com');
    const whole = (await call(`PUT /v3/domains/${NAME}`, form)).body.domain;
    assert.deepEqual(whole, {
      ...body.domain,
      wildcard: true,
      web_prefix: 'links',
      web_scheme: 'https',
      tracking_host: `links.${NAME}`,
      message_ttl: 60,
      archive_to: 'http://archive.example.com/',
    });
    const { archive_to: gone, ...rest } = whole;
    assert.deepEqual((await call(`PUT /v4/domains/${NAME}`, { archive_to: '' })).body.domain, rest, gone);
  });

  it('sets the password of postmaster@, makes that login where it is missing, and refuses one that is too short', async () => {
    for (const smtp_password of ['correct horse', 'another horse'])
      assert.equal((await call(`PUT /v4/domains/${NAME}`, { smtp_password })).status, 200);
    const { items } = (await call(`GET /v3/domains/${NAME}/credentials`)).body;
    assert.deepEqual(
      items.map(({ login }: any) => login),
      [`postmaster@${NAME}`],
    );
    const { status, body } = await call(`PUT /v4/domains/${NAME}`, { smtp_password: 'tiny', wildcard: false });
    assert.deepEqual([status, body.Reason], [400, 'Password is too short. It must be between 5 and 32 characters.']);
    assert.equal((await read()).wildcard, true, 'nothing of a refused change is kept');
  });

  it('is not there for another account', async () => {
    const body = { wildcard: false };
    for (const version of ['v3', 'v4']) {
      const answer = await call(`PUT /${version}/domains/${NAME}`, body, stranger);
      assert.deepEqual([answer.status, answer.body.message], [404, 'Domain not found']);
    }
    assert.equal((await read()).wildcard, true);
    const wrong = await call(`PUT /v4/domains/${NAME}`, { spam_action: 'eat' });
    assert.deepEqual([wrong.status, wrong.body.Reason], [400, 'spam_action must be one of disabled, block, tag.']);
  });
});

describe('mailfrom_host', () => {
  it('is a host below the domain, or that of the installation', async () => {
    const own = app.galley.outside.config.smtp.domain;
    assert.equal('mailfrom_host' in (await call(`PUT /v4/domains/${NAME}`, { mailfrom_host: own })).body.domain, false);
    const wrong: [host: string, message: string][] = [
      ...['bounces.example.com', NAME, `b_c.${NAME}`, `.${NAME}`, `x..${NAME}`, `x.${NAME}.evil.example`].map(
        (host): [string, string] => [
          host,
          `mailfrom_host must be a host below ${NAME}, such as bounces.${NAME}, or ${own}, or empty.`,
        ],
      ),
      [
        `links.${NAME}`,
        `mailfrom_host must not be links.${NAME}: that is the host of links, whose CNAME record leads elsewhere.`,
      ],
    ];
    for (const [host, message] of wrong) {
      const { status, body } = await call(`PUT /v4/domains/${NAME}`, { mailfrom_host: host });
      assert.deepEqual([status, body.Reason], [400, message]);
    }
    const sandbox = (await call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
    const refused = await call(`PUT /v4/domains/${sandbox}`, { mailfrom_host: `bounces.${sandbox}` });
    assert.deepEqual([refused.status, /no records in DNS/.test(refused.body.Reason)], [400, true]);
  });
});

describe('/v3/domains/{name}/connection', () => {
  it('says how mail is handed over, and changes it', async () => {
    const path = `/v3/domains/${NAME}/connection`;
    assert.deepEqual((await call(`GET ${path}`)).body, { connection: { require_tls: true, skip_verification: false } });
    assert.deepEqual(await call(`PUT ${path}`, { skip_verification: true }), {
      status: 200,
      body: {
        message: 'Domain connection settings have been updated, may take 10 minutes to fully propagate',
        require_tls: true,
        skip_verification: true,
      },
    });
    assert.equal((await read()).skip_verification, true);
    for (const operation of [`GET ${path}`, `PUT ${path}`]) {
      const body = operation.startsWith('PUT') ? { require_tls: false } : undefined;
      assert.deepEqual(await call(operation, body, stranger), { status: 404, body: { message: 'Domain not found' } });
    }
    const wrong = await call(`PUT ${path}`, { require_tls: 'perhaps' });
    assert.deepEqual([wrong.status, wrong.body.message.startsWith('require_tls must be')], [400, true]);
  });
});

describe('GET /v4/domains', () => {
  it('filters by whose keys sign, and shows those of subaccounts where they are asked for', async () => {
    const { items } = (await call(`GET /v4/domains/${NAME}/keys`)).body;
    for (const { dns_record: record } of items) zone[record.name] = { TXT: [record.value] };
    await call(`PUT /v4/domains/${NAME}/verify`);
    await call('POST /v4/domains', { name: `below.${NAME}` });
    await call('POST /v4/domains', { name: `own.${NAME}`, force_dkim_authority: true });
    await call('POST /v4/domains', { name: 'theirs.example.com' }, stranger);
    const names = async (query: string): Promise<[string, boolean][]> =>
      (await call(`GET /v4/domains?sort=name&search=example&${query}`)).body.items.map((one: any) => [
        one.name,
        'subaccount_id' in one,
      ]);
    assert.deepEqual(await names(`authority=${NAME.toUpperCase()}`), [
      [`below.${NAME}`, false],
      [NAME, false],
    ]);
    assert.deepEqual(await names(`authority=own.${NAME}`), [[`own.${NAME}`, false]]);
    assert.deepEqual(await names('authority=none.example.com'), []);
    assert.deepEqual(await names('include_subaccounts=true'), [
      [`below.${NAME}`, false],
      [`own.${NAME}`, false],
      [NAME, false],
      ['theirs.example.com', true],
    ]);
    assert.deepEqual(
      (await call('GET /v4/domains?search=example&include_subaccounts=true', undefined, stranger)).body.items.map(
        (one: any) => one.name,
      ),
      ['theirs.example.com'],
    );
  });
});

// Google's Postmaster Tools by its version 2, against a server that speaks its discovery document.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { dayAfter, dayOf } from './days.ts';
import { queueDue } from './jobs.ts';
import { makeServiceAccount, startGoogle, type ProviderServer } from './providers.fixture.ts';

const CONNECTIONS = '/v1/galley/postmaster/connections';
const GPT = '/v1/reputationanalytics/gpt';
const TODAY = dayOf(new Date());
const [ONE, TWO, FOUR] = [dayAfter(TODAY, -1), dayAfter(TODAY, -2), dayAfter(TODAY, -4)] as [string, string, string];
const { keyFile, publicKey } = makeServiceAccount();

// Nothing at all of three days ago, and of four days ago the spam rate alone.
const FIGURES = {
  'shop.example': {
    spam: { [ONE]: 0.0004, [TWO]: 0, [FOUR]: 0.002 },
    spf: { [ONE]: 1, [TWO]: 0.99 },
    dkim: { [ONE]: 0.98, [TWO]: 0.97 },
    dmarc: { [ONE]: 0.96, [TWO]: 0.95 },
    tls: { [ONE]: 1, [TWO]: 1 },
    error: { [ONE]: 0.03, [TWO]: 0 },
    'reject spammy_content': { [ONE]: 0.02, [TWO]: 0 },
    'temp_fail other': { [ONE]: 0.01 },
    loops: { [ONE]: ['spring', 'summer'] },
    spring: { [ONE]: 0.004 },
    summer: { [ONE]: 0.001 },
  },
  'news.example': { spam: { [ONE]: 0.005 } },
  'later.example': { spam: { [ONE]: 0.0001 } },
};

// Of a domain that meets all but one, with a reason; of a subdomain too; words that are in no document.
const COMPLIANCE = {
  'shop.example': {
    complianceData: {
      domainId: 'shop.example',
      rowData: [
        { requirement: 'SPF_AND_DKIM', status: { status: 'COMPLIANT' } },
        { requirement: 'DMARC_POLICY', status: { status: 'NEEDS_WORK' } },
        { requirement: 'ENCRYPTION', status: { status: 'STATE_UNSPECIFIED' } },
        { requirement: 'COMPLIANCE_REQUIREMENT_UNSPECIFIED', status: { status: 'COMPLIANT' } },
        { requirement: 'DNS_RECORDS' },
      ],
      oneClickUnsubscribeVerdict: { status: { status: 'NEEDS_WORK' }, reason: 'NO_UNSUB_GENERAL' },
      honorUnsubscribeVerdict: { status: { status: 'COMPLIANT' } },
      deliverabilityStatusVerdict: { state: { status: 'NEEDS_WORK' }, reason: 'SPAM_RATE_HIGH' },
    },
  },
  'news.example': { complianceData: { domainId: 7 }, subdomainComplianceData: [] },
};

let app: App;
let google: ProviderServer;
let stranger: Record<string, string>;

before(async () => {
  google = await startGoogle({
    publicKey,
    figures: FIGURES,
    closed: ['closed.example'],
    unverified: ['strange.example'],
    compliance: COMPLIANCE,
    uses: 4,
  });
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: google.host });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  stranger = { 'x-service-account-id': id };
});
after(async () => {
  await app.close();
  await google.close();
});

const connect = (given: object = {}) =>
  app.call(`POST ${CONNECTIONS}`, {
    body: {
      provider: 'google',
      service_account: keyFile,
      base_url: google.url,
      token_url: `${google.url}/token`,
      ...given,
    },
  });
const connectionOf = async (id: string): Promise<any> =>
  (await app.call(`GET ${CONNECTIONS}`)).body.items.find((one: any) => one.id === id);
const alertsOf = async (event: string): Promise<any[]> =>
  (await app.call(`GET /v1/galley/alerts?event_type=${event}`)).body.items.map(
    ({ subject, message, fix, over_at }: any) => ({ subject, message, fix, isOpen: over_at === null }),
  );
const turn = { signal: new AbortController().signal, attempt: 1, isLast: true };
const readAgain = async (id: string): Promise<any> => {
  await app.call(`POST ${CONNECTIONS}/${id}/sync`, { body: { days: 30 } });
  await app.idle();
  return connectionOf(id);
};

describe('a connection to Google Postmaster Tools', () => {
  let id = '';

  it('reads every domain at once, page by page, with a signed token', async () => {
    const made = await connect({ name: 'Shop' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(made.body.state, 'waiting');
    ({ id } = made.body);
    await app.idle();
    const read = await connectionOf(id);
    assert.deepEqual(
      [read.state, read.identity, read.asks, read.name],
      ['connected', keyFile.client_email, google.url, 'Shop'],
    );
    assert.equal(read.problem, 'Google does not let the service account read figures of closed.example.');
    const pages = google.asked.filter(({ path }) => path === '/v2/domains/shop.example/domainStats:query');
    // 25 rows by three, and the two loops.
    assert.ok(pages.length >= 9, String(pages.length));
    assert.ok(!google.asked.some(({ path }) => path.includes('strange.example')));
    // A token serves for four questions here: the reading went on with new ones.
    assert.ok(google.asked.filter(({ path }) => path === '/token').length > 2);
  });

  it('gives records of the days that Google names, and no zero for the others', async () => {
    const { status, body } = await app.call(`GET ${GPT}/domains/shop.example`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      domain: 'shop.example',
      data: [
        {
          name: 'shop.example',
          user_reported_spam_ratio: 0.0004,
          spf_success_ratio: 1,
          dkim_success_ratio: 0.98,
          dmarc_success_ratio: 0.96,
          inbound_encryption_ratio: 1,
          delivery_error_ratio: 0.03,
          delivery_errors: [
            { error_class: 'PERMANENT_ERROR', error_type: 'SPAMMY_CONTENT', error_ratio: 0.02 },
            { error_class: 'TEMPORARY_ERROR', error_type: 'OTHER', error_ratio: 0.01 },
          ],
          reputation: null,
          reputation_source: null,
          source: 'api',
          date: `${ONE}T00:00:00Z`,
          ip_counts: [],
          feedback_loops: [
            { id: 'spring', spam_ratio: 0.004 },
            { id: 'summer', spam_ratio: 0.001 },
          ],
        },
        {
          name: 'shop.example',
          user_reported_spam_ratio: 0,
          spf_success_ratio: 0.99,
          dkim_success_ratio: 0.97,
          dmarc_success_ratio: 0.95,
          inbound_encryption_ratio: 1,
          delivery_error_ratio: 0,
          delivery_errors: [],
          reputation: null,
          reputation_source: null,
          source: 'api',
          date: `${TWO}T00:00:00Z`,
          ip_counts: [],
          feedback_loops: [],
        },
        {
          name: 'shop.example',
          user_reported_spam_ratio: 0.002,
          spf_success_ratio: null,
          dkim_success_ratio: null,
          dmarc_success_ratio: null,
          inbound_encryption_ratio: null,
          delivery_error_ratio: null,
          delivery_errors: [],
          reputation: null,
          reputation_source: null,
          source: 'api',
          date: `${FOUR}T00:00:00Z`,
          ip_counts: [],
          feedback_loops: [],
        },
      ],
      total: 3,
    });
    assert.equal((await app.call(`GET ${GPT}/domains`)).body.total, 5);
  });

  it('reads whether a domain meets Google’s requirements; what Google does not say is null', async () => {
    const path = 'GET /v1/galley/postmaster/compliance';
    const { status, body } = await app.call(`${path}/SHOP.example`);
    assert.equal(status, 200);
    assert.ok([TODAY, dayAfter(TODAY, 1)].includes(body.date), body.date);
    assert.deepEqual(
      { ...body, date: '' },
      {
        domain: 'shop.example',
        date: '',
        organizational: {
          domain: 'shop.example',
          requirements: [
            { requirement: 'spf_and_dkim', state: 'compliant' },
            { requirement: 'dmarc_policy', state: 'needs_work' },
            { requirement: 'encryption', state: null },
            { requirement: 'dns_records', state: null },
          ],
          deliverability: { state: 'needs_work', reason: 'spam_rate_high' },
          one_click_unsubscribe: { state: 'needs_work', reason: 'no_unsub_general' },
          honor_unsubscribe: { state: 'compliant', reason: null },
        },
        subdomain: null,
      },
    );
    for (const [domain, headers] of [
      ['news.example', {}],
      ['later.example', {}],
      ['shop.example', stranger],
    ] as const) {
      const nothing = await app.call(`${path}/${domain}`, { headers });
      assert.deepEqual(nothing.body, { domain, date: null, organizational: null, subdomain: null });
    }
    const wrong = await app.call(`${path}/no%20name`);
    assert.deepEqual([wrong.status, wrong.body.message], [400, 'domain is no domain.']);
  });

  it('never shows its key, and keeps it encrypted', async () => {
    const shown = JSON.stringify((await app.call(`GET ${CONNECTIONS}`)).body);
    assert.ok(!shown.includes('PRIVATE KEY'));
    const { db } = app.galley.outside;
    const kept = await db.ofAnyone.selectFrom('postmasterConnections').selectAll().execute();
    assert.ok(!JSON.stringify(kept).includes('PRIVATE KEY'));
  });

  it('tells of a share of spam reports at the limit, once', async () => {
    assert.deepEqual(await alertsOf('postmaster_rate_high'), [
      {
        subject: 'google news.example',
        message: `Google counted 0.5 % spam reports of news.example on ${ONE}; the limit is 0.3 %.`,
        fix: 'Write only to people who asked for it, and make it easy to unsubscribe.',
        isOpen: true,
      },
    ]);
  });

  it('waits as long as Google says when it asked too often, and goes on where it was', async () => {
    google.fail(/news\.example/, 429, { headers: { 'retry-after': '120' } });
    const limited = await readAgain(id);
    assert.equal(limited.state, 'limited');
    assert.match(limited.problem, /asked too often \(429\); the reading goes on in 120 seconds/);
    const wait = Date.parse(limited.next_at) - Date.parse(limited.checked_at);
    assert.equal(wait, 120_000);
    google.asked.length = 0;
    await queueDue.run(app.galley.outside, {}, turn);
    await app.idle();
    assert.equal(google.asked.length, 0);
    app.clock.advance(121_000);
    await queueDue.run(app.galley.outside, {}, turn);
    await app.idle();
    assert.equal((await connectionOf(id)).state, 'connected');
    // `later.example` comes before `news.example` by name, and was read.
    assert.ok(!google.asked.some(({ path }) => path.includes('later.example')));
    assert.ok(google.asked.some(({ path }) => path.includes('news.example')));
  });

  it('says that its access has expired, and reads again when it works', async () => {
    google.fail(/^\/token$/, 400, { body: '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}' });
    const expired = await readAgain(id);
    assert.deepEqual(
      [expired.state, expired.problem],
      ['expired', 'Google Postmaster Tools no longer grants access (invalid_grant: Invalid JWT Signature.).'],
    );
    assert.equal((await app.call(`GET ${GPT}/domains/shop.example`)).body.total, 3);
    assert.deepEqual(await alertsOf('postmaster_access_expired'), [
      {
        subject: id,
        message:
          'Shop can no longer be read. Google Postmaster Tools no longer grants access ' +
          '(invalid_grant: Invalid JWT Signature.).',
        fix: 'Connect it again with a new key, token or link.',
        isOpen: true,
      },
    ]);
    assert.equal((await readAgain(id)).state, 'connected');
    assert.deepEqual(
      (await alertsOf('postmaster_access_expired')).map(({ isOpen }) => isOpen),
      [false],
    );
  });

  it('is tried again after a failure of the service', async () => {
    google.fail(/^\/v2\/domains\?/, 503);
    const failing = await readAgain(id);
    assert.deepEqual([failing.state, failing.problem], ['failing', 'Google Postmaster Tools answered 503.']);
    google.fail(/^\/v2\/domains\?/, 302, { headers: { location: 'https://accounts.example/login' } });
    assert.equal((await readAgain(id)).state, 'expired');
    google.fail(/^\/v2\/domains\?/, 200, { body: '<html>' });
    assert.match((await readAgain(id)).problem, /what is no JSON/);
    assert.equal((await readAgain(id)).state, 'connected');
  });

  it('is read once a day', async () => {
    google.asked.length = 0;
    await queueDue.run(app.galley.outside, {}, turn);
    await app.idle();
    assert.equal(google.asked.length, 0);
    app.clock.advance(86_400_000);
    await queueDue.run(app.galley.outside, {}, turn);
    await app.idle();
    assert.ok(google.asked.length > 0);
  });

  it('with a key that Google does not know, is refused by its signature', async () => {
    const other = await connect({ service_account: JSON.stringify(makeServiceAccount().keyFile) });
    await app.idle();
    const { state, problem } = await connectionOf(other.body.id);
    assert.deepEqual([state, /Invalid JWT Signature/.test(problem)], ['expired', true]);
    const ofOther = async () =>
      (await alertsOf('postmaster_access_expired')).filter(({ subject }) => subject === other.body.id);
    assert.deepEqual(
      (await ofOther()).map(({ isOpen }) => isOpen),
      [true],
    );
    await app.call(`DELETE ${CONNECTIONS}/${other.body.id}`);
    assert.deepEqual(
      (await ofOther()).map(({ message, isOpen }) => [message, isOpen]),
      [['Google Postmaster Tools is disconnected.', false]],
    );
  });

  it('keeps kinds of errors, which no export names, when an export of the day is uploaded', async () => {
    const form = new FormData();
    form.append('provider', 'google');
    form.append('file', new File([`date,domain,spf\n${ONE},shop.example,0.97\n`], 'export.csv'));
    assert.equal((await app.call('POST /v1/galley/postmaster/uploads', { body: form })).status, 200);
    const [record] = (await app.call(`GET ${GPT}/domains/shop.example`)).body.data;
    assert.deepEqual([record.spf_success_ratio, record.delivery_errors.length], [0.97, 2]);
  });

  it('is nobody else’s', async () => {
    assert.deepEqual((await app.call(`GET ${CONNECTIONS}`, { headers: stranger })).body, { items: [] });
    for (const call of [`DELETE ${CONNECTIONS}/${id}`, `POST ${CONNECTIONS}/${id}/sync`]) {
      const { status, body } = await app.call(call, { headers: stranger });
      assert.deepEqual([status, body.message], [404, 'There is no such connection.'], call);
    }
    assert.deepEqual((await app.call(`GET ${GPT}/domains`, { headers: stranger })).body, { data: [], total: 0 });
    const { status, body } = await app.call(`GET ${GPT}/domains/shop.example`, { headers: stranger });
    assert.deepEqual([status, body.Description], [404, 'There is no postmaster data of shop.example.']);
  });

  it('goes, and its records stay', async () => {
    const gone = await app.call(`DELETE ${CONNECTIONS}/${id}`);
    assert.deepEqual(gone.body, { message: 'The connection has been deleted. Records that were read stay.' });
    assert.equal((await app.call(`DELETE ${CONNECTIONS}/${id}`)).status, 404);
    assert.equal((await app.call(`GET ${GPT}/domains/shop.example`)).body.total, 3);
  });

  const { private_key: _, ...withoutKey } = keyFile;
  const wrong: [string, object, RegExp][] = [
    ['no service account', { service_account: undefined }, /^service_account is required/],
    ['no JSON', { service_account: '{' }, /^service_account is no JSON/],
    ['a list', { service_account: [] }, /^service_account must be the JSON object/],
    ['no key', { service_account: withoutKey }, /^service_account\.private_key is required/],
    [
      'a broken key',
      { service_account: { ...keyFile, private_key: 'abc' } },
      /^service_account\.private_key is no RSA/,
    ],
    ['another kind', { service_account: { ...keyFile, type: 'user' } }, /^service_account\.type must be/],
    ['a private address', { base_url: 'http://10.1.2.3' }, /^base_url is not open to requests from here/],
    ['a user name', { token_url: 'https://a:b@example.com' }, /^token_url must be an https address/],
    ['no address', { base_url: 'ftp://example.com' }, /^base_url must be an https address/],
    ['many days', { days: 121 }, /^days/],
    ['another provider', { provider: 'yahoo' }, /^provider/],
  ];
  for (const [what, given, words] of wrong)
    it(`refuses ${what}`, async () => {
      const { status, body } = await connect(given);
      assert.equal(status, 400);
      assert.match(body.message, words);
    });
});

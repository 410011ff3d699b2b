// Exports of Google's and Yahoo's dashboards as files, and every list and summary of what they say.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { dayAfter, dayOf } from './days.ts';

const GPT = '/v1/reputationanalytics/gpt';
const UPLOADS = '/v1/galley/postmaster/uploads';
const RECORDS = '/v1/galley/postmaster/records';

let app: App;
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  stranger = { 'x-service-account-id': id };
});
after(() => app.close());

const upload = (text: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ provider: 'google', ...fields })) form.append(name, value);
  form.append('file', new File([text], 'export.csv', { type: 'text/csv' }));
  return app.call(`POST ${UPLOADS}`, { body: form, headers });
};

// As a German spreadsheet saves it: semicolons, points in dates, commas in numbers. Of 20 November nothing is said.
const EUROPEAN =
  '\ufeffDate;Domain;Spam rate (%);SPF success rate;DKIM success rate;DMARC success rate;TLS encryption;' +
  'Delivery errors;Domain reputation\r\n' +
  '19.11.2026;shop.example;0,2;99,5 %;100 %;98 %;100 %;1,5 %;HIGH\r\n' +
  '21.11.2026;shop.example;0,4;98,5 %;100 %;96 %;100 %;;MEDIUM\r\n' +
  '21.11.2026;news.example;0,05;;;;;;\r\n' +
  '31.11.2026;news.example;0,05;;;;;;\r\n';
const ADDRESSES =
  'date,domain,ip,ip reputation\n2026-11-21,shop.example,192.0.2.1,LOW\n2026-11-21,shop.example,192.0.2.2,HIGH\n';
const LOOPS = 'date,domain,feedback loop id,feedback loop spam rate\n2026-11-21,shop.example,spring,0.004\n';

const RECORD = {
  name: 'shop.example',
  user_reported_spam_ratio: 0.004,
  spf_success_ratio: 0.985,
  dkim_success_ratio: 1,
  dmarc_success_ratio: 0.96,
  inbound_encryption_ratio: 1,
  delivery_error_ratio: null,
  delivery_errors: [],
  reputation: 3,
  reputation_source: 'upload',
  source: 'upload',
  date: '2026-11-21T00:00:00Z',
  ip_counts: [
    { reputation: 2, total: 1 },
    { reputation: 4, total: 1 },
  ],
  feedback_loops: [{ id: 'spring', spam_ratio: 0.004 }],
};
const OLDER = {
  ...RECORD,
  user_reported_spam_ratio: 0.002,
  spf_success_ratio: 0.995,
  dmarc_success_ratio: 0.98,
  delivery_error_ratio: 0.015,
  reputation: 4,
  date: '2026-11-19T00:00:00Z',
  ip_counts: [],
  feedback_loops: [],
};
const address = (last: number, reputation: number) => ({
  domain_name: 'shop.example',
  address: `192.0.2.${last}`,
  reputation,
  reputation_source: 'upload',
  date: '2026-11-21T00:00:00Z',
});
const LOOP = { name: 'shop.example', id: 'spring', ratio: 0.004, date: '2026-11-21T00:00:00Z' };

describe('an uploaded export', () => {
  it('is read as a European spreadsheet saves it, without the rows that say nothing', async () => {
    const { status, body } = await upload(EUROPEAN);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      message: '3 records have been kept.',
      records: 3,
      skipped: 1,
      problems: [{ row: 5, message: 'date "31.11.2026" is not a day; give it as 2026-11-22 or 22.11.2026.' }],
    });
    assert.equal((await upload(ADDRESSES)).body.records, 2);
    assert.equal((await upload(LOOPS)).body.records, 1);
    await app.idle();
  });

  const lists: [path: string, wanted: unknown][] = [
    ['/domains/shop.example', { domain: 'shop.example', data: [RECORD, OLDER], total: 2 }],
    ['/domains/SHOP.example?limit=1&offset=1', { domain: 'shop.example', data: [OLDER], total: 2 }],
    ['/domains?timeRangeStart=1763510400&timeRangeEnd=1795132799', { data: [OLDER], total: 1 }],
    ['/domains/shop.example/addresses', { domain: 'shop.example', data: [address(1, 2), address(2, 4)], total: 2 }],
    ['/addresses?limit=1', { data: [address(1, 2)], total: 2 }],
    ['/addresses/192.0.2.2', { address: '192.0.2.2', data: [address(2, 4)], total: 1 }],
    ['/domainsfbl', { data: [LOOP], total: 1 }],
    ['/domainsfbl/shop.example', { data: [LOOP], total: 1 }],
    ['/domainsfbl/news.example', { data: [], total: 0 }],
    [
      '/domains_list',
      {
        data: [
          { name: 'news.example', date: '2026-11-21T00:00:00Z' },
          { name: 'shop.example', date: '2026-11-21T00:00:00Z' },
        ],
        total: 2,
      },
    ],
    ['/addresses_list?offset=1', { data: [{ address: '192.0.2.2', date: '2026-11-21T00:00:00Z' }], total: 2 }],
  ];
  for (const [path, wanted] of lists)
    it(`is shown by ${path}`, async () => {
      const { status, body } = await app.call(`GET ${GPT}${path}`);
      assert.equal(status, 200);
      assert.deepEqual(body, wanted);
    });

  const SHOP = {
    name: 'shop.example',
    user_reported_spam_ratio: 0.003,
    spf_success_ratio: 0.99,
    dkim_success_ratio: 1,
    dmarc_success_ratio: 0.97,
    inbound_encryption_ratio: 1,
    reputation: 3.5,
  };
  const NEWS = {
    name: 'news.example',
    user_reported_spam_ratio: 0.0005,
    spf_success_ratio: null,
    dkim_success_ratio: null,
    dmarc_success_ratio: null,
    inbound_encryption_ratio: null,
    reputation: null,
  };
  const errors = [
    { name: 'shop.example', delivery_error_ratio: 0.015 },
    { name: 'news.example', delivery_error_ratio: null },
  ];
  const addresses = [
    { domain_name: 'shop.example', address: '192.0.2.2', reputation: 4 },
    { domain_name: 'shop.example', address: '192.0.2.1', reputation: 2 },
  ];
  const summaries: [path: string, wanted: unknown][] = [
    ['/domains', { summary: [NEWS, SHOP], total: 2 }],
    ['/domains?sortBy=user_reported_spam_ratio&orderBy=desc', { summary: [SHOP, NEWS], total: 2 }],
    ['/domains?sortBy=reputation&searchField=SHOP', { summary: [SHOP], total: 1 }],
    ['/domains?searchField=_hop', { summary: [], total: 0 }],
    ['/errors?sortBy=delivery_error_ratio', { summary: errors, total: 2 }],
    ['/addresses?sortBy=reputation&orderBy=desc', { summary: addresses, ip_counts: { 2: 1, 4: 1 }, total: 2 }],
    ['?sortBy=name&orderBy=desc', { summary: [SHOP, NEWS], error_summary: errors, total: 2 }],
  ];
  for (const [path, wanted] of summaries)
    it(`is summed up by summary${path}`, async () => {
      const { status, body } = await app.call(`GET ${GPT}/summary${path}`);
      assert.equal(status, 200);
      // Means of binary fractions.
      const rounded = JSON.parse(JSON.stringify(body), (_, value: unknown) =>
        typeof value === 'number' ? Number(value.toPrecision(9)) : value,
      );
      assert.deepEqual(rounded, wanted);
    });

  it('is nobody else’s', async () => {
    for (const path of ['/domains', '/domainsfbl', '/addresses', '/domains_list', '/addresses_list'])
      assert.deepEqual((await app.call(`GET ${GPT}${path}`, { headers: stranger })).body, { data: [], total: 0 }, path);
    for (const path of ['', '/domains', '/errors', '/addresses']) {
      const { body } = await app.call(`GET ${GPT}/summary${path}`, { headers: stranger });
      assert.deepEqual([body.summary, body.total], [[], 0], path);
    }
    assert.deepEqual((await app.call(`GET ${RECORDS}?days=730`, { headers: stranger })).body.items, []);
    for (const path of ['/domains/shop.example', '/domains/shop.example/addresses', '/domainsfbl/shop.example']) {
      const { status, body } = await app.call(`GET ${GPT}${path}`, { headers: stranger });
      assert.deepEqual([status, body.Description], [404, 'There is no postmaster data of shop.example.'], path);
    }
    const { status, body } = await app.call(`GET ${GPT}/addresses/192.0.2.1`, { headers: stranger });
    assert.deepEqual([status, body.Description], [404, 'There is no postmaster data of 192.0.2.1.']);
  });

  it('of Yahoo stands apart from Google’s', async () => {
    const text = 'Date,DKIM domain,Spam complaint rate,Delivered\n11/21/2026,shop.example,0.12%,"12,345"\n';
    assert.equal((await upload(text, { provider: 'yahoo' }, stranger)).status, 200);
    await app.idle();
    const { status, body } = await app.call(`GET ${RECORDS}?provider=yahoo&days=730`, { headers: stranger });
    assert.equal(status, 200);
    assert.deepEqual(body.items, [
      {
        provider: 'yahoo',
        domain: 'shop.example',
        date: '2026-11-21',
        source: 'upload',
        spam_ratio: 0.0012,
        spf_ratio: null,
        dkim_ratio: null,
        dmarc_ratio: null,
        encryption_ratio: null,
        delivery_error_ratio: null,
        delivered: 12345,
        reputation: null,
        reputation_source: null,
        own: null,
      },
    ]);
    assert.equal((await app.call(`GET ${GPT}/domains`, { headers: stranger })).body.total, 0);
  });

  const wrong: [what: string, text: string, fields: Record<string, string>, words: RegExp][] = [
    ['no date', 'domain,spam\na.example,1%', {}, /^file must name a column date in its first row, which reads "domain/],
    ['no domain', 'date,spam\n2026-11-21,1%', {}, /^domain is required: the file has no column domain/],
    ['no figure', 'date,domain\n2026-11-21,a.example', {}, /^file names no figure in its first row/],
    [
      'a column twice',
      'date,domain,spam,spam rate\n2026-11-21,a.example,1%,2%',
      {},
      /^file names the column spam twice/,
    ],
    ['only rows that cannot be read', 'date,domain,spam\nsoon,a.example,1%', {}, /row 2: date "soon" is not a day/],
    ['a share above one', 'date,domain,spam\n2026-11-21,a.example,12', {}, /row 2: column "spam": "12" is no share/],
    ['no row', 'date,domain,spam\n', {}, /^file has no row below its header/],
    ['no name of a domain', 'date,spam\n2026-11-21,1%', { domain: 'a b' }, /^domain "a b" is no domain/],
    ['another provider', 'date,spam\n', { provider: 'other' }, /^provider must be one of|^provider/],
    ['addresses by Yahoo', ADDRESSES, { provider: 'yahoo' }, /^file names feedback loops or addresses/],
    ['an empty file', '', {}, /^file/],
  ];
  for (const [what, text, fields, words] of wrong)
    it(`is refused: ${what}`, async () => {
      const { status, body } = await upload(text, fields);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, words);
    });
});

describe('lists of postmaster data', () => {
  const wrong = [
    ['/domains?limit=0', 'limit'],
    ['/domains?limit=1001', 'limit'],
    ['/domains?offset=-1', 'offset'],
    ['/domains?timeRangeStart=yesterday', 'timeRangeStart'],
    ['/domainsfbl?timeRangeEnd=-1', 'timeRangeEnd'],
    ['/summary?orderBy=up', 'orderBy'],
    ['/summary/domains?sortBy=age', 'sortBy'],
    ['/summary/errors?sortBy=reputation', 'sortBy'],
    ['/summary/addresses?sortBy=name', 'sortBy'],
  ] as const;
  for (const [path, field] of wrong)
    it(`refuse ${path}`, async () => {
      const { status, body } = await app.call(`GET ${GPT}${path}`);
      assert.equal(status, 400);
      assert.match(body.Reason, new RegExp(`^${field} `));
      assert.equal(body.message, body.Reason);
    });

  it('know no domain or address that there is not', async () => {
    for (const path of ['/domains/none.example', '/domains/no name', '/addresses/192.0.2.99', '/addresses/x']) {
      const { status, body } = await app.call(`GET ${GPT}${path}`);
      assert.equal(status, 404);
      assert.match(body.Description, /^There is no postmaster data of /);
    }
  });
});

describe('own figures', () => {
  // The log keeps events for so many days only.
  const DAY = dayAfter(dayOf(new Date()), -2);
  const tell = async (event: 'delivered' | 'failed' | 'complained', count: number, provider = 'google') => {
    const { events, db } = app.galley.outside;
    const accountId = stranger['x-service-account-id'] as string;
    await events.append(
      db,
      Array.from({ length: count }, (_, place) => ({
        at: new Date(`${DAY}T12:00:00Z`),
        accountId,
        event,
        ...(event === 'failed' && { severity: 'permanent' as const, reason: 'bounce', code: 550 }),
        domain: 'own.example',
        recipient: `reader-${place}@gmail.com`,
        provider,
        messageId: String(place + 1),
        about: { envelope: { 'sending-ip': '192.0.2.9' } },
      })),
    );
  };
  const recordOf = async (): Promise<any> =>
    (await app.call(`GET ${GPT}/domains/own.example`, { headers: stranger })).body.data[0];

  it('stand beside Google’s, and give the reputations that it no longer gives', async () => {
    await tell('delivered', 194);
    await tell('failed', 6);
    await tell('complained', 1);
    // Of others nothing counts.
    await tell('failed', 50, 'yahoo');
    await upload(`date,domain,spam\n${DAY},own.example,0.05%`, {}, stranger);
    await app.idle();
    const { body } = await app.call(`GET ${RECORDS}?domain=own.example&days=730`, { headers: stranger });
    assert.deepEqual(body.items[0].own, { sent: 200, delivered: 194, refused: 6, deferred: 0, complaints: 1 });
    // 3 % refused: medium, though the spam rate is low.
    const record = await recordOf();
    assert.deepEqual([record.reputation, record.reputation_source], [3, 'own_events']);
  });

  it('stand behind an export that gives a reputation', async () => {
    await upload(`date,domain,reputation\n${DAY},own.example,BAD`, {}, stranger);
    await app.idle();
    const record = await recordOf();
    assert.deepEqual(
      [record.reputation, record.reputation_source, record.user_reported_spam_ratio],
      [1, 'upload', 0.0005],
    );
  });
});

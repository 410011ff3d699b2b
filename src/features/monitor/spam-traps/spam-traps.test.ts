// Spam traps over HTTP and SMTP: whose a hit is, what is kept of it, and what lists and reports say of hits.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { returnPathOf } from '../../send/messages/index.ts';

const DOMAIN = 'letters.example.com';
const PROVEN = 'proven.example.com';
let app: App;
let shop: { 'x-mailgun-on-behalf-of': string };

before(async () => {
  app = await startApp(
    { GALLEY_ROLES: 'api,work,mail,send' },
    {
      zone: {
        [PROVEN]: { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
        [`_dmarc.${PROVEN}`]: { TXT: ['v=DMARC1; p=reject'] },
      },
    },
  );
  // The reports are of October 2026, and a list goes back 366 days.
  app.clock.advance(Date.parse('2026-11-22T12:00:00Z') - Date.now());
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Shop' } });
  shop = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await app.call('POST /v4/domains', { body: { name: PROVEN }, headers: shop });
  await app.galley.outside.db.ofAnyone
    .updateTable('sendingDomains')
    .set({ state: 'active' })
    .where('name', '=', PROVEN)
    .execute();
});
after(() => app.close());

const add = (body: object, headers = {}) => app.call('POST /v1/spamtraps/traps', { body, headers });
const get = async (path: string, headers = {}): Promise<any> => {
  const { status, body } = await app.call(`GET ${path}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
/** The day of what arrived at a trap; a test may run over midnight. */
const dayOfHit = async (): Promise<string> => (await hitsOf(1))[0].at.slice(0, 10);

async function deliver(to: string, { from, headerFrom, subject }: Record<'from' | 'headerFrom' | 'subject', string>) {
  const { host, port } = app.galley.outside.ownSmtp!;
  const transport = createTransport({ host, port, secure: false, ignoreTLS: true });
  const raw = [`From: ${headerFrom}`, `To: ${to}`, `Subject: ${subject}`, '', 'Buy now.', ''].join('\r\n');
  try {
    return await transport.sendMail({ envelope: { from, to: [to] }, raw });
  } finally {
    transport.close();
  }
}

/** Asks until there are so many hits. */
async function hitsOf(count: number, headers = {}): Promise<any[]> {
  for (;;) {
    const { items } = await get('/v1/spamtraps/hits', headers);
    if (items.length >= count) return items;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const alertsOf = async (headers = {}): Promise<any[]> =>
  (await get('/v1/galley/alerts?event_type=spam_trap_hit', headers)).items.map(
    ({ subject, message, fix, page, count }: any) => ({ subject, message, fix, page, count }),
  );

async function upload(csv: string | Uint8Array<ArrayBuffer>, { name = 'report.csv', headers = {} } = {}) {
  const form = new FormData();
  form.append('file', new File([csv], name));
  return app.call('POST /v1/spamtraps/imports', { body: form, headers });
}

describe('a trap', () => {
  it('is set up, listed and removed by the first account', async () => {
    const { status, body } = await add({ value: 'Gone@Trap.Example.net', type: 'recycled', note: 'Old clerk' });
    assert.equal(status, 201);
    const { id, created_at, ...trap } = body;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.ok(Date.parse(created_at) > 0);
    assert.deepEqual(trap, {
      value: 'gone@trap.example.net',
      type: 'recycled',
      note: 'Old clerk',
      foreign_hits: 0,
      last_foreign_at: null,
    });
    assert.deepEqual((await get('/v1/spamtraps/traps')).items, [body]);
    assert.deepEqual((await get('/v1/spamtraps/traps', shop)).items, []);
    const other = await app.call(`DELETE /v1/spamtraps/traps/${id}`, { headers: shop });
    assert.equal(other.status, 404);
    assert.deepEqual((await app.call(`DELETE /v1/spamtraps/traps/${id}`)).body, {
      message: 'The spam trap has been removed.',
    });
    assert.deepEqual((await app.call(`DELETE /v1/spamtraps/traps/${id}`)).status, 404);
  });

  it('is refused to other accounts, which could take the mail of anybody', async () => {
    const { status, body } = await add({ value: 'x.example.net', type: 'typo' }, shop);
    assert.equal(status, 403);
    assert.match(body.message, /^Only the first account of this service may set up spam traps/);
  });

  for (const [value, words] of [
    ['no domain', /^value must be an address or the name of a domain; "no domain" is neither\./],
    ['localhost', /^value must be/],
    ['192.0.2.1', /^value must be/],
    ['example.net/x', /^value must be/],
    ['a@b@c', /^value must be/],
  ] as const)
    it(`is not "${value}"`, async () => {
      const { status, body } = await add({ value, type: 'pristine' });
      assert.deepEqual([status, words.test(body.message)], [400, true], body.message);
    });

  it('is of a type, is there once, and takes no mail of a sending domain', async () => {
    assert.match((await add({ value: 'a.example', type: 'honey' })).body.message, /^type must be one of pristine,/);
    const value = `once.example.net`;
    assert.equal((await add({ value, type: 'typo' })).status, 201);
    assert.deepEqual((await add({ value, type: 'typo' })).body, { message: `value ${value} is a trap already.` });
    const { status, body } = await add({ value: PROVEN, type: 'typo' });
    assert.equal(status, 409);
    assert.match(body.message, /is a sending domain here/);
  });
});

describe('mail at a trap', () => {
  before(async () => {
    assert.equal((await add({ value: 'trap.example.org', type: 'typo' })).status, 201);
    assert.equal((await add({ value: 'ann@trap.example.org', type: 'pristine' })).status, 201);
  });

  it('is a hit of the account whose delivery the return path names', async () => {
    const letter = {
      from: `Bob <bob@${DOMAIN}>`,
      to: 'ann@trap.example.org',
      subject: 'Offer',
      text: 'x',
      'o:tag': 'spring',
    };
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
    const { rows } = await app.galley.outside.db.text('select max(id)::text as id from sent_messages');
    const from = returnPathOf(app.galley.outside, { messageId: (rows[0] as { id: string }).id, position: 0 });
    await deliver('ann@trap.example.org', { from, headerFrom: `Bob <bob@${DOMAIN}>`, subject: 'Offer' });
    const [{ id, at, sender, ip, ...hit }] = (await hitsOf(1)) as [any];
    assert.ok(Date.parse(at) > 0);
    assert.match(ip, /127\.0\.0\.1$/);
    assert.equal(sender, from);
    assert.deepEqual(hit, {
      type: 'pristine',
      source: 'own',
      source_name: "Galley's own traps",
      hits: 1,
      domain: DOMAIN,
      subject: 'Offer',
      from: `bob@${DOMAIN}`,
      tags: ['spring'],
      proof: 'return path of its delivery',
      has_message: true,
    });
    const message = (await app.call(`GET /v1/spamtraps/hits/${id}/message`)).body.toString();
    assert.match(message, /To: spam-trap@hidden\.invalid[\s\S]*Buy now\./);
    assert.doesNotMatch(message, /ann@trap/);
    assert.equal((await app.call(`GET /v1/spamtraps/hits/${id}/message`, { headers: shop })).status, 404);
    assert.equal((await app.call('GET /v1/spamtraps/hits/999999/message')).status, 404);
    assert.deepEqual((await get('/v1/spamtraps/hits', shop)).items, []);
    assert.deepEqual(await alertsOf(), [
      {
        subject: DOMAIN,
        message: `Spam traps were hit by mail of ${DOMAIN}: 1 pristine. Told by: Galley's own traps.`,
        fix: 'Nobody ever signed such an address up: find out where your list comes from, and buy no addresses.',
        page: '/traps',
        count: 1,
      },
    ]);
    assert.deepEqual(await alertsOf(shop), []);
  });

  it('is a hit of the account whose verified domain DMARC proves', async () => {
    await deliver('typo@trap.example.org', { from: `b@${PROVEN}`, headerFrom: `news@${PROVEN}`, subject: 'News' });
    const [hit] = (await hitsOf(1, shop)) as [any];
    assert.deepEqual([hit.type, hit.proof, hit.domain], ['typo', `DMARC of ${PROVEN}`, PROVEN]);
    assert.equal((await get('/v1/spamtraps/hits')).items.length, 1);
  });

  it('of anybody else is counted, and not kept', async () => {
    const strangers = [
      { from: 'x@elsewhere.example', headerFrom: 'x@elsewhere.example', subject: 'Spam' },
      // Says that it is from a domain of ours, and cannot prove it.
      { from: 'x@elsewhere.example', headerFrom: `news@${PROVEN}`, subject: 'Forged' },
      { from: '', headerFrom: 'nobody', subject: 'None' },
    ];
    for (const letter of strangers) await deliver('else@trap.example.org', letter);
    const trap = async () =>
      (await get('/v1/spamtraps/traps')).items.find(({ value }: { value: string }) => value === 'trap.example.org');
    while ((await trap()).foreign_hits < 3) await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual([(await hitsOf(0)).length, (await hitsOf(0, shop)).length], [1, 1]);
    assert.ok((await trap()).last_foreign_at);
  });

  it('is refused at names that are no trap', async () =>
    assert.rejects(
      deliver('x@sub.trap.example.org', { from: 'a@b.example', headerFrom: 'a@b.example', subject: 'x' }),
      /550/,
    ));
});

describe('a report', () => {
  const csv = [
    'Datum;Typ;Treffer;Domain;Betreff;IP address;from',
    '01.10.2026;pristine;1.200;a.example;Größe;192.0.2.1;x@a.example',
    '03.10.2026;Recycled;3;a.example;Offer;192.0.2.2;x@a.example',
    '2026-10-03;typo;;b.example;Offer;192.0.2.1;y@b.example',
    '03.10.2026;typo;2;b.example;Offer;192.0.2.1;y@b.example',
    ';;;;;;',
    '31.02.2026;typo;1;b.example;;;',
    '04.10.2026;sweet;1;b.example;;;',
    '05.10.2099;typo;1;b.example;;;',
    '06.10.2026;typo;-1;b.example;;;',
  ].join('\r\n');

  it('is read as a spreadsheet of Europe wrote it, and what is wrong in it is named', async () => {
    const { status, body } = await upload(csv, { headers: shop });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      message: '3 hits of the report are kept.',
      rows: 3,
      hits: 1206,
      skipped: 4,
      problems: [
        { row: 7, message: 'date "31.02.2026" is not a day; give it as 2026-11-22 or 22.11.2026.' },
        { row: 8, message: 'type must be one of pristine, recycled, typo, harvested; "sweet" is none.' },
        { row: 9, message: 'date 05.10.2099 has not come yet.' },
        { row: 10, message: 'hits must be a whole number from 1 to 1000000; "-1" is none.' },
      ],
    });
  });

  it('told again counts once, whatever its file is called', async () => {
    await upload(csv, { headers: shop });
    await upload(csv, { headers: shop, name: 'report (1).csv' });
    const { items } = await get('/v1/spamtraps?start=2026-09-01&end=2026-10-31', shop);
    assert.deepEqual(items, [
      { date: '2026-10-01', pristine: 1200, recycled: 0, typo: 0, harvested: 0, total: 1200 },
      { date: '2026-10-02', pristine: 0, recycled: 0, typo: 0, harvested: 0, total: 0 },
      { date: '2026-10-03', pristine: 0, recycled: 3, typo: 3, harvested: 0, total: 6 },
    ]);
  });

  it('is refused when it says nothing', async () => {
    for (const [text, words] of [
      ['a,b\n1,2\n', /^file must name the columns date and type in its first row/],
      ['date,type\n', /^file has no row below its header/],
      ['date,date,type\n', /^file names the column date twice/],
      ['date,type\nsoon,typo\n', /^file has no row that can be read; row 2: date "soon" is not a day/],
    ] as const) {
      const { status, body } = await upload(text);
      assert.deepEqual([status, words.test(body.message)], [400, true], body.message);
    }
    assert.equal((await app.call('POST /v1/spamtraps/imports', { body: new FormData() })).status, 400);
  });
});

describe('counts', () => {
  const range = 'start=2026-09-01&end=2026-10-31';
  it('are grouped and filtered', async () => {
    const day = (date: string, more: object) => ({ date, pristine: 0, recycled: 0, typo: 0, harvested: 0, ...more });
    const { items, paging } = await get(`/v1/spamtraps?${range}&groupby=domain&sortby=totals`, shop);
    assert.deepEqual(items, [
      {
        'a.example': [
          day('2026-10-01', { pristine: 1200, total: 1200 }),
          day('2026-10-02', { total: 0 }),
          day('2026-10-03', { recycled: 3, total: 3 }),
        ],
      },
      { 'b.example': [day('2026-10-03', { typo: 3, total: 3 })] },
    ]);
    assert.ok(paging.first.startsWith(`${app.url}/v1/spamtraps?start=2026-09-01`));
    const totals = async (query: string): Promise<number[]> =>
      (await get(`/v1/spamtraps?${range}&${query}`, shop)).items.map(({ total }: { total: number }) => total);
    assert.deepEqual(await totals('ip=192.0.2.1'), [1200, 0, 3]);
    assert.deepEqual(await totals('ip=192.0.2.1&domain=B.example'), [3]);
    assert.deepEqual(await totals('subject=Offer&subject=other'), [6]);
    assert.deepEqual(await totals('from=x@a.example&from=y@b.example'), [1200, 0, 6]);
    assert.deepEqual(await totals('subject=Gr%C3%B6%C3%9Fe'), [1200]);
    assert.deepEqual(await totals('sortby=totals&limit=2'), [1200, 6]);
  });

  it('are of one account', async () => {
    assert.deepEqual((await get(`/v1/spamtraps?${range}`)).items, []);
    const date = await dayOfHit();
    const own = await get(`/v1/spamtraps?start=${date}&end=${date}`);
    assert.deepEqual(own.items, [{ date, pristine: 1, recycled: 0, typo: 0, harvested: 0, total: 1 }]);
  });

  it('are of a dimension in the second version, with subaccounts where they are asked for', async () => {
    const since = 'start=2026-09-01T00:00:00Z';
    const list = async (query: string, headers = {}): Promise<unknown[][]> =>
      (await get(`/v2/spamtraps?${since}&${query}`, headers)).items.map((item: Record<string, unknown>) => [
        item['value'],
        item['total'],
      ]);
    assert.deepEqual(await list('dimension=ip&ip=192.0.2.1&ip=192.0.2.2', shop), [
      ['192.0.2.1', 1203],
      ['192.0.2.2', 3],
    ]);
    assert.deepEqual(await list('dimension=tags'), [['spring', 1]]);
    assert.deepEqual(await list('dimension=domain_name&include_subaccounts=true&sort=total:desc'), [
      ['a.example', 1203],
      ['b.example', 3],
      [PROVEN, 1],
      [DOMAIN, 1],
    ]);
    assert.equal((await list('dimension=subaccount&include_subaccounts=true')).length, 2);
    assert.deepEqual((await get('/v2/spamtraps')).items, [
      { dimension: 'timestamp', value: await dayOfHit(), pristine: 1, recycled: 0, typo: 0, harvested: 0, total: 1 },
    ]);
  });

  for (const [path, message] of [
    ['/v1/spamtraps?start=2026-10-01&end=2026-09-01', 'start must not be later than end.'],
    ['/v1/spamtraps?start=2020-01-01&end=2026-09-01', 'start must be at most 366 days before end.'],
    ['/v1/spamtraps?start=2026-02-30', 'start "2026-02-30" is not a time; give it as RFC 2822 or ISO 8601.'],
    ['/v1/spamtraps?groupby=planet', 'groupby must be one of domain, subject, ip, from.'],
    [
      '/v2/spamtraps?sort=age',
      'sort must be one of timestamp, pristine, recycled, typo, harvested, total, with :asc or :desc.',
    ],
    ['/v2/spamtraps?start=soon', 'start "soon" is not a time; give it as RFC 2822 or ISO 8601.'],
  ])
    it(`refuse ${path}`, async () => {
      const { status, body } = await app.call(`GET ${path}`);
      assert.deepEqual([status, body], [400, { message }]);
    });
});

describe('reports of an account of their own', () => {
  let other: { 'x-mailgun-on-behalf-of': string };
  before(async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } });
    other = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  });

  it('say the time of a day where a spreadsheet does', async () => {
    assert.equal((await upload('date;type\n07.10.2026 14:05;typo', { headers: other })).status, 200);
    const { items } = await get('/v1/spamtraps/hits?start=2026-10-01&end=2026-10-31', other);
    assert.deepEqual(
      items.map(({ at }: { at: string }) => at),
      ['2026-10-07T14:05:00.000Z'],
    );
  });

  it('are told by domain, once: the gravest type says what mends it, and old hits are no news', async () => {
    const day = new Date(app.clock.now().getTime() - 3 * 86_400_000).toISOString().slice(0, 10);
    const rows = ['date,type,hits,domain', `${day},typo,3,a.example`, `${day},pristine,1,a.example`];
    const csv = [...rows, `${day},recycled,2,`, '2025-11-30,pristine,1,old.example'].join('\n');
    for (let told = 0; told < 2; told += 1)
      assert.equal((await upload(csv, { name: 'network.csv', headers: other })).status, 200);
    const alerts = (await alertsOf(other)).toSorted((one, next) => (one.subject < next.subject ? -1 : 1));
    assert.deepEqual(
      alerts.map(({ subject, message, fix }) => [subject, message, fix.slice(0, 30)]),
      [
        ['', 'Spam traps were hit by your mail: 2 recycled. Told by: network.csv.', 'The address was given up long '],
        [
          'a.example',
          'Spam traps were hit by mail of a.example: 1 pristine, 3 typo. Told by: network.csv.',
          'Nobody ever signed such an add',
        ],
      ],
    );
  });

  it('may have more groups than are told apart; a query of all says so', async () => {
    const rows = (from: number, count: number): string =>
      ['date,type,subject', ...Array.from({ length: count }, (_, at) => `2026-09-15,typo,${from + at}`)].join('\n');
    assert.equal((await upload(rows(0, 50_000), { headers: other })).status, 200);
    assert.equal((await upload(rows(50_000, 1), { headers: other })).status, 200);
    const path = '/v1/spamtraps?start=2026-09-15&end=2026-09-15';
    const { status, body } = await app.call(`GET ${path}&groupby=subject`, { headers: other });
    const message = 'start spans too many groups to tell apart; ask for a shorter time, or filter.';
    assert.deepEqual([status, body], [400, { message }]);
    assert.equal((await get(path, other)).items[0].total, 50_001);
    assert.deepEqual((await get(`${path}&groupby=subject&subject=50000`, other)).items.length, 1);
  });
});

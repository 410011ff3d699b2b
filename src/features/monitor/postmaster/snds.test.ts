// Microsoft's SNDS: by its REST interface, by links of its automated access, and by files.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { dayAfter, dayOf } from './days.ts';
import { startSnds, type ProviderServer } from './providers.fixture.ts';

const CONNECTIONS = '/v1/galley/postmaster/connections';
const SNDS = '/v1/reputationanalytics/snds';
const TODAY = dayOf(new Date());
const [ONE, TWO, THREE] = [dayAfter(TODAY, -1), dayAfter(TODAY, -2), dayAfter(TODAY, -3)] as [string, string, string];
const american = (day: string): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`;
const line = (ip: string, day: string, rest: string): string =>
  `${ip},${american(day)} 1:00 AM,${american(day)} 11:59 PM,${rest}\r\n`;

// Of two days ago there is no report at all; that of three days ago is CSV without a header.
const REPORTS = {
  [ONE]: [
    {
      ipAddress: '192.0.2.1',
      rcptCommands: 1200,
      dataCommands: 1100,
      messageRecipients: 1000,
      filterResult: 'YELLOW',
      complaintRate: '0.3%',
      trapHits: 5,
      trapMessagePeriod: `${american(ONE)} 2:00 AM`,
    },
  ],
  [THREE]:
    line('192.0.2.1', THREE, '300,290,280,GREEN,< 0.1%,,,0,mail.shop.example,ann@shop.example,') +
    line('192.0.2.200', THREE, '10,10,10,RED,1.5%,,,,mail.shop.example,ann@shop.example,'),
};
const STATUS = '192.0.2.128,192.0.2.255,Yes,Blocked due to user complaints or other evidence of spamming\r\n';

let app: App;
let snds: ProviderServer;
let stranger: Record<string, string>;

before(async () => {
  snds = await startSnds({ reports: REPORTS, status: STATUS, refreshToken: 'first' });
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: snds.host });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  stranger = { 'x-service-account-id': id };
});
after(async () => {
  await app.close();
  await snds.close();
});

const connect = (given: object) => app.call(`POST ${CONNECTIONS}`, { body: { provider: 'snds', days: 4, ...given } });
const restAccess = () => ({ refresh_token: 'first', base_url: snds.url, token_url: `${snds.url}/token` });
const connectionOf = async (id: string): Promise<any> =>
  (await app.call(`GET ${CONNECTIONS}`)).body.items.find((one: any) => one.id === id);
const readAgain = async (id: string): Promise<any> => {
  await app.call(`POST ${CONNECTIONS}/${id}/sync`, { body: { days: 4 } });
  await app.idle();
  return connectionOf(id);
};

const YELLOW = {
  ip_address: '192.0.2.1',
  block_text: '',
  is_blocked: null,
  complaint_rate: '0.3%',
  date: `${ONE}T00:00:00Z`,
  filter_result: 'YELLOW',
  recipients: 1000,
  trap_hits: 5,
  trap_message_period: `${american(ONE)} 2:00 AM`,
  trap_percentage: 0.5,
  source: 'api',
  domain_name: '',
  address: '192.0.2.1',
  reputation: 2,
};
const GREEN = {
  ...YELLOW,
  complaint_rate: '< 0.1%',
  date: `${THREE}T00:00:00Z`,
  filter_result: 'GREEN',
  recipients: 280,
  trap_hits: 0,
  trap_message_period: null,
  trap_percentage: 0,
  reputation: 4,
};
const RED = {
  ...GREEN,
  ip_address: '192.0.2.200',
  address: '192.0.2.200',
  block_text: 'Blocked due to user complaints or other evidence of spamming',
  is_blocked: true,
  complaint_rate: '1.5%',
  filter_result: 'RED',
  recipients: 10,
  trap_hits: null,
  trap_percentage: null,
  reputation: 1,
};

describe('a connection to SNDS by its REST interface', () => {
  let id = '';

  it('reads each day, JSON and CSV, and what is blocked', async () => {
    ({ id } = (await connect(restAccess())).body);
    await app.idle();
    const read = await connectionOf(id);
    assert.deepEqual([read.state, read.problem, read.method], ['connected', null, 'refresh_token']);
    const { status, body } = await app.call(`GET ${SNDS}/192.0.2.1`);
    assert.equal(status, 200);
    assert.deepEqual(body, { summary: [YELLOW, GREEN], ip_counts: { GREEN: 1, YELLOW: 1 }, total: 2 });
  });

  it('lists addresses with their last day', async () => {
    const { status, body } = await app.call(`GET ${SNDS}`);
    assert.equal(status, 200);
    assert.deepEqual(body, { summary: [YELLOW, RED], ip_counts: { RED: 1, YELLOW: 1 }, total: 2 });
    const sorted = await app.call(`GET ${SNDS}?sortBy=recipients&orderBy=asc&search=192.0&limit=1&offset=1`);
    assert.deepEqual([sorted.body.summary, sorted.body.total], [[YELLOW], 2]);
    assert.deepEqual((await app.call(`GET ${SNDS}?search=%25`)).body.summary, []);
  });

  it('sorts, skips and searches the days of an address, in both spellings', async () => {
    for (const query of ['sortBy=recipients&orderBy=asc&skip=1', 'SortBy=recipients&OrderBy=asc&Skip=1'])
      assert.deepEqual((await app.call(`GET ${SNDS}/192.0.2.1?${query}`)).body.summary, [YELLOW], query);
    for (const query of [`search=${THREE}`, `Search=${THREE}`])
      assert.deepEqual((await app.call(`GET ${SNDS}/192.0.2.1?${query}`)).body.summary, [GREEN], query);
  });

  it('keeps the refresh token that each reading brings', async () => {
    assert.equal((await readAgain(id)).state, 'connected');
    assert.equal((await readAgain(id)).state, 'connected');
    const forms = snds.asked.filter(({ path }) => path === '/token').map(({ body }) => new URLSearchParams(body));
    assert.deepEqual(
      forms.map((form) => form.get('refresh_token')),
      ['first', 'first-1', 'first-2'],
    );
  });

  it('waits when it asked too often, and says when its access has ended', async () => {
    snds.fail(new RegExp(`/data/${TWO}`), 429, { headers: { 'retry-after': 'soon' } });
    const limited = await readAgain(id);
    assert.equal(limited.state, 'limited');
    assert.equal(Date.parse(limited.next_at) - Date.parse(limited.checked_at), 3_600_000);
    snds.fail(/\/data\//, 401);
    assert.equal((await readAgain(id)).state, 'expired');
    snds.fail(/\/data\//, 200, { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' });
    assert.match((await readAgain(id)).problem, /a web page instead of a report: its access has ended/);
    snds.fail(/\/data\//, 200, { body: '{"hello": 1}' });
    assert.match((await readAgain(id)).problem, /JSON that holds no list/);
    snds.fail(/\/data\//, 200, { body: '[{"other": 1}]' });
    assert.match((await readAgain(id)).problem, /a report of another form/);
    assert.equal((await readAgain(id)).state, 'connected');
  });

  it('is nobody else’s', async () => {
    assert.deepEqual((await app.call(`GET ${SNDS}`, { headers: stranger })).body.summary, []);
    const { status, body } = await app.call(`GET ${SNDS}/192.0.2.1`, { headers: stranger });
    assert.deepEqual([status, body.Description], [404, 'There is no SNDS data of 192.0.2.1.']);
  });

  it('refuses what is no page and no order', async () => {
    for (const query of ['limit=0', 'skip=-1', 'sortBy=name', 'orderBy=up']) {
      const { status, body } = await app.call(`GET ${SNDS}/192.0.2.1?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.Reason, new RegExp(`^${query.split('=')[0]}`));
    }
  });
});

describe('a connection to SNDS by links', () => {
  it('reads CSV of each day, and hides the key', async () => {
    const links = { data_url: `${snds.url}/data.aspx?key=abc`, status_url: `${snds.url}/ipStatus.aspx?key=abc` };
    const made = await connect(links);
    assert.deepEqual([made.status, made.body.method, made.body.asks], [201, 'links', snds.host]);
    const days = Date.parse(made.body.ends_at) - Date.parse(made.body.created_at);
    assert.equal(days, 30 * 86_400_000);
    await app.idle();
    const read = await connectionOf(made.body.id);
    assert.deepEqual([read.state, read.problem], ['connected', null]);
    assert.ok(!JSON.stringify(read).includes('key='));
    const [green] = (await app.call(`GET ${SNDS}/192.0.2.1?search=${THREE}`)).body.summary;
    assert.deepEqual(green, { ...GREEN, source: 'links' });
    await app.call(`DELETE ${CONNECTIONS}/${made.body.id}`);
  });

  it('says that a link has ended', async () => {
    const { body } = await connect({ data_url: `${snds.url}/data.aspx?key=old` });
    await app.idle();
    const read = await connectionOf(body.id);
    assert.deepEqual(
      [read.state, read.problem],
      ['expired', 'Microsoft SNDS no longer knows the link (404): links end after 30 days.'],
    );
    await app.call(`DELETE ${CONNECTIONS}/${body.id}`);
  });

  it('is either of the two', async () => {
    for (const given of [{}, { refresh_token: 'x', data_url: 'https://example.com' }]) {
      const { status, body } = await connect(given);
      assert.equal(status, 400);
      assert.match(body.message, /^refresh_token, data_url: give one of them/);
    }
  });
});

describe('an uploaded report of SNDS', () => {
  const upload = (text: string) => {
    const form = new FormData();
    form.append('provider', 'snds');
    form.append('file', new File([text], 'snds.csv'));
    return app.call('POST /v1/galley/postmaster/uploads', { body: form, headers: stranger });
  };

  it('is read with a header, as a European spreadsheet saves it', async () => {
    const { status, body } = await upload(
      'IP Address;Activity period;Message recipients;Filter result;Complaint rate;Trap hits\r\n' +
        '192.0.2.7;21.11.2026 01:00;1.234;GREEN;< 0,1%;2\r\nnobody;21.11.2026;1;GREEN;;\r\n',
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      message: '1 records have been kept.',
      records: 1,
      skipped: 1,
      problems: [{ row: 3, message: 'ip address "nobody" is no IP address, such as 192.0.2.1.' }],
    });
    const [record] = (await app.call(`GET ${SNDS}/192.0.2.7`, { headers: stranger })).body.summary;
    assert.deepEqual(
      [record.date, record.recipients, record.complaint_rate, record.trap_hits, record.source],
      ['2026-11-21T00:00:00Z', 1234, '< 0.1%', 2, 'upload'],
    );
  });

  it('is refused where no row can be read', async () => {
    const { status, body } = await upload('Name;Age\r\nAnn;7\r\n');
    assert.equal(status, 400);
    assert.equal(
      body.message,
      'file has no row that can be read; row 2: ip address "" is no IP address, such as 192.0.2.1.',
    );
  });
});

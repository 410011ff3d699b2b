// Servers that are asked for mailboxes: what each answer means, and that they are asked politely.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConfigError, readConfig } from '../../../platform/config/index.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const MX = { MX: ['10 mx.telling.example'] };
const zone = {
  'telling.example': MX,
  'all.example': { MX: ['10 mx.all.example'] },
  'inside.example': { MX: ['10 mx.inside.example'] },
  'gone.example': { MX: ['10 mx.gone.example'] },
  'null.example': { MX: ['0 .'] },
  'mailinator.com': MX,
  'mx.telling.example': { A: ['127.0.0.1'] },
  'mx.all.example': { A: ['127.0.0.1'] },
  'mx.inside.example': { A: ['10.0.0.7'] },
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Who has a mailbox at telling.example; what it says to the others and to some. */
const MAILBOXES = /<(ann|bob|member\d+)@telling\.example>/;
const SAYS: [RegExp, string | null][] = [
  [/<later@/, '450 4.2.0 Greylisted, please try again later'],
  [/<blocked@/, '550 5.7.1 Service unavailable; client host [127.0.0.1] blocked using a blocklist'],
  [/<full@/, '552 5.2.2 Mailbox full'],
  [/<hangs-up@/, null],
  [/@all\.example>/, '250 2.1.5 Ok'],
];

let app: App;
let server: MailServer;

before(async () => {
  server = await startMailServer({
    answer(verb, line) {
      if (verb !== 'RCPT' || MAILBOXES.test(line)) return undefined;
      return (SAYS.find(([pattern]) => pattern.test(line)) ?? [0, '550 5.1.1 No such user here'])[1];
    },
  });
  app = await startApp(
    {
      GALLEY_ROLES: 'api,work',
      GALLEY_ALLOW_HOSTS: '127.0.0.1',
      GALLEY_VALIDATION_PROBE: 'on',
      GALLEY_VALIDATION_PROBES_PER_HOUR: '40',
    },
    { zone, mail: { mxPort: server.port } },
  );
});
after(async () => {
  await app?.close();
  await server?.close();
});

const validate = (address: string, as = {}) =>
  app.call(`GET /v4/address/validate?address=${encodeURIComponent(address)}`, as);
const probeOf = (body: any) => body.checks.find(({ check }: any) => check === 'probe');
const askedFor = (): string[] =>
  server.lines.filter((line) => line.startsWith('RCPT')).map((line) => /<(.*)>/.exec(line)![1]!);
async function newAccount() {
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Another');
  return { headers: { 'x-service-account-id': body.subaccount.id as string } };
}

describe('a server that is asked for a mailbox', () => {
  it('is asked by the null sender, for the address and a name that nobody has, and sent nothing', async () => {
    const { body } = await validate('ann@Telling.example');
    assert.deepEqual([body.result, body.risk, body.reason], ['deliverable', 'low', []]);
    const { outcome, text, as_of: asked } = probeOf(body);
    assert.deepEqual([outcome, text], ['passed', 'mx.telling.example said 250 2.1.5 Ok.']);
    assert.equal(asked, body.probed_at);
    assert.ok(Math.abs(Date.parse(asked) - app.clock.now().getTime()) < 600_000);
    assert.deepEqual(
      server.lines.map((line) => line.replace(/<x[0-9a-f]{20}@/, '<invented@').replace(/^EHLO .*/, 'EHLO')),
      ['EHLO', 'MAIL FROM:<>', 'RCPT TO:<ann@telling.example>', 'RCPT TO:<invented@telling.example>', 'QUIT'],
    );
    assert.equal(server.messages.length, 0);
  });

  const said: [address: string, result: string, reason: string[], outcome: string, text: RegExp][] = [
    ['bob@telling.example', 'deliverable', [], 'passed', /said 250 2\.1\.5 Ok\.$/],
    [
      'nemo@telling.example',
      'undeliverable',
      ['mailbox_does_not_exist'],
      'failed',
      /said 550 5\.1\.1 No such user here\.$/,
    ],
    [
      'later@telling.example',
      'unknown',
      ['mailbox_not_known'],
      'unknown',
      /450 4\.2\.0 Greylisted.*something else later\.$/,
    ],
    ['blocked@telling.example', 'unknown', ['mailbox_not_known'], 'unknown', /5\.7\.1.*not said of the mailbox\.$/],
    ['full@telling.example', 'unknown', ['mailbox_not_known'], 'unknown', /5\.2\.2.*not said of the mailbox\.$/],
    ['hangs-up@telling.example', 'unknown', ['mailbox_not_known'], 'unknown', /connection/],
    ['ann@all.example', 'catch_all', ['catch_all'], 'unknown', /takes even a name that nobody has/],
    [
      'ann@inside.example',
      'unknown',
      ['mailbox_not_known'],
      'unknown',
      /mx\.inside\.example is not at a public address/i,
    ],
    ['ann@gone.example', 'unknown', ['mailbox_not_known'], 'unknown', /has no address that was found/],
    ['änn@telling.example', 'unknown', ['mailbox_not_known'], 'not_made', /characters outside ASCII/],
    ['ann@null.example', 'undeliverable', ['domain_takes_no_mail'], 'not_made', /the rest settles it/],
    ['ann@mailinator.com', 'do_not_send', ['mailbox_is_disposable_address'], 'not_made', /the rest settles it/],
    ['no address', 'undeliverable', ['malformed_address'], 'not_made', /the rest settles it/],
  ];
  for (const [address, result, reason, outcome, text] of said)
    it(`makes ${address} ${result}`, async () => {
      const { body } = await validate(address);
      const probe = probeOf(body);
      assert.deepEqual([body.result, body.reason, probe.outcome], [result, reason, outcome]);
      assert.match(probe.text, text);
      assert.equal(body.probed_at === undefined, outcome === 'not_made');
    });

  it('is not asked again while its answer is fresh, and after that it is', async () => {
    const before = askedFor().length;
    const first = (await validate('bob@telling.example')).body.probed_at;
    app.clock.advance(2 * HOUR_MS);
    assert.equal((await validate('bob@telling.example')).body.probed_at, first);
    assert.equal((await validate('carl@all.example')).body.result, 'catch_all');
    assert.equal(askedFor().length, before);
    // What was no answer is asked for after an hour.
    await validate('later@telling.example');
    assert.deepEqual(askedFor().slice(before), ['later@telling.example']);
    app.clock.advance(8 * DAY_MS);
    assert.notEqual((await validate('bob@telling.example')).body.probed_at, first);
    assert.equal(askedFor()[before + 1], 'bob@telling.example');
  });

  it('is asked over one connection at a time, however many ask', async () => {
    const others = Array.from({ length: 6 }, (_, n) => `member${n}@telling.example`);
    const answers = await Promise.all(others.map((address) => validate(address)));
    assert.ok(answers.every(({ body }) => body.result === 'deliverable'));
    assert.equal(server.connectionsMax(), 1);
  });

  it('says nothing to other accounts, which ask for themselves', async () => {
    const before = askedFor().length;
    assert.equal((await validate('bob@telling.example', await newAccount())).body.result, 'deliverable');
    assert.equal(askedFor()[before], 'bob@telling.example');
  });

  it('is asked for so many addresses of an account within an hour, also by a list', async () => {
    const as = await newAccount();
    const form = new FormData();
    const rows = Array.from({ length: 45 }, (_, n) => `member${100 + n}@telling.example`);
    form.append('file', new File([['email', ...rows].join('\n')], 'list.csv'));
    // The hour does not end meanwhile.
    app.clock.advance(HOUR_MS - (app.clock.now().getTime() % HOUR_MS) + 1000);
    const before = { rcpt: askedFor().length, connections: server.connections() };
    await app.call('POST /v4/address/validate/bulk/probed', { body: form, ...as });
    await app.idle();
    const { body } = await app.call('GET /v4/address/validate/bulk/probed', as);
    assert.deepEqual([body.summary.result.deliverable, body.summary.result.unknown], [40, 5]);
    // Five addresses over each, and one invented name in the first.
    assert.deepEqual(
      [askedFor().length - before.rcpt, server.connections() - before.connections, server.connectionsMax()],
      [41, 8, 1],
    );
    const csv = (await app.call(`GET ${body.download_url.csv}`, { key: null })).body;
    assert.match(csv, /member100@telling\.example,deliverable,low,,,,false,false,,20\d\d-\d\d-\d\dT/);
    assert.match(csv, /member144@telling\.example,unknown,unknown,mailbox_not_known,,,false,false,,\r\n/);
    const { outcome, text } = probeOf((await validate('member144@telling.example', as)).body);
    assert.equal(outcome, 'not_made');
    assert.match(text, /this account asked for 40 addresses within this hour already/);
    app.clock.advance(HOUR_MS);
    assert.equal((await validate('member144@telling.example', as)).body.result, 'deliverable');
  });
});

describe('the setting', () => {
  it('does not go with a relay', () => {
    const env = { GALLEY_VALIDATION_PROBE: 'on', GALLEY_SMTP_RELAY: 'smtp://relay.example' };
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && /a relay does not know the mailboxes/.test(error.message),
    );
    assert.throws(() => readConfig({ GALLEY_VALIDATION_PROBE: 'yes' }), /give one of off, on/);
  });
});

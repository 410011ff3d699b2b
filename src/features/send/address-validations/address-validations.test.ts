import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, doubtingDns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
const stranger = { headers: { 'x-service-account-id': '' } };

before(async () => {
  app = await startApp(
    { GALLEY_ROLES: 'api' },
    {
      zone: {
        'example.net': { MX: ['20 mx2.example.net', '10 mx.example.net'] },
        'plain.example': { A: ['192.0.2.7'] },
        'null.example': { MX: ['0 .'] },
        'broken.example': { fails: 'ESERVFAIL' },
        'slow.example': { fails: 'ETIMEOUT' },
        'silent.example': { TXT: ['no mail'] },
        'xn--bcher-kva.example': { MX: ['10 mx.example.net'] },
        'mailinator.com': { MX: ['10 mx.example.net'] },
        'gamil.com': { MX: ['10 mx.example.net'] },
        'gmail.com': { MX: ['10 mx.example.net'] },
      },
    },
  );
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Stranger');
  stranger.headers['x-service-account-id'] = body.subaccount.id;
});
after(() => app.close());

const validate = (address: string, as = {}) =>
  app.call(`GET /v4/address/validate?address=${encodeURIComponent(address)}`, as);
const outcomes = (body: any): Record<string, string> =>
  Object.fromEntries(body.checks.map(({ check, outcome }: any) => [check, outcome]));
const textOf = (body: any, check: string): string => body.checks.find((one: any) => one.check === check).text;

describe('GET /v4/address/validate', () => {
  it('says what is known, what was looked at, and what is not known', async () => {
    const { status, body } = await validate('Ann@example.net');
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          address: 'Ann@example.net',
          did_you_mean: null,
          is_disposable_address: false,
          is_role_address: false,
          reason: ['mailbox_not_known'],
          result: 'unknown',
          risk: 'unknown',
          root_address: null,
          checks: [
            { check: 'syntax', outcome: 'passed', text: 'It is written as an address (RFC 5321).' },
            {
              check: 'dns',
              outcome: 'passed',
              text: 'Mail for example.net goes to mx.example.net, or to one other server.',
            },
            {
              check: 'disposable',
              outcome: 'passed',
              text: 'example.net is on no list of disposable domains.',
              as_of: '2026-08-21',
            },
            { check: 'role', outcome: 'passed', text: 'The name is on no list of roles.', as_of: '2025-03-26' },
            { check: 'typo', outcome: 'passed', text: 'The domain is no known slip of the hand.' },
            {
              check: 'history',
              outcome: 'unknown',
              text: 'No mail of this account was delivered to it within 30 days.',
            },
            {
              check: 'probe',
              outcome: 'not_made',
              text: "The domain's server was not asked whether there is such a mailbox.",
            },
          ],
        },
      ],
    );
  });

  const said: [address: string, result: string, risk: string, reason: string[], meant?: string][] = [
    ['ann@plain.example', 'unknown', 'unknown', ['mailbox_not_known']],
    ['ann@bücher.example', 'unknown', 'unknown', ['mailbox_not_known']],
    ['ann@null.example', 'undeliverable', 'high', ['domain_takes_no_mail']],
    ['ann@nowhere.example', 'undeliverable', 'high', ['no_mail_server']],
    ['ann@silent.example', 'undeliverable', 'high', ['no_mail_server']],
    ['ann@192.0.2.1', 'undeliverable', 'high', ['no_mail_server']],
    ['ann@broken.example', 'unknown', 'unknown', ['dns_not_answered']],
    ['ann@slow.example', 'unknown', 'unknown', ['dns_not_answered']],
    ['info@example.net', 'unknown', 'medium', ['mailbox_not_known', 'mailbox_is_role_address']],
    ['ann@mailinator.com', 'do_not_send', 'high', ['mailbox_is_disposable_address']],
    ['ann@gamil.com', 'unknown', 'high', ['mailbox_not_known', 'typo_of_provider'], 'ann@gmail.com'],
    ['ann@libreo.it', 'undeliverable', 'high', ['no_mail_server', 'typo_of_provider'], 'ann@libero.it'],
    ['ann', 'undeliverable', 'high', ['malformed_address']],
    ['a..nn@example.net', 'undeliverable', 'high', ['malformed_address']],
    [`ann@${'a'.repeat(400)}.example`, 'undeliverable', 'high', ['malformed_address']],
  ];
  for (const [address, result, risk, reason, meant = null] of said)
    it(`says ${result} of ${address.slice(0, 40)}`, async () => {
      const { body } = await validate(address);
      assert.deepEqual([body.result, body.risk, body.reason, body.did_you_mean], [result, risk, reason, meant]);
    });

  it('says in a sentence what DNS said', async () => {
    const texts = await Promise.all(
      ['ann@null.example', 'ann@nowhere.example', 'ann@broken.example', 'ann@[192.0.2.1]', 'ann'].map(async (address) =>
        textOf((await validate(address)).body, 'dns'),
      ),
    );
    assert.deepEqual(texts.slice(0, 2), [
      'null.example takes no mail: it publishes a null MX record.',
      'nowhere.example has neither MX records nor an address.',
    ]);
    assert.match(texts[2] as string, /^The MX records of broken\.example could not be looked up \(.*\)\.$/);
    assert.deepEqual(texts.slice(3), [
      'The address names a server by its IP address.',
      'It was not looked at, because this is no address.',
    ]);
    assert.deepEqual(outcomes((await validate('ann')).body), {
      syntax: 'failed',
      dns: 'not_made',
      disposable: 'not_made',
      role: 'not_made',
      typo: 'not_made',
      history: 'not_made',
      probe: 'not_made',
    });
  });

  it('names the mailbox behind an address where its provider says how it reads them', async () => {
    const roots = ['a.nn+x@gmail.com', 'ann@gmail.com', 'ann+x@example.net'].map(
      async (address) => (await validate(address)).body.root_address,
    );
    assert.deepEqual(await Promise.all(roots), ['ann@gmail.com', null, null]);
  });

  it('reads a form, and JSON', async () => {
    const form = await app.call('POST /v4/address/validate', {
      body: 'address=ann%40null.example',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const json = await app.call('POST /v4/address/validate', { body: { address: ' ann@null.example ' } });
    assert.deepEqual([form.status, form.body.result], [200, 'undeliverable']);
    assert.deepEqual(json.body, form.body);
  });

  for (const [what, query, message] of [
    ['no address', '', /^address is required/],
    ['an empty one', '?address=', /^address must not have fewer than 1 characters/],
    ['blanks', '?address=%20', /^address must not be empty/],
    ['a long one', `?address=${'a'.repeat(513)}`, /^address must not have more than 512 characters/],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { status, body } = await app.call(`GET /v4/address/validate${query}`);
      assert.equal(status, 400);
      assert.match(body.message, message);
    });

  it('knows the older paths and their shape', async () => {
    const older = async (path: string) => {
      const { status, body, headers } = await app.call(`GET ${path}`);
      assert.ok(headers.get('deprecation'));
      return [status, body];
    };
    const plain = {
      did_you_mean: null,
      is_disposable_address: false,
      is_role_address: false,
      mailbox_verification: 'unknown',
      reason: null,
    };
    assert.deepEqual(await older('/v3/address/validate?address=Ann@example.net'), [
      200,
      {
        ...plain,
        address: 'Ann@example.net',
        is_valid: true,
        parts: { display_name: null, domain: 'example.net', local_part: 'Ann' },
      },
    ]);
    assert.deepEqual(await older('/v3/address/private/validate?address=ann@null.example'), [
      200,
      {
        ...plain,
        address: 'ann@null.example',
        is_valid: false,
        mailbox_verification: 'false',
        parts: { display_name: null, domain: 'null.example', local_part: 'ann' },
        reason: 'null.example takes no mail: it publishes a null MX record.',
      },
    ]);
    assert.deepEqual(await older('/v3/address/validate?address=ann'), [
      200,
      {
        ...plain,
        address: 'ann',
        is_valid: false,
        mailbox_verification: 'false',
        parts: { display_name: null, domain: null, local_part: null },
        reason: 'It has no @.',
      },
    ]);
  });
});

describe("an account's lists", () => {
  const DOMAIN = 'news.example.com';
  const add = (list: string, body: object) => app.call(`POST /v3/${DOMAIN}/${list}`, { body });

  before(async () => {
    await app.call('POST /v4/domains', { body: { name: DOMAIN } });
    await add('bounces', [{ address: 'Gone@example.net' }, { address: 'allowed@example.net' }]);
    await add('whitelists', { address: 'allowed@example.net' });
    await add('complaints', { address: 'angry@example.net' });
    await add('unsubscribes', { address: 'left@example.net', tag: '*' });
    await add('unsubscribes', { address: 'partly@example.net', tag: 'spring' });
  });

  for (const [address, result, reason] of [
    ['gone@Example.net', 'undeliverable', 'bounced_before'],
    ['allowed@example.net', 'unknown', 'mailbox_not_known'],
    ['angry@example.net', 'do_not_send', 'complained_before'],
    ['left@example.net', 'do_not_send', 'unsubscribed_before'],
    ['partly@example.net', 'unknown', 'mailbox_not_known'],
  ] as const)
    it(`say ${result} of ${address}, and nothing to others`, async () => {
      const { body } = await validate(address);
      assert.deepEqual([body.result, body.reason], [result, [reason]]);
      const theirs = await validate(address, stranger);
      assert.deepEqual([theirs.body.result, theirs.body.reason], ['unknown', ['mailbox_not_known']]);
    });
});

describe('a validation', () => {
  const LIMITS = '/v1/thresholds/limits';
  const USAGE = 'POST /v1/analytics/usage/metrics';
  const names = ['email_validation_count', 'email_validation_single_count', 'email_validation_valid_count'];
  const usage = async (as = {}) =>
    (await app.call(USAGE, { body: { duration: '1d', metrics: names }, ...as })).body.items[0].metrics;

  it('is counted, and writes an event that only its account reads', async () => {
    const before = await usage();
    await validate('counted@example.net');
    const now = await usage();
    assert.deepEqual(
      names.map((name) => now[name] - before[name]),
      [1, 1, 0],
    );
    assert.equal((await usage(stranger)).email_validation_count > 0, true);
    app.clock.advance(3000);
    const query = { events: ['email_validation'], duration: '1d', filter: filterOf('counted@example.net') };
    const { body } = await app.call('POST /v1/analytics/logs', { body: query });
    assert.equal(body.items.length, 1, JSON.stringify(body));
    const { event, recipient, 'email-validation': said } = body.items[0];
    assert.deepEqual(
      [event, recipient, said],
      [
        'email_validation',
        'counted@example.net',
        {
          result: 'unknown',
          risk: 'unknown',
          reason: ['mailbox_not_known'],
          'is-disposable-address': false,
          'is-role-address': false,
        },
      ],
    );
    assert.deepEqual((await app.call('POST /v1/analytics/logs', { body: query, ...stranger })).body.items, []);
  });

  it('is stopped by its limit, exactly, when many ask at once', async () => {
    const as = await newAccount();
    const limit = { name: 'checks', metric: 'email_validation_count', comparator: '>=', limit: '5' };
    await app.call(`POST ${LIMITS}`, { body: { ...limit, dimension: 'subaccount', period: '' }, ...as });
    const answers = await Promise.all(Array.from({ length: 9 }, () => validate('ann@example.net', as)));
    const refused = answers.filter(({ status }) => status === 403);
    assert.equal(refused.length, 4);
    assert.match(refused[0]?.body.message, /^The limit "checks" on email validations is used up: 5 a month/);
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    assert.equal((await usage(as)).email_validation_count, 5);
    assert.equal((await usage(as)).email_validation_single_count, 5);
  });

  it('is not for an account that has the product switched off', async () => {
    const as = await newAccount();
    const id = as.headers['x-service-account-id'];
    await app.call(`PUT /v5/accounts/subaccounts/${id}/features`, {
      body: new URLSearchParams({ validations: '{"enabled":false}' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { status, body } = await validate('ann@example.net', as);
    assert.deepEqual([status, body.message], [403, 'Validation is not enabled for this account']);
  });
});

const filterOf = (recipient: string) => ({
  AND: [{ attribute: 'recipient', comparator: '=', values: [{ label: recipient, value: recipient }] }],
});

async function newAccount() {
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Another');
  return { headers: { 'x-service-account-id': body.subaccount.id as string } };
}

describe('name servers that know no name at all', () => {
  it('are not believed: nothing is undeliverable because of them, and /health tells', async () => {
    const cutOff = await startApp({ GALLEY_ROLES: 'api' }, { dns: doubtingDns(createZoneDns({})) });
    try {
      const { body } = await cutOff.call('GET /v4/address/validate?address=ann%40gmail.com');
      assert.deepEqual([body.result, body.risk, body.reason], ['unknown', 'unknown', ['dns_not_answered']]);
      assert.equal(
        textOf(body, 'dns'),
        'The MX records of gmail.com could not be looked up (MX gmail.com: the name servers know no public name, not even com).',
      );
      const health = (await cutOff.call('GET /health', { key: null })).body;
      assert.deepEqual(
        [health.status, health.parts.dns],
        ['degraded', { status: 'away', reason: 'the name servers know no public name, not even com' }],
      );
    } finally {
      await cutOff.close();
    }
  });
});

// Limits stop what they limit, however many ask at once, and their owner is told once.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startMailServer } from '../../../../test/harness/mail-server.ts';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { countUse } from '../../account/limits/index.ts';
import {
  addLimit,
  calm,
  ends,
  limit,
  LIMITS,
  limitsBed,
  newSubaccount as newSubaccountOf,
  PREVIEWS,
  PRIMARY,
} from './limits.fixture.ts';

let app: App;
let at: Date;
let accountId: string;
limitsBed(
  { GALLEY_ROLES: 'api,mail', GALLEY_SMTP_DOMAIN: 'proofs.example.com' },
  (bed) => ({ app, at, accountId } = bed),
);

const add = (fields: object = {}, as = {}) => addLimit(app, fields, as);
const TEST = { subject: 'Spring', html: '<p>Hi</p>', clients: ['gmail_chrome'] };
const preview = (as = {}, on = app) => on.call('POST /v2/preview/tests', { body: TEST, ...as });
const newSubaccount = (name: string) => newSubaccountOf(app, name);
const tally = (statuses: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, (one) => one)].map(([status, those]) => [status, those.length]));

describe('a limit on previews', () => {
  for (const [period, word] of [
    ['1h', 'an hour'],
    ['1d', 'a day'],
    ['', 'a month'],
  ] as const)
    it(`stops them when so many ${word} are used up, says which limit, and until when`, async () => {
      await add({ period });
      const statuses = [(await preview()).status, (await preview()).status];
      assert.deepEqual(statuses, [200, 200]);
      const message =
        `The limit "previews a day" on preview tests is used up: 2 ${word} (UTC). ` +
        `It resets at ${ends(at)[period]}.`;
      const { status, body } = await preview();
      assert.deepEqual([status, body], [403, { error: { name: 'PermissionError', message }, message }]);
      const older = await app.call('POST /v1/preview/tests', { body: { ...TEST, email_clients: TEST.clients } });
      assert.deepEqual([older.status, older.body.error.message], [403, message]);
    });

  for (const comparator of ['=', '>', '>='])
    it(`lets exactly as many through with ${comparator}`, async () => {
      await add({ comparator, limit: '1' });
      assert.deepEqual([(await preview()).status, (await preview()).status], [200, 403]);
    });

  it('counts what was used before it was made, and lets on when it is raised or the window is over', async () => {
    for (let n = 0; n < 3; n++) assert.equal((await preview()).status, 200);
    await add({ limit: '3', period: '' });
    assert.equal((await preview()).status, 403);
    const uses = await app.call('GET /v1/galley/thresholds/uses');
    assert.deepEqual(
      [uses.status, uses.body],
      [
        200,
        {
          items: [
            {
              name: 'previews a day',
              metric: PREVIEWS,
              limit: '3',
              used: 3,
              resets_at: ends(at)[''],
              account_id: accountId,
              account_name: 'Galley',
            },
          ],
          total: 1,
        },
      ],
    );
    await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ limit: '4', period: '' }) });
    assert.deepEqual([(await preview()).status, (await preview()).status], [200, 403]);
    const { db } = app.galley.outside;
    const before = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1));
    await db.ofAnyone.updateTable('uses').set({ startsAt: before }).where('period', '=', 'month').execute();
    assert.equal((await preview()).status, 200);
  });

  it('lets nothing through at 0, and a test that is refused leaves nothing', async () => {
    await add({ limit: '0' });
    const earlier = (await app.call('GET /v2/preview/tests')).body.length;
    assert.equal((await preview()).status, 403);
    assert.equal((await app.call('GET /v2/preview/tests')).body.length, earlier);
    assert.deepEqual((await app.call('GET /v1/galley/thresholds/uses')).body, { items: [], total: 0 });
  });

  it('holds for each subaccount by itself, or for those that its filters leave', async () => {
    const [one, two] = [await newSubaccount('One'), await newSubaccount('Two')];
    await add({ limit: '1' });
    for (const as of [{}, one.as, two.as])
      assert.deepEqual([(await preview(as)).status, (await preview(as)).status], [200, 403]);
    const { items } = (await app.call('GET /v1/galley/thresholds/uses')).body;
    assert.deepEqual(items.map((use: any) => use.account_name).toSorted(), ['Galley', 'One', 'Two']);
    const filters = [{ dimension: 'subaccount', comparator: '=', values: [one.id] }];
    await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ limit: '1', filters }) });
    const only = await Promise.all([{}, one.as, two.as].map(async (as) => (await preview(as)).status));
    assert.deepEqual(only, [200, 403, 200]);
    const others = [{ dimension: 'subaccount', comparator: '!=', values: [one.id] }];
    await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ limit: '1', filters: others }) });
    const rest = await Promise.all([{}, one.as, two.as].map(async (as) => (await preview(as)).status));
    assert.deepEqual(rest, [403, 200, 403]);
    await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ limit: '1', dimension: 'domain' }) });
    const own = await Promise.all([{}, one.as, two.as].map(async (as) => (await preview(as)).status));
    assert.deepEqual(own, [403, 200, 200]);
  });

  it('can be set by a subaccount for itself, and the limit of its parent holds as well', async () => {
    const { as } = await newSubaccount('Strict');
    await add({ limit: '1' }, as);
    assert.deepEqual([(await preview(as)).status, (await preview(as)).status], [200, 403]);
    assert.equal((await preview()).status, 200);
    await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ limit: '9' }), ...as });
    await add({ name: 'parent', limit: '1' });
    const { status, body } = await preview(as);
    assert.equal(status, 403);
    assert.match(body.message, /^The limit "parent" on preview tests is used up: 1 a day/);
  });

  it('lets exactly as many through when many ask at once', async () => {
    await add({ limit: '5' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => preview()));
    assert.deepEqual(tally(answers.map(({ status }) => status)), { 200: 5, 403: 7 });
    const { items } = (await app.call('GET /v1/galley/thresholds/uses')).body;
    assert.equal(items[0].used, 5);
  });

  it('refuses mail to the preview address for now', async () => {
    const { preview_address: to } = (await app.call('POST /v1/preview/address')).body;
    await add({ limit: '0' });
    const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
    try {
      await client.say('EHLO sender.example');
      await client.say('MAIL FROM:<a@sender.example>');
      const answer = await client.say(`RCPT TO:<${to}>`);
      assert.match(answer, /^450 4\.7\.1 The limit "previews a day" on preview tests is used up: 0 a day/);
      await app.call(`DELETE ${LIMITS}/previews%20a%20day`);
      assert.match(await client.say(`RCPT TO:<${to}>`), /^250 /);
    } finally {
      client.close();
    }
  });
});

describe('a limit on seed tests', () => {
  it('stops them, and no list is made for what is refused', async () => {
    const { name } = (await app.call('GET /v4/domains')).body.items[0];
    const body = {
      from: `news@${name}`,
      subject: 'Spring',
      html: '<p>Hi</p>',
      provider_filter: ['webmail.local-receiver.example'],
      max_seeds_per_provider: 1,
    };
    const place = () => app.call('POST /v4/inbox/tests', { body });
    await add({ name: 'seeds', metric: 'seed_test_count', limit: '1', period: '1h' });
    assert.equal((await place()).status, 200);
    const lists = (await app.call('GET /v4/inbox/seedlists')).body.total;
    const refused = await place();
    const message = `The limit "seeds" on seed tests is used up: 1 an hour (UTC). It resets at ${ends(at)['1h']}.`;
    assert.deepEqual([refused.status, refused.body.message], [403, message]);
    assert.equal((await app.call('GET /v4/inbox/seedlists')).body.total, lists);
    assert.equal((await preview()).status, 200);
  });
});

describe('a limit on email validations', () => {
  it('is counted by what will validate them: several at once are let through whole or not at all', async () => {
    await add({ name: 'validations', metric: 'email_validation_count', limit: '10', period: '' });
    const { outside } = app.galley;
    const validate = (adding: number) =>
      outside.db.tx((tx) => countUse(outside, tx, { accountId, metric: 'email_validation_count', adding }));
    await validate(8);
    await assert.rejects(validate(3), {
      code: 'forbidden',
      message: /^The limit "validations" on email validations is used up: 10 a month/,
    });
    await validate(2);
    await assert.rejects(validate(1), { code: 'forbidden' });
  });
});

describe('the alert of a limit', () => {
  it('is sent once at each warning and when the limit is used up, to the channels that it names', async () => {
    const mail = await startMailServer();
    const relay = `smtp://127.0.0.1:${mail.port}`;
    const telling = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_SMTP_RELAY: relay });
    try {
      const until = ends(calm(telling))['1d'];
      for (const [channel, settings] of [
        ['email', { emails: ['ann@example.net'] }],
        ['slack', { url: 'https://hooks.slack.example/x' }],
      ])
        await telling.call('POST /v1/alerts/settings/events', {
          body: { event_type: 'limit_reached', channel, settings },
        });
      await telling.call(`PUT ${PRIMARY}`, { body: { alert_channels: ['email'] } });
      const body = limit({ name: 'validations', metric: 'email_validation_count', limit: '10' });
      assert.equal((await telling.call(`POST ${LIMITS}`, { body })).status, 200);
      const { outside } = telling.galley;
      const owner = await outside.db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
      const use = { accountId: owner.id, metric: 'email_validation_count' } as const;
      for (let n = 0; n < 10; n++) await outside.db.tx((tx) => countUse(outside, tx, use));
      await assert.rejects(outside.db.tx((tx) => countUse(outside, tx, use)));
      outside.jobs.wake();
      let alerts: any[] = [];
      while (alerts.length < 3 || alerts.some(({ over_at: over }) => over === null))
        alerts = (await telling.call('GET /v1/galley/alerts')).body.items;
      assert.deepEqual(alerts.map(({ message }) => message).toSorted(), [
        `The limit "validations" is used up to 50 %: 5 of 10 email validations.`,
        `The limit "validations" is used up to 75 %: 8 of 10 email validations.`,
        `The limit "validations" is used up: 10 of 10 email validations. It resets at ${until}.`,
      ]);
      assert.deepEqual(
        alerts.map(({ event, count, deliveries }) => [event, count, deliveries.map((one: any) => one.channel)]),
        Array.from({ length: 3 }, () => ['limit_reached', 1, ['email']]),
      );
    } finally {
      await telling.close();
      await mail.close();
    }
  });
});

describe('two processes on one PostgreSQL', { skip: postgresAbsence }, () => {
  it('let through exactly as many as the limit together', { timeout: 300_000 }, async () => {
    const database = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-limits-'));
    const settings = { GALLEY_ROLES: 'api', GALLEY_DATABASE_URL: database.url, GALLEY_DATA_DIR: dataDir };
    const apps: App[] = [];
    try {
      for (let n = 0; n < 2; n++) apps.push(await startApp(settings));
      for (const one of apps) calm(one);
      const [first] = apps as [App];
      assert.equal((await first.call(`POST ${LIMITS}`, { body: limit({ limit: '9' }) })).status, 200);
      const asked = apps.flatMap((one) => Array.from({ length: 10 }, () => preview({}, one)));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      assert.deepEqual(tally(statuses), { 200: 9, 403: 11 });
      const { items } = (await first.call('GET /v1/galley/thresholds/uses')).body;
      assert.equal(items[0].used, 9);
    } finally {
      await Promise.all(apps.map((one) => one.close()));
      await database.close();
      await rm(dataDir, { recursive: true });
    }
  });
});

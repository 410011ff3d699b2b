import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { expire, validatePart } from './jobs.ts';

const BULK = '/v4/address/validate/bulk';
let app: App;
const stranger = { headers: { 'x-service-account-id': '' } };

const zone = {
  'example.net': { MX: ['10 mx.example.net'] },
  'null.example': { MX: ['0 .'] },
  'mailinator.com': { MX: ['10 mx.example.net'] },
};

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' }, { zone });
  stranger.headers['x-service-account-id'] = await newAccount();
});
after(() => app.close());

async function newAccount(): Promise<string> {
  return (await app.call('POST /v5/accounts/subaccounts?name=Another')).body.subaccount.id;
}

const formOf = (content: string | Uint8Array, name = 'list.csv'): FormData => {
  const form = new FormData();
  form.append('file', new File([content as never], name));
  return form;
};
const create = (name: string, content: string | Uint8Array, as = {}) =>
  app.call(`POST ${BULK}/${name}`, { body: formOf(content), ...as });
const get = (name: string, as = {}) => app.call(`GET ${BULK}/${name}`, as);

async function finished(name: string, as = {}): Promise<any> {
  const until = performance.now() + 90_000;
  for (;;) {
    const { body } = await get(name, as);
    if (body.status === 'uploaded' || body.status === 'failed') return body;
    assert.ok(performance.now() < until, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a list', () => {
  it('is validated in the background, and its results are files', async () => {
    const sheet =
      'name,email\nAnn,ann@example.net\nBob,bob@null.example\n,=1+2\nDan,dan@mailinator.com\nAnn,ann@example.net\n';
    const made = await create('spring', sheet);
    assert.deepEqual(
      [made.status, made.body],
      [202, { id: 'spring', message: 'The validation job was submitted.', quantity: 4, skipped: 0, problems: [] }],
    );
    const { created_at, download_url: url, ...job } = await finished('spring');
    assert.ok(Math.abs(created_at - app.clock.now().getTime() / 1000) < 600);
    assert.deepEqual(job, {
      id: 'spring',
      quantity: 4,
      records_processed: 4,
      status: 'uploaded',
      summary: {
        result: { catch_all: 0, deliverable: 0, do_not_send: 1, undeliverable: 2, unknown: 1 },
        risk: { high: 3, low: 0, medium: 0, unknown: 1 },
      },
    });
    const csv = await app.call(`GET ${url.csv}`, { key: null });
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="spring.csv"');
    assert.deepEqual(csv.body.replace('\uFEFF', '').split('\r\n'), [
      'address,result,risk,reason,did_you_mean,root_address,is_disposable_address,is_role_address,engagement,probed_at',
      'ann@example.net,unknown,unknown,mailbox_not_known,,,false,false,,',
      'bob@null.example,undeliverable,high,domain_takes_no_mail,,,false,false,,',
      "'=1+2,undeliverable,high,malformed_address,,,false,false,,",
      'dan@mailinator.com,do_not_send,high,mailbox_is_disposable_address,,,true,false,,',
      '',
    ]);
    const json = await app.call(`GET ${url.json}`, { key: null });
    assert.equal(json.body.length, 4);
    assert.deepEqual(json.body[0], {
      address: 'ann@example.net',
      did_you_mean: null,
      is_disposable_address: false,
      is_role_address: false,
      reason: ['mailbox_not_known'],
      result: 'unknown',
      risk: 'unknown',
      root_address: null,
    });
  });

  it('goes on over many turns, each address once', async () => {
    const addresses = Array.from({ length: 450 }, (_, n) => `reader${n}@example.net`);
    await create('long', `email\n${addresses.join('\n')}\n`);
    const job = await finished('long');
    assert.deepEqual([job.quantity, job.records_processed, job.summary.result.unknown], [450, 450, 450]);
    const { body } = await app.call(`GET ${job.download_url.json}`, { key: null });
    assert.deepEqual(
      body.map(({ address }: any) => address),
      addresses,
    );
  });

  for (const [what, content, name] of [
    ['a European file', 'Name;E-Mail\nAnn;ann@example.net\nJürgen;jürgen@example.net\n', 'european'],
    ['a file of gzip', gzipSync('email_address\nann@example.net\nbob@example.net\n'), 'packed'],
    ['a file without names of columns', 'ann@example.net\nbob@example.net\n', 'bare'],
  ] as const)
    it(`is read out of ${what}`, async () => {
      const { status, body } = await create(name, content);
      assert.deepEqual([status, body.quantity], [202, 2], JSON.stringify(body));
      assert.equal((await finished(name)).summary.result.unknown, 2);
    });

  it('is that of one account, listed by name, and deleted with its results', async () => {
    await create('autumn', 'email\nann@example.net\n');
    const { download_url: url } = await finished('autumn');
    assert.equal((await get('autumn', stranger)).status, 404);
    assert.equal((await app.call(`DELETE ${BULK}/autumn`, stranger)).status, 404);
    assert.deepEqual((await app.call(`GET ${BULK}`, stranger)).body.jobs, []);
    const first = (await app.call(`GET ${BULK}?limit=1`)).body;
    assert.equal(first.jobs[0].id, 'autumn');
    const next = (await app.call(`GET ${first.paging.next}`)).body;
    assert.deepEqual([next.jobs.length, next.jobs[0].id, next.total], [1, 'bare', first.total]);
    const gone = await app.call(`DELETE ${BULK}/autumn`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Validation job canceled.' }]);
    assert.equal((await get('autumn')).status, 404);
    assert.equal((await app.call(`GET ${url.csv}`, { key: null })).status, 404);
    assert.equal((await app.call(`DELETE ${BULK}/autumn`)).status, 404);
  });

  for (const [what, content, message] of [
    [
      'no column',
      'name,town\nAnn,Bonn\n',
      /^file must name a column email or email_address in its first row; it reads "name, town"/,
    ],
    ['no row', 'email\n', /^file has no row below its header/],
    ['a broken gzip file', new Uint8Array([0x1f, 0x8b, 1, 2, 3]), /^file is a broken gzip file/],
    ['what unpacks to too much', gzipSync(Buffer.alloc(26 * 1024 * 1024, 'a')), /^file holds more than 25 MB/],
    [
      'too many',
      `email\n${Array.from({ length: 100_001 }, (_, n) => `a${n}@x.y`).join('\n')}`,
      /^file has 100,001 different addresses/,
    ],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const { status, body } = await create('wrong', content);
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.equal((await get('wrong')).status, 404);
    });

  it('is refused without a file, with a name that is none, or one that is taken', async () => {
    const none = await app.call(`POST ${BULK}/wrong`, { body: { file: 'x' } });
    assert.equal(none.status, 400);
    for (const name of ['a%40b', 'a'.repeat(201)]) {
      const { status, body } = await create(name, 'email\nann@example.net\n');
      assert.equal(status, 400);
      assert.match(body.message, /^list_id must have 1 to 200 characters, without @, \/ and control characters/);
    }
    await create('taken', 'email\nann@example.net\n');
    const again = await create('taken', 'email\nann@example.net\n');
    assert.deepEqual(
      [again.status, again.body.message],
      [409, 'This account has a list named taken; delete it, or give another name.'],
    );
  });

  it('names rows that it leaves out', async () => {
    const { body } = await create('rows', `email\n${'a'.repeat(513)}\nann@example.net\n`);
    assert.deepEqual(
      [body.quantity, body.skipped, body.problems],
      [1, 1, [{ row: 2, message: 'email must not have more than 512 characters.' }]],
    );
  });

  it('is counted at once, whole or not at all', async () => {
    const as = { headers: { 'x-service-account-id': await newAccount() } };
    const limit = { name: 'checks', metric: 'email_validation_count', comparator: '>=', limit: '3', period: '' };
    await app.call('POST /v1/thresholds/limits', { body: { ...limit, dimension: 'subaccount' }, ...as });
    const many = await create('four', 'email\na@x.y\nb@x.y\nc@x.y\nd@x.y\n', as);
    assert.equal(many.status, 403);
    assert.match(many.body.message, /^The limit "checks" on email validations is used up: 3 a month/);
    assert.equal((await create('three', 'email\na@x.y\nb@x.y\nc@x.y\n', as)).status, 202);
    assert.equal((await create('one', 'email\na@x.y\n', as)).status, 403);
    await finished('three', as);
    const metrics = ['email_validation_count', 'email_validation_bulk_count', 'email_validation_single_count'];
    const used = await app.call('POST /v1/analytics/usage/metrics', { body: { duration: '1d', metrics }, ...as });
    assert.deepEqual(used.body.items[0].metrics, {
      email_validation_count: 3,
      email_validation_bulk_count: 3,
      email_validation_single_count: 0,
    });
    app.clock.advance(3000);
    const { body } = await app.call('POST /v1/analytics/logs', {
      body: { events: ['email_validation'], duration: '1d' },
      ...as,
    });
    assert.deepEqual(body.items.map((item: any) => [item.recipient, item['email-validation']['list-id']]).toSorted(), [
      ['a@x.y', 'three'],
      ['b@x.y', 'three'],
      ['c@x.y', 'three'],
    ]);
  });

  it('is told as an alert when it is done', async () => {
    await create('told', 'email\nann@example.net\n');
    await finished('told');
    const until = performance.now() + 90_000;
    for (;;) {
      const { items } = (await app.call('GET /v1/galley/alerts?limit=1000')).body;
      const alert = items.find(({ message }: any) => message === 'Validation job told is complete');
      if (alert) {
        assert.equal(alert.event, 'validation_job');
        break;
      }
      assert.ok(performance.now() < until, JSON.stringify(items));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('the job of a list', () => {
  it('keeps what it found once, however often and at how many places at once it runs', async () => {
    const idle = await startApp({ GALLEY_ROLES: 'api' }, { zone });
    try {
      const addresses = Array.from({ length: 250 }, (_, n) => `reader${n}@example.net`);
      await idle.call(`POST ${BULK}/twice`, { body: formOf(`email\n${addresses.join('\n')}\n`) });
      const { outside } = idle.galley;
      const { id: validationId } = await outside.db.ofAnyone
        .selectFrom('addressValidations')
        .select('id')
        .executeTakeFirstOrThrow();
      const turn = { signal: new AbortController().signal, attempt: 1, isLast: false };
      const run = () => validatePart.run(outside, { validationId }, turn);
      await Promise.all([run(), run(), run()]);
      for (let n = 0; n < 4; n += 1) await run();
      const { body } = await idle.call(`GET ${BULK}/twice`);
      assert.deepEqual([body.status, body.records_processed, body.summary.result.unknown], ['uploaded', 250, 250]);
      idle.clock.advance(3000);
      const counted = await outside.events.count({
        accountIds: [await accountOf(idle)],
        from: new Date(0),
        to: idle.clock.now(),
      });
      assert.equal(counted.count, 250);
    } finally {
      await idle.close();
    }
  });

  it('is given up with its reason, which the list shows', async () => {
    const idle = await startApp({ GALLEY_ROLES: 'api' }, { zone });
    try {
      await idle.call(`POST ${BULK}/broken`, { body: formOf('email\nann@example.net\n') });
      const { outside } = idle.galley;
      const { id: validationId } = await outside.db.ofAnyone
        .selectFrom('addressValidations')
        .select('id')
        .executeTakeFirstOrThrow();
      await validatePart.gaveUp?.(outside, { validationId }, { reason: 'the database was away', tries: 5 });
      const { body } = await idle.call(`GET ${BULK}/broken`);
      assert.deepEqual([body.status, body.reason, body.download_url], ['failed', 'the database was away', undefined]);
      assert.equal((await idle.call(`GET /files/validations/${validationId}/results.csv`, { key: null })).status, 404);
    } finally {
      await idle.close();
    }
  });

  it('goes with its results when their time is over', async () => {
    const idle = await startApp({ GALLEY_ROLES: 'api' }, { zone });
    try {
      await idle.call(`POST ${BULK}/old`, { body: formOf('email\nann@example.net\n') });
      idle.clock.advance(29 * 86_400_000);
      const turn = { signal: new AbortController().signal, attempt: 1, isLast: false };
      await expire.run(idle.galley.outside, {}, turn);
      assert.equal((await idle.call(`GET ${BULK}/old`)).status, 200);
      idle.clock.advance(2 * 86_400_000);
      await expire.run(idle.galley.outside, {}, turn);
      assert.equal((await idle.call(`GET ${BULK}/old`)).status, 404);
      const { rows } = await idle.galley.outside.db.text('select 1 from address_validation_parts');
      assert.equal(rows.length, 0);
    } finally {
      await idle.close();
    }
  });
});

async function accountOf({ galley }: App): Promise<string> {
  const first = galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  return (await first.executeTakeFirstOrThrow()).id;
}

describe('lists of an account', () => {
  it('are five at a time, and a deleted one makes room', async () => {
    const idle = await startApp({ GALLEY_ROLES: 'api' }, { zone });
    try {
      const make = (name: string) => idle.call(`POST ${BULK}/${name}`, { body: formOf('email\nann@example.net\n') });
      for (let n = 0; n < 5; n += 1) assert.equal((await make(`list${n}`)).status, 202);
      const { status, body } = await make('list5');
      assert.equal(status, 400);
      assert.match(body.message, /^list_id is one too many: 5 lists of this account are being validated/);
      const { body: waiting } = await idle.call(`GET ${BULK}/list0`);
      assert.deepEqual([waiting.status, waiting.records_processed, waiting.download_url], ['created', 0, undefined]);
      await idle.call(`DELETE ${BULK}/list0`);
      assert.equal((await make('list5')).status, 202);
    } finally {
      await idle.close();
    }
  });
});

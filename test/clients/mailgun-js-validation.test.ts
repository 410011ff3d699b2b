// Existing clients validate addresses, unmodified.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const mailgunJs = requireTestPackage('mailgun-js');

let app: App;
let client: any;
before(async () => {
  app = await startApp(
    { GALLEY_ROLES: 'api,work' },
    { zone: { 'example.net': { MX: ['10 mx.example.net'] }, 'null.example': { MX: ['0 .'] } } },
  );
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url });
});
after(() => app.close());

describe('mailgun.js', () => {
  it('validates an address', async () => {
    const { checks, ...said } = await client.validate.get('info@null.example');
    assert.deepEqual(said, {
      address: 'info@null.example',
      did_you_mean: null,
      is_disposable_address: false,
      is_role_address: true,
      reason: ['domain_takes_no_mail', 'mailbox_is_role_address'],
      result: 'undeliverable',
      risk: 'high',
      root_address: null,
    });
    assert.equal(checks.length, 7);
  });

  it('validates a list, follows it, reads its results, and deletes it', async () => {
    const jobs = client.validate.multipleValidation;
    const data = 'email\nann@example.net\nbob@null.example\n';
    const made = await jobs.create('spring', { file: { data, filename: 'spring.csv' } });
    assert.deepEqual([made.status, made.id], [202, 'spring']);
    await app.idle();
    const job = await jobs.get('spring');
    assert.deepEqual([job.status, job.quantity, job.recordsProcessed], ['uploaded', 2, 2]);
    assert.deepEqual(job.summary.result, { catchAll: 0, deliverable: 0, doNotSend: 0, undeliverable: 1, unknown: 1 });
    const csv = await (await fetch(job.downloadUrl.csv)).text();
    assert.equal(csv.split('\r\n').length, 4);
    const listed = await jobs.list({ limit: 1 });
    assert.deepEqual([listed.total, listed.jobs[0].id, listed.status], [1, 'spring', 200]);
    assert.deepEqual((await jobs.list({ limit: 1, page: listed.pages.next.page })).jobs, []);
    assert.equal((await jobs.destroy('spring')).message, 'Validation job canceled.');
    await assert.rejects(jobs.get('spring'), { status: 404 });
  });

  it('validates the members of a mailing list, follows it, and cancels it', async () => {
    const address = 'news@lists.example.com';
    await app.call('POST /v4/domains', { body: { name: 'lists.example.com' } });
    await client.lists.create({ address });
    await client.lists.members.createMember(address, { address: 'ann@example.net', subscribed: 'yes', upsert: 'yes' });
    const made = await client.lists.validate(address);
    assert.deepEqual([made.status, made.id], [202, address]);
    await app.idle();
    const { validationResult: found } = await client.lists.validationResult(address);
    assert.deepEqual([found.status, found.quantity, found.records_processed], ['uploaded', 1, 1]);
    assert.equal((await client.lists.cancelValidation(address)).message, 'Validation job canceled.');
    await assert.rejects(client.lists.validationResult(address), { status: 404 });
  });
});

describe('mailgun-js 0.22', () => {
  it('validates an address, publicly and privately', async () => {
    const { hostname: host, port } = new URL(app.url);
    const old = mailgunJs({ apiKey: app.key, domain: 'example.com', host, port, protocol: 'http:', endpoint: '/v3' });
    for (const isPrivate of [false, true]) {
      const said = await old.validate('ann@example.net', isPrivate);
      assert.deepEqual(
        [said.is_valid, said.mailbox_verification, said.parts.local_part, said.parts.domain],
        [true, 'unknown', 'ann', 'example.net'],
      );
    }
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const HTML =
  '<body style="margin:0"><div style="width:300px;padding:10px"><div style="background:#1a73e8;height:40px"></div>' +
  '<p style="font:16px Arial">The roses are in flower.</p><div style="background:#188038;height:30px"></div></div></body>';
const DIGEST = createHash('sha256').update(HTML).digest('hex');

/** Captures of one account. */
const QUOTA = 4;

let app: App;
let stranger: Record<string, string>;
/** The key of a subaccount, which is no operator. */
let theirKey: string;
let testId: string;
/** What the preview shows. */
let preview: Buffer;

before(async () => {
  app = await startApp({ GALLEY_QUOTAS: `captures=${QUOTA}` });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  const form = new FormData();
  form.set('role', 'admin');
  form.set('description', 'theirs');
  theirKey = (await app.call('POST /v1/keys', { body: form, headers: stranger })).body.key.secret;
  testId = await newTest(HTML);
  const results = (await app.call(`GET /v2/preview/tests/${testId}/results/gmail_chrome`)).body;
  assert.equal(results.gmail_chrome.last_compared, null);
  preview = (await app.call(`GET ${results.gmail_chrome.screenshots.default}`)).body;
});
after(() => app.close());

async function newTest(html: string, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Roses', html, clients: ['gmail_chrome'] },
    headers,
  });
  await app.idle();
  return body.id;
}

const GIVEN = { client: 'gmail_chrome', client_version: 'Chrome 142', os: 'Windows 11 24H2' };

async function upload(picture: Buffer | string | null, fields: Record<string, string> = {}, key?: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...GIVEN, test_id: testId, ...fields }))
    if (value !== '') form.set(name, value);
  if (picture !== null)
    form.set('picture', typeof picture === 'string' ? picture : new Blob([Uint8Array.from(picture)]), 'a.png');
  return app.call('POST /v2/preview/captures', { body: form, ...(key && { key }) });
}

describe('captures', () => {
  it('are compared with the preview, wait for the operator, and are evidence when accepted', async () => {
    const time = app.clock.now().toISOString();
    const { status, body: made } = await upload(preview, { captured_by: ' Ada\nL. ', captured_at: time });
    assert.equal(status, 201, JSON.stringify(made));
    assert.match(made.id, /^[0-9a-f]{24}$/);
    const { width, height } = await sharp(preview).metadata();
    const url = `${app.url}/v2/preview/captures/${made.id}`;
    assert.deepEqual(made, {
      id: made.id,
      account_id: made.account_id,
      test_id: testId,
      html_digest: DIGEST,
      client: 'gmail_chrome',
      client_version: 'Chrome 142',
      os: 'Windows 11 24H2',
      captured_by: 'Ada L.',
      captured_at: time,
      fidelity: 'captured',
      how: 'by_hand',
      agent: null,
      state: 'waiting',
      decision: null,
      is_evidence: false,
      width,
      height,
      scale: 1,
      bytes: made.bytes,
      pictures: { captured: `${url}/captured`, preview: null, difference: null },
      comparison: null,
      comparison_problem: null,
      created_at: made.created_at,
    });
    await app.idle();
    const { body: compared } = await app.call(`GET ${url}`);
    const { comparison } = compared;
    assert.equal(comparison.agreement, 1);
    assert.deepEqual(comparison.lines, { captured: 3, preview: 3, agreement: 1 });
    assert.deepEqual(comparison.parts, { agreement: 1, missing: [], missing_count: 0 });
    assert.match(comparison.method, /areas of 8 by 8 pixels/);
    for (const picture of ['captured', 'preview', 'difference'])
      assert.equal((await app.call(`GET ${url}/${picture}`)).headers.get('content-type'), 'image/png', picture);
    const result = async () =>
      (await app.call(`GET /v2/preview/tests/${testId}/results/gmail_chrome`)).body.gmail_chrome;
    assert.equal((await result()).last_compared, null, 'it waits');
    const accepted = await app.call(`POST ${url}/accept`, { body: { reason: 'Seen on my machine.' } });
    assert.deepEqual(
      [accepted.body.state, accepted.body.decision.reason, accepted.body.is_evidence],
      ['accepted', 'Seen on my machine.', true],
    );
    assert.deepEqual((await result()).last_compared, {
      capture_id: made.id,
      test_id: testId,
      captured_at: time,
      compared_at: comparison.compared_at,
      client_version: 'Chrome 142',
      how: 'by_hand',
      agreement: 1,
      method: comparison.method,
    });
    assert.equal((await result()).fidelity, 'engine', 'no preview changes by it');
    const rejected = await app.call(`POST ${url}/reject`, { body: { reason: 'Zoomed.' } });
    assert.equal(rejected.body.state, 'rejected');
    assert.equal((await result()).last_compared, null);
  });

  it('name what differs: size, lines, colors and missing parts', async () => {
    const { width = 0, height = 0 } = await sharp(preview).metadata();
    // The client does not show the green bar, and another blue; its picture is a JPEG at twice the pixels.
    const base = await sharp(preview)
      .extract({ left: 0, top: 0, width, height: 100 })
      .composite([
        { input: { create: { width: 300, height: 40, channels: 3, background: '#a142f4' } }, left: 10, top: 10 },
      ])
      .toBuffer();
    const picture = await sharp(base)
      .resize({ width: width * 2 })
      .jpeg({ quality: 95 })
      .toBuffer();
    const { body: made } = await upload(picture, { test_id: '', html_digest: DIGEST, scale: '2' });
    assert.deepEqual([made.test_id, made.width, made.height, made.scale], [testId, width, 100, 2]);
    await app.idle();
    const { comparison } = (await app.call(`GET /v2/preview/captures/${made.id}`)).body;
    assert.ok(comparison.agreement > 0.05 && comparison.agreement < 0.6, `${comparison.agreement}`);
    assert.deepEqual(comparison.lines, { captured: 2, preview: 3, agreement: 0.667 });
    assert.ok(comparison.height.captured < comparison.height.preview && comparison.height.preview < height);
    const named = (list: { color: string }[]) => list.map(({ color }) => color);
    assert.deepEqual(named(comparison.colors.only_preview), ['#1a73e8', '#188038']);
    assert.match(named(comparison.colors.only_captured)[0]!, /^#a[0-3]4[0-4]f[2-6]$/);
    assert.equal(comparison.parts.missing_count, 1);
    const [{ missing_in: missingIn, top, bottom }] = comparison.parts.missing;
    assert.deepEqual([missingIn, bottom - top + 1], ['captured', 30]);
  });

  it('are listed newest first, by client, test and state; those of all accounts by the operator', async () => {
    const ours = await app.call('GET /v2/preview/captures?limit=1&state=waiting');
    assert.deepEqual([ours.body.meta.count, ours.body.items.length], [1, 1]);
    const both = await app.call(`GET /v2/preview/captures?limit=1&test_id=${testId}&client=gmail_chrome`);
    assert.equal(both.body.meta.count, 2);
    const next = await app.call(`GET ${both.body.paging.next}`);
    assert.equal(next.body.items[0].how, 'by_hand');
    assert.equal((await app.call('GET /v2/preview/captures?client=ol2021')).body.meta.count, 0);
    assert.equal((await app.call('GET /v2/preview/captures', { headers: stranger })).body.meta.count, 0);
    assert.equal((await app.call('GET /v2/preview/captures?accounts=all')).body.meta.count, 2);
    const refused = await app.call('GET /v2/preview/captures?accounts=all', { key: theirKey });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /^Only the operator may do this/);
  });

  it('belong to one account; the operator alone decides, for any', async () => {
    const theirTest = await newTest(HTML, stranger);
    const { body: theirs } = await upload(preview, { test_id: theirTest }, theirKey);
    const [own] = (await app.call('GET /v2/preview/captures?limit=1')).body.items;
    const reason = { body: { reason: 'Good.' } };
    for (const [operation, call] of [
      [`GET /v2/preview/captures/${own.id}`, {}],
      [`GET /v2/preview/captures/${own.id}/captured`, {}],
      [`DELETE /v2/preview/captures/${own.id}`, {}],
      ['GET /v2/preview/captures/none', {}],
    ] as const)
      assert.equal((await app.call(operation, { key: theirKey, ...call })).status, 404, operation);
    const self = await app.call(`POST /v2/preview/captures/${theirs.id}/accept`, { key: theirKey, ...reason });
    assert.equal(self.status, 403);
    assert.equal((await app.call(`POST /v2/preview/captures/${theirs.id}/accept`, reason)).body.state, 'accepted');
    assert.equal((await app.call(`POST /v2/preview/captures/${theirs.id}/accept`, { body: {} })).status, 400);
    assert.equal((await upload(preview, {}, theirKey)).status, 404, 'a test of another account');
  });

  it('refuse what is no picture, too large or stated wrongly, and name the field', async () => {
    const pixels = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
    const moving = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const broken = Buffer.concat([preview.subarray(0, 200), Buffer.alloc(300)]);
    for (const [picture, fields, status, message] of [
      [null, {}, 400, /^picture is required/],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {}, 400, /^picture must be a PNG, JPEG or WebP/],
      [moving, {}, 400, /^picture must be a PNG, JPEG or WebP/],
      [broken, {}, 400, /^picture is damaged/],
      [await pixels(6000, 5000), {}, 400, /^picture has 6000 by 5000 pixels; 25 megapixels are the most/],
      [await pixels(60, 60), { scale: '2' }, 400, /^picture must be at least 40 pixels wide and high/],
      [Buffer.alloc(10_100_000), {}, 413, /larger than this endpoint accepts|10000000 are the most/],
      [preview, { client: 'ol2021' }, 400, /^client is not part of this test: ol2021/],
      [preview, { client_version: '' }, 400, /client_version/],
      [preview, { os: '\u0007' }, 400, /^os must not be empty/],
      [preview, { scale: '9' }, 400, /scale/],
      [preview, { captured_at: 'yesterday' }, 400, /^captured_at must be/],
      [preview, { captured_at: '2099-01-01' }, 400, /^captured_at is in the future/],
      [preview, { test_id: '' }, 400, /^test_id is required/],
      [preview, { html_digest: DIGEST }, 400, /^html_digest must not be given beside/],
      [preview, { test_id: '', html_digest: '0'.repeat(64) }, 404, /html_digest/],
      [preview, { test_id: 'none' }, 404, /preview test/],
    ] as const) {
      const answer = await upload(picture, fields);
      assert.equal(answer.status, status, `${message} ${JSON.stringify(answer.body)}`);
      assert.match(answer.body.message, message);
    }
  });

  it('end when they are deleted, and with their test', async () => {
    const id = await newTest(`${HTML}<!-- another -->`);
    const { body: first } = await upload(preview, { test_id: id });
    const { body: second } = await upload(preview, { test_id: id });
    assert.deepEqual((await app.call(`DELETE /v2/preview/captures/${first.id}`)).body, { success: true });
    assert.equal((await app.call(`GET /v2/preview/captures/${first.id}/captured`)).status, 404);
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.equal((await app.call(`GET /v2/preview/captures/${second.id}`)).status, 404);
    await app.idle();
    assert.equal(await app.galley.outside.blobs.get(`previews/${id}/captures/${second.id}/captured.png`), undefined);
  });

  it('are as many as the quota of their account, and no more', async () => {
    const { count } = (await app.call('GET /v2/preview/captures?limit=1')).body.meta;
    const last = await newTest(`${HTML}<!-- the last -->`);
    for (let n = count; n < QUOTA; n++) assert.equal((await upload(preview, { test_id: last })).status, 201, `${n}`);
    const refused = await upload(preview, { test_id: last });
    assert.equal(refused.status, 429);
    assert.equal(
      refused.body.message,
      'This account has 4 captures of previews, which is as many as it may have; delete some first.',
    );
    const theirs = (await app.call('GET /v2/preview/captures', { key: theirKey })).body.items[0];
    assert.equal((await upload(preview, { test_id: theirs.test_id }, theirKey)).status, 201, 'another account');
    const [newest] = (await app.call('GET /v2/preview/captures?limit=1')).body.items;
    await app.call(`DELETE /v2/preview/captures/${newest.id}`);
    assert.equal((await upload(preview, { test_id: last })).status, 201, 'one was deleted');
  });
});

// Comments, verdicts and reviewers by link, over HTTP; the pictures are real ones.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type Answer, type App } from '../../../../test/harness/start-app.ts';

let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;
let path: string;
let emailId: string;

const HTML = '<h1>Spring</h1><p>The garden opens on Sunday.</p>';

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-service-account-id': body.subaccount.id };
  emailId = (await app.call('POST /v1/emails', { body: { html: HTML, subject: 'Spring', name: 'Spring news' } })).body
    .id;
  path = `/v1/emails/${emailId}`;
  const tests = { tests: ['previews'], clients: ['gmail_chrome'] };
  assert.equal((await app.call(`POST ${path}/versions/1/tests`, { body: tests })).status, 201);
  await app.idle();
});
after(async () => {
  await app?.close();
});

const review = async (number: number | string = 1): Promise<any> =>
  (await app.call(`GET ${path}/versions/${number}/review`)).body;
const stateOf = async (): Promise<any> => (await app.call(`GET ${path}`)).body.review;
const open = (call: string, body?: object): Promise<Answer> => app.call(call, { key: null, ...(body && { body }) });

async function invite(body: object, of = path): Promise<{ id: string; token: string; url: string }> {
  const answer = await app.call(`POST ${of}/review-links`, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { ...answer.body, token: answer.body.url.split('#')[1] };
}

async function accessOf(token: string, password?: string): Promise<string> {
  const answer = await open('POST /v1/reviews', { token, ...(password && { password }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.access;
}

describe('the review of a version', () => {
  it('begins with nothing but the pictures of its newest preview test', async () => {
    const { pictures, ...rest } = await review();
    assert.deepEqual(rest, {
      version: 1,
      subject: 'Spring',
      state: 'none',
      approvals: 0,
      change_requests: 0,
      open_threads: 0,
      verdicts: [],
      threads: [],
      elsewhere: [],
    });
    const [picture] = pictures;
    assert.deepEqual([pictures.length, picture.client, picture.state], [1, 'gmail_chrome', 'completed']);
    assert.ok(picture.width > 0 && picture.height > 0);
    assert.equal((await app.call(`GET ${new URL(picture.url).pathname}`)).headers.get('content-type'), 'image/png');
  });

  it('has threads, pinned to a place of a picture, with replies, that are resolved and reopened', async () => {
    const body = { text: ' The headline is cut. ', client: 'gmail_chrome', x: 0.25, y: 0.5 };
    const made = await app.call(`POST ${path}/versions/1/comments`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, author, created_at: _at, ...rest } = made.body;
    assert.equal(author.kind, 'key');
    assert.deepEqual(rest, {
      text: 'The headline is cut.',
      version: 1,
      client: 'gmail_chrome',
      x: 0.25,
      y: 0.5,
      resolved: null,
      replies: [],
    });
    const reply = await app.call(`POST ${path}/comments/${id}/replies`, { body: { text: 'Indeed.' } });
    const again = await app.call(`POST ${path}/comments/${reply.body.replies[0].id}/replies`, {
      body: { text: 'Yes.' },
    });
    assert.deepEqual([again.status, again.body.replies.map(({ text }: any) => text)], [201, ['Indeed.', 'Yes.']]);
    assert.deepEqual(await stateOf(), { state: 'open', approvals: 0, change_requests: 0, open_threads: 1 });
    const resolved = await app.call(`PATCH ${path}/comments/${id}`, { body: { resolved: true } });
    assert.equal(resolved.body.resolved.by, author.name);
    assert.equal((await review()).open_threads, 0);
    assert.equal((await app.call(`PATCH ${path}/comments/${id}`, { body: { resolved: false } })).body.resolved, null);
    assert.equal((await app.call(`DELETE ${path}/comments/${reply.body.replies[0].id}`)).status, 200);
    assert.equal((await review()).threads[0].replies.length, 1);
    assert.equal((await app.call(`DELETE ${path}/comments/${id}`)).status, 200);
    assert.deepEqual((await review()).threads, []);
  });

  it('is one file of HTML, with pins, pictures and texts as they were written', async () => {
    const body = { text: '<b>Cut</b> & gone', client: 'gmail_chrome', x: 0.25, y: 0.5 };
    const { id } = (await app.call(`POST ${path}/versions/1/comments`, { body })).body;
    const { status, headers, body: html } = await app.call(`GET ${path}/versions/1/review/report`);
    assert.equal(status, 200, JSON.stringify(html));
    assert.match(headers.get('content-disposition') ?? '', /^attachment; .*Spring%20news/);
    assert.match(html, /&lt;b&gt;Cut&lt;\/b&gt; &amp; gone/);
    assert.match(html, /<b class="pin" style="left:25%;top:50%">1<\/b>/);
    assert.equal(html.match(/src="data:image\/webp;base64,UklGR/g)?.length, 2);
    assert.doesNotMatch(html, /<script|https?:/);
    assert.equal((await app.call(`GET ${path}/versions/1/review/report`, { headers: stranger })).status, 404);
    await app.call(`DELETE ${path}/comments/${id}`);
  });

  it('is approved, or changes are requested, by each person once; a new version begins anew', async () => {
    const decide = (body: object) => app.call(`PUT ${path}/versions/latest/verdict`, { body });
    assert.equal((await decide({ decision: 'approved' })).body.state, 'approved');
    const { body } = await decide({ decision: 'changes_requested', note: 'The price is old.' });
    assert.deepEqual(
      [body.state, body.approvals, body.change_requests, body.verdicts[0].note],
      ['changes_requested', 0, 1, 'The price is old.'],
    );
    await app.call(`POST ${path}/versions`, { body: { html: '<h1>Spring</h1>', subject: 'Spring' } });
    await app.call(`POST ${path}/versions/1/comments`, { body: { text: 'Old one.' } });
    assert.equal((await stateOf()).state, 'none');
    assert.deepEqual((await review('latest')).elsewhere, [{ version: 1, open_threads: 1 }]);
    assert.equal((await app.call(`DELETE ${path}/versions/1/verdict`)).body.state, 'open');
    assert.equal((await app.call(`DELETE ${path}/versions/1/verdict`)).status, 404);
    const raised = (await app.call('GET /v1/galley/alerts?limit=100')).body.items;
    const messages = raised.map(({ event, message }: any) => `${event}: ${message}`);
    assert.ok(messages.some((text: string) => /^review_given: .* approves version 1 of Spring news\.$/.test(text)));
    assert.ok(
      messages.some((text: string) => /^review_given: .* requests changes to .*The price is old\.$/.test(text)),
    );
    assert.ok(messages.some((text: string) => /^review_commented: .* commented on version 1/.test(text)));
  });

  for (const [body, said] of [
    [{}, /text/],
    [{ text: ' ' }, /text/],
    [{ text: 'a'.repeat(2001) }, /text/],
    [{ text: 'a', x: 0.5, y: 0.5 }, /client is missing/],
    [{ text: 'a', client: 'gmail_chrome', x: 0.5 }, /y is missing/],
    [{ text: 'a', client: 'gmail_chrome', x: 1.5, y: 0 }, /x/],
    [{ text: 'a', client: 'gmail_firefox' }, /client has no picture in this version: gmail_firefox\..* gmail_chrome/],
  ] as const)
    it(`refuses the comment ${JSON.stringify(body).slice(0, 60)}, and names the field`, async () => {
      const answer = await app.call(`POST ${path}/versions/1/comments`, { body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, said);
    });

  it('is of one account, in every operation', async () => {
    const { id } = (await app.call(`POST ${path}/versions/1/comments`, { body: { text: 'Mine' } })).body;
    const link = await invite({ name: 'Ann' });
    for (const [operation, body] of [
      [`GET ${path}/versions/1/review`],
      [`POST ${path}/versions/1/comments`, { text: 'Yours' }],
      [`POST ${path}/comments/${id}/replies`, { text: 'Yours' }],
      [`PATCH ${path}/comments/${id}`, { resolved: true }],
      [`DELETE ${path}/comments/${id}`],
      [`PUT ${path}/versions/1/verdict`, { decision: 'approved' }],
      [`DELETE ${path}/versions/1/verdict`],
      [`GET ${path}/review-links`],
      [`POST ${path}/review-links`, { name: 'Eve' }],
      [`DELETE ${path}/review-links/${link.id}`],
    ] as [string, object?][])
      assert.equal((await app.call(operation, { headers: stranger, ...(body && { body }) })).status, 404, operation);
    // Nor are comments and links those of another email of the account.
    const other = (await app.call('POST /v1/emails', { body: { html: '<p>Other</p>' } })).body.id;
    assert.equal((await app.call(`DELETE /v1/emails/${other}/comments/${id}`)).status, 404);
    assert.equal((await app.call(`DELETE /v1/emails/${other}/review-links/${link.id}`)).status, 404);
  });
});

describe('a reviewer by link', () => {
  it('sees the review and its pictures, comments and decides under a name, without a key', async () => {
    const { token, url } = await invite({ name: ' Ann of the agency ', expires_in_days: 7 });
    assert.match(url, /^http:\/\/[^/]+\/review#[\w-]{43}$/);
    const access = await accessOf(token);
    const { body } = await open(`GET /v1/reviews/${access}?version=1`);
    assert.deepEqual([body.email, body.reviewer.name], [{ name: 'Spring news' }, 'Ann of the agency']);
    assert.deepEqual(
      body.versions.map(({ number }: any) => number),
      [2, 1],
    );
    const [picture] = body.review.pictures;
    const file = new URL(picture.url).pathname;
    assert.equal(file, `/files/reviews/${access}/1/gmail_chrome/default.png`);
    assert.equal((await open(`GET ${file}`)).headers.get('content-type'), 'image/png');
    const place = { text: 'Here?', client: 'gmail_chrome', x: 0, y: 1 };
    const said = await open(`POST /v1/reviews/${access}/versions/1/comments`, place);
    assert.deepEqual([said.status, said.body.author.name], [201, 'Ann of the agency']);
    const reply = await open(`POST /v1/reviews/${access}/comments/${said.body.id}/replies`, { text: 'I mean it.' });
    assert.equal(reply.body.replies[0].author.kind, 'reviewer');
    const decided = await open(`PUT /v1/reviews/${access}/versions/latest/verdict`, { decision: 'approved' });
    assert.deepEqual([decided.body.version, decided.body.state], [2, 'approved']);
    const { items } = (await app.call('GET /v1/emails?search=Spring%20news')).body;
    assert.deepEqual(items[0].review, { state: 'approved', approvals: 1, change_requests: 0, open_threads: 0 });
    const [link] = (await app.call(`GET ${path}/review-links`)).body.items;
    assert.notEqual(link.opened_at, null);
    assert.deepEqual([link.name, link.has_password, link.is_expired], ['Ann of the agency', false, false]);
    const kept = await app.galley.outside.db.rows<object>(sql`select * from review_links`);
    assert.ok(!JSON.stringify(kept).includes(token), 'the token is not kept');
  });

  it('gets nothing by a forged or foreign address', async () => {
    const access = await accessOf((await invite({ name: 'Ann' })).token);
    const body = { html: '<p>Theirs</p>', subject: 'Theirs' };
    const theirs = (await app.call('POST /v1/emails', { headers: stranger, body })).body.id;
    const link = await app.call(`POST /v1/emails/${theirs}/review-links`, { headers: stranger, body: { name: 'Eve' } });
    const eve = await accessOf(link.body.url.split('#')[1]);
    const [id, until, code] = access.split('.') as [string, string, string];
    const [eveId, eveUntil, eveCode] = eve.split('.') as [string, string, string];
    const other = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
    for (const forged of [
      `${id}.${until}.${other}`,
      `${id}.${until}.${eveCode}`,
      `${id}.${Number(until) + 3600}.${code}`,
      `${eveId}.${eveUntil}.${code}`,
      `${id}.${until}`,
      'nothing',
    ]) {
      assert.equal((await open(`GET /v1/reviews/${forged}`)).status, 404, forged);
      assert.equal((await open(`GET /files/reviews/${forged}/1/gmail_chrome/default.png`)).status, 404, forged);
      const put = await open(`PUT /v1/reviews/${forged}/versions/1/verdict`, { decision: 'approved' });
      assert.equal(put.status, 404, forged);
    }
    // Of her own email she has no picture, and none of another email.
    assert.equal((await open(`GET /v1/reviews/${eve}`)).body.email.name, 'Theirs');
    assert.equal((await open(`GET /files/reviews/${eve}/1/gmail_chrome/default.png`)).status, 404);
    const { threads } = await review();
    assert.equal((await open(`POST /v1/reviews/${eve}/comments/${threads[0].id}/replies`, { text: 'a' })).status, 404);
    for (const file of ['2/gmail_chrome/default.png', '9/gmail_chrome/default.png', '1/gmail_chrome/..%2Fsecret.png'])
      assert.equal((await open(`GET /files/reviews/${access}/${file}`)).status, 404, file);
    // What opens a review opens nothing else.
    for (const operation of [`GET ${path}`, 'GET /v1/emails', `GET ${path}/versions/1/source`])
      assert.equal((await app.call(operation, { key: access })).status, 401, operation);
    assert.equal((await open('POST /v1/reviews', { token: 'x'.repeat(43) })).status, 404);
  });

  it('needs the password of the link, and waits after ten wrong ones', async () => {
    await app.clock.holding(async () => {
      const { token } = await invite({ name: 'Ben', password: 'correct horse' });
      const without = await open('POST /v1/reviews', { token });
      assert.deepEqual([without.status, without.body.message], [401, 'password is needed to open this link.']);
      await accessOf(token, 'correct horse');
      for (let wrong = 0; wrong < 10; wrong += 1)
        assert.equal((await open('POST /v1/reviews', { token, password: 'wrong horse' })).status, 401);
      const late = await open('POST /v1/reviews', { token, password: 'correct horse' });
      assert.deepEqual([late.status, late.headers.get('retry-after')], [429, '180']);
      app.clock.advance(180_000);
      await accessOf(token, 'correct horse');
    });
    const short = await app.call(`POST ${path}/review-links`, { body: { name: 'Ben', password: 'short' } });
    assert.match(short.body.message, /password/);
    const long = await app.call(`POST ${path}/review-links`, { body: { name: 'Ben', expires_in_days: 366 } });
    assert.match(long.body.message, /expires_in_days/);
  });

  it('may say so much within ten minutes', async () => {
    const access = await accessOf((await invite({ name: 'Dan' })).token);
    await app.clock.holding(async () => {
      const decide = () => open(`PUT /v1/reviews/${access}/versions/1/verdict`, { decision: 'approved' });
      for (let said = 0; said < 30; said += 1) assert.equal((await decide()).status, 200);
      assert.equal((await decide()).status, 429);
    });
  });

  it('is out when the link is taken back, when it expires, and when the email is deleted', async () => {
    const [taken, kept] = [await invite({ name: 'Ann' }), await invite({ name: 'Ben', expires_in_days: 2 })];
    const [annes, bens] = [await accessOf(taken.token), await accessOf(kept.token)];
    assert.equal((await app.call(`DELETE ${path}/review-links/${taken.id}`)).status, 200);
    assert.equal((await open(`GET /v1/reviews/${annes}`)).status, 404);
    assert.equal((await open(`GET /files/reviews/${annes}/1/gmail_chrome/default.png`)).status, 404);
    assert.equal((await open('POST /v1/reviews', { token: taken.token })).status, 404);
    app.clock.advance(13 * 3_600_000);
    const stale = await open(`GET /v1/reviews/${bens}`);
    assert.deepEqual([stale.status, /open its link again/.test(stale.body.message)], [410, true]);
    const again = await accessOf(kept.token);
    app.clock.advance(48 * 3_600_000);
    assert.equal((await open(`GET /v1/reviews/${again}`)).status, 410);
    assert.equal((await open('POST /v1/reviews', { token: kept.token })).status, 410);
    const last = await invite({ name: 'Cay' });
    const access = await accessOf(last.token);
    assert.equal((await app.call(`DELETE ${path}`)).status, 200);
    assert.equal((await open(`GET /v1/reviews/${access}`)).status, 404);
    assert.equal((await open(`GET /files/reviews/${access}/1/gmail_chrome/default.png`)).status, 404);
    assert.equal((await open('POST /v1/reviews', { token: last.token })).status, 404);
    const left = await app.galley.outside.db.rows(sql`select 1 from review_links where email_id = ${emailId}`);
    assert.deepEqual(left, []);
  });
});

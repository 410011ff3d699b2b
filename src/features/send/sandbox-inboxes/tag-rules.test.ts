// Rules by which an inbox tags what comes, by SMTP and over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const LETTER = { from: 'ann@shop.example', to: 'bob@example.net', subject: 'Your order', text: 'It is on its way.' };

let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(() => app.close());

async function newInbox(name: string, rules?: unknown, headers: Record<string, string> = {}): Promise<any> {
  const answer = await app.call('POST /v1/sandbox', { body: { name, tag_rules: rules }, headers });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

const setRules = (inbox: string, rules: unknown, headers: Record<string, string> = {}) =>
  app.call(`PATCH /v1/sandbox/${inbox}`, { body: { tag_rules: rules }, headers });

/** The tags of a message that is put into an inbox now. */
async function tagsAfter(inbox: string, fields: Record<string, unknown>, headers = {}): Promise<string[]> {
  const put = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body: { ...LETTER, ...fields }, headers });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const path = `/v1/sandbox/${inbox}/messages/${put.body.sandbox_message_id}`;
  return (await app.call(`GET ${path}`, { headers })).body.tags;
}

describe('tag rules of an inbox', () => {
  it('are none at first, are set with the inbox or later, and are replaced as one', async () => {
    assert.deepEqual((await newInbox('later')).tag_rules, []);
    assert.deepEqual(await tagsAfter('later', {}), []);
    const rules = [{ match: 'subject:order', tags: ['orders'] }];
    assert.deepEqual((await newInbox('at-once', rules)).tag_rules, rules);
    const { status, body } = await setRules('later', [{ match: ' from:ann ', tags: ['Ann', 'ann', 'shop'] }]);
    assert.deepEqual([status, body.tag_rules], [200, [{ match: 'from:ann', tags: ['Ann', 'shop'] }]]);
    assert.deepEqual(await tagsAfter('later', {}), ['Ann', 'shop']);
    const others = await app.call('PATCH /v1/sandbox/later', { body: { retention_days: 3 } });
    assert.deepEqual(others.body.tag_rules, [{ match: 'from:ann', tags: ['Ann', 'shop'] }]);
    assert.deepEqual((await app.call('GET /v1/sandbox/later')).body, others.body);
    assert.deepEqual((await setRules('later', [])).body.tag_rules, []);
    assert.deepEqual(await tagsAfter('later', {}), []);
  });

  it('tag what their search finds, in their order, behind what the message brings', async () => {
    await newInbox('shop', [
      { match: 'subject:"your order" -to:eve@example.net', tags: ['orders', 'SPRING'] },
      { match: 'is:tagged', tags: ['came tagged'] },
      { match: 'tag:orders', tags: ['never'] },
      { match: 'has:attachment', tags: ['files'] },
      { match: 'larger:1K', tags: ['large'] },
      { match: 'on its way', tags: ['orders', 'sent'] },
      { match: 'after:2000-01-01 before:2001-01-01', tags: ['old'] },
    ]);
    assert.deepEqual(await tagsAfter('shop', {}), ['orders', 'SPRING', 'sent']);
    assert.deepEqual(await tagsAfter('shop', { to: 'eve@example.net' }), ['orders', 'sent']);
    const tagged = { 'o:tag': 'spring', subject: 'Hello', text: 'Hello' };
    assert.deepEqual(await tagsAfter('shop', tagged), ['spring', 'came tagged']);
    assert.deepEqual(await tagsAfter('shop', { ...tagged, 'o:tag': [], text: 'x'.repeat(2000) }), ['large']);
    const { body } = await app.call('GET /v1/sandbox/shop/messages?tag=orders');
    assert.equal(body.total, 2);
  });

  it('tag what comes by SMTP, also when somebody waits for the tag', async () => {
    const { smtp_user: user, smtp_password: pass } = await newInbox('smtp', [
      { match: 'has:attachment from:robot', tags: ['bills'] },
      { match: 'X-Order: 17', tags: ['seventeen'] },
    ]);
    const line = app.galley.about.find((text) => text.startsWith('submission: ')) ?? '';
    const port = Number(/smtp:\/\/[^,]*?:(\d+)/.exec(line)?.[1]);
    const program = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      auth: { user, pass },
      tls: { rejectUnauthorized: false },
    });
    const waiting = app.call('GET /v1/sandbox/smtp/messages/latest?tag=bills&wait=60');
    const mail = { from: 'robot@shop.example', to: 'bob@example.net', subject: 'A bill', text: 'See the file.' };
    await program.sendMail(mail);
    await program.sendMail({
      ...mail,
      headers: { 'X-Order': '17', 'X-Tags': 'brought' },
      attachments: [{ filename: 'bill.txt', content: 'Pay' }],
    });
    program.close();
    assert.deepEqual((await waiting).body.tags, ['brought', 'bills', 'seventeen']);
    const { body } = await app.call('GET /v1/sandbox/smtp/messages');
    assert.deepEqual(
      body.items.map(({ tags }: { tags: string[] }) => tags),
      [['brought', 'bills', 'seventeen'], []],
    );
  });

  it('leave a message its first 20 tags', async () => {
    const tags = (from: number) => Array.from({ length: 10 }, (_, n) => `t${from + n}`);
    const rules = [0, 10, 20].map((from) => ({ match: 'from:ann', tags: tags(from) }));
    await newInbox('many', rules);
    assert.deepEqual(await tagsAfter('many', { 'o:tag': 'own' }), ['own', ...tags(0), ...tags(10).slice(0, 9)]);
  });

  it('may be 50', async () => {
    const rules = Array.from({ length: 50 }, (_, n) => ({ match: `subject:s${n}.`, tags: [`t${n}`] }));
    await newInbox('fifty', rules);
    assert.deepEqual(await tagsAfter('fifty', { subject: 's0. s49.' }), ['t0', 't49']);
  });

  const rule = { match: 'from:ann', tags: ['a'] };
  const WRONG: [string, unknown, RegExp][] = [
    ['no list', 'from:ann', /^tag_rules must be array/],
    ['too many', Array.from({ length: 51 }, () => rule), /^tag_rules must not have more than 50 items/],
    ['without a search', [{ tags: ['a'] }], /^tag_rules\[0\]\.match is required/],
    ['without tags', [rule, { match: 'a' }], /^tag_rules\[1\]\.tags is required/],
    ['with no tag', [{ match: 'a', tags: [] }], /^tag_rules\[0\]\.tags must not have fewer than 1 items/],
    ['with 11 tags', [{ match: 'a', tags: [...'abcdefghijk'] }], /^tag_rules\[0\]\.tags must not have more than 10/],
    ['with a search that is empty', [{ match: ' " ', tags: ['a'] }], /^tag_rules\[0\]\.match must ask for something/],
    ['with a search too long', [{ match: 'x'.repeat(1001), tags: ['a'] }], /^tag_rules\[0\]\.match must not have more/],
    [
      'that ask for a state that there is none',
      [rule, { match: 'is:new', tags: ['a'] }],
      /^tag_rules\[1\]\.match has "is:new"; what follows is: is one of read, unread, tagged\.$/,
    ],
    [
      'with a size that is none',
      [{ match: 'larger:big', tags: ['a'] }],
      /^tag_rules\[0\]\.match has "larger:big"; a size/,
    ],
    ['with a time that is none', [{ match: 'after:noon', tags: ['a'] }], /^tag_rules\[0\]\.match "noon" is not a time/],
    ['with a wrong tag', [{ match: 'a', tags: ['a', '<b>'] }], /^tag_rules\[0\]\.tags has "<b>"; a tag has 1 to 100/],
    [
      'of which several are wrong',
      [{ match: 'is:new', tags: ['a'] }, rule, { match: 'a', tags: [','] }],
      /^tag_rules\[0\]\.match has "is:new"; what follows .*\. tag_rules\[2\]\.tags has ","; a tag has/,
    ],
  ];
  for (const [what, rules, message] of WRONG)
    it(`are not taken: ${what}`, async () => {
      const answer = await setRules('shop', rules);
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
      const created = await app.call('POST /v1/sandbox', { body: { name: 'wrong', tag_rules: rules } });
      assert.deepEqual([created.status, created.body], [400, answer.body]);
      assert.equal((await app.call('GET /v1/sandbox/shop')).body.tag_rules.length, 7);
    });

  it('belong to one inbox of one account', async () => {
    const rules = [{ match: 'from:ann', tags: ['theirs'] }];
    assert.equal((await setRules('shop', rules, stranger)).status, 404);
    await newInbox('shop', rules, stranger);
    assert.deepEqual(await tagsAfter('shop', {}, stranger), ['theirs']);
    assert.deepEqual(await tagsAfter('shop', {}), ['orders', 'SPRING', 'sent']);
    assert.deepEqual(await tagsAfter('later', {}), []);
  });
});

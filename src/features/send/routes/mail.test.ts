// Mail that comes in, and what routes do with it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { DOMAIN, routeBed } from './bed.fixture.ts';
import { insertDeliveries, listDue } from './delivery-store.ts';

const bed = routeBed();
const HOUR_MS = 3_600_000;

const REPLY = [
  'From: Ann <ann@sender.example>',
  `To: Shop <orders@${DOMAIN}>`,
  'Subject: Re: Your order',
  'Message-ID: <reply@sender.example>',
  'Signature: of a stranger',
  'Token: of a stranger',
  'X-Shop: one',
  'X-Shop: two',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="m"',
  '',
  '--m',
  'Content-Type: multipart/alternative; boundary="a"',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'It has not come.',
  '',
  '-- ',
  'Ann',
  '',
  'On 1 May 2026, Shop <shop@in.example.com> wrote:',
  '> Has it come?',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>It has not come.</p><blockquote>Has it come?</blockquote>',
  '--a--',
  '--m',
  'Content-Type: image/png; name="box.png"',
  'Content-Disposition: attachment; filename="box.png"',
  'Content-ID: <box>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--m--',
  '',
];
const PLAIN = ['From: ann@sender.example', 'Subject: Hello', '', 'Hello there'];

const signingKey = async (): Promise<string> =>
  (await bed.app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;

async function isSigned(fields: FormData): Promise<boolean> {
  const signed = `${String(fields.get('timestamp'))}${String(fields.get('token'))}`;
  return (
    createHmac('sha256', await signingKey())
      .update(signed)
      .digest('hex') === fields.get('signature')
  );
}

describe('a route', () => {
  it('posts a message with its files to a URL, signed, with what its groups found', async () => {
    await bed.route('match_recipient("orders\\+(?P<no>.*)@")', `forward("${bed.url}/orders/\\g<no>")`);
    assert.match(await bed.send(`orders+a/b@${DOMAIN}`, REPLY), /^250 /);
    await bed.deliveries((items) => items.some(({ state }) => state === 'delivered'));
    const [post, ...more] = bed.posts('/orders/a%2Fb');
    assert.equal(more.length, 0);
    const { type, fields } = post!;
    assert.match(type, /^multipart\/form-data; boundary=/);
    const of = (name: string) => fields.getAll(name).map(String);
    assert.deepEqual(of('recipient'), [`orders+a/b@${DOMAIN}`]);
    assert.deepEqual([of('sender'), of('from')], [['ann@sender.example'], ['Ann <ann@sender.example>']]);
    assert.deepEqual(
      [of('subject'), of('Subject'), of('X-Shop')],
      [['Re: Your order'], ['Re: Your order'], ['one', 'two']],
    );
    assert.deepEqual([of('stripped-text'), of('stripped-signature')], [['It has not come.'], ['-- \nAnn']]);
    assert.equal(of('body-html')[0]?.trim(), '<p>It has not come.</p><blockquote>Has it come?</blockquote>');
    assert.equal(of('stripped-html')[0]?.trim(), '<p>It has not come.</p>');
    assert.deepEqual([of('attachment-count'), of('content-id-map')], [['1'], ['{"<box>":"attachment-1"}']]);
    const file = fields.get('attachment-1') as File;
    assert.deepEqual([file.name, file.type, file.size], ['box.png', 'image/png', 8]);
    const headers = JSON.parse(of('message-headers')[0]!);
    assert.equal(headers[0][0], 'Received');
    assert.ok(headers.some(([name, value]: string[]) => name === 'Token' && value === 'of a stranger'));
    // A header that is called like a field of the service is never taken for one.
    assert.deepEqual([of('token').length, of('Token').length, of('Signature').length], [1, 0, 0]);
    assert.equal(await isSigned(fields), true);
  });

  it('posts a message without files urlencoded, and the whole of it to a URL that ends in mime', async () => {
    await bed.route('match_recipient("both@")', [`forward("${bed.url}/parts")`, `forward("${bed.url}/raw-mime")`]);
    await bed.send(`both@${DOMAIN}`, PLAIN);
    await bed.deliveries(
      (items) =>
        items.filter(({ recipient, state }) => recipient === `both@${DOMAIN}` && state === 'delivered').length === 2,
    );
    const [parts] = bed.posts('/parts');
    const [mime] = bed.posts('/raw-mime');
    assert.equal(parts!.type, 'application/x-www-form-urlencoded');
    assert.deepEqual([parts!.fields.get('body-plain'), parts!.fields.get('body-html')], ['Hello there\n', null]);
    assert.deepEqual(
      [...mime!.fields.keys()],
      ['recipient', 'sender', 'from', 'subject', 'body-mime', 'timestamp', 'token', 'signature'],
    );
    assert.match(String(mime!.fields.get('body-mime')), /^Received: from client\.test [\s\S]*\r\n\r\nHello there/);
    assert.equal(await isSigned(mime!.fields), true);
  });

  it('posts the text of a message that is encrypted where it is kept', async () => {
    const set = (isOn: boolean): Promise<unknown> =>
      bed.app.call(`PUT /v4/domains/${DOMAIN}`, { body: { encrypt_incoming_message: isOn } });
    await set(true);
    await bed.route('match_recipient("sealed@")', `forward("${bed.url}/sealed")`);
    await bed.send(`sealed@${DOMAIN}`, PLAIN);
    await bed.deliveries((items) =>
      items.some(({ recipient, state }) => recipient === `sealed@${DOMAIN}` && state === 'delivered'),
    );
    assert.equal(bed.posts('/sealed')[0]!.fields.get('body-plain'), 'Hello there\n');
    await set(false);
  });

  it('tells where a message is kept, with its files', async () => {
    await bed.route('match_recipient("kept@")', `store(notify="${bed.url}/kept")`);
    await bed.send(`kept@${DOMAIN}`, REPLY);
    await bed.deliveries((items) => items.some(({ does, state }) => does === 'notify' && state === 'delivered'));
    const { fields } = bed.posts('/kept')[0]!;
    const url = new URL(String(fields.get('message-url')));
    assert.deepEqual([fields.get('domain'), fields.get('attachment-1')], [DOMAIN, null]);
    const stored = (await bed.app.call(`GET ${url.pathname}`)).body;
    assert.deepEqual(
      [stored['stripped-text'], stored['stripped-signature'], stored.recipients],
      ['It has not come.', '-- \nAnn', `kept@${DOMAIN}`],
    );
    const [file] = JSON.parse(String(fields.get('attachments')));
    assert.deepEqual([file.name, file['content-type'], file.size], ['box.png', 'image/png', 8]);
    assert.deepEqual(stored.attachments, [file]);
    assert.deepEqual(stored['content-id-map'], { '<box>': file.url });
    const bytes = await bed.app.call(`GET ${new URL(file.url).pathname}`);
    assert.deepEqual([bytes.status, (bytes.body as Buffer).toString('hex')], [200, '89504e470d0a1a0a']);
  });

  it('tries again after 10, 15 and 30 minutes, and no more once it is answered 406', async () => {
    bed.answer('/down', 500);
    bed.answer('/never', 406);
    await bed.route('match_recipient("down@")', [`forward("${bed.url}/down")`, `forward("${bed.url}/never")`]);
    await bed.send(`down@${DOMAIN}`, PLAIN);
    const mine = (items: any[], path: string) => items.find(({ target }) => target === bed.url + path);
    const first = await bed.deliveries(
      (items) => mine(items, '/down')?.attempts.length === 1 && mine(items, '/never')?.state !== 'waiting',
    );
    const refused = mine(first, '/never');
    assert.deepEqual([refused.state, refused.attempts.length, refused.attempts[0].code], ['rejected', 1, 406]);
    const waiting = mine(first, '/down');
    const waitOf = (one: any) =>
      Math.round((Date.parse(one.next_attempt_at) - Date.parse(one.attempts.at(-1).at)) / 60_000);
    assert.deepEqual([waiting.state, waiting.attempts[0].answer, waitOf(waiting)], ['waiting', 'thanks', 10]);
    bed.app.clock.advance(HOUR_MS / 6 + 1000);
    const second = mine(await bed.deliveries((items) => mine(items, '/down').attempts.length === 2), '/down');
    assert.equal(waitOf(second), 15);
    bed.app.clock.advance(HOUR_MS / 4 + 1000);
    await bed.deliveries((items) => mine(items, '/down').attempts.length === 3);
    bed.answer('/down', 200);
    bed.app.clock.advance(HOUR_MS / 2 + 1000);
    const done = mine(await bed.deliveries((items) => mine(items, '/down').state !== 'waiting'), '/down');
    assert.deepEqual([done.state, done.attempts.map(({ code }: any) => code)], ['delivered', [500, 500, 500, 200]]);
    const tokens = bed.posts('/down').map(({ fields }) => fields.get('token'));
    assert.equal(new Set(tokens).size, 4);
    assert.equal(bed.posts('/never').length, 1);
  });

  it('hands a message to the queue for another address, once, and stops one that goes in a circle', async () => {
    await bed.route('match_recipient("(?P<who>info)@")', 'forward("\\g<who>@elsewhere.example")');
    await bed.send(`info@${DOMAIN}`, REPLY);
    const forwarded = (items: any[]) => items.filter(({ recipient }) => recipient === `info@${DOMAIN}`);
    const [done] = forwarded(
      await bed.deliveries((items) => forwarded(items).some(({ state }) => state !== 'waiting')),
    );
    assert.equal(done.state, 'delivered', JSON.stringify(done));
    const id = /<([^>]+)>/.exec(done.attempts[0].message)![1]!;
    assert.equal(id, 'reply@sender.example');
    for (;;) {
      bed.app.clock.advance(3000);
      const { items } = (await bed.app.call(`GET /v3/${DOMAIN}/events?recipient=info@elsewhere.example`)).body;
      if (!items.some(({ event }: any) => event === 'delivered')) continue;
      const { key } = items[0].storage;
      const headers = { accept: 'message/rfc2822' };
      const raw = (await bed.app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`, { headers })).body['body-mime'];
      assert.match(raw, /^X-Galley-Forwarded: [0-9a-f]{32}\r\n/m);
      await bed.send(`info@${DOMAIN}`, raw.replace(/\r\n$/, '').split('\r\n'));
      break;
    }
    const circle = forwarded(await bed.deliveries((items) => forwarded(items).length === 2))[0];
    assert.equal(circle.state, 'failed');
    assert.match(circle.attempts[0].message, /goes in a circle/);
    const many = [...Array.from({ length: 60 }, (_none, hop) => `Received: from hop${hop}`), ...PLAIN];
    assert.match(await bed.send(`info@${DOMAIN}`, many), /^554 5\.4\.6 /);
  });

  it('ends with stop(), in the order of priorities, and looks at headers', async () => {
    await bed.route('match_recipient("order@")', `forward("${bed.url}/second")`, { priority: 50 });
    await bed.route(
      'match_recipient("order@") and match_header("subject", "(?i)stop")',
      ['stop()', `forward("${bed.url}/first")`],
      {
        priority: 40,
      },
    );
    await bed.send(`order@${DOMAIN}`, ['Subject: Stop here', '', 'x']);
    await bed.deliveries((items) =>
      items.some(({ target, state }) => target === `${bed.url}/first` && state === 'delivered'),
    );
    assert.equal(bed.posts('/second').length, 0);
    await bed.send(`order@${DOMAIN}`, PLAIN);
    await bed.deliveries((items) =>
      items.some(({ target, state }) => target === `${bed.url}/second` && state === 'delivered'),
    );
    assert.equal(bed.posts('/first').length, 1);
  });

  it('is no mailbox for others: what none is about is refused while it is delivered', async () => {
    assert.match(await bed.send(`stranger@${DOMAIN}`, PLAIN), /^550 /);
    await bed.route('match_recipient("picky@") and match_header("x-pass", "yes")', 'store()');
    assert.match(await bed.send(`picky@${DOMAIN}`, PLAIN), /^550 5\.7\.1 No route takes this message/);
    assert.match(await bed.send(`picky@${DOMAIN}`, ['X-Pass: yes', ...PLAIN]), /^250 /);
  });

  it('is not held up by an expression that hangs other engines', async () => {
    await bed.route('match_recipient("evil@") and match_header("subject", "((a+)+)+$")', 'store()');
    assert.match(await bed.send(`evil@${DOMAIN}`, [`Subject: ${'a'.repeat(900)}!`, '', 'x']), /^550 /);
    assert.match(await bed.send(`evil@${DOMAIN}`, [`Subject: ${'a'.repeat(900)}`, '', 'x']), /^250 /);
  });
});

describe('the list of what routes did', () => {
  it('is of the account alone, and of one route where it is asked for', async () => {
    const { id } = (await bed.app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const path = 'GET /v1/galley/routes/deliveries';
    const theirs = await bed.app.call(path, { headers: { 'x-service-account-id': id } });
    assert.deepEqual(theirs.body, { total_count: 0, items: [] });
    const route = await bed.route('match_recipient("one@")', `forward("${bed.url}/one")`);
    assert.deepEqual((await bed.app.call(`${path}?route_id=${route}`)).body, { total_count: 0, items: [] });
    await bed.send(`one@${DOMAIN}`, PLAIN);
    const all = await bed.deliveries((items) => items.some(({ route_id: of }) => of === route));
    const own = (await bed.app.call(`${path}?route_id=${route}&limit=1`)).body;
    assert.deepEqual([own.total_count, own.items[0].recipient], [1, `one@${DOMAIN}`]);
    assert.ok(all.length > 1);
    assert.equal((await bed.app.call(`${path}?limit=1e2`)).status, 400);
  });
});

describe('what is due', () => {
  it('is taken from each account in turn: one with many keeps nobody else’s away', async () => {
    const { db, clock } = bed.app.galley.outside;
    const few = (await bed.app.call('POST /v5/accounts/subaccounts?name=Few')).body.subaccount.id as string;
    await bed.route('match_recipient("turns@")', `forward("${bed.url}/turns")`);
    await bed.send(`turns@${DOMAIN}`, PLAIN);
    await bed.deliveries((items) =>
      items.some(({ recipient, state }) => recipient === `turns@${DOMAIN}` && state === 'delivered'),
    );
    const {
      id: _,
      accountId: many,
      ...made
    } = await db.ofAnyone
      .selectFrom('routeDeliveries')
      .selectAll()
      .where('recipient', '=', `turns@${DOMAIN}`)
      .executeTakeFirstOrThrow();
    // Due in days: the worker of this service leaves them alone.
    const dueAt = new Date(clock.now().getTime() + 240 * HOUR_MS);
    const waiting = (count: number, of: string) =>
      Array.from({ length: count }, (_, n) => ({
        ...made,
        state: 'waiting' as const,
        dueAt,
        recipient: `${of}${n}@x`,
      }));
    await insertDeliveries(db, many, waiting(5, 'many'));
    await insertDeliveries(db, few, waiting(1, 'few'));
    const due = await listDue(db, new Date(dueAt.getTime() + 1), 2);
    assert.deepEqual(due.map(({ accountId }) => accountId).sort(), [few, many].sort());
  });
});

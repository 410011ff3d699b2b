// Copies of what a domain sends, at the archive of its sender.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startWebServer } from '../../../../test/harness/web-server.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

interface Post {
  path: string;
  fields: FormData;
}

const bed = liveBed();
const answers = new Map<string, number>();
const posts: Post[] = [];
let url = '';
let close: () => Promise<void>;
before(async () => {
  const server = await startWebServer(async ({ path, headers, bytes }, response) => {
    const type = String(headers['content-type']);
    const fields = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    posts.push({ path, fields });
    response.writeHead(answers.get(path) ?? 200).end('thanks');
  });
  ({ url, close } = server);
});
after(() => close());

const postsTo = (path: string): Post[] => posts.filter((post) => post.path === path);
const call = async (operation: string, body?: unknown, headers = {}): Promise<{ status: number; body: any }> => {
  const { status, body: said } = await bed.app.call(operation, { ...(body !== undefined && { body }), headers });
  return { status, body: said };
};
const timeline = async (id: string): Promise<any> =>
  (await call(`GET /v1/galley/messages/${encodeURIComponent(id)}/timeline`)).body;
const archive = (to: string): Promise<unknown> => call(`PUT /v4/domains/${DOMAIN}`, { archive_to: to });

/** The copy of a message, as its timeline shows it, once it is so. */
async function copyOf(id: string, isDone: (copy: any) => boolean): Promise<any> {
  for (;;) {
    const { archive: copy } = await timeline(id);
    if (isDone(copy)) return copy;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe('archive_to of a domain', () => {
  before(() => archive(`${url}/all`));

  it('gets one copy of a message to several, signed, with all of them, as it was accepted', async () => {
    const text = 'Dear %recipient.name%, äöü';
    const id = await bed.send({
      to: ['a@example.net', 'b@example.net'],
      bcc: 'c@example.net',
      text,
      'recipient-variables': '{"a@example.net":{"name":"Ann"},"b@example.net":{"name":"Bob"}}',
    });
    const copy = await copyOf(id, ({ state }) => state === 'delivered');
    assert.deepEqual([copy.url, copy.attempts.length, copy.attempts[0].code], [`${url}/all`, 1, 200]);
    for (const one of ['a', 'b', 'c']) await bed.eventsOf(`${one}@example.net`);
    const [{ fields } = {} as Post, ...more] = postsTo('/all');
    assert.equal(more.length, 0, 'one copy, whatever the number of recipients');
    const of = (name: string): string => String(fields.get(name));
    assert.deepEqual(['recipients', 'sender', 'from', 'subject', 'domain', 'Message-Id'].map(of), [
      'a@example.net, b@example.net, c@example.net',
      `ann@${DOMAIN}`,
      `Ann <ann@${DOMAIN}>`,
      'Hello',
      DOMAIN,
      id,
    ]);
    const key = (await call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
    const signed = createHmac('sha256', key)
      .update(`${of('timestamp')}${of('token')}`)
      .digest('hex');
    assert.equal(of('signature'), signed);
    const file = fields.get('body-mime') as File;
    const raw = Buffer.from(await file.arrayBuffer()).toString('utf8');
    assert.equal(file.type, 'message/rfc822');
    assert.ok(raw.includes(`Message-ID: ${id}`) && raw.includes('Subject: Hello'), raw);
    assert.match(raw, /Dear %recipient\.name%, /);
  });

  it('is no recipient: no event, no recipient of the timeline, no delivery', async () => {
    const id = await bed.send({ to: 'd@example.net' });
    await copyOf(id, ({ state }) => state === 'delivered');
    const events = (await bed.eventsOf('d@example.net')).map(({ event }: any) => event);
    assert.deepEqual(events, ['accepted', 'delivered']);
    const { items, meta } = await timeline(id);
    assert.deepEqual([items.length, meta.count], [1, 1]);
    assert.equal(bed.taken('d@example.net').length, 1);
  });

  it('gets none of a test, and what o:archive-to names instead gets the others', async () => {
    const before = postsTo('/all').length;
    const test = await bed.send({ to: 'e@example.net', 'o:testmode': 'yes' });
    const other = await bed.send({ to: 'e@example.net', 'o:archive-to': `${url}/other` });
    await copyOf(other, ({ state }) => state === 'delivered');
    assert.equal((await timeline(test)).archive, null);
    assert.deepEqual([postsTo('/all').length, postsTo('/other').length], [before, 1]);
  });

  it('is tried again later, says why, and gives up at last', async () => {
    answers.set('/broken', 500);
    await archive(`${url}/broken`);
    const id = await bed.send({ to: 'f@example.net', subject: 'Kept' });
    let copy = await copyOf(id, ({ attempts }) => attempts.length === 1);
    assert.deepEqual([copy.state, copy.attempts[0].code], ['waiting', 500]);
    assert.equal(copy.attempts[0].message, 'The receiver answered 500.');
    assert.equal(Date.parse(copy.next_attempt_at) - Date.parse(copy.attempts[0].at) >= 290_000, true);
    assert.equal((await bed.eventsOf('f@example.net')).at(-1).event, 'delivered', 'the recipient has it all the same');
    answers.set('/broken', 406);
    bed.app.clock.advance(301_000);
    copy = await copyOf(id, ({ state }) => state !== 'waiting');
    assert.deepEqual([copy.state, copy.attempts.length], ['rejected', 2]);
    const { body } = await call(`GET /v1/galley/archive_copies?state=rejected&domain=${DOMAIN}`);
    assert.deepEqual(
      [body.total_count, body.items[0].subject, body.items[0].domain, body.items[0].id],
      [1, 'Kept', DOMAIN, copy.id],
    );
    answers.set('/broken', 201);
    const again = await call(`POST /v1/galley/archive_copies/${copy.id}/retry`);
    assert.deepEqual([again.status, again.body.state], [200, 'waiting']);
    copy = await copyOf(id, ({ state }) => state === 'delivered');
    const done = await call(`POST /v1/galley/archive_copies/${copy.id}/retry`);
    assert.deepEqual([done.status, done.body.message], [409, 'The archive has the copy: it is not posted again.']);
  });

  it('of a domain that is captured leaves nothing, and says so', async () => {
    await archive(`${url}/captured`);
    await call(`PUT /v1/galley/domains/${DOMAIN}/delivery`, { delivery: 'capture' });
    const id = await bed.send({ to: 'g@example.net' });
    await bed.eventsOf('g@example.net');
    const { archive: copy } = await timeline(id);
    assert.deepEqual([copy.state, copy.attempts, postsTo('/captured').length], ['captured', [], 0]);
    const { status, body } = await call(`POST /v1/galley/archive_copies/${copy.id}/retry`);
    assert.deepEqual([status, /was captured/.test(body.message)], [409, true]);
  });
});

describe('wrong input', () => {
  it('names the field, and what is another account’s is not there', async () => {
    const from = { from: `ann@${DOMAIN}`, to: 'h@example.net', subject: 'x', text: 'x' };
    for (const [to, message] of [
      ['ann@example.net', /^o:archive-to: ann@example\.net is not a valid url: it is no absolute URL$/],
      ['http://10.0.0.1/x', /^o:archive-to: .* not open to requests from here$/],
    ] as const) {
      const { status, body } = await call(`POST /v3/${DOMAIN}/messages`, { ...from, 'o:archive-to': to });
      assert.deepEqual([status, message.test(body.message)], [400, true], body.message);
    }
    const { items } = (await call('GET /v1/galley/archive_copies?limit=1')).body;
    const stranger = (await call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
    const theirs = { 'x-service-account-id': stranger };
    assert.equal((await call('GET /v1/galley/archive_copies', undefined, theirs)).body.total_count, 0);
    for (const [id, headers] of [
      [items[0].id, theirs],
      ['none', {}],
    ] as const)
      assert.deepEqual(await call(`POST /v1/galley/archive_copies/${id}/retry`, undefined, headers), {
        status: 404,
        body: { message: 'Archive copy not found' },
      });
    const strange = await call('GET /v1/galley/archive_copies?state=lost');
    assert.deepEqual([strange.status, strange.body.message.startsWith('state must be one of')], [400, true]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dkimRecord, generateDkimKey, signDkim } from '../../../engines/mail-authentication/index.ts';
import { composeMessage } from '../../../engines/mime/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';

let app: App;
let privateKey: string;
before(async () => {
  privateKey = await generateDkimKey('rsa-2048');
  const zone = {
    'shop.example': { A: ['198.51.100.7'], MX: ['10 mx.shop.example'], TXT: ['v=spf1 ip4:198.51.100.7 -all'] },
    '_dmarc.shop.example': { TXT: ['v=DMARC1; p=reject'] },
    's1._domainkey.shop.example': { TXT: [dkimRecord(privateKey)] },
  };
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' }, { zone });
});
after(() => app.close());

const PATH = '/v1/inspect/spam';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LETTER =
  '<!doctype html><html lang="en"><body><h1>Garden notes for May</h1><p>Hello, the tomatoes are out of the ' +
  'greenhouse at last, and the roses by the south wall have begun to flower. This month we write about watering in ' +
  'the early morning, about the slugs that come after rain, and about a visit to the seed bank in the valley.</p><p>' +
  'Read the <a href="https://garden.shop.example/may">whole letter</a> on our site.</p><p>' +
  '<a href="https://shop.example/leave">Unsubscribe</a></p></body></html>';
const SCAM =
  '<p>Dear friend, CONGRATULATIONS, you have won one million dollars! <a href="http://bit.ly/x">http://paypal.com' +
  '</a> Viagra, 100% free, risk free, act now, urgent!!!</p>';

const answerOf = async (operation: string, body?: unknown): Promise<[number, any]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

/** Asks until the test has ended. */
async function ended(id: string): Promise<any> {
  for (;;) {
    const { body, headers } = await app.call(`GET ${PATH}/${id}`);
    if (body.item.status !== 'processing') return body.item;
    assert.equal(headers.get('retry-after'), '10');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function test(body: object): Promise<any> {
  const [status, started] = await answerOf(`POST ${PATH}`, body);
  assert.equal(status, 201, JSON.stringify(started));
  return ended(started.item.id);
}

const resultsOf = ({ results }: any): any[] => [...results.b2c.results, ...results.b2b.results];
const placementsOf = (item: any): string[] => resultsOf(item).map(({ placement }) => placement);
const verdictOf = (item: any, method: string): any =>
  item.analysis.authentication.find((one: any) => one.method === method);

/** A message as its own domain would sign it. */
async function signed({
  from = 'news@shop.example',
  headers = {},
}: { from?: string; headers?: Record<string, string> } = {}): Promise<string> {
  const at = app.clock.now();
  const { raw } = await composeMessage({
    from: { name: 'Shop', address: from },
    to: [{ name: '', address: 'you@reader.example' }],
    subject: 'Garden notes for May',
    html: LETTER,
    text: 'Hello, the tomatoes are out. Leave: https://shop.example/leave',
    date: at,
    messageId: '<a1@shop.example>',
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  });
  return signDkim(raw, [{ domain: 'shop.example', selector: 's1', privateKey }], at).toString('base64');
}

const FROM_SHOP = {
  ip: '198.51.100.7',
  helo: 'out.shop.example',
  reverse_dns: 'out.shop.example',
  mail_from: 'bounce@shop.example',
};

describe('POST /v1/inspect/spam', () => {
  it('answers at once, then says for every receiver where the message landed', async () => {
    const { status, body } = await app.call(`POST ${PATH}`, {
      body: { subject: 'Garden notes for May', html: LETTER, from_name: 'Garden', sending_ip: null, region: 'us1' },
    });
    const { id, created_at: at } = body.item;
    assert.match(at, TIME);
    assert.deepEqual(
      [status, body],
      [
        201,
        {
          meta: { request_id: body.meta.request_id, timestamp: body.meta.timestamp },
          item: {
            id,
            name: 'Garden notes for May',
            status: 'processing',
            subject: 'Garden notes for May',
            sending_ip: null,
            region: 'us1',
            results: null,
            failure_reason: null,
            created_at: at,
            updated_at: at,
          },
          links: { self: `${PATH}/${id}` },
        },
      ],
    );
    const item = await ended(id);
    assert.deepEqual(
      [
        item.status,
        item.failure_reason,
        item.results.b2c.passed,
        item.results.b2c.failed,
        item.results.b2c.pending,
        item.results.b2b.passed,
      ],
      ['completed', null, 5, 0, 0, 3],
    );
    const { received_at: receivedAt, seed, reasons, ...webmail } = item.results.b2c.results[0];
    assert.match(receivedAt, TIME);
    assert.match(seed, /^t-[0-9a-f]{24}@webmail\.galley\.test$/);
    assert.ok(reasons.some(({ code, source }: any) => code === 'filter-built-in' && source === null));
    assert.deepEqual([item.results.b2c.simulated, item.results.b2b.simulated], [5, 3]);
    assert.deepEqual(webmail, {
      esp: 'webmail.local-receiver.example',
      display_name: 'Simulated consumer webmail with tabs',
      kind: 'receiver',
      simulated: true,
      status: 'passed',
      placement: 'inbox',
      folder: null,
      reason: webmail.reason,
      score: webmail.score,
      spam_threshold: 10,
      filters: [
        { engine: 'built-in', score: webmail.filters[0].score, threshold: 5, verdict: 'nothing_found', failure: null },
      ],
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      smtp_reply: '250 2.6.0 OK: message queued',
      attempts: 1,
      copies: 1,
    });
    assert.equal(item.analysis.sender.kind, 'stand-in');
  });

  it('names every rule that spam breaks, with its points, its words and what to do', async () => {
    const item = await test({ subject: 'YOU WON $$$ ACT NOW!!!', html: SCAM });
    assert.ok(
      placementsOf(item).every((placement) => placement === 'spam' || placement === 'rejected'),
      placementsOf(item).join(),
    );
    const [builtIn] = item.analysis.filters;
    assert.deepEqual([builtIn.engine, builtIn.verdict], ['built-in', 'spam']);
    const hit = builtIn.rules.find(({ rule }: any) => rule === 'BODY_PHARMACY');
    assert.deepEqual(
      [
        hit.points > 0,
        hit.places[0].part,
        SCAM.slice(hit.places[0].offset, hit.places[0].offset + hit.places[0].length),
        typeof hit.fix,
      ],
      [true, 'html', 'Viagra', 'string'],
    );
    const rejected = resultsOf(item).find(({ placement }) => placement === 'rejected');
    assert.match(rejected.smtp_reply, /^5\d\d 5\.7\.1 /);
    assert.equal(rejected.status, 'failed');
    const [, { kind, findings }] = await answerOf(`GET /v1/inspections/${item.id}`);
    assert.deepEqual(
      [
        kind,
        findings.some(({ rule }: any) => rule === 'spam/body-pharmacy'),
        findings.some(({ rule }: any) => rule.startsWith('spam/placement/')),
      ],
      ['spam', true, true],
    );
  });

  it('judges a message of one’s own as the receiver that was connected to', async () => {
    const item = await test({ mime: await signed(), transfer_encoding: 'base64', envelope: FROM_SHOP });
    assert.deepEqual(item.analysis.envelope, FROM_SHOP);
    assert.deepEqual(
      item.analysis.authentication.map(({ method, result }: any) => [method, result]),
      [
        ['spf', 'pass'],
        ['spf-helo', 'none'],
        ['dkim', 'pass'],
        ['dmarc', 'pass'],
        ['arc', 'none'],
        ['bimi', 'none'],
        ['reverse-dns', 'pass'],
      ],
    );
    assert.deepEqual(
      [item.subject, item.sending_ip, item.analysis.sender.kind, verdictOf(item, 'dmarc').domain],
      ['Garden notes for May', '198.51.100.7', 'given', 'shop.example'],
    );
    assert.ok(placementsOf(item).every((placement) => placement === 'inbox'));
    assert.equal(verdictOf(item, 'spf').reason, 'shop.example allows 198.51.100.7 to send its mail.');
  });

  it('finds a forged sender: DMARC fails, and those who follow policies refuse it', async () => {
    const raw =
      'From: Shop <news@shop.example>\r\nTo: you@reader.example\r\nSubject: Your account\r\n' +
      `Date: ${app.clock.now().toUTCString()}\r\nMessage-ID: <f@forger.example>\r\nMIME-Version: 1.0\r\n` +
      'Content-Type: text/plain\r\n\r\nPlease look at the letter of this month, which tells about the garden.\r\n';
    const item = await test({
      mime: raw,
      envelope: { ip: '203.0.113.66', helo: 'forger.example', mail_from: 'x@forger.example' },
    });
    assert.deepEqual(
      [verdictOf(item, 'spf').result, verdictOf(item, 'dkim').result, verdictOf(item, 'dmarc').result],
      ['none', 'none', 'fail'],
    );
    assert.match(verdictOf(item, 'dmarc').reason, /Nothing ties the message to shop\.example/);
    const webmail = resultsOf(item)[0];
    assert.deepEqual([webmail.placement, webmail.authentication.dmarc], ['rejected', 'fail']);
    assert.match(webmail.smtp_reply, /^550 5\.7\.26 /);
  });

  it('does not judge an address that nobody named', async () => {
    const item = await test({ mime: await signed(), transfer_encoding: 'base64' });
    assert.deepEqual(
      [
        item.analysis.envelope.ip,
        verdictOf(item, 'spf').result,
        verdictOf(item, 'dkim').result,
        verdictOf(item, 'dmarc').result,
      ],
      [null, 'none', 'pass', 'pass'],
    );
    assert.match(verdictOf(item, 'spf').reason, /which address would send it in earnest was not said/);
  });

  it('checks the demands on bulk senders, and RFC 8058 without trying the address', async () => {
    const headers = {
      'List-Unsubscribe': '<https://shop.example/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const item = await test({ mime: await signed({ headers }), transfer_encoding: 'base64', envelope: FROM_SHOP });
    const { bulk_sender: bulk, one_click: oneClick } = item.analysis;
    const statusOf = (id: string): string => bulk.checks.find((check: any) => check.id === id).status;
    assert.deepEqual(
      [
        statusOf('spf'),
        statusOf('dkim'),
        statusOf('dmarc'),
        statusOf('alignment'),
        statusOf('one-click'),
        statusOf('reverse-dns'),
      ],
      ['pass', 'pass', 'pass', 'pass', 'pass', 'pass'],
    );
    // The domain of From is looked up; how the message would travel nobody said.
    assert.deepEqual([statusOf('from-domain'), statusOf('tls')], ['pass', 'unknown']);
    assert.deepEqual(
      [oneClick.conforms, oneClick.url, oneClick.checks.find(({ id }: any) => id === 'live').status],
      [true, 'https://shop.example/u/1', 'not_applicable'],
    );
    const broken = await test({
      mime: await signed({ headers: { 'List-Unsubscribe': '<http://shop.example/u/1>' } }),
      transfer_encoding: 'base64',
      envelope: FROM_SHOP,
    });
    assert.equal(broken.analysis.one_click.conforms, false);
    assert.deepEqual(
      broken.analysis.one_click.checks.filter(({ status }: any) => status === 'fail').map(({ id }: any) => id),
      ['https', 'post', 'signed'],
    );
  });

  it('tries the unsubscribe address only when told to', async () => {
    const headers = {
      'List-Unsubscribe': '<https://127.0.0.1/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const { analysis } = await test({
      mime: await signed({ headers }),
      transfer_encoding: 'base64',
      envelope: FROM_SHOP,
      live_unsubscribe: true,
    });
    const live = analysis.one_click.checks.find(({ id }: any) => id === 'live');
    assert.deepEqual(
      [analysis.one_click.conforms, live.status, live.message],
      [false, 'fail', 'The POST got no answer (refused).'],
    );
  });

  it('takes a subject that no database would', async () => {
    const item = await test({
      mime: 'From: a@shop.example\r\nSubject: =?utf-8?B?YQBi?=\r\n\r\nHello, the tomatoes are out of the greenhouse.',
    });
    assert.deepEqual([item.status, item.subject], ['completed', 'a\uFFFDb']);
  });

  it('says nothing is to be done about what speaks for the message', async () => {
    const item = await test({
      mime: await signed({ headers: { 'List-ID': 'Shop <news.shop.example>' } }),
      transfer_encoding: 'base64',
      envelope: FROM_SHOP,
    });
    const hit = item.analysis.filters[0].rules.find(({ rule }: any) => rule === 'BULK_LIST_ID');
    assert.deepEqual([hit.points < 0, hit.fix], [true, null]);
  });

  it('is tried again at a receiver that puts off doubtful mail', async () => {
    const html = LETTER.replace('Hello', 'Dear friend, act now! 100% free, risk free, click here');
    const item = await test({ subject: 'LAST CHANCE $$$ ACT NOW', html });
    const deferred = resultsOf(item).filter(({ attempts }) => attempts > 1);
    assert.ok(
      deferred.length > 0,
      JSON.stringify(resultsOf(item).map(({ esp, score, attempts }) => [esp, score, attempts])),
    );
    for (const { copies, placement } of deferred)
      assert.deepEqual([copies, placement === null], [placement === 'rejected' ? 0 : 1, false]);
  });

  const refused: [string, object, RegExp][] = [
    ['nothing to send', { subject: 'x' }, /^html is required, or mime\.$/],
    ['no subject', { html: LETTER }, /^subject is required\.$/],
    [
      'both forms of a message',
      { subject: 'x', html: LETTER, mime: 'x' },
      /^html, mime: give one of them, not both\.$/,
    ],
    ['a message without parts', { mime: 'From: a@b.example\r\n\r\n' }, /^mime has neither an HTML nor a text part\.$/],
    [
      'a sender that is not verified',
      { subject: 'x', html: LETTER, from: 'a@elsewhere.example' },
      /^from names elsewhere\.example, which is not a verified sending domain/,
    ],
    [
      'an address that is none',
      { subject: 'x', html: LETTER, sending_ip: '300.1.1.1' },
      /^sending_ip "300\.1\.1\.1" is not an IP address\.$/,
    ],
    [
      'two different addresses',
      { subject: 'x', html: LETTER, sending_ip: '192.0.2.1', envelope: { ip: '192.0.2.2' } },
      /^sending_ip and envelope\.ip name different addresses\.$/,
    ],
    [
      'a greeting that is no name',
      { subject: 'x', html: LETTER, envelope: { helo: 'a b' } },
      /^envelope\.helo "a b" is neither/,
    ],
    [
      'a header that breaks lines',
      { subject: 'x', html: LETTER, headers: { 'X-A': 'a\r\nB: c' } },
      /^headers\.X-A has a value with line breaks/,
    ],
    [
      'a header that is the test’s own',
      { subject: 'x', html: LETTER, headers: { From: 'a@b.example' } },
      /^headers\.From is set by the test itself\.$/,
    ],
    [
      'a header that would be left out',
      { subject: 'x', html: LETTER, headers: { Subject: 'y' } },
      /^headers\.Subject is set by the test itself\.$/,
    ],
    [
      'a subject that no column holds',
      { subject: 'a\0b', html: LETTER },
      /^subject must not hold the character U\+0000\.$/,
    ],
    ['a region that is none', { subject: 'x', html: LETTER, region: 'mars1' }, /^region /],
  ];
  for (const [what, body, message] of refused) {
    it(`refuses ${what}`, async () => {
      const [status, answer] = await answerOf(`POST ${PATH}`, body);
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(answer), ['message']);
      assert.match(answer.message, message);
    });
  }

  it('asks for a key', async () => {
    const { status, body } = await app.call(`POST ${PATH}`, { key: null, body: { subject: 'x', html: LETTER } });
    assert.deepEqual([status, body], [401, { message: 'Invalid private key' }]);
  });
});

describe('GET /v1/inspect/spam', () => {
  it('lists newest first, by status and region, page by page, and the other way round', async () => {
    const first = await test({ subject: 'One of the list', html: LETTER });
    // As a deployment that was moved has them: a new test of another region is refused.
    await app.galley.outside.db.run(sql`update spam_tests set region = 'eu1' where inspection_id = ${first.id}`);
    const second = await test({ subject: 'Two of the list', html: LETTER, region: 'us1' });
    const [status, all] = await answerOf(`GET ${PATH}`);
    assert.deepEqual(
      [status, all.items[0].id, all.items[1].id, all.links, all.meta.count >= 2],
      [200, second.id, first.id, { self: PATH }, true],
    );
    assert.equal(all.items[0].results.b2c.results.length, 5);
    const [, european] = await answerOf(`GET ${PATH}?region=eu1&status=completed&limit=1`);
    assert.deepEqual([european.items.length, european.items[0].id], [1, first.id]);
    assert.equal(
      new URL(european.paging.first).search,
      '?region=eu1&status=completed&sort_by=created_at&sort_order=desc&limit=1&skip=0'.replace(
        'region=eu1&status=completed',
        'status=completed&region=eu1',
      ),
    );
    const [, oldest] = await answerOf(`GET ${PATH}?sort_order=asc&limit=1`);
    assert.notEqual(oldest.items[0].id, second.id);
    const [, following] = await answerOf(`GET ${oldest.paging.next.slice(app.url.length)}`);
    assert.notEqual(following.items[0].id, oldest.items[0].id);
    assert.deepEqual((await answerOf(`GET ${PATH}?status=failed`))[1].items, []);
    assert.deepEqual(await answerOf(`GET ${PATH}?sort_by=subject`), [
      400,
      { message: 'sort_by must be one of created_at, updated_at.' },
    ]);
  });
});

describe('GET /v1/inspect/spam/providers', () => {
  it('lists the local receivers by group, under names that are no brand', async () => {
    const [status, body] = await answerOf(`GET ${PATH}/providers`);
    assert.deepEqual([status, body.meta.count, body.b2c.length, body.b2b.length], [200, 8, 5, 3]);
    assert.deepEqual(body.items[6], {
      domain: 'gateway.local-receiver.example',
      display_name: 'Simulated strict corporate gateway',
      category: 'b2b',
      kind: 'receiver',
      simulated: true,
      about: body.items[6].about,
      region: 'Global',
    });
  });
});

describe('GET and DELETE /v1/inspect/spam/{spam_test_id}', () => {
  it('shows the message that was sent', async () => {
    const { id } = await test({
      subject: 'Grüße',
      html: LETTER,
      from_name: 'Garden',
      headers: { 'X-Campaign': 'may', 'Reply-To': 'Garden <answers@shop.example>' },
    });
    const [status, { subject, html, text, headers }] = await answerOf(`GET ${PATH}/${id}/content`);
    assert.deepEqual([status, subject, html.trim(), text], [200, 'Grüße', LETTER, null]);
    assert.ok(headers.some(({ name, value }: any) => name === 'X-Campaign' && value === 'may'));
    assert.ok(headers.some(({ name, value }: any) => name === 'Reply-To' && value === 'Garden <answers@shop.example>'));
    assert.ok(!headers.some(({ name }: any) => name === 'X-Galley-Seed'));
  });

  it('deletes a test for good', async () => {
    const { id } = await test({ subject: 'To be deleted', html: LETTER });
    assert.deepEqual(await answerOf(`DELETE ${PATH}/${id}`), [
      200,
      { message: 'The spam test and its results were deleted.' },
    ]);
    for (const operation of [`GET ${PATH}/${id}`, `DELETE ${PATH}/${id}`])
      assert.deepEqual(await answerOf(operation), [404, { message: `No spam test has the id "${id}".` }]);
    await app.idle();
    assert.equal(await app.galley.outside.blobs.get(`inspections/${id}/message.eml`), undefined);
  });

  it('leaves nothing of a test that is deleted while it begins', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const [
          ,
          {
            item: { id },
          },
        ] = await answerOf(`POST ${PATH}`, { subject: `To be deleted ${n}`, html: LETTER });
        for (let turn = 0; turn < n; turn++) await answerOf(`GET ${PATH}/${id}`);
        assert.equal((await answerOf(`DELETE ${PATH}/${id}`))[0], 200);
        return id as string;
      }),
    );
    await app.idle();
    const { blobs, db } = app.galley.outside;
    for (const id of ids) assert.equal(await blobs.get(`inspections/${id}/message.eml`), undefined);
    assert.deepEqual((await db.text('select token from seed_deliveries where test_id = any($1)', [ids])).rows, []);
  });

  it('answers a stranger the same 404', async () => {
    const { id } = await test({ subject: 'Not yours', html: LETTER });
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
    const { body: made } = await app.call('POST /v1/keys', {
      headers: { 'x-service-account-id': body.subaccount.id },
      body: { role: 'admin' },
    });
    for (const operation of [`GET ${PATH}/${id}`, `DELETE ${PATH}/${id}`])
      assert.equal((await app.call(operation, { key: made.key.secret })).status, 404);
    assert.equal((await app.call(`GET ${PATH}`, { key: made.key.secret })).body.meta.count, 0);
  });
});

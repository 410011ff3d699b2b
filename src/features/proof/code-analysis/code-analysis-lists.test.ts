import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const PATH = '/v1/inspect/analyze';

const answerOf = async (operation: string, body?: unknown): Promise<unknown[]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

/** 1,001 analyses that ended long ago and one that failed, as the first account's. */
async function fill(): Promise<void> {
  const { db } = app.galley.outside;
  await db.run(sql`
    insert into inspections (
      id, account_id, kind, status, version, error, created_at, version_created_at, updated_at, expires_at
    )
    select 'old-' || lpad(n::text, 4, '0'), (select account_id from inspections limit 1), 'code',
      case when n = 7 then 'Failed' else 'Complete' end, 1, case when n = 7 then 'No memory.' end,
      timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', now(), now(), now() + interval '90 days'
    from generate_series(1, 1002) as n
  `);
}

describe('the list of code analyses', () => {
  it('pages by a thousand, newest first, with absolute addresses, and filters by status', async () => {
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, {
      meta: { count: 0, first: `${app.url}${PATH}?limit=100&skip=0`, last: `${app.url}${PATH}?limit=100&skip=0` },
      items: [],
    });
    const {
      body: {
        items: { id },
      },
    } = await app.call(`POST ${PATH}`, { body: { html: '<p>x</p>' } });
    await app.idle();
    await fill();
    const { body: first } = await app.call(`GET ${PATH}?limit=1000`);
    assert.deepEqual(first.meta, {
      count: 1003,
      first: `${app.url}${PATH}?limit=1000&skip=0`,
      last: `${app.url}${PATH}?limit=1000&skip=1000`,
      next: `${app.url}${PATH}?limit=1000&skip=1000`,
    });
    assert.equal(first.items.length, 1000);
    assert.deepEqual(first.items.slice(0, 2), [
      {
        test_id: id,
        name: first.items[0].name,
        status: 'Completed',
        version: 1,
        created_at: first.items[0].created_at,
        links: { self: `${PATH}/${id}` },
      },
      {
        test_id: 'old-1002',
        name: 'Untitled email',
        status: 'Completed',
        version: 1,
        created_at: '2026-01-01T00:16:42.000Z',
        links: { self: `${PATH}/old-1002` },
      },
    ]);
    const { body: second } = await app.call(`GET ${first.meta.next}`);
    assert.deepEqual(
      [second.items.map((item: any) => item.test_id), second.meta.previous, 'next' in second.meta],
      [['old-0003', 'old-0002', 'old-0001'], `${app.url}${PATH}?limit=1000&skip=0`, false],
    );
    const { body: failed } = await app.call(`GET ${PATH}?status=Failed`);
    assert.deepEqual(
      [failed.meta.count, failed.meta.first, failed.items[0].test_id],
      [1, `${app.url}${PATH}?status=Failed&limit=100&skip=0`, 'old-0007'],
    );
    assert.deepEqual(await answerOf(`GET ${PATH}/old-0007`), [
      200,
      {
        meta: { status: 'Failed', version: 1, error: 'No memory.' },
        items: { id: 'old-0007', version: 1, features: [] },
      },
    ]);
    assert.equal((await app.call(`GET ${PATH}?status=Completed`)).body.meta.count, 1002);
    assert.equal((await app.call(`GET ${PATH}?status=Processing`)).body.meta.count, 0);
  });
});

describe('what results are read with', () => {
  it('is a dictionary of names', async () => {
    const { status, body } = await app.call(`GET ${PATH}/dictionary`);
    assert.equal(status, 200);
    const { lookups } = body;
    assert.deepEqual(Object.keys(lookups), [
      'clients',
      'platforms',
      'application_type',
      'support_levels',
      'categories',
      'variants',
    ]);
    assert.deepEqual(
      [
        lookups.clients['apple-mail'],
        lookups.platforms['desktop-webmail'],
        lookups.application_type['desktop-webmail'],
        lookups.categories,
      ],
      ['Apple Mail', 'Desktop Webmail', 'web', { css: 'CSS', html: 'HTML', image: 'Image formats', others: 'Others' }],
    );
    assert.deepEqual(lookups.support_levels, {
      y: 'Supported',
      a: 'Partially supported',
      n: 'Not supported',
      u: 'Support unknown',
    });
    assert.deepEqual(lookups.variants['outlook.windows.2019'], {
      client: 'outlook',
      platform: 'windows',
      version: '2019',
    });
  });

  it('are audiences with source and date, whose shares are of clients that the dictionary names', async () => {
    const [
      {
        body: { items },
      },
      {
        body: { lookups },
      },
    ] = await Promise.all([app.call(`GET ${PATH}/audiences`), app.call(`GET ${PATH}/dictionary`)]);
    assert.deepEqual(
      items.map((profile: any) => [profile.id, profile.is_default]),
      [
        ['b2c', true],
        ['published-opens-2022-03', false],
        ['b2b-outlook', false],
        ['mobile-first', false],
        ['b2c-germany', false],
        ['equal', false],
      ],
    );
    for (const { source, clients } of items) {
      assert.match(source.date, /^20\d\d-\d\d/);
      for (const { client, name, share } of clients) {
        const [, family, platform] = /^([^.]+)\.([^@]+)/.exec(client)!;
        assert.ok(lookups.clients[family!] && lookups.platforms[platform!] && name && share >= 0, client);
      }
    }
    assert.deepEqual(items[2].clients[1], { client: 'outlook.windows@2021', name: 'Outlook 2021', share: 5 });
  });
});

describe('requests for code analyses that are wrong', () => {
  const one = { html: '<p>x' };
  const unusable = 'audience cannot be used.';
  for (const [body, message] of [
    [{}, 'html, url, mime: give exactly one of them.'],
    [
      { html: '<p>', url: 'https://example.com/' },
      'html, url, mime: give exactly one of them; html and url were given.',
    ],
    [{ html: '  ' }, 'html is empty.'],
    [{ url: 'ftp://example.com/' }, 'url must be an absolute http or https URL.'],
    [{ mime: 'Subject: x\r\n\r\n' }, 'mime has neither an HTML nor a text part.'],
    [{ ...one, transfer_encoding: 'rot13' }, 'transfer_encoding must be one of base64, quoted-printable, 7bit, 8bit.'],
    [{ ...one, audience: 5 }, 'audience must be string.'],
    [
      { ...one, audience: 'everybody' },
      'audience must be one of b2c, published-opens-2022-03, b2b-outlook, mobile-first, b2c-germany, equal, or ' +
        'shares by client, such as gmail.android:31,apple-mail.ios:69.',
    ],
    [
      { ...one, audience: 'gmail.android:x' },
      'audience must be one of b2c, published-opens-2022-03, b2b-outlook, mobile-first, b2c-germany, equal, or ' +
        'shares by client, such as gmail.android:31,apple-mail.ios:69.',
    ],
    [{ ...one, audience: {} }, `${unusable} An audience needs at least one client.`],
    [
      { ...one, audience: { 'gmail.fridge': 1 } },
      `${unusable} gmail.fridge is no client of the data; write family.platform, such as gmail.android.`,
    ],
    [
      { ...one, audience: { 'gmail.android': 'half' } },
      'audience must give gmail.android a share from 0 to 1000000000.',
    ],
    [
      { ...one, audience: { 'gmail.android': 1e308 } },
      'audience must give gmail.android a share from 0 to 1000000000.',
    ],
    [
      { ...one, audience: { clients: [{ client: 'gmail.android', share: 0 }] } },
      `${unusable} The shares add up to nothing.`,
    ],
    [
      { ...one, audience: { clients: [null] } },
      'audience must name each client as family.platform, such as gmail.android.',
    ],
    [{ ...one, audience: { clients: 'gmail.android' } }, 'audience.clients must be an array of { client, share }.'],
  ] as const)
    it(`answers 400: ${message}`, async () =>
      assert.deepEqual(await answerOf(`POST ${PATH}`, body), [400, { message }]));

  it('answers 400 for what no list and no result can be asked for', async () => {
    const {
      body: {
        items: { id },
      },
    } = await app.call(`POST ${PATH}`, { body: one });
    for (const [path, field] of [
      ['?limit=1001', 'limit'],
      ['?limit=0', 'limit'],
      ['?skip=-1', 'skip'],
      ['?status=Done', 'status'],
      [`/${id}?support_type=x`, 'support_type'],
      [`/${id}?application_type=tv`, 'application_type'],
      [`/${id}?group_by=size`, 'group_by'],
      [`/${id}?audience=all`, 'audience'],
      [`/${id}/versions/99999999999`, 'version_id'],
      [`/${id}/versions/one`, 'version_id'],
    ] as const) {
      const { status, body } = await app.call(`GET ${PATH}${path}`);
      assert.deepEqual(
        [status, Object.keys(body), body.message.startsWith(`${field} must be `)],
        [400, ['message'], true],
        `${path}: ${body.message}`,
      );
    }
    await app.idle();
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/resolve/html-p-1-1`, { resolved: 'yes' }), [
      400,
      { message: 'resolved must be boolean.' },
    ]);
  });

  it('answers 401 without a key, everywhere', async () => {
    for (const operation of [
      'GET /dictionary',
      'GET /audiences',
      'GET ',
      'POST ',
      'GET /x',
      'POST /x',
      'DELETE /x',
      'GET /x/versions',
      'GET /x/versions/1',
      'POST /x/resolve/y',
    ]) {
      const [verb, path] = operation.split(' ');
      const { status, body } = await app.call(`${verb} ${PATH}${path}`, { key: null });
      assert.deepEqual([status, body], [401, { message: 'Invalid private key' }], operation);
    }
  });
});

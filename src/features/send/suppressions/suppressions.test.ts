// The four lists over HTTP: as existing clients call them, with wrong values, and beside another account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'lists.example.com';
const UTC = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/;
const AT = 'Thu, 13 Oct 2011 18:02:00 UTC';

let app: App;
/** Another account with a domain of the same name. */
const other = {
  id: '',
  call: (operation: string, { body }: { body?: unknown } = {}) =>
    app.call(operation, { body, headers: { 'x-service-account-id': other.id } }),
};
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  other.id = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
  await other.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

interface Kind {
  list: string;
  /** As a form has an entry. */
  given: Record<string, string>;
  path: string;
  shown: Record<string, unknown>;
  added: object;
  removed: object;
  cleared: string;
  missing: string;
}

const KINDS: Kind[] = [
  {
    list: 'bounces',
    given: { address: 'Ann@Example.COM', code: '551', error: 'No such user', created_at: AT },
    path: 'ann@example.com',
    shown: { address: 'ann@example.com', code: '551', error: 'No such user', created_at: AT },
    added: { message: 'Address has been added to the bounces table' },
    removed: { message: 'Bounced address has been removed', address: 'ann@example.com' },
    cleared: 'Bounced addresses for this domain have been removed',
    missing: 'Address not found in bounces table',
  },
  {
    list: 'unsubscribes',
    given: { address: 'Ann@Example.COM', tag: 'spring', created_at: AT },
    path: 'ann@example.com',
    shown: { address: 'ann@example.com', tags: ['spring'], created_at: AT },
    added: { message: 'Address has been added to the unsubscribes table' },
    removed: { message: 'Unsubscribe event has been removed', address: 'ann@example.com' },
    cleared: 'Unsubscribe addresses for this domain have been removed',
    missing: 'Address not found in unsubscribers table',
  },
  {
    list: 'complaints',
    given: { address: 'Ann@Example.COM', created_at: AT },
    path: 'ann@example.com',
    shown: { address: 'ann@example.com', created_at: AT },
    added: { message: 'Address has been added to the complaints table' },
    removed: { message: 'Spam complaint has been removed', address: 'ann@example.com' },
    cleared: 'Complaint addresses for this domain have been removed',
    missing: 'No spam complaints found for this address',
  },
  {
    list: 'whitelists',
    given: { address: 'Ann@Example.COM', reason: 'A friend', created_at: AT },
    path: 'ann@example.com',
    shown: { type: 'address', value: 'ann@example.com', reason: 'A friend', createdAt: AT },
    added: {
      message: 'Address/Domain has been added to the allowlists table',
      type: 'address',
      value: 'ann@example.com',
    },
    removed: { message: 'Allowlist address/domain has been removed', value: 'ann@example.com' },
    cleared: 'Allowlist addresses/domains for this domain have been removed',
    missing: 'Address/Domain not found in allowlist table',
  },
];

for (const { list, given, path, shown, added, removed, cleared, missing } of KINDS) {
  const all = `/v3/${DOMAIN}/${list}`;
  describe(list, () => {
    it('adds one as a form, shows it, lists it and removes it', async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(given)) form.set(name, value);
      const { status, body } = await app.call(`POST ${all}`, { body: form });
      assert.deepEqual({ status, body }, { status: 200, body: added });
      assert.deepEqual((await app.call(`GET ${all}/${path}`)).body, shown);
      assert.deepEqual((await app.call(`GET ${all}/${path.toUpperCase()}`)).body, shown);
      const listed = (await app.call(`GET ${all}`)).body;
      assert.deepEqual(listed.items, [shown]);
      for (const url of Object.values(listed.paging)) assert.ok(URL.canParse(url as string), url as string);
      assert.deepEqual((await app.call(`DELETE ${all}/${path}`)).body, removed);
      const gone = await app.call(`GET ${all}/${path}`);
      assert.deepEqual([gone.status, gone.body.message], [404, missing]);
      const again = await app.call(`DELETE ${all}/${path}`);
      assert.deepEqual([again.status, again.body.message], [404, missing]);
    });

    it('empties the list, and no other', async () => {
      const another = list === 'complaints' ? 'bounces' : 'complaints';
      await app.call(`POST ${all}`, { body: { address: 'a@example.com' } });
      await app.call(`POST /v3/${DOMAIN}/${another}`, { body: { address: 'a@example.com' } });
      const { status, body } = await app.call(`DELETE ${all}`);
      assert.deepEqual([status, body], [200, { message: cleared }]);
      assert.deepEqual((await app.call(`GET ${all}`)).body.items, []);
      assert.equal((await app.call(`GET /v3/${DOMAIN}/${another}`)).body.items.length, 1);
      await app.call(`DELETE /v3/${DOMAIN}/${another}`);
    });

    it('pages in both directions, by address, and ends with a page without items', async () => {
      const addresses = Array.from({ length: 7 }, (_, place) => `p${place}@example.com`);
      for (const address of addresses) await app.call(`POST ${all}`, { body: { address } });
      await app.call(`POST ${all}`, { body: { address: 'other@example.com' } });
      const seen: string[] = [];
      let url = `${all}?limit=3&term=P`;
      let back = '';
      for (let round = 0; round < 4; round += 1) {
        const { items, paging } = (await app.call(`GET ${url}`)).body;
        seen.push(...items.map((item: { address?: string; value?: string }) => item.address ?? item.value));
        if (items.length > 0) back = paging.previous;
        url = paging.next.slice(app.url.length);
      }
      assert.deepEqual(seen, addresses);
      const { items } = (await app.call(`GET ${back.slice(app.url.length)}`)).body;
      assert.deepEqual(
        items.map((item: { address?: string; value?: string }) => item.address ?? item.value),
        addresses.slice(3, 6),
      );
      const last = (await app.call(`GET ${all}?page=last&limit=2`)).body.items;
      assert.deepEqual(
        last.map((item: { address?: string; value?: string }) => item.address ?? item.value),
        ['p5@example.com', 'p6@example.com'],
      );
      await app.call(`DELETE ${all}`);
    });

    it('belongs to an account', async () => {
      await app.call(`POST ${all}`, { body: { address: 'mine@example.com' } });
      assert.deepEqual((await other.call(`GET ${all}`)).body.items, []);
      assert.equal((await other.call(`GET ${all}/mine@example.com`)).status, 404);
      assert.equal((await other.call(`DELETE ${all}/mine@example.com`)).status, 404);
      assert.equal((await other.call(`DELETE ${all}`)).status, 200);
      await other.call(`POST ${all}`, { body: { address: 'theirs@example.com' } });
      assert.equal((await app.call(`GET ${all}/mine@example.com`)).status, 200);
      assert.equal((await app.call(`GET ${all}/theirs@example.com`)).status, 404);
      await app.call(`DELETE ${all}`);
    });

    const wrong: [request: string, body: unknown, status: number, said: RegExp][] = [
      [`GET /v3/none.example.com/${list}`, undefined, 404, /Domain not found/],
      [`GET ${all}?limit=many`, undefined, 400, /limit must be integer/],
      [`GET ${all}?limit=1001`, undefined, 400, /limit must be <= 1000/],
      [`GET ${all}?page=second`, undefined, 400, /page must be one of first, last, next, previous/],
      [`GET ${all}?page=next`, undefined, 400, /address is required where page is next or previous/],
      [`POST ${all}`, { address: 'nobody' }, 400, /address: "nobody" is not an email address/],
      [`POST ${all}`, { address: ['a@example.com', 'b@example.com'] }, 400, /address is given more than once/],
      [`POST ${all}`, { address: { a: 1 } }, 400, /address must be text/],
      [
        `POST ${all}`,
        {},
        400,
        list === 'whitelists' ? /Missing mandatory parameter: address\/domain/ : /address is req/,
      ],
      [`POST ${all}`, { address: 'a@example.com', created_at: 'soon' }, 400, /created_at "soon" is not a time/],
      [`POST ${all}`, '"text"', 400, /must be an object/],
      [`POST ${all}/import`, { file: 'address' }, 400, /file/],
    ];
    for (const [request, body, status, said] of wrong)
      it(`refuses ${request} ${JSON.stringify(body)?.slice(0, 60) ?? ''}`, async () => {
        const answer = await app.call(request, body === undefined ? {} : { body });
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.match(answer.body.message, said);
      });
  });
}

const many = (count: number) => Array.from({ length: count }, (_, place) => ({ address: `m${place}@example.com` }));

describe('many at once', () => {
  const texts: [list: string, said: string][] = [
    ['bounces', '1000 addresses have been added to the bounces table'],
    ['unsubscribes', '1000 addresses have been added to the unsubscribes table'],
    ['complaints', '1000 complaint addresses have been added to the complaints table'],
  ];
  for (const [list, message] of texts)
    it(`takes 1,000 ${list}, not 1,001`, async () => {
      const all = `/v3/${DOMAIN}/${list}`;
      assert.deepEqual((await app.call(`POST ${all}`, { body: many(1000) })).body, { message });
      assert.equal((await app.call(`GET ${all}?limit=1000`)).body.items.length, 1000);
      const { status, body } = await app.call(`POST ${all}`, { body: many(1001) });
      assert.deepEqual([status, body.message], [400, 'Batch size should be less than 1000']);
      await app.call(`DELETE ${all}`);
    });

  it('takes all or none, and names the one that is wrong', async () => {
    const all = `/v3/${DOMAIN}/bounces`;
    const { status, body } = await app.call(`POST ${all}`, {
      body: [{ address: 'a@example.com' }, { address: 'b@example.com', code: 'high' }],
    });
    assert.deepEqual([status, body.message], [400, '[1]: code: "high" is not a code of three digits, such as 550.']);
    assert.deepEqual((await app.call(`GET ${all}`)).body.items, []);
    assert.equal(
      (await app.call(`POST ${all}`, { body: [] })).body.message,
      'The list is empty; give at least one address.',
    );
    assert.match((await app.call(`POST ${all}`, { body: ['a@example.com'] })).body.message, /^\[0\] must be an object/);
  });

  it('keeps an address that comes twice once, with the last of what is said and the tags of both', async () => {
    await app.call(`POST /v3/${DOMAIN}/bounces`, {
      body: [
        { address: 'a@example.com', code: '550' },
        { address: 'A@example.com', code: 552, created_at: AT },
      ],
    });
    assert.deepEqual((await app.call(`GET /v3/${DOMAIN}/bounces`)).body.items, [
      { address: 'a@example.com', code: '552', error: '', created_at: AT },
    ]);
    await app.call(`DELETE /v3/${DOMAIN}/bounces`);
  });
});

describe('tags of unsubscribes', () => {
  const all = `/v3/${DOMAIN}/unsubscribes`;
  const tagsOf = async (): Promise<string[]> => (await app.call(`GET ${all}/t@example.com`)).body.tags;

  it('are added to those that the address has, and taken away one by one', async () => {
    const { body } = await app.call(`POST ${all}`, { body: { address: 't@example.com' } });
    assert.deepEqual(body, { message: 'Address has been added to the unsubscribes table' });
    assert.deepEqual(await tagsOf(), ['*']);
    assert.match((await app.call(`GET ${all}/t@example.com`)).body.created_at, UTC);
    await app.call(`POST ${all}`, { body: [{ address: 't@example.com', tags: ['spring', 'news'] }] });
    assert.deepEqual(await tagsOf(), ['*', 'news', 'spring']);
    const none = await app.call(`DELETE ${all}/t@example.com?tag=autumn`);
    assert.deepEqual([none.status, none.body.message], [404, 'Unsubscribe event for this tag does not exist']);
    for (const tag of ['*', 'SPRING', 'news']) {
      const gone = await app.call(`DELETE ${all}/t@example.com?tag=${tag}`);
      assert.deepEqual(gone.body, { message: 'Unsubscribe event has been removed', address: 't@example.com' });
    }
    assert.equal((await app.call(`GET ${all}/t@example.com`)).status, 404);
  });

  it('are printable ASCII of at most 128 characters', async () => {
    for (const tag of ['frühling', 'x'.repeat(129)]) {
      const { status, body } = await app.call(`POST ${all}`, { body: { address: 't@example.com', tag } });
      assert.equal(status, 400);
      assert.match(body.message, /^tags: ".*" is not a tag of at most 128 printable ASCII characters/);
    }
  });
});

describe('the allowlist', () => {
  const all = `/v3/${DOMAIN}/whitelists`;
  it('holds domains, too, in the form that DNS has', async () => {
    const { body } = await app.call(`POST ${all}`, { body: { domain: 'Bücher.example' } });
    assert.deepEqual(body, {
      message: 'Address/Domain has been added to the allowlists table',
      type: 'domain',
      value: 'xn--bcher-kva.example',
    });
    assert.equal((await app.call(`GET ${all}/${encodeURIComponent('bücher.example')}`)).body.type, 'domain');
    assert.equal((await app.call(`DELETE ${all}/xn--bcher-kva.example`)).status, 200);
  });
  const wrong: [body: object, said: RegExp][] = [
    [{ domain: 'localhost' }, /domain: "localhost" is not a domain such as example.com/],
    [{ domain: 'a b.example' }, /is not a domain/],
    [{ domain: 'example.com', address: 'a@example.com' }, /Give address or domain, not both/],
  ];
  for (const [body, said] of wrong)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await app.call(`POST ${all}`, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, said);
    });
});

async function upload(list: string, bytes: Buffer | string, name = 'list.csv') {
  const form = new FormData();
  form.set('file', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name));
  return app.call(`POST /v3/${DOMAIN}/${list}/import`, { body: form });
}

async function emptied(): Promise<void> {
  while (!(await app.galley.outside.jobs.isIdle())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('import of a spreadsheet', () => {
  const ROWS = 'address;code;error;created_at\nÄnne@bücher.example;550,00;Kein Empfänger;13.10.2011 18:02\n';
  const files: [what: string, bytes: Buffer | string][] = [
    ['with semicolons and decimal commas', ROWS],
    ['with a mark of UTF-8', `\uFEFF${ROWS}`],
    ['in UTF-16', Buffer.from(`\uFEFF${ROWS}`, 'utf16le')],
    ['in Latin-1', Buffer.from(ROWS, 'latin1')],
    ['with tabs', ROWS.replaceAll(';', '\t')],
    ['in quotes, lines ended by CR LF', ROWS.replaceAll('\n', '\r\n').replaceAll(/[^;\r\n]+/g, '"$&"')],
    [
      'with columns of another program, in another order',
      'Name;Email;Code;Error;Created_At\nÄnne;mailto:Änne@bücher.example;550.0;Kein Empfänger;2011-10-13T18:02:00Z\n',
    ],
  ];
  for (const [what, bytes] of files)
    it(`reads one ${what}`, async () => {
      const { status, body } = await upload('bounces', bytes);
      assert.deepEqual(
        { status, body },
        {
          status: 202,
          body: {
            message: 'file uploaded successfully for processing. standby...',
            entries: 1,
            skipped: 0,
            problems: [],
          },
        },
      );
      await emptied();
      const address = 'änne@xn--bcher-kva.example';
      assert.deepEqual((await app.call(`GET /v3/${DOMAIN}/bounces`)).body.items, [
        { address, code: '550', error: 'Kein Empfänger', created_at: AT },
      ]);
      assert.equal(
        (await app.call(`GET /v3/${DOMAIN}/bounces/${encodeURIComponent('Änne@Bücher.example')}`)).status,
        200,
      );
      await app.call(`DELETE /v3/${DOMAIN}/bounces`);
    });

  it('reads the columns of each list', async () => {
    await upload(
      'unsubscribes',
      'address,tag,created_at\na@example.com,"[news, spring]",\nb@example.com,*,\na@example.com,more,\n',
    );
    await upload('complaints', 'address,created_at\na@example.com,\n');
    await upload('whitelists', 'address,domain\na@example.com,\n,shop.example\n');
    await emptied();
    const of = async (list: string) => (await app.call(`GET /v3/${DOMAIN}/${list}`)).body.items;
    assert.deepEqual(
      (await of('unsubscribes')).map(({ address, tags }: { address: string; tags: string[] }) => [address, tags]),
      [
        ['a@example.com', ['more', 'news', 'spring']],
        ['b@example.com', ['*']],
      ],
    );
    assert.equal((await of('complaints')).length, 1);
    assert.deepEqual(
      (await of('whitelists')).map(({ value }: { value: string }) => value),
      ['a@example.com', 'shop.example'],
    );
    for (const { list } of KINDS) await app.call(`DELETE /v3/${DOMAIN}/${list}`);
  });

  it('leaves out rows that are no entry, counts them and names the first', async () => {
    const rows = Array.from({ length: 30 }, (_, place) => `nobody${place},550`);
    const { status, body } = await upload('bounces', `address,code\ngood@example.com,550\n\n${rows.join('\n')}\n`);
    assert.deepEqual([status, body.entries, body.skipped, body.problems.length], [202, 1, 30, 20]);
    assert.deepEqual(body.problems[0], { row: 4, message: 'address: "nobody0" is not an email address.' });
    await emptied();
    await app.call(`DELETE /v3/${DOMAIN}/bounces`);
  });

  const refused: [what: string, bytes: Buffer | string, said: RegExp][] = [
    ['nothing', '', /file is an empty file/],
    [
      'no header',
      'a@example.com,550\nb@example.com,550\n',
      /while reading csv header: the first row must name a column address/,
    ],
    ['a column twice', 'address,email\na@example.com,b@example.com\n', /names the column address twice/],
    ['a header alone', 'address,code\n', /file has no row below its header/],
    ['no good row', 'address\nnobody\n', /file has no row that can be read; row 2: address: "nobody"/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), /neither a CSV file nor an Excel workbook/],
  ];
  for (const [what, bytes, said] of refused)
    it(`refuses a file with ${what}`, async () => {
      const { status, body } = await upload('bounces', bytes);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, said);
    });
  it('refuses a form without a file', async () => {
    const form = new FormData();
    form.set('other', 'x');
    const { status, body } = await app.call(`POST /v3/${DOMAIN}/bounces/import`, { body: form });
    assert.equal(status, 400);
    assert.match(body.message, /file/);
  });
});

describe('the bound of an account', () => {
  let bounded: App;
  before(async () => {
    bounded = await startApp({ GALLEY_ROLES: 'api,work,send', GALLEY_QUOTAS: 'suppressions=5' });
    await bounded.call('POST /v4/domains', { body: { name: DOMAIN } });
  });
  after(() => bounded.close());
  const add = (list: string, ...names: string[]) =>
    bounded.call(`POST /v3/${DOMAIN}/${list}`, { body: names.map((name) => ({ address: `${name}@example.com` })) });

  it('is of all its lists, and stated when it is reached', async () => {
    assert.equal((await add('bounces', 'a', 'b', 'c')).status, 200);
    const tooMany = await add('complaints', 'd', 'e', 'f');
    assert.deepEqual(
      [tooMany.status, tooMany.body.message],
      [
        429,
        'This account has 3 entries of suppression lists; with 3 more it would have more than 5. Delete some first.',
      ],
    );
    const file = new FormData();
    file.append('file', new Blob(['address\nd@example.com\ne@example.com\nf@example.com\n']), 'bounces.csv');
    assert.equal((await bounded.call(`POST /v3/${DOMAIN}/bounces/import`, { body: file })).status, 429);
    assert.equal((await add('unsubscribes', 'd', 'e')).status, 200);
    const full = await add('bounces', 'f');
    assert.deepEqual(
      [full.status, full.body.message],
      [429, 'This account has 5 entries of suppression lists, which is as many as it may have; delete some first.'],
    );
    assert.equal((await bounded.call(`GET /v3/${DOMAIN}/complaints`)).body.items.length, 0);
  });

  it('does not keep a recipient off the list who refuses, complains or unsubscribes', async () => {
    const sandbox = (await bounded.call('GET /v4/domains?search=sandbox')).body.items[0].name;
    const body = { from: `a@${sandbox}`, to: `complained@${sandbox}`, subject: 'Hello', text: 'Hello' };
    assert.equal((await bounded.call(`POST /v3/${sandbox}/messages`, { body })).status, 200);
    const isListed = async (): Promise<boolean> =>
      (await bounded.call(`GET /v3/${sandbox}/complaints/complained@${sandbox}`)).status === 200;
    while (!(await isListed())) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('has room again after a deletion', async () => {
    await bounded.call(`DELETE /v3/${DOMAIN}/bounces`);
    while ((await add('bounces', 'f')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await bounded.call(`GET /v3/${DOMAIN}/bounces`)).body.items.length, 1);
  });
});

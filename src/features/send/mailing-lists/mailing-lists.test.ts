// Mailing lists and their members over HTTP: as existing clients call them, with wrong values, and beside another
// account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import mailingLists from './index.ts';

const DOMAIN = 'lists.example.com';
const LIST = `developers@${DOMAIN}`;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

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

const make = async (name: string, more: object = {}): Promise<string> => {
  const address = `${name}@${DOMAIN}`;
  assert.equal((await app.call('POST /v3/lists', { body: { address, ...more } })).status, 201);
  return `/v3/lists/${address}`;
};

/** What became of an upload, once it is finished. */
async function finished(answer: { body: any; status: number }): Promise<any> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const path = `/v1/galley/lists/${answer.body.list.address}/uploads/${answer.body['task-id']}`;
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { status, body } = await app.call(`GET ${path}`);
    assert.equal(status, 200);
    if (body.state === 'finished') return body;
    assert.ok(Date.now() < deadline, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function sheet(bytes: string | Buffer, more: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  form.append('members', new File([new Uint8Array(Buffer.from(bytes))], 'members.csv', { type: 'text/csv' }));
  return form;
}

describe('a mailing list', () => {
  it('is created, shown, listed, changed and deleted', async () => {
    const made = await app.call('POST /v3/lists', {
      body: { address: 'Developers@Lists.Example.COM', name: 'Developers', description: 'Who builds it' },
    });
    assert.equal(made.status, 201);
    const { created_at: at, ...rest } = made.body.list;
    assert.match(at, DATE);
    assert.equal(made.body.message, 'Mailing list has been created');
    assert.deepEqual(rest, {
      address: LIST,
      name: 'Developers',
      description: 'Who builds it',
      access_level: 'readonly',
      reply_preference: 'list',
      members_count: 0,
    });
    assert.deepEqual((await app.call(`GET /v3/lists/DEVELOPERS@${DOMAIN}`)).body, { list: made.body.list });
    const changed = await app.call(`PUT /v3/lists/${LIST}`, {
      body: { name: 'Builders', access_level: 'members', reply_reference: 'sender', 'list-id': 'Dev.Example.com' },
    });
    const list = {
      ...made.body.list,
      name: 'Builders',
      access_level: 'members',
      reply_preference: 'sender',
    };
    assert.deepEqual(changed.body, { message: 'Mailing list has been updated', list });
    assert.deepEqual((await app.call(`PUT /v3/lists/${LIST}`)).body.list, list);
    const moved = await app.call(`PUT /v3/lists/${LIST}`, { body: { address: `builders@${DOMAIN}` } });
    assert.equal(moved.body.list.address, `builders@${DOMAIN}`);
    assert.deepEqual(await app.call(`GET /v3/lists/${LIST}`).then(({ status, body }) => [status, body]), [
      404,
      { message: `Mailing list ${LIST} not found` },
    ]);
    assert.deepEqual((await app.call(`DELETE /v3/lists/builders@${DOMAIN}`)).body, {
      address: `builders@${DOMAIN}`,
      message: 'Mailing list has been removed',
    });
    assert.equal((await app.call(`DELETE /v3/lists/builders@${DOMAIN}`)).status, 404);
    assert.equal((await app.call(`PUT /v3/lists/builders@${DOMAIN}`, { body: { name: 'x' } })).status, 404);
  });

  it('is listed by address, by number and page by page', async () => {
    for (const name of ['page-b', 'page-a', 'page-c']) await make(name);
    const listed = await app.call('GET /v3/lists?limit=2&skip=1');
    assert.deepEqual(
      [listed.body.total_count, listed.body.items.map(({ address }: any) => address)],
      [3, [`page-b@${DOMAIN}`, `page-c@${DOMAIN}`]],
    );
    const one = await app.call(`GET /v3/lists?address=Page-B@${DOMAIN}`);
    assert.deepEqual([one.body.total_count, one.body.items.length], [1, 1]);
    const first = await app.call('GET /v3/lists/pages?limit=2');
    assert.deepEqual(
      first.body.items.map(({ address }: any) => address),
      [`page-a@${DOMAIN}`, `page-b@${DOMAIN}`],
    );
    const second = await app.call(`GET ${first.body.paging.next}`);
    assert.deepEqual(
      second.body.items.map(({ address }: any) => address),
      [`page-c@${DOMAIN}`],
    );
    assert.deepEqual((await app.call(`GET ${second.body.paging.next}`)).body.items, []);
    assert.deepEqual((await app.call(`GET ${second.body.paging.previous}`)).body.items, first.body.items);
    for (const query of ['limit=many', 'limit=1e2', 'limit=0', 'limit=1001', 'skip=-1'])
      assert.equal((await app.call(`GET /v3/lists?${query}`)).status, 400, query);
    assert.equal((await app.call('GET /v3/lists/pages?page=next')).status, 400);
  });

  const wrong: [body: object, message: string | RegExp][] = [
    [{}, 'address is required: an email address.'],
    [{ address: 'nobody' }, 'address: "nobody" is not an email address.'],
    [{ address: 'a@x.example, b@x.example' }, /is not an email address/],
    [
      { address: 'a@elsewhere.example' },
      'address: elsewhere.example is not a domain of this account; GET /v4/domains lists them.',
    ],
    [
      { address: `new@${DOMAIN}`, access_level: 'fake_access_level' },
      "Invalid access level 'fake_access_level'. It can be any of: 'readonly', 'members', 'everyone'.",
    ],
    [
      { address: `new@${DOMAIN}`, reply_preference: 'wrong_preference' },
      "Invalid reply preference 'wrong_preference'. It can be any of: 'sender', 'list'",
    ],
    [{ address: `new@${DOMAIN}`, name: 'two\r\nlines' }, 'name must be one line without control characters.'],
    [{ address: `new@${DOMAIN}`, name: 'n'.repeat(257) }, 'name has 257 characters; at most 256 are accepted.'],
    [{ address: `new@${DOMAIN}`, description: 'd'.repeat(2001) }, /^description has 2001 characters/],
  ];
  for (const [body, message] of wrong)
    it(`is refused as ${JSON.stringify(body).slice(0, 70)}`, async () => {
      const answer = await app.call('POST /v3/lists', { body });
      assert.equal(answer.status, 400);
      if (typeof message === 'string') assert.deepEqual(answer.body, { message });
      else assert.match(answer.body.message, message);
    });

  it('has an address of its own', async () => {
    await make('once');
    const address = `once@${DOMAIN}`;
    const again = await app.call('POST /v3/lists', { body: { address } });
    assert.deepEqual([again.status, again.body], [400, { message: `Address already exists '${address}'` }]);
    await make('twice');
    const moved = await app.call(`PUT /v3/lists/twice@${DOMAIN}`, { body: { address } });
    assert.deepEqual([moved.status, moved.body], [400, { message: `Address already exists '${address}'` }]);
    const odd = await app.call(`PUT /v3/lists/twice@${DOMAIN}`, { body: { 'list-id': 'not an id' } });
    assert.equal(odd.body.message, 'list-id: "not an id" is not an identifier such as developers.example.com.');
  });

  it('is that of one account', async () => {
    const list = await make('mine');
    await app.call(`POST ${list}/members`, { body: { address: 'ann@example.net' } });
    for (const operation of [
      `GET ${list}`,
      `PUT ${list}`,
      `DELETE ${list}`,
      `GET ${list}/members`,
      `GET ${list}/members/pages`,
      `POST ${list}/members`,
      `POST ${list}/members.json`,
      `GET ${list}/members/ann@example.net`,
      `PUT ${list}/members/ann@example.net`,
      `DELETE ${list}/members/ann@example.net`,
    ]) {
      const body = operation.startsWith('P')
        ? { address: 'bob@example.net', members: [{ address: 'a@b.example' }] }
        : undefined;
      assert.equal((await other.call(operation, { body })).status, 404, operation);
    }
    assert.equal((await other.call(`POST ${list}/members.csv`, { body: sheet('address\nx@y.example\n') })).status, 404);
    assert.deepEqual((await other.call('GET /v3/lists')).body, { total_count: 0, items: [] });
    assert.equal((await other.call('POST /v3/lists', { body: { address: `mine@${DOMAIN}` } })).status, 201);
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 1);
  });
});

describe('a member', () => {
  it('is added, shown, changed and removed', async () => {
    const list = await make('members');
    const made = await app.call(`POST ${list}/members`, {
      body: { address: 'Alice@Example.NET', name: 'Alice', vars: '{"age": 26}', subscribed: 'yes' },
    });
    const member = { address: 'alice@example.net', name: 'Alice', vars: { age: 26 }, subscribed: true };
    assert.deepEqual([made.status, made.body], [200, { member, message: 'Mailing list member has been created' }]);
    assert.deepEqual((await app.call(`GET ${list}/members/ALICE@example.net`)).body, { ...member, member });
    const again = await app.call(`POST ${list}/members`, { body: { address: 'alice@example.net' } });
    assert.deepEqual([again.status, again.body], [400, { message: "Address already exists 'alice@example.net'" }]);
    const upserted = await app.call(`POST ${list}/members`, {
      body: { address: 'alice@example.net', vars: { age: 27 }, upsert: 'yes' },
    });
    assert.deepEqual(upserted.body.member, { ...member, vars: { age: 27 } });
    const changed = await app.call(`PUT ${list}/members/alice@example.net`, {
      body: { address: 'al@example.net', subscribed: 'no' },
    });
    assert.deepEqual(changed.body, {
      member: { address: 'al@example.net', name: 'Alice', vars: { age: 27 }, subscribed: false },
      message: 'Mailing list member has been updated',
    });
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 1);
    await app.call(`POST ${list}/members`, { body: { address: 'Bob B <bob@example.net>' } });
    assert.equal((await app.call(`GET ${list}/members/bob@example.net`)).body.name, 'Bob B');
    const moved = await app.call(`PUT ${list}/members/bob@example.net`, { body: { address: 'al@example.net' } });
    assert.deepEqual([moved.status, moved.body.message], [400, "Address already exists 'al@example.net'"]);
    assert.deepEqual((await app.call(`DELETE ${list}/members/al@example.net`)).body, {
      member: { address: 'al@example.net' },
      message: 'Mailing list member has been deleted',
    });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const gone = await app.call(`${method} ${list}/members/al@example.net`, {
        ...(method === 'PUT' && { body: { name: 'Al' } }),
      });
      assert.deepEqual(
        [gone.status, gone.body],
        [404, { message: `Member al@example.net of mailing list members@${DOMAIN} not found` }],
      );
    }
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 1);
  });

  it('is listed by number and page by page, by whether it is subscribed', async () => {
    const list = await make('many');
    for (const name of ['c', 'a', 'd', 'b'])
      await app.call(`POST ${list}/members`, {
        body: { address: `${name}@example.net`, subscribed: name === 'b' ? 'no' : 'yes' },
      });
    const names = (body: any): string => body.items.map(({ address }: any) => address[0]).join('');
    const listed = (await app.call(`GET ${list}/members?limit=2&skip=1`)).body;
    assert.deepEqual([listed.total_count, names(listed)], [4, 'bc']);
    const left = (await app.call(`GET ${list}/members?subscribed=no`)).body;
    assert.deepEqual([left.total_count, names(left)], [1, 'b']);
    assert.equal(names((await app.call(`GET ${list}/members?address=C@example.net`)).body), 'c');
    const first = (await app.call(`GET ${list}/members/pages?limit=2&subscribed=true`)).body;
    assert.equal(names(first), 'ac');
    const next = (await app.call(`GET ${first.paging.next}`)).body;
    assert.equal(names(next), 'd');
    assert.equal(names((await app.call(`GET ${next.paging.previous}`)).body), 'ac');
    assert.equal(names((await app.call(`GET ${first.paging.last}`)).body), 'cd');
    assert.equal((await app.call(`GET ${list}/members?subscribed=maybe`)).status, 400);
    assert.equal((await app.call(`GET /v3/lists/none@${DOMAIN}/members`)).status, 404);
  });

  const wrong: [body: object, message: string | RegExp][] = [
    [{}, 'address is required: an email address.'],
    [{ address: 'no address' }, 'address: "no address" is not an email address.'],
    [{ address: 'a@b.example', vars: 'age' }, 'vars is not valid JSON; give an object such as {"age": 26}.'],
    [{ address: 'a@b.example', vars: [1] }, 'vars must be a JSON object such as {"age": 26}.'],
    [{ address: 'a@b.example', vars: { long: 'x'.repeat(16_384) } }, /^vars has \d+ characters of JSON; at most 16384/],
    [{ address: 'a@b.example', subscribed: 'maybe' }, 'subscribed: "maybe" is neither yes nor no.'],
    [{ address: 'a@b.example', upsert: 'maybe' }, 'upsert: "maybe" is neither yes nor no.'],
  ];
  it('is refused with what is wrong', async () => {
    const list = await make('wrong');
    for (const [body, message] of wrong) {
      const answer = await app.call(`POST ${list}/members`, { body });
      assert.equal(answer.status, 400);
      if (typeof message === 'string') assert.deepEqual(answer.body, { message });
      else assert.match(answer.body.message, message);
    }
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 0);
  });
});

describe('an upload of JSON', () => {
  it('is written after the answer, by its rules about members who are there', async () => {
    const list = await make('json');
    await app.call(`POST ${list}/members`, { body: { address: 'left@example.net', name: 'Lea', subscribed: 'no' } });
    const members = JSON.stringify(['Ann <ann@example.net>', { address: 'left@example.net', vars: { n: 1 } }]);
    const answer = await app.call(`POST ${list}/members.json`, { body: { members } });
    assert.deepEqual(
      [answer.body.message, answer.body.list.address],
      ['Mailing list upload started in background', `json@${DOMAIN}`],
    );
    const { 'task-id': id, created_at: _at, finished_at: _end, ...upload } = await finished(answer);
    assert.equal(id, answer.body['task-id']);
    assert.deepEqual(upload, {
      state: 'finished',
      format: 'json',
      upsert: false,
      members: 2,
      written: 2,
      added: 1,
      updated: 0,
      kept: 1,
      skipped: 0,
      problems: [],
    });
    assert.deepEqual((await app.call(`GET ${list}/members/left@example.net`)).body.vars, {});
    const query = `members=${encodeURIComponent(members)}&upsert=yes`;
    const { updated, added } = await finished(await app.call(`POST ${list}/members.json?${query}`));
    assert.deepEqual([updated, added], [2, 0]);
    assert.deepEqual((await app.call(`GET ${list}/members/left@example.net`)).body.member, {
      address: 'left@example.net',
      name: 'Lea',
      vars: { n: 1 },
      subscribed: false,
    });
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 2);
  });

  const wrong: [members: unknown, message: string][] = [
    [undefined, 'members is required: a JSON list of members.'],
    ['[', 'members is not valid JSON; give a list such as [{"address": "ann@example.com"}].'],
    ['{}', 'members must be a JSON list such as [{"address": "ann@example.com"}].'],
    ['[]', 'members is empty; give at least one.'],
    ['["a@b.example", "nobody"]', 'members[1]: address: "nobody" is not an email address.'],
    ['[7]', 'members[0] must be an address, or an object with one.'],
    [
      [{ address: 'a@b.example', vars: 'x' }],
      'members[0]: vars is not valid JSON; give an object such as {"age": 26}.',
    ],
    [
      JSON.stringify(Array.from({ length: 1001 }, (_, place) => `r${place}@example.net`)),
      'members names 1001 members; one call may name 1000.',
    ],
  ];
  it('is refused as a whole with what is wrong', async () => {
    const list = await make('wrong-json');
    for (const [members, message] of wrong) {
      const answer = await app.call(`POST ${list}/members.json`, { body: { members } });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    }
    const nowhere = await app.call('POST /v3/lists/devs@mg.net/members.json', { body: { members: '["a@b.example"]' } });
    assert.deepEqual([nowhere.status, nowhere.body], [404, { message: "Mailing list 'devs@mg.net' not found" }]);
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, 0);
  });

  it('is found by its list alone', async () => {
    const list = await make('found');
    const { body } = await app.call(`POST ${list}/members.json`, { body: { members: '["a@b.example"]' } });
    const path = `/v1/galley/lists/found@${DOMAIN}/uploads/${body['task-id']}`;
    assert.equal((await other.call(`GET ${path}`)).status, 404);
    assert.equal((await app.call(`GET /v1/galley/lists/json@${DOMAIN}/uploads/${body['task-id']}`)).status, 404);
    assert.equal((await app.call(`GET /v1/galley/lists/found@${DOMAIN}/uploads/none`)).status, 404);
    await finished({ body, status: 200 });
    app.clock.advance(8 * 86_400_000);
    const expire = mailingLists.jobs?.find(({ name }) => name === 'mailing-lists.expire');
    await expire!.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
    assert.equal((await app.call(`GET ${path}`)).status, 404);
  });
});

describe('an upload of a spreadsheet', () => {
  it('reads semicolons, marks and other character sets, and makes variables of columns', async () => {
    const list = await make('csv');
    const german = Buffer.from(
      'E-Mail;Name;Ort;subscribed\r\nj@example.net;Jürgen;Köln;\r\nx@example.net;X;;nein\r\n',
      'latin1',
    );
    const read = await finished(await app.call(`POST ${list}/members.csv`, { body: sheet(german) }));
    assert.deepEqual(
      [read.format, read.members, read.added, read.skipped, read.problems],
      ['csv', 1, 1, 1, [{ row: 3, message: 'subscribed: "nein" is neither yes nor no.' }]],
    );
    assert.deepEqual((await app.call(`GET ${list}/members/j@example.net`)).body.member, {
      address: 'j@example.net',
      name: 'Jürgen',
      vars: { Ort: 'Köln' },
      subscribed: true,
    });
    const marked = '\ufeffaddress,vars,city\nj@example.net,"{""age"": 40}",Bonn\nnew@example.net,,\n';
    const form = sheet(marked, { subscribed: 'no', upsert: 'yes' });
    const { added, updated } = await finished(await app.call(`POST ${list}/members.csv`, { body: form }));
    assert.deepEqual([added, updated], [1, 1]);
    assert.deepEqual((await app.call(`GET ${list}/members`)).body.items, [
      { address: 'j@example.net', name: 'Jürgen', vars: { age: 40, city: 'Bonn' }, subscribed: true },
      { address: 'new@example.net', name: '', vars: {}, subscribed: false },
    ]);
  });

  it('reads what other programs export', async () => {
    const list = await make('exports');
    const mailchimp =
      'Email Address,First Name,Last Name,Address,MEMBER_RATING,TAGS\n' +
      'di@example.net,Di,Doe,"1 Main St, Town",2,"""VIP"",""News"""\n';
    await finished(await app.call(`POST ${list}/members.csv`, { body: sheet(mailchimp) }));
    const hubspot = '"Record ID","First Name","Last Name","Email"\n"101","Cy","","cy@example.net"\n';
    await finished(await app.call(`POST ${list}/members.csv`, { body: sheet(hubspot) }));
    assert.deepEqual((await app.call(`GET ${list}/members`)).body.items, [
      { address: 'cy@example.net', name: 'Cy', vars: { 'Record ID': '101', 'First Name': 'Cy' }, subscribed: true },
      {
        address: 'di@example.net',
        name: 'Di Doe',
        vars: {
          'First Name': 'Di',
          'Last Name': 'Doe',
          'Postal address': '1 Main St, Town',
          MEMBER_RATING: '2',
          TAGS: '"VIP","News"',
        },
        subscribed: true,
      },
    ]);
  });

  it('writes more than one turn of the queue has room for', async () => {
    const list = await make('turns');
    const count = 21_500;
    const rows = Array.from({ length: count }, (_, place) => `r${place}@example.net,R ${place}`);
    const upload = await finished(
      await app.call(`POST ${list}/members.csv`, { body: sheet(`address,name\n${rows.join('\n')}\n`) }),
    );
    assert.deepEqual([upload.members, upload.written, upload.added], [count, count, count]);
    assert.equal((await app.call(`GET ${list}`)).body.list.members_count, count);
    assert.equal((await app.call(`DELETE ${list}`)).status, 200);
    assert.equal((await app.call(`GET ${list}`)).status, 404);
  });

  const wrong: [bytes: string, message: RegExp][] = [
    ['', /^members is an empty file/],
    ['name\nAnn\n', /^while reading csv header: the first row must name a column address/],
    ['address,email\na@b.example,\n', /^while reading csv header: the first row names the column address twice/],
    ['address\nnobody\n', /^members has no row that can be read; row 2: address: "nobody" is not an email address/],
    [`address\n${'x'.repeat(5 * 1024 * 1024)}\n`, /^CSV file is too big, max allowed size is 5 MB$/],
    [`address,${'c'.repeat(101)}\na@b.example,1\n`, /^members: the name of a column has at most 100 characters/],
  ];
  it('is refused with what is wrong', async () => {
    const list = await make('wrong-csv');
    for (const [bytes, message] of wrong) {
      const answer = await app.call(`POST ${list}/members.csv`, { body: sheet(bytes) });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    }
    const none = await app.call(`POST ${list}/members.csv`, { body: (() => new FormData())() });
    assert.equal(none.status, 400);
    const nowhere = await app.call('POST /v3/lists/devs@mg.net/members.csv', { body: sheet('address\na@b.example\n') });
    assert.deepEqual([nowhere.status, nowhere.body], [404, { message: "Mailing list 'devs@mg.net' not found" }]);
  });
});

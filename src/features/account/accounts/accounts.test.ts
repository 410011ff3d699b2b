import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const PRODUCTS = ['email_preview', 'inbox_placement', 'sending', 'validations', 'validations_bulk'];
const ALL_ON = Object.fromEntries(PRODUCTS.map((name) => [name, { enabled: true }]));

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
});
after(() => app.close());

async function newSubaccount(name: string): Promise<string> {
  const { status, body } = await app.call(`POST /v5/accounts/subaccounts?name=${encodeURIComponent(name)}`);
  assert.equal(status, 200);
  return body.subaccount.id;
}

describe('subaccounts', () => {
  it('creates by query or body, gets, lists, filters and pages', async () => {
    const first = await newSubaccount('Zoë & Co');
    const { body: created } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Acme' } });
    const { created_at, updated_at, id, ...rest } = created.subaccount;
    assert.deepEqual(rest, { name: 'Acme', status: 'open', features: ALL_ON });
    assert.match(created_at, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual((await app.call(`GET /v5/accounts/subaccounts/${id}`)).body, created);
    const list = await app.call('GET /v5/accounts/subaccounts?sort=desc&limit=1');
    assert.equal(list.body.total, 2);
    assert.deepEqual(
      list.body.subaccounts.map((account: { id: string }) => account.id),
      [first],
    );
    assert.equal((await app.call('GET /v5/accounts/subaccounts?filter=acm')).body.total, 1);
  });

  it('takes the name as a form, urlencoded or multipart', async () => {
    const form = new FormData();
    form.set('name', 'By form');
    for (const body of [new URLSearchParams({ name: 'By form' }), form]) {
      const response = await fetch(`${app.url}/v5/accounts/subaccounts`, {
        method: 'POST',
        body,
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
      });
      assert.equal(((await response.json()) as { subaccount: { name: string } }).subaccount.name, 'By form');
    }
  });

  it('answers 400 without a name, 404 to an unknown id', async () => {
    assert.deepEqual((await app.call('POST /v5/accounts/subaccounts')).body, { message: 'name is required.' });
    assert.equal((await app.call('GET /v5/accounts/subaccounts/0123456789abcdef01234567')).status, 404);
    assert.deepEqual((await app.call('GET /v5/accounts/subaccounts?limit=0')).body, { message: 'limit must be >= 1.' });
  });

  for (const header of ['X-Service-Account-Id', 'X-Mailgun-Account-Id', 'X-Mailgun-On-Behalf-Of']) {
    it(`acts for a subaccount with ${header}, and only sees what is its own`, async () => {
      const id = await newSubaccount(`of ${header}`);
      const address = await app.call('POST /v1/preview/address', { headers: { [header]: id } });
      const own = await app.call('POST /v1/preview/address');
      assert.equal(address.status, 200);
      assert.notEqual(address.body.preview_address, own.body.preview_address);
    });
  }

  it('answers 403 for an account that is not its own', async () => {
    const { status, body } = await app.call('GET /v2/preview/tests', {
      headers: { 'X-Service-Account-Id': '0123456789abcdef01234567' },
    });
    assert.equal(status, 403);
    const message = 'This key may not act for that account.';
    assert.deepEqual(body, { error: { name: 'PermissionError', message }, message });
  });

  it('lists only enabled, disabled or closed ones where that is asked for', async () => {
    const [open, disabled] = [await newSubaccount('Wide awake'), await newSubaccount('Asleep')];
    await app.call(`POST /v5/accounts/subaccounts/${disabled}/disable`);
    const listed = async (query: string): Promise<[string[], number]> => {
      const { body } = await app.call(`GET /v5/accounts/subaccounts?filter=a&limit=1000&${query}`);
      const ids: string[] = body.subaccounts.map(({ id }: { id: string }) => id);
      return [[open, disabled].filter((id) => ids.includes(id)), body.total - ids.length];
    };
    assert.deepEqual(await listed('enabled=true'), [[open], 0]);
    assert.deepEqual(await listed('enabled=false'), [[disabled], 0]);
    assert.deepEqual(await listed('closed=false'), [[open, disabled], 0]);
    assert.deepEqual(await listed('closed=true'), [[], 0]);
    assert.equal((await app.call('GET /v5/accounts/subaccounts?enabled=perhaps')).status, 400);
  });

  it('refuses a disabled subaccount and takes an enabled one', async () => {
    const id = await newSubaccount('Sleepy');
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${id}/disable`)).body.subaccount.status, 'disabled');
    assert.deepEqual((await app.call(`POST /v5/accounts/subaccounts/${id}/disable`)).body, {
      message: 'subaccount is already disabled',
    });
    assert.equal((await app.call('GET /v2/preview/tests', { headers: { 'X-Service-Account-Id': id } })).status, 403);
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${id}/enable`)).body.subaccount.status, 'open');
    assert.equal((await app.call('GET /v2/preview/tests', { headers: { 'X-Service-Account-Id': id } })).status, 200);
  });

  it('keeps the reason and the note of disabling until it is enabled', async () => {
    const id = await newSubaccount('Reasoned');
    const path = `POST /v5/accounts/subaccounts/${id}`;
    const { subaccount } = (await app.call(`${path}/disable?reason=unpaid&note=Since%20May`)).body;
    assert.deepEqual([subaccount.disabled_reason, subaccount.disabled_note], ['unpaid', 'Since May']);
    const opened = (await app.call(`${path}/enable`)).body.subaccount;
    assert.deepEqual([opened.status, opened.disabled_reason, opened.disabled_note], ['open', undefined, undefined]);
  });
});

const acting = (id: string) => ({ headers: { 'x-mailgun-on-behalf-of': id } });

describe('features of a subaccount', () => {
  const put = (id: string, fields: Record<string, string>) =>
    app.call(`PUT /v5/accounts/subaccounts/${id}/features`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('are switched by a form whose fields hold JSON, one by one', async () => {
    const id = await newSubaccount('Switches');
    const { status, body } = await put(id, { sending: '{"enabled":false}', validations: '{"enabled":false}' });
    const off = { sending: { enabled: false }, validations: { enabled: false } };
    assert.deepEqual([status, body], [200, { features: { ...ALL_ON, ...off } }]);
    const back = await app.call(`PUT /v5/accounts/subaccounts/${id}/features`, {
      body: { validations: { enabled: true } },
    });
    assert.deepEqual(back.body, { features: { ...ALL_ON, sending: { enabled: false } } });
    const { features } = (await app.call(`GET /v5/accounts/subaccounts/${id}`)).body.subaccount;
    assert.deepEqual(features, back.body.features);
  });

  it('keep what each of several changes at once says', async () => {
    const id = await newSubaccount('Hurried switches');
    await Promise.all(PRODUCTS.map((product) => put(id, { [product]: '{"enabled":false}' })));
    const { features } = (await app.call(`GET /v5/accounts/subaccounts/${id}`)).body.subaccount;
    assert.deepEqual(features, Object.fromEntries(PRODUCTS.map((product) => [product, { enabled: false }])));
  });

  it('names what is wrong', async () => {
    const id = await newSubaccount('Wrong switches');
    const form = 'must be {"enabled": true} or {"enabled": false}; in a form, as JSON.';
    for (const [fields, message] of [
      [{}, `No valid updates provided: name one of ${PRODUCTS.join(', ')}.`],
      [{ sending: 'no' }, `sending ${form}`],
      [{ sending: '{"enabled":1}' }, `sending ${form}`],
      [{ teleport: '{"enabled":true}' }, `teleport is not known here; valid are ${PRODUCTS.join(', ')}.`],
    ] as const) {
      const { status, body } = await put(id, fields as Record<string, string>);
      assert.deepEqual([status, body], [400, { message }]);
    }
    assert.equal((await put('0123456789abcdef01234567', { sending: '{"enabled":true}' })).status, 404);
  });

  it('that are off refuse what belongs to them, for the subaccount alone', async () => {
    const id = await newSubaccount('Without');
    const domain = 'without.example.com';
    await app.call('POST /v4/domains', { body: { name: domain }, ...acting(id) });
    const letter = { from: `ann@${domain}`, to: 'bob@example.com', subject: 'Hello', text: 'Hello' };
    const calls = [
      ['email_preview', 'Email Preview', 'GET /v2/preview/tests', undefined],
      ['email_preview', 'Email Preview', 'POST /v2/preview/tests', { subject: 'x', html: '<p>x</p>' }],
      ['email_preview', 'Email Preview', 'POST /v1/preview/address', {}],
      ['inbox_placement', 'Inbox Placement', 'GET /v4/inbox/results', undefined],
      ['inbox_placement', 'Inbox Placement', 'POST /v4/inbox/tests', {}],
      ['sending', 'Sending', `POST /v3/${domain}/messages`, letter],
    ] as const;
    for (const [name, words, operation, body] of calls) {
      const call = { ...(body && { body }), ...acting(id) };
      assert.notEqual((await app.call(operation, call)).status, 403, operation);
      await put(id, { [name]: '{"enabled":false}' });
      const refused = await app.call(operation, call);
      assert.deepEqual([refused.status, refused.body.message], [403, `${words} is not enabled for this account`]);
      assert.notEqual((await app.call(operation, body ? { body } : {})).status, 403);
      await put(id, { [name]: '{"enabled":true}' });
    }
    await put(id, { email_preview: '{"enabled":false}' });
    const gate = { html: '<p>x</p>', checks: ['previews'], clients: ['gmail_chrome'], policy: {} };
    assert.ok([400, 403].includes((await app.call('POST /v1/inspect/gate', { body: gate, ...acting(id) })).status));
  });
});

describe('DELETE /v5/accounts/subaccounts', () => {
  const CLOSE = 'DELETE /v5/accounts/subaccounts';

  it('closes the subaccount that the header names: nothing answers for it, and what it had goes', async () => {
    const id = await newSubaccount('Finished');
    const as = acting(id);
    const { secret } = (await app.call('POST /v1/keys', { body: { role: 'admin' }, ...as })).body.key;
    await app.call('POST /v4/domains', { body: { name: 'finished.example.com' }, ...as });
    const signed = await app.call('POST /v1/session', { key: null, body: { key: secret } });
    const cookie = (signed.headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const letter = { from: 'ann@finished.example.com', to: 'bob@example.com', subject: 'Hello', text: 'Hello' };
    await app.call('POST /v3/finished.example.com/messages', { body: letter, ...as });
    assert.deepEqual((await app.call(CLOSE, as)).body, { message: 'Subaccount successfully deleted' });
    assert.equal((await app.call('GET /v4/domains', { key: secret })).status, 401);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie } })).status, 401);
    assert.equal((await app.call('GET /v4/domains', as)).status, 403);
    await app.idle();
    for (const table of ['api_keys', 'sending_domains', 'deliveries', 'sessions', 'events']) {
      const { rows } = await app.galley.outside.db.text(`select 1 from ${table} where account_id = '${id}'`);
      assert.deepEqual(rows, [], table);
    }
    const { subaccount } = (await app.call(`GET /v5/accounts/subaccounts/${id}`)).body;
    assert.equal(subaccount.status, 'closed');
    for (const what of ['enable', 'disable'])
      assert.deepEqual((await app.call(`POST /v5/accounts/subaccounts/${id}/${what}`)).body, {
        message: 'subaccount_id names a subaccount that is closed; it cannot be opened again.',
      });
    const again = await app.call(CLOSE, as);
    assert.deepEqual(again.body, { message: 'X-Mailgun-On-Behalf-Of names a subaccount that is already closed.' });
  });

  it('deletes very many rows, of tables that nobody named to it, too, a batch at a transaction', async () => {
    const id = await newSubaccount('Crowded');
    const kept = await newSubaccount('Neighbor');
    const { db } = app.galley.outside;
    for (const as of [acting(id), acting(kept)]) {
      const name = `${as.headers['x-mailgun-on-behalf-of']}.example.com`;
      await app.call('POST /v4/domains', { body: { name }, ...as });
      const letter = { from: `ann@${name}`, to: 'bob@example.com', subject: 'Hello', text: 'Hello' };
      assert.equal((await app.call(`POST /v3/${name}/messages`, { body: letter, ...as })).status, 200);
    }
    const rowsOf = async (text: string): Promise<any[]> => (await db.text(text)).rows;
    const [{ name: partition }] = await rowsOf('select tableoid::regclass::text as name from events limit 1');
    // A table that a later feature brings, and one whose rows refer to it.
    await db.text(`
      create table toys (id bigint primary key, account_id text not null);
      create table toy_parts (account_id text not null, toy_id bigint not null references toys (id));
      insert into toys select n, '${id}' from generate_series(1, 12000) n;
      insert into toys values (0, '${kept}');
      insert into toy_parts select '${id}', n from generate_series(1, 12000) n;
      create index toy_parts_toy on toy_parts (toy_id);
      insert into events (at, account_id, event, domain, recipient, recipient_domain, provider)
        select (select max(at) from ${partition}), '${id}', 0, 'x.example', 'bob@example.com', 'example.com', ''
        from generate_series(1, 100000);
      create table batches (name text, txid text, count bigint);
      create function note_batch() returns trigger language plpgsql as
        $$ begin insert into batches select tg_table_name, txid_current()::text, count(*) from gone; return null; end $$;
      create trigger note_batch after delete on toys
        referencing old table as gone for each statement execute function note_batch();
      create trigger note_batch after delete on ${partition}
        referencing old table as gone for each statement execute function note_batch();`);
    assert.equal((await app.call(CLOSE, acting(id))).status, 200);
    await app.idle();
    for (const table of ['toys', 'toy_parts', 'events'])
      assert.deepEqual(await rowsOf(`select 1 from ${table} where account_id = '${id}' limit 1`), [], table);
    const batches = await rowsOf(`
      select name, sum(count)::int as count, max(count)::int as most
      from (select name, sum(count) as count from batches group by name, txid) of_transactions
      group by name order by name`);
    // Those that the account had, and the event of its message.
    assert.deepEqual(
      batches.map(({ name, count }) => [name, count]),
      [
        [partition, 100_001],
        ['toys', 12_000],
      ],
    );
    for (const { name, most } of batches) assert.ok(most <= 5000, `${most} rows of ${name} at once`);
    for (const table of ['toys', 'events', 'sending_domains'])
      assert.ok((await rowsOf(`select 1 from ${table} where account_id = '${kept}'`)).length > 0, table);
  });

  it('closes one that is disabled, and leaves what is not named, unknown, or somebody else as it is', async () => {
    const [one, other] = [await newSubaccount('Disabled first'), await newSubaccount('Neighbor')];
    await app.call(`POST /v5/accounts/subaccounts/${one}/disable`);
    assert.equal((await app.call(CLOSE, acting(one))).status, 200);
    const missing = 'X-Mailgun-On-Behalf-Of is required: the header names the subaccount to close.';
    assert.deepEqual((await app.call(CLOSE)).body, { message: missing });
    const { secret } = (await app.call('POST /v1/keys', { body: { role: 'admin' }, ...acting(other) })).body.key;
    const root = (await app.call('GET /v1/session')).body.account.id;
    for (const id of [other, root, one, '0123456789abcdef01234567'])
      assert.equal((await app.call(CLOSE, { key: secret, ...acting(id) })).status, 403, id);
    assert.equal((await app.call(CLOSE, acting(root))).status, 403);
    assert.equal((await app.call(`GET /v5/accounts/subaccounts/${other}`)).body.subaccount.status, 'open');
  });
});

describe('PUT /v5/accounts', () => {
  it('changes what is given, by query or body, and shows it', async () => {
    const id = await newSubaccount('Before');
    const as = acting(id);
    const query = 'name=After&inactive_session_timeout=900&absolute_session_timeout=3600';
    const { status, body } = await app.call(`PUT /v5/accounts?${query}`, as);
    assert.deepEqual([status, body], [200, { message: 'Account info has been updated' }]);
    await app.call('PUT /v5/accounts', { body: { logout_redirect_url: 'https://example.com/bye' }, ...as });
    const { created_at: _created, ...shown } = (await app.call('GET /v1/galley/account', as)).body;
    assert.deepEqual(shown, {
      id,
      name: 'After',
      region: 'us',
      parent_id: (await app.call('GET /v1/galley/account')).body.id,
      features: ALL_ON,
      inactive_session_timeout: 900,
      absolute_session_timeout: 3600,
      logout_redirect_url: 'https://example.com/bye',
    });
  });

  for (const [query, message] of [
    [
      '',
      'Either `name`, `absolute_session_timeout`, `inactive_session_timeout`, or `logout_redirect_url` must be provided ' +
        'to update account info.',
    ],
    ['name=%20', 'name must hold a character that is not a space.'],
    [
      'inactive_session_timeout=299',
      'inactive_session_timeout must be between 300 and 2592000 seconds, or 0 for the default.',
    ],
    ['absolute_session_timeout=long', 'absolute_session_timeout must be integer.'],
    [
      'logout_redirect_url=javascript:alert(1)',
      'logout_redirect_url must be an http or https URL of at most 2000 characters.',
    ],
  ] as const)
    it(`answers 400: ${message.slice(0, 60)}`, async () =>
      assert.deepEqual((await app.call(`PUT /v5/accounts?${query}`)).body, { message }));

  it('has no activation mail to send again, and says so', async () =>
    assert.deepEqual((await app.call('POST /v5/accounts/resend_activation_email')).body, { success: false }));
});

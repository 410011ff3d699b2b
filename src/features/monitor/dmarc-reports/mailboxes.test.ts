// Mailboxes of reports over HTTP: kept, changed, removed, and which servers they may be at.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const PATH = '/v1/dmarc/mailboxes';
const PASSWORD = 'a password that nobody may see';
const zone = { 'imap.inside.example': { A: ['10.0.0.5'] } };

async function strangerOf(app: App): Promise<Record<string, string>> {
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  return { 'x-mailgun-on-behalf-of': body.subaccount.id };
}

describe(PATH, () => {
  let app: App;
  before(async () => {
    app = await startApp({ GALLEY_ROLES: 'api', GALLEY_SMTP_DOMAIN: 'galley.test' }, { zone });
  });
  after(() => app.close());
  const add = (given: object) =>
    app.call(`POST ${PATH}`, {
      body: { host: 'imap.mail.example', user: 'dmarc@mail.example', password: PASSWORD, ...given },
    });

  it('keeps a mailbox, and never shows its password', async () => {
    const { status, body: made } = await add({});
    const { id, created_at: at } = made;
    const shown = {
      id,
      host: 'imap.mail.example',
      port: 993,
      security: 'tls',
      user: 'dmarc@mail.example',
      verify_certificate: true,
      folder: 'INBOX',
      trust: 'signed',
      enabled: true,
      state: 'waiting',
      problem: null,
      checked_at: null,
      succeeded_at: null,
      next_at: at,
      messages_read: 0,
      messages_left: null,
      reports_found: 0,
      last_report_at: null,
      created_at: at,
      updated_at: at,
    };
    assert.deepEqual([status, made], [201, shown]);
    assert.deepEqual((await app.call(`GET ${PATH}/${id}`)).body, shown);
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, { items: [shown] });
    const { rows } = await app.galley.outside.db.text('select dmarc_mailboxes::text as text from dmarc_mailboxes');
    const base64 = Buffer.from(PASSWORD).toString('base64');
    assert.ok(!JSON.stringify(rows).includes(PASSWORD) && !JSON.stringify(rows).includes(base64));
    const { body: changed } = await app.call(`PUT ${PATH}/${id}`, {
      body: { folder: 'Reports/DMARC', trust: 'all', enabled: false, security: 'starttls', port: 143 },
    });
    assert.deepEqual(
      [changed.folder, changed.trust, changed.enabled, changed.security, changed.port, changed.next_at, changed.host],
      ['Reports/DMARC', 'all', false, 'starttls', 143, null, 'imap.mail.example'],
    );
    const { status: refused, body } = await app.call(`POST ${PATH}/${id}/read`);
    assert.deepEqual([refused, body.message], [409, 'The mailbox is not enabled; enable it first.']);
  });

  it('is of one account, and gone when it is removed', async () => {
    const stranger = await strangerOf(app);
    const whole = {
      port: 993,
      security: 'tls',
      verify_certificate: true,
      folder: 'INBOX',
      trust: 'all',
      enabled: true,
    };
    const { id } = (await add(whole)).body;
    const calls = [
      `GET ${PATH}/${id}`,
      `PUT ${PATH}/${id}`,
      `DELETE ${PATH}/${id}`,
      `POST ${PATH}/${id}/test`,
      `POST ${PATH}/${id}/read`,
    ];
    const answer = async (operation: string, headers: Record<string, string>) => {
      const { status, body } = await app.call(operation, {
        headers,
        ...(operation.startsWith('PUT') && { body: { folder: 'INBOX' } }),
      });
      return [status, body];
    };
    assert.deepEqual((await app.call(`GET ${PATH}`, { headers: stranger })).body, { items: [] });
    for (const operation of calls)
      assert.deepEqual(await answer(operation, stranger), [404, { message: `No mailbox has the id "${id}".` }]);
    assert.deepEqual(await answer(`DELETE ${PATH}/${id}`, {}), [200, { message: 'The mailbox has been removed.' }]);
    for (const operation of calls) assert.equal((await answer(operation, {}))[0], 404);
  });

  it('says why it does not reach a server, and does not reach into this network', async () => {
    const tried = async (given: object): Promise<unknown[]> => {
      const { id } = (await add(given)).body;
      const { body } = await app.call(`POST ${PATH}/${id}/test`);
      return [body.working, body.reason, body.message, body.temporary, body.messages_new, body.folders];
    };
    assert.deepEqual(await tried({ host: 'imap.inside.example' }), [
      false,
      'refused',
      'imap.inside.example is not at a public address; GALLEY_ALLOW_HOSTS can open it.',
      false,
      null,
      [],
    ]);
    const unknown = await tried({ host: 'imap.nowhere.example' });
    assert.deepEqual(unknown.slice(1, 4), [
      'dns',
      'imap.nowhere.example has no address, or it could not be looked up.',
      true,
    ]);
  });

  for (const [given, message] of [
    [{ host: 'https://imap.mail.example' }, /^host "https:\/\/imap\.mail\.example" is not the name or address/],
    [{ port: 22 }, /^port must be 143 or 993; GALLEY_IMAP_PORTS can open others\.$/],
    [{ security: 'none' }, /^security may be none only for a server on this machine/],
    [{ security: 'ssl' }, /^security must be one of tls, starttls, none/],
    [{ trust: 'me' }, /^trust must be one of signed, all/],
    [{ folder: 'A\r\nB' }, /^folder must not contain control characters\.$/],
    [{ user: 'a\nb' }, /^user must not contain control characters\.$/],
    [{ folder: '' }, /^folder /],
    [{ password: '' }, /^password /],
    [{ password: 7 }, /^password /],
  ] as const)
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const { status, body } = await add(given);
      assert.equal(status, 400);
      assert.match(body.message, message);
    });

  it('is one of twenty at most', async () => {
    const count = (await app.call(`GET ${PATH}`)).body.items.length;
    for (let more = count; more < 20; more++) assert.equal((await add({})).status, 201);
    const { status, body } = await add({});
    assert.deepEqual([status, body.message], [409, 'An account may have at most 20 mailboxes; remove one first.']);
  });
});

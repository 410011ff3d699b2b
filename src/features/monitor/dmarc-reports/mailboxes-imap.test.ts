// Reports that are read from a mailbox by IMAP: a real Dovecot, each message once, and every way in which it fails.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ImapFlow } from 'imapflow';
import { createTransport, type Transporter } from 'nodemailer';
import {
  DOVECOT_PASSWORD,
  dovecotAbsence,
  startDovecot,
  type DovecotDaemon,
} from '../../../../test/harness/dovecot.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { dkimRecord, generateDkimKey } from '../../../engines/mail-authentication/index.ts';
import { queueMailboxes } from './mailboxes-jobs.ts';
import { readMailbox } from './mailboxes-read.ts';

const PATH = '/v1/dmarc/mailboxes';
const privateKey = await generateDkimKey('rsa-2048');
const QUARTER_MS = 15 * 60_000;
const zone = { 'k._domainkey.receiver.example': { TXT: [dkimRecord(privateKey)] } };

describe('a mailbox of reports at Dovecot', { skip: dovecotAbsence ?? false }, () => {
  let app: App;
  let dovecot: DovecotDaemon;
  let transport: Transporter;
  before(async () => {
    dovecot = await startDovecot();
    transport = createTransport({ lmtp: true, host: '127.0.0.1', port: dovecot.lmtpPort, ignoreTLS: true } as object);
    app = await startApp(
      {
        GALLEY_ROLES: 'api,work',
        GALLEY_SMTP_DOMAIN: 'galley.test',
        GALLEY_IMAP_PORTS: '1024-65535',
        GALLEY_ALLOW_HOSTS: `127.0.0.1:${dovecot.imapPort}`,
      },
      { zone },
    );
    await app.call('POST /v4/domains', { body: { name: 'example.com' } });
  });
  after(async () => {
    transport?.close();
    await app?.close();
    await dovecot?.close();
  });

  const day = (back: number): number => (Math.floor(app.clock.now().getTime() / 86_400_000) - back) * 86_400;
  const report = (id: string, { count = 7, email = 'reports@receiver.example', domain = 'example.com' } = {}): string =>
    `<feedback><report_metadata><org_name>Receiver</org_name><email>${email}</email><report_id>${id}</report_id>` +
    `<date_range><begin>${day(1)}</begin><end>${day(1) + 86_399}</end></date_range></report_metadata>` +
    `<policy_published><domain>${domain}</domain><p>none</p></policy_published><record><row>` +
    `<source_ip>192.0.2.1</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>` +
    `<dkim>pass</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>${domain}</header_from>` +
    `</identifiers><auth_results><dkim><domain>${domain}</domain><selector>s</selector><result>pass</result></dkim>` +
    `</auth_results></record></feedback>`;
  const send = (to: string, xml: string | undefined, isSigned = true) =>
    transport.sendMail({
      from: 'reports@receiver.example',
      to,
      subject: 'Report Domain: example.com',
      text: 'Hello',
      ...(xml !== undefined && {
        attachments: [{ filename: 'r.xml.gz', content: gzipSync(xml), contentType: 'application/gzip' }],
      }),
      ...(isSigned && { dkim: { domainName: 'receiver.example', keySelector: 'k', privateKey } }),
    });
  const add = async (user: string, given: object = {}): Promise<any> => {
    const { status, body } = await app.call(`POST ${PATH}`, {
      body: {
        host: '127.0.0.1',
        port: dovecot.imapPort,
        security: 'none',
        user,
        password: DOVECOT_PASSWORD,
        ...given,
      },
    });
    assert.equal(status, 201, JSON.stringify(body));
    await app.idle();
    return (await app.call(`GET ${PATH}/${body.id}`)).body;
  };
  const read = async (id: string): Promise<any> => {
    assert.equal((await app.call(`POST ${PATH}/${id}/read`)).status, 202);
    await app.idle();
    return (await app.call(`GET ${PATH}/${id}`)).body;
  };
  const kept = async (): Promise<any[]> =>
    (await app.call('GET /v1/dmarc/reports?kind=aggregate&limit=100')).body.items;
  const refusals = async (): Promise<string[]> =>
    (await app.call('GET /v1/dmarc/reports?kind=refused&limit=100')).body.items.map(
      ({ content }: any) => content.reason,
    );
  /** The user's own look at the folder. */
  const atServer = async <Value>(user: string, work: (client: ImapFlow) => Promise<Value>): Promise<Value> => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: dovecot.imapPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass: DOVECOT_PASSWORD },
      logger: false,
    });
    await client.connect();
    const value = await work(client);
    await client.logout();
    return value;
  };
  const flagsOf = (user: string): Promise<string[][]> =>
    atServer(user, async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      const found = await client.fetchAll('1:*', { flags: true });
      return found.map(({ flags }) => [...(flags ?? [])].filter((flag) => flag !== '\\Recent'));
    });

  it('is read at once; a report counts once, other mail is passed over, and every message stays unread', async () => {
    const user = 'first@example.com';
    await send(user, report('i1'));
    await send(user, undefined);
    await send(user, report('i2', { count: 5 }), false);
    await send(user, report('i3', { domain: 'victim.example' }));
    const before = (await refusals()).length;
    const box = await add(user);
    assert.deepEqual(
      [box.state, box.problem, box.messages_read, box.reports_found, box.messages_left],
      ['working', null, 4, 1, 0],
    );
    assert.ok(box.succeeded_at !== null && box.last_report_at !== null && box.next_at > box.checked_at);
    const [one, ...others] = await kept();
    assert.deepEqual([one.report_id, one.via, one.vouched_by, one.messages], ['i1', 'imap', 'receiver.example', 7]);
    assert.equal(others.length, 0);
    const reasons = (await refusals()).slice(0, -before || undefined).sort();
    assert.equal(reasons.length, 2);
    assert.match(reasons[0]!, /^Nobody vouches for the mail/);
    assert.match(reasons[1]!, /^victim\.example is no domain of this account/);
    assert.deepEqual(await flagsOf(user), [[], [], [], []]);

    // Nothing is new.
    const again = await read(box.id);
    assert.deepEqual([again.messages_read, again.reports_found, (await refusals()).length], [4, 1, before + 2]);
    // The same report in another message counts no second time; a new one does.
    await send(user, report('i1'));
    await send(user, report('i4', { count: 2 }));
    const next = await read(box.id);
    assert.deepEqual([next.messages_read, next.reports_found], [6, 2]);
  });

  it('is read every quarter of an hour', async () => {
    const user = 'poll@example.com';
    const box = await add(user);
    await send(user, report('p1'));
    const due = () =>
      queueMailboxes.run(app.galley.outside, {}, { signal: AbortSignal.any([]), attempt: 1, isLast: true });
    const found = async () => (await app.call(`GET ${PATH}/${box.id}`)).body.reports_found;
    await due();
    await app.idle();
    assert.equal(await found(), 0);
    app.clock.advance(QUARTER_MS + 60_000);
    await due();
    await app.idle();
    assert.equal(await found(), 1);
  });

  it('believes what is not signed where it is told to', async () => {
    const user = 'trusting@example.com';
    await send(user, report('t1', { email: 'somebody@else.example' }), false);
    const box = await add(user, { trust: 'all' });
    assert.equal(box.reports_found, 1);
    const one = (await kept()).find(({ report_id: id }) => id === 't1');
    assert.deepEqual([one.via, one.vouched_by], ['imap', null]);
  });

  it('reads another folder, and says when there is none of that name', async () => {
    const user = 'folder@example.com';
    await atServer(user, async (client) => {
      await client.mailboxCreate('Reports/DMARC ü');
      const raw = `From: a@receiver.example\r\nContent-Type: application/xml; name="r.xml"\r\n\r\n${report('f1')}\r\n`;
      await client.append('Reports/DMARC ü', raw);
    });
    const box = await add(user, { folder: 'Reports/DMARC ü', trust: 'all' });
    assert.deepEqual([box.state, box.messages_read, box.reports_found], ['working', 1, 1]);
    const wrong = (await app.call(`PUT ${PATH}/${box.id}`, { body: { folder: 'Nowhere' } })).body;
    assert.equal(wrong.state, 'waiting');
    const { body: tried } = await app.call(`POST ${PATH}/${box.id}/test`);
    assert.deepEqual(
      [tried.working, tried.reason, tried.temporary, tried.messages_new],
      [false, 'folder', false, null],
    );
    assert.match(tried.message, /^127\.0\.0\.1 does not open the folder: it is not there/);
    const good = (await app.call(`PUT ${PATH}/${box.id}`, { body: { folder: 'INBOX' } })).body;
    await app.idle();
    const { body: well } = await app.call(`POST ${PATH}/${good.id}/test`);
    assert.deepEqual(
      { ...well, folders: well.folders.filter((name: string) => name.startsWith('Rep') || name === 'INBOX') },
      {
        working: true,
        reason: null,
        message: 'The login works. There are 0 new messages in the folder.',
        temporary: false,
        messages_new: 0,
        folders: ['INBOX', 'Reports/DMARC ü'],
      },
    );
  });

  it('takes each message once, though two visit at the same time and though it begins anew', async () => {
    const user = 'twice@example.com';
    const before = (await refusals()).length;
    await atServer(user, (client) => client.mailboxCreate('Reports'));
    const box = await add(user, { folder: 'Reports' });
    for (let n = 0; n < 6; n++) await send(user, report(`w${n}`), n % 2 === 0);
    const raws = await atServer(user, async (client) => {
      await client.mailboxOpen('INBOX');
      const found = (await client.fetchAll('1:*', { source: true })).map(({ source }) => source!);
      await client.messageCopy('1:*', 'Reports');
      return found;
    });
    const { accountId } = (
      await app.galley.outside.db.text(`select account_id as "accountId" from dmarc_mailboxes where id = '${box.id}'`)
    ).rows[0] as { accountId: string };
    const visit = () =>
      readMailbox(
        app.galley.outside,
        { accountId, id: box.id },
        { signal: new AbortController().signal, isLast: false },
      );
    await Promise.all([visit(), visit(), visit()]);
    await visit();
    const now = (await app.call(`GET ${PATH}/${box.id}`)).body;
    assert.deepEqual([now.messages_read, now.reports_found], [6, 3]);
    assert.equal((await refusals()).length, before + 3);
    // The server numbers its messages anew: they are read again, and reports count no second time.
    await atServer(user, async (client) => {
      await client.mailboxDelete('Reports');
      await client.mailboxCreate('Reports');
      for (const raw of raws) await client.append('Reports', raw);
    });
    await read(box.id);
    assert.equal((await kept()).filter(({ report_id: id }) => /^w\d$/.test(id)).length, 3);
    const anew = (await app.call(`GET ${PATH}/${box.id}`)).body;
    assert.deepEqual([anew.messages_read, anew.reports_found], [12, 3]);
  });

  it('goes on where a visit was cut off', async () => {
    const user = 'cut@example.com';
    const box = await add(user);
    for (let n = 0; n < 3; n++) await send(user, report(`c${n}`));
    const { accountId } = (
      await app.galley.outside.db.text(`select account_id as "accountId" from dmarc_mailboxes where id = '${box.id}'`)
    ).rows[0] as { accountId: string };
    // The computing of the second message dies.
    let computed = 0;
    const { outside } = app.galley;
    const dying = {
      ...outside,
      compute: {
        ...outside.compute,
        run: (...given: Parameters<typeof outside.compute.run>) =>
          given[0].name === 'readReports' && ++computed === 2
            ? Promise.reject(new Error('killed'))
            : outside.compute.run(...given),
      },
    } as typeof outside;
    const options = { signal: new AbortController().signal, isLast: false };
    await assert.rejects(readMailbox(dying, { accountId, id: box.id }, options), /killed/);
    assert.equal((await app.call(`GET ${PATH}/${box.id}`)).body.messages_read, 1);
    const after = await read(box.id);
    assert.deepEqual([after.messages_read, after.reports_found], [3, 3]);
  });

  it('refuses a mail of more than 25 MB without reading it, and goes on behind it', async () => {
    const user = 'large@example.com';
    await atServer(user, (client) =>
      client.append(
        'INBOX',
        Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(26 * 1024 * 1024, 'x')]),
      ),
    );
    await send(user, report('l1'));
    const box = await add(user);
    assert.deepEqual([box.state, box.messages_read, box.reports_found], ['working', 2, 1]);
    assert.ok((await refusals()).includes('The mail is larger than 25 MB.'));
  });

  it('reads a message whole that comes in several parts', async () => {
    const user = 'parts@example.com';
    const filler = Array.from({ length: 40_000 }, () => 'A line that says nothing at all, but takes its place.').join(
      '\r\n',
    );
    await atServer(user, (client) =>
      client.append(
        'INBOX',
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${filler}\r\n--b\r\n` +
          `Content-Type: application/xml; name="r.xml"\r\n\r\n${report('m1')}\r\n--b--\r\n`,
      ),
    );
    const box = await add(user, { trust: 'all' });
    assert.deepEqual([box.messages_read, box.reports_found], [1, 1]);
  });

  it('is stopped after five refused logins, told of once, and goes on with the right password', async () => {
    const user = 'stopped@example.com';
    const alerts = async (): Promise<any[]> =>
      (await app.call('GET /v1/galley/alerts?event_type=postmaster_access_expired')).body.items;
    let box = await add(user, { password: 'wrong' });
    const problem =
      '127.0.0.1 refused the login: check user name and app password or token, and that IMAP is switched on.';
    assert.deepEqual([box.state, box.problem], ['failing', problem]);
    for (let n = 0; n < 3; n++) box = await read(box.id);
    assert.deepEqual([box.state, (await alerts()).length], ['failing', 0]);
    box = await read(box.id);
    assert.deepEqual([box.state, box.problem, box.next_at], ['stopped', problem, null]);
    const [alert, ...others] = await alerts();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [alert.message, alert.page, alert.over_at],
      [`The mailbox ${user} at 127.0.0.1 is no longer read for reports after 5 tries. ${problem}`, '/dmarc', null],
    );
    // It is left alone.
    app.clock.advance(QUARTER_MS * 2);
    await app.idle();
    assert.equal((await app.call(`GET ${PATH}/${box.id}`)).body.checked_at, box.checked_at);
    await app.call(`PUT ${PATH}/${box.id}`, { body: { password: DOVECOT_PASSWORD } });
    await app.idle();
    assert.equal((await app.call(`GET ${PATH}/${box.id}`)).body.state, 'working');
    assert.ok((await alerts()).every(({ over_at: over }) => over !== null));
  });

  it('fails and is tried again where the server is away', async () => {
    const box = await add('away@example.com', { port: 65_535 });
    assert.deepEqual([box.state, box.reports_found], ['failing', 0]);
    assert.equal(box.problem, '127.0.0.1 is not at a public address; GALLEY_ALLOW_HOSTS can open it.');
  });

  it('takes no more than 100 messages at a visit, and goes on with the rest', async () => {
    const user = 'many@example.com';
    await atServer(user, async (client) => {
      for (let n = 0; n < 130; n++) await client.append('INBOX', `Subject: ${n}\r\n\r\nHello\r\n`);
    });
    const box = await add(user);
    assert.deepEqual([box.messages_read, box.messages_left], [100, 30]);
    assert.equal(box.next_at, box.checked_at);
    const next = await read(box.id);
    assert.deepEqual([next.messages_read, next.messages_left], [130, 0]);
  });
});

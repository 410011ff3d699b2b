// Mail filed by Dovecot's Sieve, read back by IMAP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTransport, type Transporter } from 'nodemailer';
import { DOVECOT_PASSWORD, dovecotAbsence, startDovecot, type DovecotDaemon } from '../../../test/harness/dovecot.ts';
import { createMailbox, type MailboxAccount } from './index.ts';

const HEADER = 'X-Galley-Seed';

describe('Dovecot', { skip: dovecotAbsence ?? false }, () => {
  let dovecot: DovecotDaemon;
  let transport: Transporter;
  before(async () => {
    dovecot = await startDovecot();
    transport = createTransport({
      lmtp: true,
      host: '127.0.0.1',
      port: dovecot.lmtpPort,
      ignoreTLS: true,
      pool: true,
    } as object);
  });
  after(async () => {
    transport?.close();
    await dovecot?.close();
  });
  const account = (user: string): MailboxAccount => ({
    host: '127.0.0.1',
    port: dovecot.imapPort,
    security: 'none',
    user,
    credentials: { password: DOVECOT_PASSWORD },
  });
  const send = (to: string, value: string, headers: Record<string, string> = {}) =>
    transport.sendMail({
      from: 'news@news.example',
      to,
      subject: 'Hello',
      text: 'Hello',
      headers: { ...headers, [HEADER]: value },
    });
  const placed = async (user: string, value: string) => {
    const outcome = await createMailbox(account(user)).find({ header: HEADER, value });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.copies.map(({ placement, category, folder }) => [placement, category, folder]);
  };

  it('reads back inbox, spam, another folder and missing', async () => {
    const user = 'anna@seeds.example';
    await send(user, 'token-inbox');
    await send(user, 'token-spam', { 'X-Spam-Flag': 'YES' });
    await send(user, 'token-list', { 'List-Unsubscribe': '<https://news.example/leave>' });
    await send(user, 'token-gone', { 'X-Test-Discard': 'yes' });
    assert.deepEqual(await placed(user, 'token-inbox'), [['inbox', null, 'INBOX']]);
    assert.deepEqual(await placed(user, 'token-spam'), [['spam', null, 'Junk']]);
    assert.deepEqual(await placed(user, 'token-list'), [['category', 'promotions', 'Promotions']]);
    assert.deepEqual(await placed(user, 'token-gone'), []);
  });
  it('finds a message that comes late', async () => {
    assert.deepEqual(await placed('late@seeds.example', 'token-late'), []);
    await send('late@seeds.example', 'token-late');
    assert.deepEqual(await placed('late@seeds.example', 'token-late'), [['inbox', null, 'INBOX']]);
  });
  it('reports a message in two folders, and one sent twice, once per copy', async () => {
    await send('two@seeds.example', 'token-two', { 'X-Test-Copy': 'yes' });
    assert.deepEqual(await placed('two@seeds.example', 'token-two'), [
      ['inbox', null, 'INBOX'],
      ['category', 'archive', 'Archive'],
    ]);
    await send('twice@seeds.example', 'token-twice');
    await send('twice@seeds.example', 'token-twice');
    assert.deepEqual(await placed('twice@seeds.example', 'token-twice'), [
      ['inbox', null, 'INBOX'],
      ['inbox', null, 'INBOX'],
    ]);
  });
  it('answers many values in one visit, and tells two tests in one mailbox apart', async () => {
    const user = 'many@seeds.example';
    for (const value of ['m1', 'm2', 'm3', 'm4'])
      await send(user, value, value === 'm3' ? { 'X-Spam-Flag': 'YES' } : {});
    const outcome = await createMailbox(account(user)).findAll(HEADER, ['m1', 'm2', 'm3', 'm4', 'm5'], {
      since: new Date().toISOString(),
    });
    assert.ok(outcome.ok);
    assert.deepEqual(
      [...outcome.copies].map(([value, copies]) => [value, copies.map(({ placement }) => placement)]),
      [
        ['m1', ['inbox']],
        ['m2', ['inbox']],
        ['m3', ['spam']],
        ['m4', ['inbox']],
        ['m5', []],
      ],
    );
  });
  it('gives the headers that the server added, and when it came', async () => {
    await send('headers@seeds.example', 'token-headers');
    const outcome = await createMailbox(account('headers@seeds.example')).find({
      header: HEADER,
      value: 'token-headers',
    });
    const [copy] = outcome.ok ? outcome.copies : [];
    assert.ok(
      copy?.headers.some(({ name, value }) => name === 'Received' && value.includes('LMTP')),
      JSON.stringify(copy),
    );
    assert.match(copy?.receivedAt ?? '', /^20\d\d-/);
    assert.match(copy?.messageId ?? '', /^<.+@.+>$/);
  });
  it('removes every copy, and nothing else', async () => {
    const user = 'remove@seeds.example';
    await send(user, 'token-keep');
    await send(user, 'token-remove', { 'X-Test-Copy': 'yes' });
    const mailbox = createMailbox(account(user));
    assert.deepEqual(await mailbox.remove({ header: HEADER, value: 'token-remove' }), { ok: true, removed: 2 });
    assert.deepEqual(await mailbox.remove({ header: HEADER, value: 'token-remove' }), { ok: true, removed: 0 });
    assert.deepEqual(await placed(user, 'token-keep'), [['inbox', null, 'INBOX']]);
  });
  it('says of a wrong password that the login was refused', async () => {
    const outcome = await createMailbox({
      ...account('anna@seeds.example'),
      credentials: { password: 'wrong' },
    }).probe();
    assert.deepEqual(!outcome.ok && [outcome.reason, outcome.isTemporary], ['login', false]);
  });
  it('reads twenty mailboxes at once', async () => {
    const users = Array.from({ length: 20 }, (_, index) => `seed${index}@seeds.example`);
    await Promise.all(
      users.map((user, index) => send(user, `token-${index}`, index % 2 ? { 'X-Spam-Flag': 'YES' } : {})),
    );
    const placements = await Promise.all(users.map((user, index) => placed(user, `token-${index}`)));
    assert.deepEqual(
      placements.map(([copy]) => copy?.[0]),
      users.map((_, index) => (index % 2 ? 'spam' : 'inbox')),
    );
  });
});

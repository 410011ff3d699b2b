import assert from 'node:assert/strict';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { startFakeImap, type FakeFolder, type FakeImap, type FakeImapOptions } from './imap-server.fixture.ts';
import { createMailbox, type MailboxAccount, type MailboxLimits } from './index.ts';

const HEADER = 'X-Galley-Seed';
const servers: FakeImap[] = [];
after(() => servers.forEach((server) => server.close()));

const headers = (value: string, more = ''): string =>
  `Received: from a.example\r\n\tby b.example\r\nMessage-ID: <${value}@a.example>\r\n${HEADER}: ${value}${more}`;

async function fake(options: FakeImapOptions): Promise<FakeImap> {
  const server = await startFakeImap(options);
  servers.push(server);
  return server;
}

function mailboxAt(port: number, limits: Partial<MailboxLimits> = {}, account: Partial<MailboxAccount> = {}) {
  return createMailbox(
    {
      host: '127.0.0.1',
      port,
      security: 'none',
      user: 'anna',
      credentials: { password: 'very-secret-password' },
      ...account,
    },
    { timeoutMs: 3000, ...limits },
  );
}

const gmail = (): FakeFolder[] => [
  {
    path: '[Gmail]/All Mail',
    flags: '\\All',
    messages: [
      { uid: 11, headers: headers('one'), msgid: '1' },
      { uid: 12, headers: headers('archived'), msgid: '4' },
    ],
  },
  {
    path: 'INBOX',
    flags: '\\HasNoChildren',
    messages: [
      { uid: 1, headers: headers('one'), msgid: '1', labels: '"\\\\Important" news', tab: 'promotions' },
      { uid: 2, headers: headers('two'), msgid: '2' },
    ],
  },
  { path: 'news', flags: '\\HasNoChildren', messages: [{ uid: 21, headers: headers('one'), msgid: '1' }] },
  { path: '[Gmail]/Spam', flags: '\\Junk', messages: [{ uid: 31, headers: headers('three'), msgid: '3' }] },
  { path: '[Gmail]/Trash', flags: '\\Trash', messages: [] },
  { path: '[Gmail]', flags: '\\Noselect', messages: [] },
];

describe('a Gmail mailbox', () => {
  it('finds tabs, spam and what was archived, and counts a label as a view of the same copy', async () => {
    const server = await fake({ folders: gmail() });
    const outcome = await mailboxAt(server.port).findAll(HEADER, ['one', 'two', 'three', 'archived', 'nowhere']);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const placed = [...outcome.copies].map(([value, copies]) => [
      value,
      copies.map(({ placement, category, folder }) => [placement, category, folder]),
    ]);
    assert.deepEqual(placed, [
      ['one', [['category', 'promotions', 'INBOX']]],
      ['two', [['inbox', null, 'INBOX']]],
      ['three', [['spam', null, '[Gmail]/Spam']]],
      ['archived', [['category', 'archive', '[Gmail]/All Mail']]],
      ['nowhere', []],
    ]);
  });
  it('gives a copy with its headers, time and labels', async () => {
    const server = await fake({ folders: gmail() });
    const outcome = await mailboxAt(server.port).find({ header: HEADER, value: 'one' });
    assert.deepEqual(outcome.ok && outcome.copies, [
      {
        placement: 'category',
        category: 'promotions',
        folder: 'INBOX',
        uid: 1,
        tags: ['\\Important', 'news'],
        receivedAt: '2026-11-21T09:00:00.000Z',
        messageId: '<one@a.example>',
        headers: [
          { name: 'Received', value: 'from a.example\tby b.example' },
          { name: 'Message-ID', value: '<one@a.example>' },
          { name: HEADER, value: 'one' },
        ],
      },
    ]);
  });
  it('takes only an equal value, not one that holds it', async () => {
    const server = await fake({
      folders: [{ path: 'INBOX', flags: '', messages: [{ uid: 1, headers: headers('one-and-more') }] }],
    });
    const outcome = await mailboxAt(server.port).find({ header: HEADER, value: 'one' });
    assert.deepEqual(outcome.ok && outcome.copies, []);
  });
  it('removes for good: through the trash', async () => {
    const folders = gmail();
    const server = await fake({ folders });
    assert.deepEqual(await mailboxAt(server.port).remove({ header: HEADER, value: 'two' }), { ok: true, removed: 1 });
    assert.deepEqual(
      folders[1]!.messages.map(({ uid }) => uid),
      [1],
    );
    assert.ok(
      server.commands.some((command) => command.startsWith('UID MOVE 2 ')) &&
        server.commands.some((command) => /^UID EXPUNGE 2|^EXPUNGE/.test(command)),
      server.commands.join('\n'),
    );
  });
  it('says whether the provider has tabs, and what its folders mean', async () => {
    const server = await fake({ folders: gmail() });
    assert.deepEqual(await mailboxAt(server.port).probe(), {
      ok: true,
      hasTabs: true,
      folders: [
        { path: 'INBOX', placement: 'inbox', category: null },
        { path: '[Gmail]/Spam', placement: 'spam', category: null },
        { path: 'news', placement: 'category', category: 'news' },
        { path: '[Gmail]/All Mail', placement: 'category', category: 'archive' },
      ],
    });
  });
  it('asks servers only for what came since a day', async () => {
    const server = await fake({ folders: gmail() });
    await mailboxAt(server.port).find({ header: HEADER, value: 'one' }, { since: '2026-11-21T10:00:00Z' });
    assert.ok(
      server.commands.some((command) => /SINCE 20-Nov-2026/.test(command)),
      server.commands.join('\n'),
    );
  });
});

describe('a bad night', () => {
  const on = (start: string, answer: (tag: string) => string) => (command: string, tag: string) =>
    command.startsWith(start) ? answer(tag) : undefined;
  const cases: [string, FakeImapOptions, string, boolean][] = [
    [
      'the login is refused',
      { override: on('LOGIN', (tag) => `${tag} NO [AUTHENTICATIONFAILED] Invalid credentials for anna\r\n`) },
      'login',
      false,
    ],
    [
      'logins are closed for the moment',
      { override: on('LOGIN', (tag) => `${tag} NO [UNAVAILABLE] later\r\n`) },
      'login',
      true,
    ],
    ['no greeting comes', { greeting: null }, 'timeout', true],
    ['the greeting is a refusal', { greeting: '* BYE too many connections' }, 'lost', true],
    ['another protocol answers', { greeting: '220 mail.example ESMTP' }, 'timeout', true],
    ['the login hangs', { override: on('LOGIN', () => 'hang') }, 'timeout', true],
    ['the connection breaks at login', { override: on('LOGIN', () => 'drop') }, 'lost', true],
    ['the list of folders hangs', { override: on('LIST', () => 'hang') }, 'timeout', true],
    ['the connection breaks in a search', { folders: gmail(), override: on('UID SEARCH', () => 'drop') }, 'lost', true],
    ['the search hangs', { folders: gmail(), override: on('UID SEARCH', () => 'hang') }, 'timeout', true],
    [
      'the search is refused',
      { folders: gmail(), override: on('UID SEARCH', (tag) => `${tag} NO not now\r\n`) },
      'protocol',
      true,
    ],
    [
      'the connection breaks while reading',
      { folders: gmail(), override: on('UID FETCH', () => 'drop') },
      'lost',
      true,
    ],
    ['reading hangs', { folders: gmail(), override: on('UID FETCH', () => 'hang') }, 'timeout', true],
    [
      'a folder cannot be opened',
      { folders: gmail(), override: on('EXAMINE', (tag) => `${tag} NO broken\r\n`) },
      'protocol',
      true,
    ],
  ];
  for (const [what, options, reason, isTemporary] of cases) {
    it(`${what}: ${reason}`, async () => {
      const server = await fake(options);
      const outcome = await mailboxAt(server.port, { timeoutMs: 400, connectTimeoutMs: 300 }).find({
        header: HEADER,
        value: 'one',
      });
      assert.ok(!outcome.ok);
      assert.deepEqual([outcome.reason, outcome.isTemporary], [reason, isTemporary]);
      assert.doesNotMatch(JSON.stringify(outcome), /secret|anna/);
    });
  }
  it('nobody listens: refused', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const outcome = await mailboxAt(port).probe();
    assert.equal(!outcome.ok && outcome.reason, 'refused');
  });
  it('the caller gives up: aborted', async () => {
    const server = await fake({ override: (command) => (command.startsWith('LIST') ? 'hang' : undefined) });
    const stop = new AbortController();
    const pending = mailboxAt(server.port).find({ header: HEADER, value: 'one' }, { signal: stop.signal });
    stop.abort();
    const outcome = await pending;
    assert.equal(!outcome.ok && outcome.reason, 'aborted');
  });
  it('sends no password over a connection that should have been encrypted', async () => {
    const server = await fake({ capabilities: 'IMAP4rev1' });
    const outcome = await mailboxAt(
      server.port,
      { timeoutMs: 400, connectTimeoutMs: 300 },
      { security: 'starttls' },
    ).probe();
    assert.equal(outcome.ok, false);
    assert.ok(!server.commands.some((command) => command.includes('secret')), server.commands.join('\n'));
  });
  it('logs in with an OAuth2 token where one is given', async () => {
    const server = await fake({
      capabilities: 'IMAP4rev1 AUTH=XOAUTH2 SASL-IR',
      folders: gmail(),
      override: (command, tag) => (command.startsWith('AUTHENTICATE') ? `${tag} OK\r\n` : undefined),
    });
    const outcome = await mailboxAt(server.port, {}, { credentials: { accessToken: 'token-4711' } }).probe();
    assert.ok(outcome.ok);
    const sent = server.commands.find((command) => command.startsWith('AUTHENTICATE XOAUTH2 '))!.split(' ')[2]!;
    assert.equal(Buffer.from(sent, 'base64').toString(), 'user=anna\u0001auth=Bearer token-4711\u0001\u0001');
  });
});

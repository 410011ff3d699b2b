import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { authenticate, dkimRecord, generateDkimKey, type DkimKey } from '../mail-authentication/index.ts';
import { composeMessage, parseMime, type OutgoingMessage, type ParsedMail } from '../mime/index.ts';
import { compileMail, compileWhole, fillMail, reviveMail, signMail, type CompiledMail, type Filling } from './index.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const png = Buffer.from('iVBORw0KGgo=', 'base64');
const MESSAGE: OutgoingMessage = {
  from: { name: 'Ann', address: 'ann@example.com' },
  to: [{ name: '', address: 'bob@example.org' }],
  subject: 'Hi',
  text: 'Hi',
  date: NOW,
  messageId: '<m.1@example.com>',
};
const BOB: Filling = { recipient: { name: 'Bob Builder Jr.', address: 'bob@example.org' } };
const keys: Record<'rsa' | 'second' | 'ed25519', DkimKey> = {} as never;

before(async () => {
  const [rsa, second, ed25519] = await Promise.all([
    generateDkimKey('rsa-2048'),
    generateDkimKey('rsa-2048'),
    generateDkimKey('ed25519'),
  ]);
  keys.rsa = { domain: 'example.com', selector: 's1', privateKey: rsa };
  keys.second = { domain: 'brand.example', selector: 's2', privateKey: second };
  keys.ed25519 = { domain: 'example.com', selector: 'ed', privateKey: ed25519 };
});

async function copyOf(compiled: CompiledMail, filling: Filling = BOB, by: DkimKey[] = []): Promise<Buffer> {
  const filled = fillMail(compiled, filling);
  assert.ok(filled.ok, filled.ok ? '' : filled.fault);
  const { head, body, isWire } = await signMail(filled, by, NOW);
  const lines = `\r\n${body.toString('latin1')}`;
  if (isWire) assert.doesNotMatch(lines, /\r\n\.|[^\r]\n|\r(?!\n)/);
  return Buffer.concat([head, body]);
}

async function read(parts: Partial<OutgoingMessage>, filling: Filling = BOB): Promise<ParsedMail & { raw: string }> {
  const raw = await copyOf(await compileMail({ ...MESSAGE, ...parts }), filling);
  assertFit(raw);
  return { ...(await parseMime(raw)), raw: raw.toString('latin1') };
}

/** What SMTP carries, to the letter. */
function assertFit(raw: Buffer): void {
  const text = raw.toString('latin1');
  assert.doesNotMatch(text, /[^\r]\n|\r(?!\n)/);
  assert.ok(text.split('\r\n').every((line) => line.length <= 998));
}

async function dkimOf(raw: Buffer): Promise<string[]> {
  const records = new Map(
    Object.values(keys).map(({ domain, selector, privateKey }) => [
      `TXT ${selector}._domainkey.${domain}`,
      [[dkimRecord(privateKey)]],
    ]),
  );
  const { dkim } = await authenticate(raw, {
    dns: {
      resolve: async (name: string, type: string) => {
        const found = records.get(`${type} ${name}`);
        if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return found;
      },
    } as never,
    now: NOW,
    ip: '192.0.2.1',
    helo: 'out.test',
    mta: 'in.test',
    mailFrom: 'ann@example.com',
  });
  return dkim.map(({ domain, result }) => `${domain} ${result}`);
}

/** A line's end at the end of a part is the boundary's; a lone CR, which no server should be sent, ends a line here. */
const textOf = (text = ''): string => text.replace(/\r\n?/g, '\n').trimEnd();

const LONG = `${'Grüße ✉ from the galley, '.repeat(60)}end`;
const TEXTS: [string, string][] = [
  ['words', 'Hello world'],
  ['nothing', ''],
  ['scripts and faces', 'Grüße 李雷 👩‍🍳 \u{1f600}'],
  ['one long line', LONG],
  ['a line of 5,000 characters without a blank', 'x'.repeat(5000)],
  ['dots at the beginnings of lines', '.\n..\n.x\nFrom here\n--\n-- \n---x'],
  ['a boundary’s look', '--=_x\r\n----_NmP-abc-Part_1--\r\n'],
  ['line ends of every kind', 'a\rb\nc\r\nd\n\n\ne'],
  ['blanks at the ends of lines', 'a \nb\t\n  c  '],
  ['equals signs', 'a=b =20 =C3 = ='],
  ['control characters', 'a\u0000b\u0001c\u007fd'],
];

describe('compileMail, beside composeMessage', () => {
  for (const [what, text] of TEXTS)
    it(`reads back the same: ${what}`, async () => {
      const html = `<p title="${text.replace(/["\0]/g, '')}">${text}</p>`;
      const parts = { text, html, ampHtml: `<html ⚡4email>${text}</html>`, subject: text.slice(0, 300) };
      const oracle = await parseMime((await composeMessage({ ...MESSAGE, ...parts })).raw);
      const mail = await read(parts);
      assert.equal(textOf(mail.text), textOf(oracle.text));
      assert.equal(textOf(mail.html), textOf(oracle.html));
      assert.equal(mail.subject, oracle.subject);
      assert.deepEqual(mail.from, oracle.from);
      assert.deepEqual(mail.to, oracle.to);
      assert.deepEqual(mail.problems, []);
      assert.doesNotMatch(mail.raw.slice(mail.raw.indexOf('\r\n\r\n')), /\r\n\./);
    });

  it('keeps attachments, inline pictures, AMP and fields as composed', async () => {
    const parts: Partial<OutgoingMessage> = {
      text: 'Grüße',
      html: '<img src="cid:logo@x">',
      ampHtml: '<html ⚡4email></html>',
      inline: [{ contentId: 'logo@x', contentType: 'image/png', body: png, name: 'logo.png' }],
      attachments: [{ name: 'Übersicht 日本.pdf', contentType: 'application/pdf', body: Buffer.alloc(200_000, 7) }],
      replyTo: [{ name: 'Reply, to', address: 'reply@example.com' }],
      cc: [{ name: '李雷', address: 'lei@例え.テスト' }],
      headers: [
        { name: 'X-Tag', value: 'one' },
        { name: 'X-Tag', value: 'zwölf' },
        { name: 'List-Unsubscribe', value: `<https://example.com/u/${'x'.repeat(120)}>` },
      ],
    };
    const oracle = await parseMime((await composeMessage({ ...MESSAGE, ...parts })).raw);
    const mail = await read(parts);
    assert.deepEqual(mail.attachments, oracle.attachments);
    assert.deepEqual(mail.inline, oracle.inline);
    assert.equal(mail.html, oracle.html);
    assert.match(mail.raw, /Content-Type: text\/x-amp-html/);
    const plain = ({ headerList }: ParsedMail) =>
      headerList.filter(({ name }) => !/^content-/i.test(name)).map(({ name, value }) => `${name}: ${value}`);
    assert.deepEqual(plain(mail), plain(oracle));
  });

  it('gives the same bytes for the same recipient, and shares the body where nothing differs', async () => {
    const still = await compileMail({ ...MESSAGE, text: LONG, subject: 'For %recipient%' });
    const [one, other] = ['a@x.test', 'b@x.test'].map((address) =>
      fillMail(still, { recipient: { name: '', address } }),
    );
    assert.ok(one?.ok && other?.ok);
    assert.equal(one.body, other.body);
    assert.notEqual(one.header, other.header);
    const again = await compileMail({ ...MESSAGE, text: '%recipient.x% %recipient%' });
    assert.deepEqual(
      await copyOf(again),
      await copyOf(await compileMail({ ...MESSAGE, text: '%recipient.x% %recipient%' })),
    );
  });
});

describe('holes', () => {
  it('are filled with what is known of the recipient, and stay where nothing is', async () => {
    const text =
      '%recipient% %recipient_email% %recipient_name%|%recipient_fname%|%recipient_lname% %recipient.a.b% ' +
      '%recipient.n% %recipient.list% %recipient.missing% %recipient.__proto__% %recipient.constructor.name% ' +
      '%unsubscribe_url% %tag_unsubscribe_url% %mailing_list_unsubscribe_url% 100% %recipient';
    const { text: filled } = await read(
      { text },
      {
        ...BOB,
        variables: JSON.parse('{"a":{"b":"deep"},"n":7,"list":[1,"x"],"__proto__":"own"}') as Record<string, unknown>,
        links: { unsubscribe: 'https://x.test/u/1', tagUnsubscribe: 'https://x.test/t/1' },
      },
    );
    assert.equal(
      filled?.trimEnd(),
      'bob@example.org bob@example.org Bob Builder Jr.|Bob|Builder Jr. deep 7 [1,"x"] %recipient.missing% own ' +
        '%recipient.constructor.name% https://x.test/u/1 https://x.test/t/1 %mailing_list_unsubscribe_url% 100% %recipient',
    );
  });

  it('take every text: long, in every script, with dots, boundaries and line ends', async () => {
    for (const [what, value] of TEXTS) {
      const expected = `a ${value.replace(/\r\n|\r/g, '\n')} b`;
      const mail = await read({ text: 'a %recipient.v% b' }, { ...BOB, variables: { v: value } });
      const oracle = await parseMime((await composeMessage({ ...MESSAGE, text: expected })).raw);
      assert.equal(textOf(mail.text), textOf(oracle.text), what);
      assert.doesNotMatch(mail.raw, /\r\n\.|\r\n--[^_]/, what);
    }
  });

  const CONTEXTS: [string, string, string, string][] = [
    [
      'text',
      '<p>%recipient.v%</p>',
      `<b onclick="x">O'Neil & Söhne</b>`,
      '<p>&#60;b onclick=&#34;x&#34;&#62;O&#39;Neil &amp; Söhne&#60;/b&#62;</p>',
    ],
    ['what is escaped already', '<p>%recipient.v%</p>', 'a &amp; b &#39; &copy', '<p>a &amp; b &#39; &amp;copy</p>'],
    ['an attribute', '<p title="%recipient.v%">', '" onmouseover="x', '<p title="&#34; onmouseover=&#34;x">'],
    ['without quotes', '<p title=%recipient.v%>', 'a onclick=x', '<p title=a&#32;onclick&#61;x>'],
    ['a tag', '<p %recipient.v%>', 'onclick="x"', '<p onclick&#61;&#34;x&#34;>'],
    [
      'a whole address',
      '<a href="%recipient.v%">',
      'https://x.test/?a=1&b=2',
      '<a href="https://x.test/?a=1&amp;b=2">',
    ],
    [
      'a path',
      '<a href="https://x.test/%recipient.v%">',
      'a b/c?d#e&"',
      '<a href="https://x.test/a%20b/c%3Fd%23e%26%22">',
    ],
    [
      'a query',
      "<a href='https://x.test/?e=%recipient.v%'>",
      "b+1@x.test&admin=1'",
      "<a href='https://x.test/?e=b%2B1%40x.test%26admin%3D1&#39;'>",
    ],
    [
      'what is encoded already',
      '<a href="https://x.test/?e=%recipient.v%">',
      'b%2B1%40x 100%',
      '<a href="https://x.test/?e=b%2B1%40x%20100%25">',
    ],
    [
      'half of a character',
      '<a href="https://x.test/?e=%recipient.v%">',
      'a\ud800',
      '<a href="https://x.test/?e=a%EF%BF%BD">',
    ],
    ['a comment', '<!-- %recipient.v% -->', '--><script>', '<!-- --&#62;&#60;script&#62; -->'],
    [
      'a comment of Outlook',
      '<!--[if mso]><a href="https://x.test/?e=%recipient.v%"><![endif]-->',
      'a b',
      '<!--[if mso]><a href="https://x.test/?e=a%20b"><![endif]-->',
    ],
    [
      'what all but Outlook read',
      '<!--[if !mso]><!--><a href="https://x.test/?e=%recipient.v%"><!--<![endif]-->',
      'a b',
      '<!--[if !mso]><!--><a href="https://x.test/?e=a%20b"><!--<![endif]-->',
    ],
    [
      'a style',
      '<style>a{color:%recipient.v%}</style>',
      '#fff}</style><script>',
      '<style>a{color:#fff}&#60;/style&#62;&#60;script&#62;}</style>',
    ],
    [
      'an address after a style',
      '<style><a href="</style><a href="x.test/?%recipient.v%">',
      'a b',
      '<style><a href="</style><a href="x.test/?a%20b">',
    ],
    ['markup that is broken', '<a <b =x href="x.test/?%recipient.v%', '"> x', '<a <b =x href="x.test/?%22%3E%20x'],
  ];
  for (const [what, html, value, expected] of CONTEXTS)
    it(`escape what stands in ${what}`, async () => {
      const mail = await read({ html }, { ...BOB, variables: { v: value } });
      assert.equal(mail.html?.trimEnd(), expected);
    });

  it('add no field, no recipient and no line to a header', async () => {
    const value = 'a\r\nBcc: evil@x.test\r\n\r\n<b>\u2028\0 "q", x@y.test';
    const mail = await read(
      {
        subject: 'Hi %recipient.v%',
        from: { name: '%recipient.v%', address: 'ann@example.com' },
        replyTo: [{ name: '%recipient.v%', address: 'reply@example.com' }],
        headers: [
          { name: 'X-Note', value: '%recipient.v%' },
          { name: 'List-Unsubscribe', value: '<https://x.test/%recipient.w%>' },
        ],
      },
      { ...BOB, variables: { v: value, w: 'a>,<mailto:evil@x.test>\r\nBcc: b@x.test' } },
    );
    const clean = 'a Bcc: evil@x.test <b> "q", x@y.test';
    assert.equal(mail.subject.replace(/\s+/g, ' '), `Hi ${clean}`);
    assert.deepEqual(
      mail.from.map(({ address }) => address),
      ['ann@example.com'],
    );
    assert.equal(mail.from[0]?.name.replace(/\s+/g, ' '), clean);
    assert.equal(mail.headers['bcc'], undefined);
    assert.equal(mail.headerList.filter(({ name }) => /^(from|to|subject|reply-to)$/i.test(name)).length, 4);
    assert.equal(mail.text?.trim(), 'Hi');
  });

  it('in headers speak every script, folded', async () => {
    const name = 'Zoë 李雷 👩‍🍳'.repeat(12);
    const mail = await read(
      {
        subject: 'Für %recipient.name%: %recipient.word%',
        to: [{ name: '%recipient.name%', address: 'bob@example.org' }],
        headers: [{ name: 'X-Note', value: 'an %recipient.name%' }],
      },
      { ...BOB, variables: { name, word: 'x'.repeat(3000) } },
    );
    assert.equal(mail.subject, `Für ${name}: ${'x'.repeat(3000)}`);
    assert.equal(mail.to[0]?.name, name);
    assert.equal(mail.headers['x-note'], `an ${name}`);
    assert.ok(mail.raw.split('\r\n').every((line) => line.length <= 100));
  });

  it('are bounded: a copy that would be too large is a fault in words', async () => {
    const huge = { ...BOB, variables: { v: 'x'.repeat(1024 * 1024) } };
    const many = await compileMail({ ...MESSAGE, text: '%recipient.v% '.repeat(100) });
    const faultOf = (compiled: CompiledMail): string => {
      const filled = fillMail(compiled, huge);
      return filled.ok ? 'none' : filled.fault;
    };
    assert.match(faultOf(many), /larger by more than 10485760 bytes/);
    assert.match(faultOf(await compileMail({ ...MESSAGE, subject: '%recipient.v%' })), /Subject .* longer than 32768/);
    const list = { name: 'List-Unsubscribe', value: '<https://x.test/%recipient.v%>' };
    const long = fillMail(await compileMail({ ...MESSAGE, headers: [list] }), {
      ...BOB,
      variables: { v: 'x'.repeat(2000) },
    });
    assert.match(long.ok ? '' : long.fault, /List-Unsubscribe has a word that no line of 998/);
    const one = await read({ text: '%recipient.v%' }, huge);
    assert.equal(one.text?.trim().length, 1024 * 1024);
  });

  it('of a batch: each copy names its own recipient alone', async () => {
    const batch = await compileMail(
      {
        ...MESSAGE,
        to: [1, 2, 3].map((n) => ({ name: '', address: `r${n}@x.test` })),
        cc: [{ name: '', address: 'c@x.test' }],
      },
      { isBatch: true },
    );
    const raw = await copyOf(batch, { recipient: { name: 'Zoë', address: 'zoe@x.test' } });
    const mail = await parseMime(raw);
    assert.deepEqual(mail.to, [{ name: 'Zoë', address: 'zoe@x.test' }]);
    assert.doesNotMatch(raw.toString(), /r1@|c@x/);
  });

  it('fields of the copy alone replace those of the message', async () => {
    const mail = await read(
      { headers: [{ name: 'List-Unsubscribe', value: '<https://old.test>' }] },
      { ...BOB, headers: [{ name: 'List-Unsubscribe', value: '<https://new.test/1>' }] },
    );
    assert.deepEqual(
      mail.headerList.filter(({ name }) => name === 'List-Unsubscribe').map(({ value }) => value),
      ['<https://new.test/1>'],
    );
  });
});

describe('signMail', () => {
  const PARTS: [string, Partial<OutgoingMessage>][] = [
    ['a body that is the same for all', { text: LONG }],
    ['a body with holes', { text: 'a %recipient.v%\n\n', html: '%recipient.v%' }],
    ['a body that begins with a hole', { text: '%recipient.v%' }],
    ['an empty body', { text: '' }],
    [
      'a subject and names in other scripts',
      { subject: 'Grüße %recipient.v%', from: { name: 'Zoë', address: 'ann@example.com' } },
    ],
    ['an address in UTF-8', { to: [{ name: '', address: 'böb@example.org' }] }],
    [
      'attachments',
      { html: '%recipient.v%', attachments: [{ name: 'a.bin', contentType: 'x/y', body: Buffer.alloc(5000, 1) }] },
    ],
  ];
  for (const [what, parts] of PARTS)
    for (const canonicalization of ['simple', 'relaxed'] as const)
      it(`is verified: ${what}, ${canonicalization}`, async () => {
        const compiled = await compileMail({ ...MESSAGE, ...parts }, { canonicalization });
        const filling = { ...BOB, variables: { v: 'Zoë & <b>\n . \n\n' } };
        const raw = await copyOf(compiled, filling, [keys.rsa, keys.second]);
        assert.deepEqual(await dkimOf(raw), ['example.com pass', 'brand.example pass']);
        assert.match(raw.toString('latin1'), new RegExp(`c=relaxed/${canonicalization};`));
      });

  it('signs with Ed25519, with no key not at all, and says when a key cannot sign', async () => {
    const compiled = await compileMail(MESSAGE);
    assert.deepEqual(await dkimOf(await copyOf(compiled, BOB, [keys.ed25519])), ['example.com pass']);
    assert.doesNotMatch((await copyOf(compiled)).toString(), /DKIM-Signature/);
    await assert.rejects(copyOf(compiled, BOB, [{ ...keys.rsa, domain: 'x; d=y' }]), TypeError);
  });
});

describe('a body that is sent as it is', () => {
  const isWire = (compiled: CompiledMail): boolean => {
    const filled = fillMail(compiled, { ...BOB, variables: { v: '.\n.\r.' } });
    return filled.ok && filled.isWire;
  };

  it('is every one that was composed here, whatever is filled in', async () => {
    for (const parts of [{ text: '.' }, { text: '%recipient.v%\n.\n', html: '.%recipient.v%' }]) {
      const compiled = await compileMail({ ...MESSAGE, ...parts });
      assert.equal(isWire(compiled), true);
      await copyOf(compiled, { ...BOB, variables: { v: '.\n.\r.' } });
    }
  });

  it('is none with a dot that begins a line; other ends of lines are made CRLF before', async () => {
    const bodies = ['a\r\nb\r\n', '.a\r\n', 'a\r\n.\r\n', 'a\nb\r\n', 'a\rb\r\n', 'a\r\nb\r', 'a.\r\n'];
    const head = 'From: a@example.com\r\n\r\n';
    const wholes = bodies.map((body) =>
      compileWhole(Buffer.from(head + body), { date: NOW, messageId: '<m@example.com>' }),
    );
    assert.deepEqual(wholes.map(isWire), [true, false, false, true, true, true, true]);
    for (const whole of wholes) await copyOf(whole);
  });

  it('is the same after another process compiled it', async () => {
    const compiled = await compileMail({ ...MESSAGE, text: `${LONG} %recipient.v%` });
    const handed = reviveMail(structuredClone({ ...compiled, body: { ...compiled.body, begun: undefined } }));
    assert.deepEqual(await copyOf(handed, BOB, [keys.ed25519]), await copyOf(compiled, BOB, [keys.ed25519]));
  });
});

describe('compileWhole', () => {
  const options = { date: NOW, messageId: '<m.1@example.com>' };
  const copy = (lines: string[], filling: Filling = BOB, given: object = {}): Promise<Buffer> =>
    copyOf(compileWhole(Buffer.from(lines.join('\r\n')), { ...options, ...given }), filling, [keys.rsa]);
  const HEAD = [
    'From: Ann <ann@example.com>',
    'To: bob@example.org',
    'Subject: Hi',
    'Date: Sun, 22 Nov 2026 12:00:00 +0000',
    'Message-ID: <w@x.test>',
    'MIME-Version: 1.0',
  ];

  it('leaves a message without holes as it is, byte for byte, but for who gets a blind copy', async () => {
    const lines = [
      ...HEAD,
      'Bcc: secret@x.test',
      'Return-Path: <x@y.test>',
      'X-Odd:   kept  as is',
      '',
      'Hi',
      '.',
      '',
      '',
    ];
    const raw = (await copy(lines)).toString();
    assert.equal(
      raw.slice(raw.indexOf('From: Ann')),
      [...HEAD, 'X-Odd:   kept  as is', '', 'Hi', '.', '', ''].join('\r\n'),
    );
    assert.deepEqual(await dkimOf(Buffer.from(raw)), ['example.com pass']);
  });

  it('adds the date and the identifier that are missing, and leaves out what is asked', async () => {
    const mail = await parseMime(
      await copy(['From: ann@example.com', 'X-Drop: me', '', 'x'], BOB, { without: ['x-drop'] }),
    );
    assert.deepEqual([mail.headers['message-id'], mail.date?.getTime()], ['<m.1@example.com>', NOW.getTime()]);
    assert.equal(mail.headers['x-drop'], undefined);
  });

  const ENCODED: [string, string, string][] = [
    ['7bit', 'text/plain', 'Hi %recipient.v%'],
    ['quoted-printable', 'text/plain; charset=iso-8859-1', 'H=E4 %recipient=\r\n.v% =3D'],
    ['base64', 'text/plain; charset="utf-8"; format=flowed', Buffer.from('Hä %recipient.v% =').toString('base64')],
  ];
  for (const [encoding, type, text] of ENCODED)
    it(`fills a text in ${encoding}`, async () => {
      const raw = await copy(
        [...HEAD, `Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, '', text, ''],
        { ...BOB, variables: { v: 'Zoë\r\n.\r\n' } },
      );
      const mail = await parseMime(raw);
      assert.match(mail.text ?? '', /^H[iä] Zoë\n\.\n/);
      assert.deepEqual(await dkimOf(raw), ['example.com pass']);
    });

  it('fills parts inside parts, encoded words too, and touches neither files nor what is signed', async () => {
    const lines = [
      ...HEAD.filter((line) => !/^(Subject|To)/.test(line)),
      'To: %recipient%',
      'Subject: =?utf-8?Q?F=C3=BCr_%recipient.v%?=',
      'Content-Type: multipart/mixed; boundary="a"',
      '',
      'preamble %recipient.v%',
      '--a',
      'Content-Type: multipart/alternative; boundary=ab',
      '',
      '--ab',
      'Content-Type: text/plain',
      '',
      'text %recipient.v%',
      '--ab',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      '<a href="https://x.test/?%recipient.v%">Grüße</a>',
      '--ab--',
      '--a',
      'Content-Type: text/plain; name=x.txt',
      'Content-Disposition: attachment; filename=x.txt',
      '',
      'file %recipient.v%',
      '--a',
      'Content-Type: multipart/signed; boundary=s',
      '',
      '--s',
      'Content-Type: text/plain',
      '',
      'signed %recipient.v%',
      '--s--',
      '--a--',
      '',
    ];
    const raw = await copy(lines, { ...BOB, variables: { v: 'A & B' } });
    const mail = await parseMime(raw);
    assert.equal(mail.subject, 'Für A & B');
    assert.deepEqual(
      mail.to.map(({ address }) => address),
      ['bob@example.org'],
    );
    assert.match(mail.text ?? '', /text A & B/);
    assert.match(mail.html ?? '', /<a href="https:\/\/x\.test\/\?A%20%26%20B">Grüße<\/a>/);
    assert.match(raw.toString(), /\r\nfile %recipient\.v%\r\n/);
    assert.match(raw.toString(), /\r\nsigned %recipient\.v%\r\n/);
    assert.equal(mail.attachments[0]?.name, 'x.txt');
    assert.deepEqual(await dkimOf(raw), ['example.com pass']);
  });

  it('makes every line end whole and every line short enough', async () => {
    const given = Buffer.from(
      `From: ann@example.com\nSubject: ${'y'.repeat(1200)}\n\na\n.\nb\rc\r\n${'x'.repeat(3000)}\n`,
    );
    const raw = await copyOf(compileWhole(given, options), BOB, [keys.rsa]);
    assertFit(raw);
    const mail = await parseMime(raw);
    assert.equal(mail.text?.trimEnd(), `a\n.\nb\nc\n${'x'.repeat(3000)}`);
    assert.equal(mail.subject, 'y'.repeat(1200));
    assert.deepEqual(await dkimOf(raw), ['example.com pass']);
  });

  it('takes what is broken as it is', async () => {
    for (const text of [
      '',
      'From: ann@example.com',
      '\r\n\r\nx',
      'From: a@b.c\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n',
      'no header\r\n\r\n%recipient%',
    ])
      assertFit(await copyOf(compileWhole(Buffer.from(text), options)));
  });
});

// Mail from outside to the address of a list, by SMTP: who may write, what members get, and what is stopped.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const ANN = 'ann@author.example';
const bed = liveBed({
  settings: { GALLEY_ROLES: 'api,work,mail,send', GALLEY_PUBLIC_URL: 'https://mail.example.com' },
  async prepare() {
    bed.zone['author.example'] = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] };
    bed.zone['_dmarc.author.example'] = { TXT: ['v=DMARC1; p=reject'] };
    bed.zone['strict.example'] = { TXT: ['v=spf1 -all'] };
    bed.zone['_dmarc.strict.example'] = { TXT: ['v=DMARC1; p=reject'] };
  },
});

async function make(name: string, members: (string | object)[], more: object = {}): Promise<string> {
  const address = `${name}@${DOMAIN}`;
  const made = await bed.app.call('POST /v3/lists', { body: { address, access_level: 'everyone', ...more } });
  assert.equal(made.status, 201);
  const { status } = await bed.app.call(`POST /v3/lists/${address}/members.json`, { body: { members } });
  assert.equal(status, 200);
  await bed.app.idle();
  return address;
}

interface Said {
  from?: string;
  /** Fields in place of those that a person's program writes. */
  header?: string[];
  text?: string;
}

let said = 0;
function lettersOf(to: string, { header = [], text = 'Hello all' }: Said): string[] {
  const fields = [`From: Ann Lee <${ANN}>`, `To: ${to}`, 'Subject: Hello', `Message-ID: <${said++}@author.example>`];
  const names = new Set(header.map((field) => field.slice(0, field.indexOf(':'))));
  return [...header, ...fields.filter((field) => !names.has(field.slice(0, field.indexOf(':')))), '', text];
}

/** Says it to a list, or to several; answers the reply that ended it. */
async function write(lists: string | string[], more: Said = {}): Promise<string> {
  const to = [lists].flat();
  const client = await connectSmtp(bed.app.galley.outside.ownSmtp!.port);
  try {
    await client.say('EHLO client.test');
    await client.say(`MAIL FROM:<${more.from ?? ANN}>`);
    for (const one of to) {
      const reply = await client.say(`RCPT TO:<${one}>`);
      if (!reply.startsWith('250')) return reply;
    }
    await client.say('DATA');
    return await client.say(`${lettersOf(to[0] as string, more).join('\r\n')}\r\n.`);
  } finally {
    client.close();
  }
}

/** Waits until a list has handed on what it took. */
async function copyTo(
  recipient: string,
): Promise<{ raw: string; from: string; mail: Awaited<ReturnType<typeof parseMime>> }> {
  for (;;) {
    await bed.app.idle();
    const [message, ...more] = bed.taken(recipient);
    assert.equal(more.length, 0);
    if (message) return { ...message, mail: await parseMime(Buffer.from(message.raw, 'latin1')) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('mail to a list that everyone may write to', () => {
  it('goes to each member, in the name of the list, with its fields and no signature of others', async () => {
    const list = await make('open', ['one@example.net', { address: 'two@example.net', subscribed: false }], {
      name: 'Open list',
    });
    const header = [
      'DKIM-Signature: v=1; d=author.example',
      'Sender: office@author.example',
      'Disposition-Notification-To: ann@author.example',
      'List-Unsubscribe: <https://elsewhere.example/>',
    ];
    assert.match(await write(list, { header, text: 'Your %recipient.secret% and 100%' }), /^250 /);
    const { mail, from, raw } = await copyTo('one@example.net');
    const of = (name: string) =>
      mail.headerList.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
    assert.deepEqual(
      [of('from'), of('reply-to'), of('to'), of('precedence'), of('list-id'), of('list-post')],
      [
        [`Ann Lee via Open list <${list}>`],
        [list],
        [list],
        ['list'],
        [`"Open list" <open.${DOMAIN}>`],
        [`<mailto:${list}>`],
      ],
    );
    assert.deepEqual([of('sender'), of('disposition-notification-to'), of('dkim-signature').length], [[], [], 1]);
    assert.match(of('dkim-signature')[0]!, new RegExp(`d=${DOMAIN}`));
    assert.match(of('list-unsubscribe').join(), /^<https:\/\/mail\.example\.com\/u\/list\/[\w-]{22}>$/);
    assert.deepEqual([of('list-unsubscribe-post'), of('x-galley-list').length], [['List-Unsubscribe=One-Click'], 1]);
    assert.equal(mail.text?.trim(), 'Your %recipient.secret% and 100%');
    assert.match(from, /^b\+[\w-]+@/);
    assert.doesNotMatch(raw, /office@author/);
    assert.deepEqual(bed.taken('two@example.net'), []);
    const [event] = (await bed.eventsOf('one@example.net')).filter(({ event: name }) => name === 'delivered');
    assert.equal(event['mailing-list'].address, list);
    const kept = (await bed.eventsOf(list)).find(({ event: name }) => name === 'stored');
    assert.equal(kept.flags['is-routed'], true);
  });

  it('shows members no more than the sender wrote, whatever the account keeps of them', async () => {
    const list = await make('private', [{ address: 'priv@example.net', name: 'Priv', vars: { secret: 'x1' } }]);
    await write(list, { text: '%recipient.secret% %recipient_name%.' });
    const { mail } = await copyTo('priv@example.net');
    assert.equal(mail.text?.trim(), '%recipient.secret% .');
  });

  it('leads answers to the author where the list prefers it, or to where the author wants them', async () => {
    const list = await make('answers', ['reads@example.net'], { reply_preference: 'sender' });
    await write(list);
    const { mail } = await copyTo('reads@example.net');
    assert.deepEqual([mail.headers['reply-to'], mail.from[0]?.address], [ANN, list]);
    const other = await make('answers-2', ['reads-2@example.net'], { reply_preference: 'sender' });
    await write(other, { header: ['Reply-To: desk@author.example'] });
    assert.equal((await copyTo('reads-2@example.net')).mail.headers['reply-to'], 'desk@author.example');
  });

  it('keeps the name of an author of its own domain, which signs', async () => {
    const list = await make('own', ['own@example.net']);
    const from = `carl@${DOMAIN}`;
    assert.match(await write(list, { from, header: [`From: Carl <${from}>`] }), /^250 /);
    assert.deepEqual((await copyTo('own@example.net')).mail.from, [{ name: 'Carl', address: from }]);
  });

  it('bounces at a member come back to the list, and the domain no longer writes to them', async () => {
    const list = await make('late', ['late@example.net']);
    await write(list);
    const { from } = await copyTo('late@example.net');
    const client = await connectSmtp(bed.app.galley.outside.ownSmtp!.port);
    for (const line of ['EHLO mx.example.net', 'MAIL FROM:<>', `RCPT TO:<${from}>`, 'DATA']) await client.say(line);
    const report = [
      'From: MAILER-DAEMON@mx.example.net',
      `To: ${from}`,
      'Subject: Undelivered',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      '',
      'It could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.net',
      '',
      'Final-Recipient: rfc822; late@example.net',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 No such user',
      '--b--',
    ];
    assert.match(await client.say(`${report.join('\r\n')}\r\n.`), /^250 /);
    client.close();
    const path = `GET /v3/${DOMAIN}/bounces/late@example.net`;
    while ((await bed.app.call(path)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    const bounced = (await bed.eventsOf('late@example.net')).find(({ event }) => event === 'failed');
    assert.equal(bounced['mailing-list'].address, list);
  });
});

describe('who may write to a list', () => {
  it('is nobody from outside where it is readonly, told at RCPT', async () => {
    const list = await make('closed', ['r@example.net'], { access_level: 'readonly' });
    assert.equal(await write(list), `550 5.7.1 Only the owner of the mailing list ${list} may write to it`);
  });

  it('is its subscribed members, by the address in From', async () => {
    const list = await make('inner', [{ address: ANN }, 'inner@example.net'], { access_level: 'members' });
    const header = ['From: Eve <eve@author.example>'];
    assert.equal(
      await write(list, { header }),
      `550 5.7.1 Only members may write to ${list}, and eve@author.example is none`,
    );
    assert.match(await write(list, { header: ['From: Ann Lee <Ann@AUTHOR.example>'] }), /^250 /);
    await copyTo('inner@example.net');
    await bed.app.call(`PUT /v3/lists/${list}/members/${ANN}`, { body: { subscribed: 'no' } });
    assert.match(await write(list), /^550 5\.7\.1 Only members/);
  });

  it('is nobody whose domain says that they did not write it', async () => {
    const list = await make('forged', ['f@example.net']);
    const forged = { from: 'x@elsewhere.example', header: ['From: Boss <boss@strict.example>'] };
    assert.match(await write(list, forged), /^550 5\.7\.26 Nothing ties the message to strict\.example/);
  });

  it('is one author at a time', async () => {
    const list = await make('authors', ['a@example.net']);
    for (const header of [[`From: ${ANN}, eve@author.example`], ['From: nobody']])
      assert.match(await write(list, { header }), /^550 5\.7\.1 A mailing list takes messages with exactly one/);
  });

  it('is told for all lists of a message, and those that take it have it', async () => {
    const open = await make('both-open', ['both@example.net']);
    const inner = await make('both-inner', ['never@example.net'], { access_level: 'members' });
    assert.match(await write([inner, open]), /^250 /);
    await copyTo('both@example.net');
    for (;;) {
      const failed = (await bed.eventsOf(inner)).find(({ event }) => event === 'failed');
      if (!failed) continue;
      assert.match(failed['delivery-status'].description, /Only members may write to/);
      break;
    }
    assert.deepEqual(bed.taken('never@example.net'), []);
  });

  it('is asked before routes are, which have what is no list', async () => {
    const list = await make('first-list', ['first@example.net'], { access_level: 'readonly' });
    await bed.app.call('POST /v3/routes', { body: { expression: 'catch_all()', action: 'store()' } });
    assert.match(await write(list), /^550 5\.7\.1 Only the owner/);
    assert.match(await write(`other@${DOMAIN}`), /^250 /);
    await bed.app.call(`DELETE /v3/lists/${list}`);
    assert.match(await write(list), /^250 /);
  });
});

describe('what goes round', () => {
  const programs: [why: string, field: string][] = [
    ['of another list', 'List-Id: <other.example.org>'],
    ['of many', 'Precedence: bulk'],
    ['of who is away', 'Auto-Submitted: auto-replied (vacation)'],
    ['of a server', 'Content-Type: multipart/report; boundary="x"'],
  ];
  it('is refused: mail of lists and programs, and reports', async () => {
    const list = await make('loops', ['l@example.net']);
    for (const [why, field] of programs) {
      const reply = await write(list, { header: [field] });
      assert.ok(reply.startsWith('550 5.7.1 A mailing list takes no mail of lists and programs'), `${why}: ${reply}`);
      assert.ok(reply.includes(field.split(':')[0] as string), reply);
    }
    assert.match(await write(list, { from: '' }), /^550 5\.7\.1 .*empty MAIL FROM/);
    assert.match(await write(list, { header: ['Auto-Submitted: no'] }), /^250 /);
    await copyTo('l@example.net');
  });

  it('is known again without any other field: a copy of its own', async () => {
    const list = await make('again', ['again@example.net']);
    await write(list);
    const { raw } = await copyTo('again@example.net');
    const mark = /^X-Galley-List: .*$/m.exec(raw)![0].trim();
    assert.equal(
      await write(list, { header: [mark] }),
      '554 5.4.6 The mailing list sent this message before: it goes in a circle',
    );
  });

  it('has bounds: 10 MiB, and messages an hour of one author', async () => {
    const list = await make('bounds', ['bound@example.net']);
    const line = `${'x'.repeat(76)}\r\n`;
    assert.match(await write(list, { text: line.repeat(140_000) }), /^552 5\.3\.4 .*10 MiB/);
    const handedOn = async (count: number): Promise<void> => {
      while (bed.taken('bound@example.net').length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (let count = 1; count <= 20; count++) {
      assert.match(await write(list), /^250 /);
      await handedOn(count);
    }
    assert.match(await write(list), /^451 4\.7\.1 .* 20 messages an hour of one author/);
    assert.match(await write(list, { header: ['From: eve@author.example'] }), /^250 /);
    await handedOn(21);
    bed.app.clock.advance(3_700_000);
    assert.match(await write(list), /^250 /);
    await handedOn(22);
  });
});

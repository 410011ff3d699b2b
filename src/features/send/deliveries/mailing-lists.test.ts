// Messages to the address of a list: what its members get, who gets nothing, and how they leave.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const bed = liveBed({
  settings: { GALLEY_PUBLIC_URL: 'https://mail.example.com' },
  answer: (verb, line) => (verb === 'RCPT' && line.includes('gone@') ? '550 5.1.1 No such user' : undefined),
});

const fieldsOf = (headers: { name: string; value: string }[], names: RegExp): [string, string][] =>
  headers.filter(({ name }) => names.test(name)).map(({ name, value }) => [name, value]);
const OF_LISTS = /^(?:list-[\w-]+|precedence|reply-to)$/i;

/** Makes a list with these members. */
async function make(name: string, members: object[], more: object = {}): Promise<string> {
  const address = `${name}@${DOMAIN}`;
  assert.equal((await bed.app.call('POST /v3/lists', { body: { address, ...more } })).status, 201);
  for (const body of members)
    assert.equal((await bed.app.call(`POST /v3/lists/${address}/members`, { body })).status, 200);
  return address;
}

/** Waits until the members have it, or not. */
async function settled(list: string): Promise<any[]> {
  await bed.eventsOf(list);
  await bed.app.idle();
  return bed.eventsOf(list);
}

const copyTo = async (recipient: string) => {
  await bed.eventsOf(recipient);
  const [message, ...more] = bed.taken(recipient);
  assert.ok(message, `nothing came for ${recipient}`);
  assert.equal(more.length, 0);
  return { message, mail: await parseMime(Buffer.from(message.raw, 'latin1')) };
};

describe('a message to a mailing list', () => {
  it('goes to each member who is subscribed, with variables, fields of the list and a return path of each', async () => {
    const list = await make(
      'all',
      [
        { address: 'ann@example.net', name: 'Ann Lee', vars: '{"age": 26}' },
        { address: 'bob@example.net', vars: '{"age": 30, "place": "Bonn"}' },
        { address: 'left@example.net', subscribed: 'no' },
      ],
      { name: 'Everybody', access_level: 'members' },
    );
    const id = await bed.send({
      to: list,
      subject: 'Hello %recipient_fname%',
      text: 'You are %recipient.age%, %recipient.name%. Leave: %mailing_list_unsubscribe_url%',
      'o:tag': 'spring',
    });
    const [accepted, delivered] = await settled(list);
    assert.deepEqual(
      [accepted.event, delivered.event, delivered['delivery-status'].code],
      ['accepted', 'delivered', 250],
    );
    const { message, mail } = await copyTo('ann@example.net');
    assert.equal(mail.subject, 'Hello Ann');
    const [, link] = /^You are 26, Ann Lee\. Leave: (\S+)\s*$/.exec(mail.text ?? '') ?? [];
    assert.match(String(link), /^https:\/\/mail\.example\.com\/u\/list\/[\w-]{22}$/);
    assert.deepEqual(fieldsOf(mail.headerList, OF_LISTS).toSorted(), [
      ['List-Help', `<${link}>`],
      ['List-ID', `"Everybody" <all.${DOMAIN}>`],
      ['List-Post', `<mailto:${list}>`],
      ['List-Unsubscribe', `<${link}>`],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['Precedence', 'list'],
      ['Reply-To', list],
    ]);
    assert.deepEqual([mail.headers['message-id'], mail.to[0]?.address], [id, list]);
    const other = await copyTo('bob@example.net');
    assert.notEqual(other.message.from, message.from);
    assert.match(message.from, /^b\+[\w-]+@/);
    assert.match(other.mail.text ?? '', /^You are 30, %recipient\.name%\. /);
    assert.equal(other.mail.subject.trim(), 'Hello');
    assert.deepEqual(bed.taken('left@example.net'), []);
    const { dkim } = await authenticate(Buffer.from(message.raw, 'latin1'), {
      dns: bed.dns,
      now: new Date(),
      ip: '127.0.0.1',
      helo: 'x.example',
      mta: 'mx.example.net',
      mailFrom: message.from,
    });
    assert.deepEqual(
      dkim.map(({ result, domain }) => [result, domain]),
      [['pass', DOMAIN]],
    );
    const [event] = (await bed.eventsOf('ann@example.net')).filter(({ event: name }) => name === 'delivered');
    const { sid, ...told } = event['mailing-list'];
    assert.match(sid, /^[0-9a-f]{24}$/);
    assert.deepEqual([told, event.tags], [{ address: list, 'list-id': `all.${DOMAIN}` }, ['spring']]);
    const begin = Math.floor(bed.app.clock.now().getTime() / 1000) - 80_000;
    const found = await bed.app.call(
      `GET /v3/${DOMAIN}/events?begin=${begin}&ascending=yes&event=delivered&list=${list}`,
    );
    assert.deepEqual(found.body.items.map(({ recipient }: any) => recipient).toSorted(), [
      'ann@example.net',
      'bob@example.net',
    ]);
    const stored = await bed.stored('ann@example.net');
    assert.ok(
      stored['message-headers'].some(
        ([name, value]: string[]) => /^list-id$/i.test(String(name)) && value?.includes(DOMAIN),
      ),
    );
  });

  it('is that of a readonly list, whose answers go to the sender, as a whole message too', async () => {
    const list = await make('news', [{ address: 'carl@example.net' }], { name: 'Neues für alle' });
    const raw = [
      `From: Ann <ann@${DOMAIN}>`,
      `To: ${list}`,
      'Subject: Whole',
      'Reply-To: answers@example.org',
      'List-Id: <its.own>',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'For %recipient%',
      '',
    ].join('\r\n');
    const form = new FormData();
    form.append('to', list);
    form.append('message', new Blob([raw]), 'message.eml');
    assert.equal((await bed.app.call(`POST /v3/${DOMAIN}/messages.mime`, { body: form })).status, 200);
    await settled(list);
    const { mail } = await copyTo('carl@example.net');
    assert.equal(mail.text?.trim(), 'For carl@example.net');
    const fields = fieldsOf(mail.headerList, /^(?:list-(?:id|post)|reply-to)$/i).toSorted();
    assert.deepEqual(fields, [
      ['List-ID', `<news.${DOMAIN}>`],
      ['List-Post', 'NO'],
      ['Reply-To', 'answers@example.org'],
    ]);
  });

  it('does not go round: a list that is a member of a list gets nothing', async () => {
    const first = await make('first', [{ address: `second@${DOMAIN}` }, { address: 'dora@example.net' }]);
    const second = await make('second', [{ address: first }, { address: 'eric@example.net' }]);
    await bed.send({ to: first });
    await settled(first);
    await copyTo('dora@example.net');
    const events = await bed.eventsOf(second);
    const last = events.at(-1);
    assert.deepEqual(
      [last.event, last.severity, last['delivery-status'].description],
      ['failed', 'permanent', 'A mailing list does not write to a mailing list.'],
    );
    assert.deepEqual(bed.taken('eric@example.net'), []);
  });

  it('tells the bounce of a member with the list, and the domain does not write to them again', async () => {
    const list = await make('bouncing', [{ address: 'gone@example.net' }, { address: 'fine@example.net' }]);
    await bed.send({ to: list });
    await settled(list);
    const bounced = (await bed.eventsOf('gone@example.net')).at(-1);
    assert.deepEqual([bounced.event, bounced.severity, bounced['mailing-list'].address], ['failed', 'permanent', list]);
    assert.equal((await bed.app.call(`GET /v3/${DOMAIN}/bounces/gone@example.net`)).status, 200);
    await bed.send({ to: list });
    await settled(list);
    assert.equal((await bed.eventsOf('gone@example.net')).at(-1).reason, 'suppress-bounce');
  });
});

describe('leaving a mailing list', () => {
  it('is one click, or the button of a page; nothing else the domain sends stops', async () => {
    const list = await make('leaving', [{ address: 'flo@example.net' }], {
      name: 'Leaves <now>',
      description: 'About trees',
    });
    await bed.send({ to: list, text: '%mailing_list_unsubscribe_url%' });
    await settled(list);
    const { mail } = await copyTo('flo@example.net');
    const url = (mail.text ?? '').trim().replace('https://mail.example.com', bed.app.url);
    const page = await fetch(url);
    assert.equal(page.status, 200);
    const html = await page.text();
    for (const part of ['flo@example.net', 'Leaves &lt;now&gt;', 'About trees', 'Leave the list'])
      assert.ok(html.includes(part), part);
    const member = `GET /v3/lists/${list}/members/flo@example.net`;
    assert.equal((await bed.app.call(member)).body.subscribed, true);
    for (let times = 0; times < 2; times++) {
      const answer = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /You left the list/);
    }
    assert.equal((await bed.app.call(member)).body.subscribed, false);
    const told = (await bed.eventsOf('flo@example.net')).filter(({ event }) => event === 'unsubscribed');
    assert.deepEqual(
      told.map((event) => event['mailing-list'].address),
      [list],
    );
    assert.equal((await bed.app.call(`GET /v3/${DOMAIN}/unsubscribes/flo@example.net`)).status, 404);
    await bed.send({ to: list });
    await settled(list);
    assert.equal(bed.taken('flo@example.net').length, 1);
    await bed.send({ to: 'flo@example.net' });
    await bed.eventsOf('flo@example.net');
    assert.equal(bed.taken('flo@example.net').length, 2);
    for (const bad of [`${url}x`, `${bed.app.url}/u/list/x`]) assert.equal((await fetch(bad)).status, 404);
    await bed.app.call(`DELETE /v3/lists/${list}`);
    assert.equal((await fetch(url, { method: 'POST' })).status, 404);
  });
});

describe('a list of another account', () => {
  it('is nothing to this one: mail for its address leaves like any other', async () => {
    const other = {
      'x-service-account-id': (await bed.app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id,
    };
    await bed.app.call('POST /v4/domains', { body: { name: 'example.net' }, headers: other });
    const made = await bed.app.call('POST /v3/lists', { body: { address: 'theirs@example.net' }, headers: other });
    assert.equal(made.status, 201);
    await bed.send({ to: 'theirs@example.net' });
    await bed.eventsOf('theirs@example.net');
    assert.equal(bed.taken('theirs@example.net').length, 1);
  });
});

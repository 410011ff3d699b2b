// Links to unsubscribe in copies that leave: each recipient's own, in the text and in the header, signed with it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const bed = liveBed({ settings: { GALLEY_PUBLIC_URL: 'https://mail.example.com' } });
const LINKS = '<p><a href="%unsubscribe_url%">all</a> <a href="%tag_unsubscribe_url%">these</a></p>';
const LIST = /^list-unsubscribe(?:-post)?$/i;

type Fields = [name: string, value: string][];
const ONE_CLICK: Fields[number] = ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'];

/** What the server took for a recipient. */
async function received(recipient: string) {
  const [event] = (await bed.eventsOf(recipient)).filter(({ event: name }) => name === 'delivered');
  assert.ok(event, JSON.stringify(await bed.eventsOf(recipient)));
  const [message] = bed.taken(recipient);
  const { headerList, html, text } = await parseMime(Buffer.from(message!.raw, 'latin1'));
  const fields: Fields = headerList.filter(({ name }) => LIST.test(name)).map(({ name, value }) => [name, value]);
  return { message: message!, fields, html: html ?? '', text: text ?? '' };
}

const hrefs = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url as string);

describe('a message with links to unsubscribe', () => {
  it('leaves with List-Unsubscribe for one click, which puts the reader on the list', async () => {
    await bed.send({ to: 'Ada <ada@example.net>', html: LINKS, 'o:tag': 'news' });
    const { message, fields, html } = await received('ada@example.net');
    const [all, these] = hrefs(html);
    assert.match(these!, /^https:\/\/mail\.example\.com\/u\/[\w-]{22}$/);
    assert.equal(all, `${these}?all=yes`);
    assert.deepEqual(fields, [['List-Unsubscribe', `<${these}>`], ONE_CLICK]);
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
    const signed = /h=([^;]*)/
      .exec(message.raw.replaceAll(/\r\n[ \t]+/g, ''))![1]!
      .toLowerCase()
      .split(':');
    for (const name of ['list-unsubscribe', 'list-unsubscribe-post']) assert.ok(signed.includes(name), name);

    const stored = await bed.stored('ada@example.net');
    assert.deepEqual(
      stored['message-headers'].filter(([name]: [string]) => LIST.test(name)),
      fields,
    );
    assert.deepEqual(hrefs(stored['body-html']), hrefs(html));

    const answer = await fetch(these!.replace('https://mail.example.com', bed.app.url), {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    assert.equal(answer.status, 200);
    const listed = await bed.app.call(`GET /v3/${DOMAIN}/unsubscribes/ada@example.net`);
    assert.deepEqual(listed.body.tags, ['news']);
    await bed.send({ to: 'ada@example.net', html: LINKS, 'o:tag': 'news' });
    const last = (await bed.eventsOf('ada@example.net')).at(-1);
    assert.deepEqual([last.event, last.severity, last.reason], ['failed', 'permanent', 'suppress-unsubscribe']);
    assert.equal(last['delivery-status'].code, 606);
    assert.equal(bed.taken('ada@example.net').length, 1);
  });

  it('has a link of its own for each recipient, also where nothing else differs', async () => {
    await bed.send({ to: ['max@example.net', 'eve@example.net'], text: 'Leave: %unsubscribe_url%' });
    const [max, eve] = [await received('max@example.net'), await received('eve@example.net')];
    assert.notEqual(max.text, eve.text);
    for (const { text, fields } of [max, eve]) {
      assert.equal(text.trim(), `Leave: ${fields[0]![1].slice(1, -1)}?all=yes`);
      assert.deepEqual(fields[1], ONE_CLICK);
    }
    const { 'message-headers': shown, 'body-plain': text } = await bed.stored('max@example.net');
    assert.deepEqual(
      shown.filter(([name]: [string]) => LIST.test(name)),
      [['List-Unsubscribe', '<%tag_unsubscribe_url%>'], ONE_CLICK],
    );
    assert.equal(text.trim(), 'Leave: %unsubscribe_url%');
  });

  const own = '<mailto:leave@news.example.com>';
  const rows: [what: string, fields: Record<string, unknown>, wanted: (url: string) => Fields][] = [
    ['no link: no field', { html: '<p>Hello</p>' }, () => []],
    ['the sender’s own field', { html: LINKS, 'h:List-Unsubscribe': own }, () => [['List-Unsubscribe', own]]],
    ['fields that are left out', { html: LINKS, 'o:suppress-headers': 'list-unsubscribe' }, () => []],
    [
      'the second left out',
      { html: LINKS, 'o:suppress-headers': 'List-Unsubscribe-Post' },
      (url) => [['List-Unsubscribe', `<${url}>`]],
    ],
    [
      'a link in a field',
      { 'h:X-Leave': '%tag_unsubscribe_url%' },
      (url) => [['List-Unsubscribe', `<${url}>`], ONE_CLICK],
    ],
    [
      'the field as a link',
      { 'h:List-Unsubscribe': '<%unsubscribe_url%>' },
      (url) => [['List-Unsubscribe', `<${url}?all=yes>`]],
    ],
    ['only what looks like one', { text: '%recipient.unsubscribe_url% %unsubscribe_urls%' }, () => []],
  ];
  for (const [what, fields, wanted] of rows)
    it(`has the fields that belong to it: ${what}`, async () => {
      const to = `${what.replaceAll(/\W/g, '')}@example.net`;
      await bed.send({ to, ...fields });
      const copy = await received(to);
      const url =
        /https:\/\/mail\.example\.com\/u\/[\w-]{22}/.exec(copy.message.raw.replaceAll('=\r\n', ''))?.[0] ?? '';
      assert.deepEqual(copy.fields, wanted(url));
      const stored = await bed.stored(to);
      assert.deepEqual(
        stored['message-headers'].filter(([name]: [string]) => LIST.test(name)),
        copy.fields,
      );
    });

  it('may be a whole message', async () => {
    const message =
      'From: ann@news.example.com\r\nTo: all@example.net\r\nSubject: S\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${Buffer.from(LINKS).toString('base64')}\r\n`;
    await bed.send({ to: 'whole@example.net', message }, `/v3/${DOMAIN}/messages.mime`);
    const { fields, html } = await received('whole@example.net');
    const [all, these] = hrefs(html);
    assert.equal(all, `${these}?all=yes`);
    assert.deepEqual(fields, [['List-Unsubscribe', `<${these}>`], ONE_CLICK]);
    const stored = await bed.stored('whole@example.net');
    assert.deepEqual(hrefs(stored['body-html']), [all, these]);
  });
});

// The footers with which readers unsubscribe: where they stand, where they do not, and where their links lead.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const BASE = 'https://mail.example.com';
const bed = liveBed({ settings: { GALLEY_PUBLIC_URL: BASE } });
const without = liveBed();
const HTML = '<html><body><p>Hello</p></body></html>';
const LINK = /https:\/\/mail\.example\.com\/u\/[\w-]{22}\?all=yes/;

const set = (body: object, { app } = bed) => app.call(`PUT /v3/domains/${DOMAIN}/tracking/unsubscribe`, { body });

async function received(recipient: string) {
  await bed.eventsOf(recipient);
  const { html, text, headers } = await parseMime(Buffer.from(bed.taken(recipient)[0]!.raw, 'latin1'));
  return { html: html ?? '', text: text ?? '', headers };
}

describe('unsubscribe footers', () => {
  it('stand below HTML and plain text of each copy, with a link of its own that unsubscribes', async () => {
    assert.equal((await set({ active: 'yes' })).status, 200);
    await bed.send({ to: 'a@example.net, b@example.net', html: HTML, 'o:tracking-clicks': 'yes' });
    const [a, b] = [await received('a@example.net'), await received('b@example.net')];
    assert.match(a.html, /<p>Hello<\/p>\s*<br>\s*<p><a href="[^"]*">unsubscribe<\/a><\/p>\s*<\/body><\/html>\s*$/);
    assert.match(a.text, /^Hello\s+To unsubscribe click: <https:\/\/mail\.example\.com\/u\/[\w-]{22}\?all=yes>\s*$/);
    const [url] = LINK.exec(a.html)!;
    assert.equal(LINK.exec(a.text)![0], url);
    assert.notEqual(LINK.exec(b.html)![0], url);
    assert.equal(a.headers['list-unsubscribe'], `<${url.replace('?all=yes', '')}>`);
    assert.equal(a.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    assert.equal((await fetch(url.replace(BASE, bed.app.url), { method: 'POST' })).status, 200);
    assert.deepEqual((await bed.app.call(`GET /v3/${DOMAIN}/unsubscribes/a@example.net`)).body.tags, ['*']);
  });

  it('leave alone what has a link already, and the message that asks for none', async () => {
    const own = '<p><a href="%tag_unsubscribe_url%">Stop</a></p>';
    await bed.send({ to: 'c@example.net', html: own });
    const c = await received('c@example.net');
    assert.doesNotMatch(c.html, /unsubscribe<\/a>/);
    assert.match(c.text, /To unsubscribe click/);
    await bed.send({ to: 'd@example.net', html: HTML, 'o:tracking': 'no' });
    const d = await received('d@example.net');
    assert.doesNotMatch(d.html + d.text, /unsubscribe/);
    assert.equal(d.headers['list-unsubscribe'], undefined);
  });

  it('are those of the domain when the message was taken, in whole messages too', async () => {
    await set({ html_footer: '<p>Sent to %recipient% by Ann & Bob</p>', text_footer: '' });
    const lines = ['MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b', '', '--b'];
    const parts = ['Content-Type: text/plain', '', 'Hello', '--b', 'Content-Type: text/html', '', HTML, '--b--', ''];
    const message = [`From: ann@${DOMAIN}`, 'Subject: Hello', ...lines, ...parts].join('\r\n');
    await bed.send({ to: 'e@example.net', message }, `/v3/${DOMAIN}/messages.mime`);
    const e = await received('e@example.net');
    assert.match(e.html, /<p>Hello<\/p><p>Sent to e@example\.net by Ann & Bob<\/p><\/body>/);
    assert.equal(e.text.trim(), 'Hello');
    await set({ html_footer: '<p>Always the same</p>' });
    await bed.send({ to: 'f@example.net', message }, `/v3/${DOMAIN}/messages.mime`);
    await set({ active: 'no' });
    assert.match((await received('f@example.net')).html, /<p>Hello<\/p><p>Always the same<\/p><\/body>/);
    await bed.send({ to: 'g@example.net', html: HTML });
    assert.doesNotMatch((await received('g@example.net')).html, /Always/);
  });

  it('stand in what is stored, and in a resent message once', async () => {
    await set({
      active: 'yes',
      html_footer: '<p><a href="%unsubscribe_url%">Stop</a></p>',
      text_footer: '-- %unsubscribe_url%',
    });
    await bed.send({ to: 'h@example.net, i@example.net', html: HTML });
    const stored = await bed.stored('h@example.net');
    assert.match(stored['body-html'], /<p>Hello<\/p><p><a href="%unsubscribe_url%">Stop<\/a><\/p><\/body>/);
    assert.match(stored['body-plain'], /^Hello-- %unsubscribe_url%\s*$/);
    const { url } = (await bed.eventsOf('h@example.net')).at(-1).storage;
    await bed.app.call(`POST ${new URL(url).pathname}`, { body: { to: 'j@example.net' } });
    const { html } = await received('j@example.net');
    assert.equal(html.split('Stop').length, 2);
    const one = await bed.stored('j@example.net');
    assert.match(one['body-html'], LINK);
  });

  it('keep a message from leaving where their links would lead nowhere', async () => {
    const { body } = await set({ active: 'yes' }, without);
    assert.deepEqual(body.notes, [
      'Clicks and opens are not tracked: this service has no address that readers could reach. Its operator sets ' +
        'GALLEY_PUBLIC_URL.',
      'A message that would leave with a footer whose link leads nowhere is refused: this service has no address that ' +
        'readers could reach. Its operator sets GALLEY_PUBLIC_URL.',
    ]);
    const letter = { from: `ann@${DOMAIN}`, to: 'k@example.net', subject: 'Hello', text: 'Hello' };
    const refused = await without.app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
    assert.equal(refused.status, 400);
    assert.equal(
      refused.body.message,
      `The domain ${DOMAIN} puts a footer with a link to unsubscribe below its messages, and this service has no ` +
        'address that readers could follow it to: its operator sets GALLEY_PUBLIC_URL, or the message is sent with ' +
        'o:tracking=no.',
    );
    await without.send({ ...letter, 'o:tracking': 'no' });
    await set({ text_footer: 'Ann, 1 Main Street', html_footer: '' }, without);
    await without.send(letter);
  });
});

// Messages that are made from stored templates: what each recipient gets, and what is refused when it is accepted.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const bed = liveBed({ prepare });
const TEMPLATES = `/v3/${DOMAIN}/templates`;

async function received(recipient: string) {
  await bed.eventsOf(recipient);
  const { raw } = bed.taken(recipient)[0]!;
  const { html = '', text = '', subject, headers } = await parseMime(Buffer.from(raw, 'latin1'));
  return { html: html.trim(), text: text.trim(), subject, headers, raw };
}

const make = async (path: string, body: object): Promise<void> => {
  const answer = await bed.app.call(`POST ${path}`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};

async function prepare(): Promise<void> {
  await make(TEMPLATES, {
    name: 'Order',
    template:
      '<h1>Thank you, {{name}}</h1>{{#if items}}<ul>{{#each items}}<li>{{@index}} {{this.title}}</li>{{/each}}</ul>' +
      '{{else}}<p>Nothing</p>{{/if}}<p title="{{note}}">{{{raw}}}</p>{{#equal kind "gift"}}A gift{{/equal}}',
    headers: { From: `Shop <shop@${DOMAIN}>`, Subject: 'Your order {{order}}, {{name}}', 'Reply-To': `help@${DOMAIN}` },
  });
  await make(`${TEMPLATES}/order/versions`, { tag: 'short', template: '<p>Short, {{name}}</p>' });
  await make('/v4/templates', { name: 'Order', template: '<p>Of the account</p>' });
  await make('/v4/templates', { name: 'Shared', template: '<p>Shared with {{name}}</p>' });
  await make(TEMPLATES, { name: 'Empty' });
  const text = '{{#each items}}<mj-text>{{this}} for {{../name}}</mj-text>{{/each}}';
  const mjml = `<mjml><mj-body><mj-section><mj-column>${text}</mj-column></mj-section></mj-body></mjml>`;
  await make(TEMPLATES, { name: 'Columns', mjml, headers: { Subject: 'For {{name}}' } });
}

describe('a message from a template', () => {
  it('has the parts of the template, filled with variables and escaped', async () => {
    const to = 'ann@example.net';
    const { status } = await bed.app.call(`POST /v3/${DOMAIN}/messages`, {
      body: {
        to,
        template: 'ORDER',
        't:text': 'yes',
        't:variables': JSON.stringify({
          name: 'Ann & <b>Bob</b>',
          order: 17,
          items: [{ title: 'Rose' }, { title: 'Tulip' }],
          note: '"quoted"',
          raw: '<i>as it is</i>',
          kind: 'gift',
        }),
        'v:name': 'overridden',
      },
    });
    assert.equal(status, 200);
    const { html, text, subject, headers } = await received(to);
    assert.equal(
      html,
      '<h1>Thank you, Ann &amp; &lt;b&gt;Bob&lt;/b&gt;</h1><ul><li>0 Rose</li><li>1 Tulip</li></ul>' +
        '<p title="&quot;quoted&quot;"><i>as it is</i></p>A gift',
    );
    assert.match(text, /^Thank you, Ann & <b>Bob<\/b>\n/);
    assert.equal(subject, 'Your order 17, Ann & <b>Bob</b>');
    assert.equal(headers['from'], `Shop <shop@${DOMAIN}>`);
    assert.equal(headers['reply-to'], `help@${DOMAIN}`);
    const stored = await bed.stored(to);
    assert.equal(stored['X-Mailgun-Template-Name'], 'order');
    assert.equal(JSON.parse(stored['X-Mailgun-Template-Variables']).order, 17);
    const [event] = await bed.eventsOf(to);
    assert.deepEqual(event.template, { name: 'order', version: 'initial', 'is-text': true });
  });

  it('is HTML where the template was written in MJML', async () => {
    const to = 'mia@example.net';
    const variables = JSON.stringify({ name: 'Mia & Co', items: ['Rose', 'Tulip'] });
    const from = `Shop <shop@${DOMAIN}>`;
    const { status } = await bed.app.call(`POST /v3/${DOMAIN}/messages`, {
      body: { to, from, template: 'columns', 't:text': 'yes', 't:variables': variables },
    });
    assert.equal(status, 200);
    const { html, text, subject } = await received(to);
    assert.match(html, /^<!doctype html>[^]*>Rose for Mia &amp; Co<\/div>[^]*<tr>[^]*>Tulip for Mia &amp; Co<\/div>/);
    assert.doesNotMatch(html, /mj-text|\{\{|<!--mjml/);
    assert.match(text, /Rose for Mia & Co\s+Tulip for Mia & Co/);
    assert.equal(subject, 'For Mia & Co');
  });

  it('is what each recipient has, where a variable says so', async () => {
    await bed.send({
      to: ['bob@example.net', 'eve@example.net'],
      template: 'order',
      't:version': 'short',
      'v:name': '%recipient.name%',
      'recipient-variables': JSON.stringify({
        'bob@example.net': { name: 'Bob <i>' },
        'eve@example.net': { name: 'Eve' },
      }),
    });
    const [bob, eve] = [await received('bob@example.net'), await received('eve@example.net')];
    assert.deepEqual([bob.html, eve.html], ['<p>Short, Bob &#60;i&#62;</p>', '<p>Short, Eve</p>']);
    assert.deepEqual([bob.text, bob.subject], ['Hello', 'Hello']);
  });

  it('goes before the one of the account, which other domains have', async () => {
    await bed.send({ to: 'own@example.net', template: 'order', 't:version': 'short', 'v:name': 'Own' });
    assert.equal((await received('own@example.net')).html, '<p>Short, Own</p>');
    const variables = '{"name": "all"}';
    await bed.send({ to: 'all@example.net', template: 'shared', 'h:X-Mailgun-Variables': variables });
    assert.equal((await received('all@example.net')).html, '<p>Shared with all</p>');
  });

  it('gets no header field from a variable', async () => {
    const variables = { name: 'x\r\nBcc: eve@example.net\r\n\r\nbody', order: 1 };
    const { status } = await bed.app.call(`POST /v3/${DOMAIN}/messages`, {
      body: { to: 'lines@example.net', template: 'order', 't:variables': JSON.stringify(variables) },
    });
    assert.equal(status, 200);
    const { subject, headers } = await received('lines@example.net');
    assert.equal(subject, 'Your order 1, x Bcc: eve@example.net body');
    assert.equal(headers['bcc'], undefined);
  });

  it('reads no prototypes', async () => {
    await make(TEMPLATES, {
      name: 'nosy',
      template: '[{{constructor.name}}{{__proto__.x}}{{lookup this "constructor"}}{{#with toString}}x{{/with}}]',
    });
    await bed.send({ to: 'nosy@example.net', template: 'nosy', 't:variables': '{"a": {}, "__proto__": {"x": "y"}}' });
    assert.equal((await received('nosy@example.net')).html, '[y]');
  });
});

describe('a message from a template is refused', () => {
  before(async () => {
    const row = '{{#each a}}'.repeat(5) + 'x' + '{{/each}}'.repeat(5);
    await make(TEMPLATES, { name: 'endless', template: row.replaceAll('each a', 'each @root.a') });
    await make(TEMPLATES, { name: 'large', template: `{{#each a}}${'x'.repeat(90_000)}{{/each}}` });
    await make(TEMPLATES, { name: 'shouting', template: '{{uppercase name}}' });
    await make(TEMPLATES, { name: 'blank', template: '{{name}}' });
  });

  const many = JSON.stringify({ a: Array.from({ length: 100 }, (_, n) => n) });
  const cases: [string, object, number, RegExp][] = [
    ['that is not there', { template: 'none' }, 400, /^template: There is no template named "none"\.$/],
    [
      'without that version',
      { template: 'order', 't:version': 'x' },
      400,
      /^t:version: The template "order" has no ver/,
    ],
    ['without a version', { template: 'empty' }, 400, /^template: The template "empty" has no active version: name a/],
    [
      'beside html',
      { template: 'order', html: '<p>x</p>' },
      400,
      /^html and template are both given; give one of them/,
    ],
    ['of no name', { 't:version': 'short' }, 400, /^t:version needs template, the name of a template\.$/],
    [
      'with an unknown field',
      { template: 'order', 't:x': 'y' },
      400,
      /^t:x is not known here; valid are t:version, t:te/,
    ],
    [
      'with variables that are no JSON',
      { template: 'order', 't:variables': '{' },
      400,
      /^t:variables is not valid JSON/,
    ],
    ['with a list of variables', { template: 'order', 't:variables': '[]' }, 400, /^t:variables must be a JSON object/],
    [
      'with a wrong switch',
      { template: 'order', 't:text': 'maybe' },
      400,
      /^t:text must be one of yes, no, true, false/,
    ],
    [
      'that repeats too much',
      { template: 'endless', 't:variables': many },
      400,
      /^template .*repeats too much: more than 500000/,
    ],
    [
      'that becomes too large',
      { template: 'large', 't:variables': many },
      400,
      /^template .*result is longer than 5242880 char/,
    ],
    ['with a helper that is not known', { template: 'shouting' }, 400, /^template .*helper "uppercase" is not known/],
    ['that becomes nothing', { template: 'blank' }, 400, /^template became an empty text/],
  ];
  for (const [what, fields, status, says] of cases)
    it(what, async () => {
      const letter = { from: `ann@${DOMAIN}`, to: 'refused@example.net', subject: 'x', text: 'x' };
      const answer = await bed.app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...letter, ...fields } });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.match(answer.body.message, says);
    });

  it('of another account', async () => {
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } });
    const headers = { 'x-mailgun-on-behalf-of': body.subaccount.id };
    const [{ name }] = (await bed.app.call('GET /v3/domains', { headers })).body.items;
    const answer = await bed.app.call(`POST /v3/${name}/messages`, {
      headers,
      body: { from: `ann@${name}`, to: `delivered@${name}`, subject: 'x', template: 'shared' },
    });
    assert.deepEqual([answer.status, answer.body.message], [400, 'template: There is no template named "shared".']);
  });

  it('as a whole message', async () => {
    const message = `From: ann@${DOMAIN}\r\nTo: x@example.net\r\nSubject: x\r\n\r\nx\r\n`;
    const answer = await bed.app.call(`POST /v3/${DOMAIN}/messages.mime`, {
      body: { to: 'x@example.net', message, template: 'order' },
    });
    assert.equal(answer.status, 400);
    assert.match(
      answer.body.message,
      /^template cannot be used: templates are filled in messages that are given in parts/,
    );
  });
});

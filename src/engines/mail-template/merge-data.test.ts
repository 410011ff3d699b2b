import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from '../mime/index.ts';
import { fillEmail, fillMergeTags, mergeDataFault } from './index.ts';

const DATA = {
  name: 'Ann & <Bob>',
  FNAME: 'Ann',
  empty: '',
  zero: 0,
  yes: true,
  items: ['a', 'b'],
  logo: 'https://a.example/l.png?a=1&b=2',
  user: { first: 'Ann', 'odd key': 'odd', tags: ['x', 'y'] },
  recipient: { city: 'Köln' },
  email: 'ann@a.example',
  tricky: '*|FNAME|* {{name}} $&',
};

const fillAs = async (text: string, as: 'html' | 'text'): Promise<string> => {
  const filled = await fillMergeTags(text, { data: DATA, as });
  assert.ok(filled.ok, JSON.stringify(filled));
  return filled.text;
};

describe('fillMergeTags', () => {
  const cases: [text: string, filled: string][] = [
    ['{{name}} {{ name }} {{~name~}} {{- name -}}', 'Ann & <Bob> Ann & <Bob> Ann & <Bob> Ann & <Bob>'],
    ['{{user.first}} {{ user["odd key"] }} {{user.tags[1]}} {{this.name}} {{.FNAME}}', 'Ann odd y Ann & <Bob> Ann'],
    ['{{zero}} {{yes}} [{{empty}}]', '0 true []'],
    ['*|FNAME|* *|fname|* *| NAME |*', 'Ann Ann Ann & <Bob>'],
    ['%%FNAME%% %% Name %%', 'Ann Ann & <Bob>'],
    ['[[FNAME]] [[ user.first ]]', 'Ann Ann'],
    ['{$FNAME} {$user.first}', 'Ann Ann'],
    ['${FNAME} #{user.first} <%= FNAME %> &lt;%= FNAME %&gt; [% FNAME %]', 'Ann Ann Ann Ann Ann'],
    ['%recipient.city% %recipient.FNAME% %recipient%', 'Köln Ann ann@a.example'],
    [
      '{{ gone | default: "you" }} {{gone|default:\'you\'}} {{ gone | default("you") }} {{ empty | default: ' +
        '&quot;you&quot; }} {{ FNAME | default: "you" }}',
      'you you you you Ann',
    ],
    [
      '{{gone}} *|GONE|* {{ FNAME | upcase }} {{user}} {{items}}',
      '{{gone}} *|GONE|* {{ FNAME | upcase }} {{user}} {{items}}',
    ],
    ['{{constructor}} {{user.__proto__.x}} *|toString|*', '{{constructor}} {{user.__proto__.x}} *|toString|*'],
    ['{{tricky}}', '*|FNAME|* {{name}} $&'],
    ['{{#if yes}}y{{/if}}{{#each items}}{{this}}{{/each}} {{gone}} *|FNAME|*', 'yab {{gone}} Ann'],
    ['100% of 50%% and a[0], {"a": 1}, $5', '100% of 50%% and a[0], {"a": 1}, $5'],
  ];
  for (const [text, filled] of cases) it(`fills ${text}`, async () => assert.equal(await fillAs(text, 'text'), filled));

  it('escapes values in HTML, apart from what asks for HTML', async () => {
    assert.equal(
      await fillAs('<img src="{{logo}}"> {{name}} {{{name}}} {{&name}} *|NAME|*', 'html'),
      '<img src="https://a.example/l.png?a=1&amp;b=2"> Ann &amp; &lt;Bob&gt; Ann & <Bob>' +
        ' Ann & <Bob> Ann &amp; &lt;Bob&gt;',
    );
  });
  it('lists what had no value, once each', async () => {
    const filled = await fillMergeTags('{{gone}} {{gone}} *|X|* {{name}}', { data: DATA, as: 'text' });
    assert.deepEqual(filled.ok && filled.missing, ['{{gone}}', '*|X|*']);
  });
  it('says what is wrong with blocks, and where', async () => {
    const filled = await fillMergeTags('a\n{{#if yes}}', { data: DATA, as: 'text' });
    assert.ok(!filled.ok);
    assert.equal(filled.fault.line, 2);
  });
  it('stops growing, and takes no time for hostile text', async () => {
    const grown = await fillMergeTags('{{x}}'.repeat(100), { data: { x: 'y'.repeat(500_000) }, as: 'text' });
    assert.match(grown.ok ? '' : grown.fault.problem, /longer than/);
    for (const text of ['{{ ', '{{'.repeat(3), '%%', '[[ a', '{{a | default', '*|'].map((part) => part.repeat(200_000)))
      await fillMergeTags(text, { data: DATA, as: 'html' });
  });
});

describe('mergeDataFault', () => {
  for (const value of [[], 'x', 7, null])
    it(`refuses ${JSON.stringify(value)}`, () => assert.equal(mergeDataFault(value), 'must be a JSON object.'));
  it('refuses more than a MiB', () => assert.match(mergeDataFault({ x: 'y'.repeat(1024 * 1024) })!, /at most 1048576/));
  it('takes an object', () => assert.equal(mergeDataFault(DATA), undefined));
});

describe('fillEmail', () => {
  const filledMime = async (
    raw: string,
    data: Record<string, unknown> = DATA,
  ): Promise<{ raw: string; missing: string[] }> => {
    const filled = await fillEmail({ kind: 'mime', body: Buffer.from(raw, 'latin1') }, data);
    assert.ok(filled.ok);
    return { raw: filled.body.toString('latin1'), missing: filled.missing };
  };

  it('fills the texts and the fields of a message, whatever they are encoded in, and leaves the rest as it is', async () => {
    const image = Buffer.from('{{name}}').toString('base64');
    const raw = [
      'From: "{{user.first}}" <a@a.example>',
      'Subject: Hi {{recipient.city}}',
      'X-Other: 1',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="=b"',
      '',
      'preamble {{name}}',
      '--=b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      '--c',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe {{user.fir=',
      'st}} {{gone}}',
      '--c',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>{{name}} für dich</p>').toString('base64'),
      '--c--',
      '',
      '--=b',
      'Content-Type: image/png; name=x.png',
      'Content-Transfer-Encoding: base64',
      '',
      image,
      '--=b',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'kept {{name}}',
      '--=b--',
      'epilogue {{name}}',
      '',
    ].join('\r\n');
    const { raw: filled, missing } = await filledMime(raw);
    const mail = await parseMime(Buffer.from(filled, 'latin1'));
    assert.deepEqual(
      [mail.subject, mail.from, mail.html, mail.text?.trim()],
      [
        'Hi Köln',
        [{ name: 'Ann', address: 'a@a.example' }],
        '<p>Ann &amp; &lt;Bob&gt; für dich</p>',
        'Grüße Ann {{gone}}',
      ],
    );
    assert.deepEqual(missing, ['{{gone}}']);
    assert.ok(
      filled.includes(image) &&
        filled.includes('kept {{name}}') &&
        filled.includes('epilogue {{name}}') &&
        filled.includes('X-Other: 1'),
    );
  });

  it('keeps every byte of a message without tags, and of one that is broken', async () => {
    for (const raw of [
      'From: a@b.example\nSubject: x\n\n<p>hi\xfc',
      'Subject: only a header',
      '',
      '\r\n\r\nbody',
      'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx',
      'Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n{{name}} is none',
    ]) {
      assert.equal((await filledMime(raw)).raw, raw);
    }
  });

  it('lets no value begin a header field', async () => {
    const { raw } = await filledMime('Subject: {{x}}\r\nFrom: a@b.example\r\n\r\nhi', {
      x: 'a\r\nBcc: evil@b.example',
    });
    const { headers } = await parseMime(Buffer.from(raw, 'latin1'));
    assert.deepEqual([headers['subject'], headers['bcc']], ['a Bcc: evil@b.example', undefined]);
  });

  it('ends for parts in parts in parts', async () => {
    let raw = 'Content-Type: text/plain\r\n\r\n{{name}}';
    for (let depth = 0; depth < 60; depth += 1)
      raw = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${raw}\r\n--b${depth}--\r\n`;
    assert.ok((await filledMime(raw)).raw.includes('{{name}}'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMergeTags } from '../merge-tags/index.ts';
import { checkHygiene, summaryText } from './index.ts';
import type { MessageToCheck } from '../source/index.ts';

const sound = (body: string, head = '') =>
  '<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
  `content="width=device-width"><title>t</title>${head}</head><body>${body}</body></html>`;
const prose =
  'The spring list is here, with sets that were printed by hand between March and May, on cotton paper, in small ' +
  'editions, and it ships flat in a rigid sleeve with a note from the printer.';

function check(input: string | MessageToCheck) {
  return checkHygiene(typeof input === 'string' ? { html: input } : input).filter(
    ({ severity }) => severity !== 'pass',
  );
}
const rules = (input: string | MessageToCheck) => check(input).map(({ rule }) => rule.replace('hygiene/', ''));
const one = (input: string | MessageToCheck, rule: string) => {
  const found = check(input).filter((finding) => finding.rule === `hygiene/${rule}`);
  assert.equal(found.length, 1, `${rule}: ${JSON.stringify(found)}`);
  return found[0]!;
};
const preheader = '<div style="display:none">New sets and the answers to many questions</div>';

describe('checkHygiene', () => {
  it('finds nothing in a sound message, and says what it checked', () => {
    const input: MessageToCheck = {
      html: sound(`${preheader}<p>${prose} <a href="https://x.test/list">See it</a></p>`),
      subject: 'The spring list',
      text: `New sets and the answers\n\n${prose} See it: https://x.test/list`,
      headers: [
        { name: 'List-Unsubscribe', value: '<https://x.test/u?1>, <mailto:u@x.test>' },
        { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        {
          name: 'DKIM-Signature',
          value: 'v=1; a=rsa-sha256; h=from : to:subject:list-unsubscribe:\r\n List-Unsubscribe-Post; b=x',
        },
      ],
    };
    assert.deepEqual(rules(input), []);
    const passed = checkHygiene(input).map(({ rule }) => rule);
    for (const rule of [
      'gmail-clipping',
      'merge-tag',
      'doctype',
      'lang',
      'charset',
      'viewport',
      'title',
      'text-part',
      'list-unsubscribe',
    ])
      assert.ok(passed.includes(`hygiene/${rule}`), rule);
  });
  it('says nothing of what it was not given', () => {
    assert.deepEqual(
      checkHygiene({ html: sound('x') }).filter(({ rule }) => /text-part|unsubscribe|subject|message-size/.test(rule)),
      [],
    );
  });
  it('takes anything', () => {
    for (const html of [
      '',
      '\0',
      '<',
      '<style>',
      '<!--[if',
      '<table><td>',
      '<b>'.repeat(20_000),
      '{{'.repeat(50_000),
      '<!--[if mso]>'.repeat(5_000),
      '{{a}} '.repeat(50_000),
      'x<br>'.repeat(50_000),
      '<img width=1 height=1>'.repeat(10_000),
    ])
      assert.ok(Array.isArray(checkHygiene({ html, subject: html, text: html })));
  });
});

describe('sizes', () => {
  it('tells what Gmail cuts off, and where', () => {
    const filler = `<p>${prose}</p>\n`.repeat(600);
    const html = sound(
      `${filler}<a href="https://x.test/unsubscribe">Unsubscribe</a><img width="1" height="1" alt="" ` +
        'src="https://x.test/o.gif">',
    );
    const finding = one(html, 'gmail-clipping');
    assert.equal(finding.severity, 'error');
    assert.match(finding.message, /has 11\d KB, 1\d KB more than the 102 KB.*unsubscribe link and the tracking pixel/);
    assert.equal(Buffer.byteLength(html.slice(0, finding.where!.offset)), 102 * 1024);
    assert.equal(finding.where!.line, html.slice(0, finding.where!.offset).split('\n').length);
  });
  it('counts bytes, not characters', () => {
    assert.equal(one(sound('é'.repeat(60_000)), 'gmail-clipping').severity, 'error');
    assert.equal(one(sound('x'.repeat(95_000)), 'gmail-clipping').severity, 'warning');
    assert.ok(!rules(sound('x'.repeat(60_000))).includes('gmail-clipping'));
  });
  it('tells which style element is too much for Gmail', () => {
    const css = `.a{color:#${'0'.repeat(6)}}`.repeat(600);
    const finding = one(sound('x', `<style>${css}</style>\n<style>${css}</style>`), 'gmail-style-size');
    assert.equal(finding.where?.line, 2);
    assert.match(finding.message, /20 KB in all, and it reads 16 KB/);
    assert.ok(
      !rules(sound('x', `<!--[if mso]><style>${css}${css}</style><![endif]-->`)).includes('gmail-style-size'),
      'Gmail reads no comments',
    );
  });
  it('tells an at-rule inside an at-rule', () => {
    assert.match(
      one(sound('x', '<style>a{color:red}@media print{@font-face{}}</style>'), 'gmail-nested-at-rule').message,
      /@font-face/,
    );
    assert.ok(
      !rules(sound('x', '<style>@media print{a{color:red}}@font-face{}</style>')).includes('gmail-nested-at-rule'),
    );
  });
  it('tells a message that providers refuse', () => {
    assert.equal(one({ html: sound('x'), rawBytes: 30 * 1024 * 1024 }, 'message-size').severity, 'error');
    assert.ok(!rules({ html: sound('x'), rawBytes: 30_000 }).includes('message-size'));
  });
});

describe('merge tags', () => {
  const tags: [string, string][] = [
    ['Hi {{ first_name }}', '{{ first_name }}'],
    ['Hi {{{name}}}', '{{{name}}}'],
    ['{% if x %}y', '{% if x %}'],
    ['Hi *|FNAME|*', '*|FNAME|*'],
    ['Hi %%First Name%%', '%%First Name%%'],
    ['%%=v(@name)=%%', '%%=v(@name)=%%'],
    ['Hi [[firstname]]', '[[firstname]]'],
    ['Hi ${user.name}', '${user.name}'],
    ['Hi <%= @name %>', '<%= @name %>'],
    ['Hi %recipient.first%', '%recipient.first%'],
    ['%unsubscribe_url%', '%unsubscribe_url%'],
    ['Hi {$name}', '{$name}'],
    ['Hi #{name}', '#{name}'],
    ['Hi «First_Name»', '«First_Name»'],
    ['Hi &laquo;First_Name&raquo;', '&laquo;First_Name&raquo;'],
    ['Hi {!Contact.Name}', '{!Contact.Name}'],
    ['Hi ##NAME##', '##NAME##'],
    ['Hi {firstname}', '{firstname}'],
    ['[unsubscribe]', '[unsubscribe]'],
    ['[% name %]', '[% name %]'],
  ];
  for (const [text, tag] of tags) {
    it(`are found: ${tag}`, () => {
      assert.deepEqual(
        findMergeTags(text).map((found) => found.tag),
        [tag],
      );
      const html = sound(`<p>a</p>\n<p>${text}</p>`);
      const finding = one(html, 'merge-tag');
      assert.deepEqual([finding.where?.line, finding.where?.column], [2, html.split('\n')[1]!.indexOf(tag) + 1]);
    });
  }
  const texts = [
    '50 % off, and 20 % more: 100%',
    '5%% of 10%% is',
    '100%% sure, 100%% safe',
    'He said « bonjour » and «Hallo»',
    'a[0], b[[1]], [1], [sic]',
    'costs $5 {or less}',
    '$ {',
    'C# {x}',
    '#1',
    '{ }',
    'x < y %',
    'see [Figure 1]',
    '<3 %',
    'a | b | c',
    '* | *',
    'item #{',
    '10%-20%',
    'C:\\%TEMP%',
  ];
  for (const text of texts) it(`are not found in: ${text}`, () => assert.deepEqual(findMergeTags(text), []));

  it('are found in attributes, the title, the subject, the text part and comments for Word', () => {
    const html = sound(
      '<a href="https://x.test/?u={{id}}"><img alt="*|NAME|*" style="color:{{color}}"></a>' +
        '<!--[if mso]><b>${x}</b><![endif]-->',
    ).replace('<title>t', '<title>{{title}}');
    const found = check({ html, subject: 'Hi {{subject}}', text: 'Hi {{plain}}' }).filter(
      ({ rule }) => rule === 'hygiene/merge-tag',
    );
    assert.equal(found.length, 1);
    assert.match(found[0]!.message, /^7 merge tags were not replaced, in 7 places: .* and 4 more\.$/);
    const { tags } = found[0]!.details as { tags: { tag: string }[] };
    assert.deepEqual(tags.map(({ tag }) => tag).sort(), [
      '${x}',
      '*|NAME|*',
      '{{color}}',
      '{{id}}',
      '{{plain}}',
      '{{subject}}',
      '{{title}}',
    ]);
  });
  it('are no concern in style sheets, scripts and shown code', () => {
    const html = sound(
      '<code>{{name}}</code><pre>*|X|*</pre>',
      '<style>@media x{a{b:c}}</style><style>a{content:"{{x}}"}</style>',
    );
    assert.ok(!rules(html).some((rule) => rule.startsWith('merge-tag')), rules(html).join());
  });
  it('are told once each, with their number', () => {
    const finding = one(sound('{{a}} {{a}}<p>{{a}}</p>'), 'merge-tag');
    assert.equal(finding.details?.count, 3);
    assert.match(finding.message, /3 places/);
  });
  it('of which one side is missing are told', () => {
    assert.match(one(sound('Hi {{name'), 'merge-tag-half').message, /\{\{ without \}\}/);
    assert.match(one(sound('Hi name|* x'), 'merge-tag-half').message, /\|\* without \*\|/);
  });
  it('leave traces when their data is missing', () => {
    for (const text of ['Dear ,', 'Hi undefined, welcome', 'Hello null!', 'Total: [object Object]'])
      assert.ok(rules(sound(`<p>${text}</p>`)).includes('merged-value'), text);
    for (const text of ['Dear Ann, hi', 'Hi, welcome', 'Hi there, null and void'])
      assert.ok(!rules(sound(`<p>${text}</p>`)).includes('merged-value'), text);
    assert.match(one(sound('<a href="undefined">x</a>'), 'merged-value').message, /href is “undefined”/);
  });
});

describe('the document', () => {
  it('is told what it lacks', () => {
    assert.deepEqual(
      rules('<p>x</p>').filter((rule) => rule !== 'preheader-missing'),
      ['doctype', 'lang', 'dir', 'charset', 'viewport', 'title'],
    );
  });
  it('may say its encoding in several ways, but should say UTF-8, and early', () => {
    const head = (meta: string) =>
      rules(
        `<!doctype html><html lang="en" dir="ltr"><head>${meta}<meta name="viewport" ` +
          'content="width=1"><title>t</title></head>',
      );
    assert.deepEqual(head('<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">'), []);
    assert.deepEqual(head('<meta charset="iso-8859-1">'), ['charset']);
    assert.deepEqual(head(`<!-- ${'x'.repeat(1100)} --><meta charset="utf-8">`), ['charset']);
  });
  it('has a title that is not empty, and not that of a drawing', () => {
    assert.ok(rules(sound('x').replace('<title>t</title>', '<title> </title>')).includes('title'));
    assert.ok(rules(sound('<svg><title>x</title></svg>').replace('<title>t</title>', '')).includes('title'));
  });
  it('holds nothing that clients remove', () => {
    const found = check(
      sound('<script>x</script><iframe></iframe><a onclick="x" href="#a">x</a><a href="javascript:x">y</a>'),
    ).filter(({ rule }) => rule === 'hygiene/active-content');
    assert.equal(found.length, 4);
    assert.ok(!rules(sound('<script type="application/ld+json">{}</script>')).includes('active-content'));
  });
  it('has no address that depends on where it is', () => {
    const found = check(
      sound(
        '<img src="a.png" alt="a"><a href="/b">b</a>\n<a href="#c">c</a><a href="mailto:d@x.test">d</a>' +
          '<img src="cid:e" alt="e"><a href="{{f}}">f</a>',
      ),
    );
    assert.deepEqual(
      found.filter(({ rule }) => rule === 'hygiene/relative-address').map(({ where }) => where?.line),
      [1, 1],
    );
    assert.ok(!rules(sound('<a href="/b">b</a>', '<base href="https://x.test/">')).includes('relative-address'));
  });
});

describe('conditional comments', () => {
  const said = (body: string) =>
    check(sound(body))
      .filter(({ rule }) => rule === 'hygiene/conditional-comment')
      .map(({ message }) => message);
  it('that are right are left alone', () => {
    for (const body of [
      '<!--[if mso]><table><tr><td><![endif]-->x<!--[if mso]></td></tr></table><![endif]-->',
      '<!--[if !mso]><!-->x<!--<![endif]-->',
      '<![if !mso]>x<![endif]>',
      '<!--[if (gte mso 9)|(IE)]><p>x</p><![endif]-->',
      '<!--[if mso | IE]><p>x</p><![endif]-->',
      '<!--[if gt mso 14]>x<![endif]-->',
      '<!--[if !mso]> <!-- -->x<!-- <![endif]-->',
      '<!--[if mso]><!-->x<!--<![endif]-->',
      '<!-- plain -->',
    ])
      assert.deepEqual(said(body), [], body);
  });
  const wrong: [string, string, RegExp][] = [
    ['never closed', '<!--[if !mso]><!-->x', /never closed/],
    ['closing nothing', 'x<![endif]-->', /closes nothing/],
    ['cut by a comment inside', '<!--[if mso]><p>x</p><!-- note --><p>y</p><![endif]-->', /ends at the first -->/],
    ['without an end in it', '<!--[if mso]><p>x</p>-->', /ends at the first -->/],
    ['with a blank', '<!-- [if mso]><p>x</p><![endif]-->', /space before/],
    ['without its bracket', '<!--[if mso><p>x</p><![endif]-->', /can't be read/],
    ['empty', '<!--[if ]><p>x</p><![endif]-->', /empty/],
    ['misspelled', '<!--[if msoo]><p>x</p><![endif]-->', /does not know “msoo”/],
    ['hidden from everybody', '<!--[if !mso]><p>x</p><![endif]-->', /No client shows this/],
    ['by a line break in the condition', '<!--[if mso\n]><p>x</p><![endif]-->', /inside \[if …\].*leaves out/],
    ['by a line break, open to the others', '<!--[if !mso\n]><!-->x<!--<![endif]-->', /inside \[if …\].*leaves out/],
    ['by a line break in its end', '<!--[if mso]><p>x</p><!\n[endif]-->', /before \[endif\].*seen to bear it/],
    ['by that where it is false', '<!--[if lt mso 14]>x<!\n[endif]-->', /before \[endif\].*the rest of the message/],
    ['by both', '<!--[if mso\n]><p>x</p><!\n  [endif]-->', /inside \[if …\].*the rest of the message/],
    ['of no version', '<!--[if mso 13]><p>x</p><![endif]-->', /No version of Word/],
  ];
  for (const [what, body, message] of wrong) {
    it(`that are broken are told: ${what}`, () => {
      assert.equal(said(body).length, 1, said(body).join(' '));
      assert.match(said(body)[0]!, message);
    });
  }
  it('are told where they are', () => {
    const { where } = one(sound('<p>x</p>\n  <!-- [if mso]>x<![endif]-->'), 'conditional-comment');
    assert.deepEqual([where?.line, where?.column], [2, 3]);
    const end = one(sound('<p>x</p>\n<!--[if mso]>\n<p>y</p><!\n[endif]-->'), 'conditional-comment').where;
    assert.deepEqual([end?.line, end?.column], [3, 9]);
  });
});

describe('the preheader', () => {
  it('is told when it is missing, with what shows instead', () => {
    const finding = one(sound('<p>View this email in your browser</p><p>News</p>'), 'preheader-missing');
    assert.equal(finding.severity, 'warning');
    assert.match(finding.message, /“View this email in your browser News”/);
    assert.equal(one(sound(`<p>${prose}</p>`), 'preheader-missing').severity, 'info');
  });
  const hidden = [
    '<div style="display:none;font-size:1px">',
    '<div hidden>',
    '<span style="font-size:0">',
    '<div style="max-height:0px;overflow:hidden">',
    '<div class="pre">',
    '<div style="opacity:0">',
    '<div style="visibility:hidden;">',
  ];
  for (const tag of hidden) {
    it(`is known however it is hidden: ${tag}`, () => {
      const html = sound(
        `${tag}New sets and the answers to many of your questions</${tag.slice(1).split(' ')[0]}><p>${prose}</p>`,
        '<style>.pre{color:red;display:none !important}@media print{p{display:none}}</style>',
      );
      assert.ok(!rules(html).includes('preheader-missing'));
      assert.equal(summaryText(html), prose.slice(0, 200));
    });
  }
  it('is not taken from columns that are made with fonts of no size', () => {
    const html = sound(
      '<table><tr><td style="font-size:0;text-align:center"><div style="display:inline-block;font-size:16px">' +
        `${prose}</div></td></tr></table>`,
    );
    assert.ok(rules(html).includes('preheader-missing'));
    assert.ok(!rules(html).includes('image-only'));
  });
  it('is told when the body shows behind it, or when it repeats the subject', () => {
    assert.match(
      one(sound('<div style="display:none">Short.</div><p>Hello there</p>'), 'preheader-short').message,
      /goes on with “Hello there”/,
    );
    assert.ok(
      rules({ html: sound(`<div style="display:none">${prose}</div>x`), subject: prose }).includes('preheader-repeats'),
    );
  });
});

describe('the summary', () => {
  it('is the first text that readers see', () => {
    assert.equal(summaryText(sound(`${preheader}<p>Hello</p><p>there</p><style>x</style>`)), 'Hello there');
    assert.ok(summaryText(sound(`<p>${prose}</p><p>${prose}</p>`)).length <= 200);
  });
  it('should not begin with a link to the web version', () => {
    assert.match(one(sound(`${preheader}<p>Trouble viewing this? Click.</p>`), 'summary').message, /Trouble viewing/);
  });
});

describe('the subject', () => {
  const html = sound(`${preheader}<p>${prose}</p>`);
  it('is told when it is empty, too long or shouting', () => {
    assert.deepEqual(rules({ html, subject: ' ' }), ['subject']);
    assert.deepEqual(rules({ html, subject: 'Ä'.repeat(80).toLowerCase() }), ['subject-length']);
    assert.equal(one({ html, subject: 'word '.repeat(40) }, 'subject-length').severity, 'warning');
    assert.deepEqual(rules({ html, subject: 'LAST CHANCE TODAY' }), ['subject-capitals']);
    assert.deepEqual(rules({ html, subject: '新しい商品のお知らせです、ご覧ください' }), []);
  });
});

describe('the text part', () => {
  const html = sound(`${preheader}<p>${prose} <a href="https://x.test/a?b=c">See</a></p>`);
  it('is told when it is missing', () => assert.match(one({ html, text: '' }, 'text-part').message, /no text part/));
  it('is told when it says something else, or more', () => {
    assert.match(
      one({ html, text: 'Hello world, this is another message. https://x.test/a' }, 'text-part').message,
      /something else: it has \d+ % of the HTML's \d+ words/,
    );
    const other = Array.from({ length: 80 }, (_, n) => `word${String.fromCharCode(97 + (n % 26))}${n}x`).join(' ');
    assert.match(one({ html, text: `${prose} ${other} https://x.test/a` }, 'text-part').message, /says more/);
    assert.match(
      one({ html, text: 'Your email client does not support HTML.\nhttps://x.test/a' }, 'text-part').message,
      /only says/,
    );
  });
  it('is told when the links are missing', () => {
    assert.equal(one({ html, text: prose }, 'text-part-links').severity, 'warning');
    assert.deepEqual(rules({ html, text: `${prose} https://x.test/a` }), [], 'without its parameters');
  });
});

describe('List-Unsubscribe', () => {
  const html = sound(`${preheader}<p>${prose}</p>`);
  const said = (...headers: [string, string][]) =>
    check({ html, headers: headers.map(([name, value]) => ({ name, value })) })
      .map(({ message }) => message)
      .join('|');
  const list: [string, string] = ['List-Unsubscribe', '<https://x.test/u>'];
  const post: [string, string] = ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'];
  it('is told when it is missing or not one-click', () => {
    assert.match(said(['Subject', 'x']), /no List-Unsubscribe/);
    assert.match(said(post), /without List-Unsubscribe/);
    assert.match(said(list), /not one-click: List-Unsubscribe-Post is missing/);
    assert.match(said(['List-Unsubscribe', '<mailto:u@x.test>']), /no https: address/);
    assert.equal(said(list, post), '');
  });
  it('is told when it is malformed', () => {
    assert.match(said(['List-Unsubscribe', 'https://x.test/u'], post), /angle brackets/);
    assert.match(said(['List-Unsubscribe', '<unsubscribe>'], post), /not an address that clients can use/);
    assert.match(said(['List-Unsubscribe', '<http://x.test/u>'], post), /needs an https/);
    assert.match(said(list, ['List-Unsubscribe-Post', 'One-Click']), /says "One-Click"/);
    assert.match(said(list, list, post), /several/);
  });
  it('is told when no signature covers it', () => {
    assert.match(
      said(list, post, ['DKIM-Signature', 'v=1; bh=list-unsubscribe; h=from:list-unsubscribe; b=x']),
      /No DKIM signature covers both/,
    );
    assert.equal(
      said(
        list,
        post,
        ['DKIM-Signature', 'v=1; h=from; b=x'],
        ['DKIM-Signature', 'h=List-Unsubscribe:List-Unsubscribe-Post; b=y'],
      ),
      '',
    );
  });
});

describe('pictures', () => {
  it('should not be the whole message', () => {
    const finding = one(sound('<p>Hi</p>\n<img src="https://x.test/all.png" alt="">'), 'image-only');
    assert.match(finding.message, /1 picture and 2 letters of text.*nothing shows/);
    assert.equal(finding.where?.line, 2);
    assert.ok(!rules(sound(`<p>${prose}</p><img src="https://x.test/a.png" alt="">`)).includes('image-only'));
    assert.ok(
      !rules(sound('<p>Hi</p><img width="1" height="1" alt="" src="https://x.test/o.gif">')).includes('image-only'),
      'a tracking pixel is no picture',
    );
  });
  it('should not be inside the source', () => {
    const finding = one(
      sound(`<p>${prose}</p><img alt="x" src="data:image/png;base64,${'A'.repeat(3000)}">`),
      'inline-image',
    );
    assert.match(finding.message, /PNG picture of 3 KB/);
    assert.ok(rules(sound('<b style="background:url(data:image/gif;base64,R0lGOD)">x</b>')).includes('inline-image'));
  });
  it('that count opens should not be noticed', () => {
    const said = (pixel: string) =>
      check(sound(`<p>${prose}</p>${pixel}`))
        .filter(({ rule }) => rule === 'hygiene/tracking-pixel')
        .map(({ message }) => message)
        .join();
    assert.equal(said('<img width="1" height="1" alt="" src="https://x.test/o">'), '');
    assert.match(said('<img width="1" height="1" src="https://x.test/o">'), /without alt/);
    assert.match(
      said('<img style="width:1px;height:1px" alt="open" src="https://x.test/o">'),
      /shows where pictures are blocked/,
    );
    assert.match(
      said('<img width="1" height="1" alt="" style="display:none" src="https://x.test/o">'),
      /never load it/,
    );
    assert.match(said('<img width="1" height="1" alt="" border="1" src="https://x.test/o">'), /border/);
  });
});

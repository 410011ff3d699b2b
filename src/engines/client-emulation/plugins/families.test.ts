// What each family of clients makes of a message, literally. The sources of each behavior stand in data/clients.

import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, findClient } from '../catalog.ts';
import { parseMessage, workOn } from '../parse-message.ts';
import { serialize } from '../serialize-document.ts';
import { plugins } from './index.ts';

interface Shown {
  html: string;
  head: string;
  body: string;
  css: string;
  notes: string[];
}

/** A message after the plug-ins of one client, without the feature filter. */
function shown(id: string, message: string, only?: string): Shown {
  const client = findClient(id)!;
  const doc = workOn(parseMessage(message));
  for (const name of only ? [only] : client.plugins) plugins[name]!(doc, client, { images: true });
  const html = serialize(doc);
  const css = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map((match) => match[1]).join('|');
  return {
    html,
    head: /<head>(.*?)<\/head>/s.exec(html)![1]!,
    body: /<body[^>]*>(.*)<\/body>/s.exec(html)![1]!,
    css,
    notes: doc.notes,
  };
}

const styled = (css: string, body = '') =>
  `<!DOCTYPE html><html><head><style>${css}</style></head><body>${body}</body></html>`;

describe('plug-ins', () => {
  it('exist for every name that a client uses, and every one is used', () => {
    const used = new Set(CLIENTS.flatMap((client) => client.plugins));
    assert.deepEqual([...used].sort(), Object.keys(plugins).sort());
  });
});

describe('Gmail', () => {
  it('turns the body into a div beside <u></u>, prefixes names and scopes selectors', () => {
    const { html, css } = shown(
      'gmail_chrome',
      '<!DOCTYPE html><html><head><style>u + .body p, #top{color:red}</style></head><body class="body" id="top" ' +
        'bgcolor="#EEE" style="margin:0"><p class="a b">x</p></body></html>',
    );
    assert.equal(css, '.msg7301 u+.m_7301body p,.msg7301 #m_7301top{color:red}');
    assert.match(html, /^<!DOCTYPE html>/);
    assert.match(
      html,
      /<body><div class="a3s msg7301"><u><\/u><div class="m_7301body" id="m_7301top" style="margin:0"><p class="m_7301a m_7301b">x<\/p><\/div><\/div><\/body>/,
    );
  });

  it('has no <u></u> for a message without doctype, and a page without quirks all the same', () => {
    const { html } = shown('gmail_chrome', '<body class="body">x</body>');
    assert.doesNotMatch(html, /<u>/);
    assert.match(html, /^<!DOCTYPE html>/);
  });

  it('scopes rules inside media queries and leaves keyframes alone', () => {
    assert.equal(
      shown('gmail_chrome', styled('@media (max-width:600px){.a{color:red}}@keyframes k{from{color:red}}')).css,
      '@media (max-width:600px){.msg7301 .m_7301a{color:red}}@keyframes k{from{color:red}}',
    );
  });

  it('lets body and html in selectors match nothing', () => {
    assert.equal(shown('gmail_chrome', styled('body p{color:red}')).css, '.msg7301 removed-body p{color:red}');
  });

  it('prefixes the class in the attribute selector that it knows', () => {
    assert.equal(
      shown('gmail_chrome', styled('[class~="a"]{color:red}')).css,
      '.msg7301 [class~="m_7301a"]{color:red}',
    );
  });

  it('drops style elements in the body', () => {
    const { css } = shown('gmail_chrome', '<style>p{color:red}</style><body><style>p{color:blue}</style><p>x');
    assert.equal(css, '.msg7301 p{color:red}');
  });

  it('drops the whole style element that holds an at-rule in an at-rule', () => {
    const message =
      '<style>p{color:red}</style><style>p{color:blue}@media screen{@font-face{font-family:x}}</style><style>' +
      '@media screen{p{content:"@{"}}/* @{@ */</style>';
    const { css, notes } = shown('gmail_chrome', message);
    assert.equal(css, '.msg7301 p{color:red}|@media screen{.msg7301 p{content:"@{"}}');
    assert.equal(notes.length, 1);
  });

  it('drops the style elements that reach beyond 16 KB in all', () => {
    const filler = (bytes: number) => `<style>${'/'.concat('*'.repeat(bytes - 4), '*/')}p{color:red}</style>`;
    const { css, notes } = shown('gmail_chrome', `<style>a{color:red}</style>${filler(16_000)}${filler(1_000)}<body>x`);
    assert.equal(css, '.msg7301 a{color:red}|.msg7301 p{color:red}');
    assert.deepEqual(notes, [
      'Gmail reads 16 KB of styles; this message has 16.6 KB, so the style elements that reach beyond are dropped.',
    ]);
  });

  it('keeps styles of exactly 16 KB', () => {
    const css = `p{color:red}/${'*'.repeat(16_384 - 14)}/`;
    assert.equal(css.length, 16_384);
    assert.equal(shown('gmail_chrome', styled(css)).css, '.msg7301 p{color:red}');
    assert.equal(shown('gmail_chrome', styled(`${css} `)).css, '');
  });

  it('clips beyond 102 KB and says how much is not shown', () => {
    const paragraph = `<p>${'a'.repeat(93)}</p>`;
    const message = `<html><body><div>${paragraph.repeat(1_100)}</div></body></html>`;
    const { body, notes } = shown('gmail_chrome', message);
    const left = body.match(/a{93}/g)!.length;
    assert.ok(left >= 1_043 && left <= 1_045, `${left} paragraphs`);
    assert.match(
      body,
      /\[Message clipped\]&nbsp;&nbsp;<a href="#"[^>]*>View entire message<\/a><\/div><\/div><\/div>$/,
    );
    assert.match(notes[0]!, /^Clipped at 102 KB: 5,\d{3} characters of text are not shown\.$/);
  });

  it('counts bytes, not characters, when it clips', () => {
    const message = `<body><p>${'ü'.repeat(60_000)}</p></body>`;
    const { body } = shown('gmail_chrome', message);
    const left = body.match(/ü/g)!.length;
    assert.ok(left > 52_000 && left < 52_230, `${left} letters`);
  });

  it('shows a message of 102 KB whole', () => {
    const message = `<body>${'a'.repeat(102 * 1024 - 6)}`;
    assert.doesNotMatch(shown('gmail_chrome', message).body, /clipped/);
  });

  it('words the link as its apps do', () => {
    assert.match(shown('gmail_ios', `<body>${'a'.repeat(110_000)}`).body, /VIEW ENTIRE MESSAGE/);
  });

  it('links addresses, and phone numbers in its apps only', () => {
    const message =
      '<body><p>See www.example.com/a. Or call +1 (555) 123-4567</p><a href="x">www.example.com</a></body>';
    assert.match(
      shown('gmail_chrome', message).body,
      /<p>See <a href="http:\/\/www.example.com\/a">www.example.com\/a<\/a>\. Or call \+1 \(555\) 123-4567<\/p><a href="x">www.example.com<\/a>/,
    );
    assert.match(shown('gmail_android', message).body, /<a href="tel:\+15551234567">\+1 \(555\) 123-4567<\/a>/);
  });

  it('shows no SVG, but the alternative text of a picture', () => {
    assert.match(
      shown(
        'gmail_chrome',
        '<body><svg></svg><img src="https://a.example/logo.svg?v=1" alt="Logo"><img src="a.png?x=.svg"></body>',
      ).body,
      /><span>Logo<\/span><img src="a.png\?x=.svg"></,
    );
  });

  it("drops every style sheet for accounts that are not Google's", () => {
    const { css, body } = shown('gmail_android_imap', styled('.a{color:red}', '<p class="a" style="color:blue">x</p>'));
    assert.equal(css, '');
    assert.match(body, /<p class="a" style="color:blue">x<\/p>/);
  });
});

describe('Outlook.com and the new Outlook', () => {
  it('prefixes names, in selectors only the first of each chain', () => {
    const { css, body } = shown(
      'outlookcom_chrome',
      styled('.a.b{color:red}#i.c, p.a .b{color:red}', '<p class="a b" id="i">x</p>'),
    );
    assert.equal(css, '.rps_7301 .x_a.b{color:red}.rps_7301 #x_i.c,.rps_7301 p.x_a .x_b{color:red}');
    assert.equal(body, '<div class="rps_7301"><div><p class="x_a x_b" id="x_i">x</p></div></div>');
  });

  it('breaks attribute selectors on element names and keeps those that stand alone', () => {
    assert.equal(
      shown(
        'outlookcom_chrome',
        styled('a[x-apple-data-detectors]{color:red}[data-ogsc] .a{color:red}[class~="x_a"]{color:red}'),
      ).css,
      '.rps_7301 ax_[x-apple-data-detectors]{color:red}.rps_7301 [data-ogsc] .x_a{color:red}.rps_7301 ' +
        '[class~="x_a"]{color:red}',
    );
  });

  it('gives the rules for body to the div that was the body', () => {
    const { css, body } = shown(
      'outlookcom_chrome',
      '<style>body{color:red}body .a{color:red}</style><body class="a" bgcolor="white">x',
    );
    assert.equal(css, '.rps_7301>div{color:red}.rps_7301>div .x_a{color:red}');
    assert.equal(body, '<div class="rps_7301"><div class="x_a" style="background-color:#ffffff">x</div></div>');
  });

  it('adds box-sizing where a size stands with padding', () => {
    assert.match(
      shown('olnew', '<p style="width:10px;padding-left:5px">a</p><p style="padding:5px">b</p>').body,
      /<p style="width:10px;padding-left:5px;box-sizing:border-box!important">a<\/p><p style="padding:5px">b<\/p>/,
    );
  });
});

describe('the Outlook apps', () => {
  it('put messages into #converted-body and keep names', () => {
    assert.equal(
      shown('outlook_android', '<body class="b"><p class="a">x</p></body>').body,
      '<div id="converted-body" class="olm-fragment-custom"><div class="b"><p class="a">x</p></div></div>',
    );
  });

  it('apply .olm-fragment-custom from a style element in the body only', () => {
    const { css } = shown(
      'outlook_ios',
      '<style>.olm-fragment-custom .a{color:red}</style><body><style>.olm-fragment-custom .a{color:blue}</style>',
    );
    assert.equal(css, '.olm-fragment-custom .a{}|.olm-fragment-custom .a{color:blue}');
  });
});

describe('Yahoo and AOL', () => {
  it('scope selectors by an id and prefix names with it', () => {
    const { css, body } = shown('yahoo_chrome', styled('.a, #i p{color:red}', '<p class="a" id="i">x</p>'));
    assert.equal(css, '#yiv7301 .yiv7301a,#yiv7301 #yiv7301i p{color:red}');
    assert.equal(body, '<div id="yiv7301"><p class="yiv7301a" id="yiv7301i">x</p></div>');
  });

  it('break class names that start with _ or -, or end with two _', () => {
    const { css, body } = shown(
      'yahoo_chrome',
      styled(
        '._foo{color:red}.__bar{color:red}.foo__{color:red}.-foo{color:red}',
        '<p class="_foo __bar foo__ -foo">x</p>',
      ),
    );
    assert.equal(
      css,
      '#yiv7301 foo{color:red}#yiv7301 bar{color:red}#yiv7301 .yiv7301foo_{color:red}#yiv7301 .yiv7301-foo{color:red}',
    );
    assert.match(body, /class="yiv7301_foo yiv7301__bar yiv7301foo__"/);
  });

  it('ignore the rule right after a comment', () => {
    assert.equal(
      shown('aol_chrome', styled('p{color:red}/* x */ul{padding:0}ul ul{margin:0}')).css,
      '#yiv7301 p{color:red}#yiv7301 ul{}#yiv7301 ul ul{margin:0}',
    );
  });

  it('drop a sheet from a media query with a comma on', () => {
    const { css, notes } = shown(
      'yahoo_android',
      styled('a{color:red}@media (max-width:450px), (orientation:landscape){p{color:red}}p{color:blue}'),
    );
    assert.equal(css, '#yiv7301 a{color:red}');
    assert.equal(notes.length, 1);
  });

  it('take the class from images', () => {
    assert.match(shown('yahoo_ios', '<body><img class="a" src="x.png"></body>').body, /<img src="x.png">/);
  });

  it('apply rules that are written for them alone', () => {
    assert.equal(shown('yahoo_chrome', styled('.& .foo{color:red}')).css, '#yiv7301 .yiv7301foo{color:red}');
    assert.equal(shown('yahoo_chrome', styled('p{color:red !yahoo}')).css, '#yiv7301 p{color:red}');
  });
});

describe('Mail on iPhone and iPad', () => {
  const text = 'Call 555-123-4567 on March 3, 2026 at 5:30 PM or visit 1 Infinite Loop Drive, Cupertino, CA 95014.';
  const links = (message: string) =>
    [
      ...shown('iphone16_18', message).body.matchAll(
        /<a href="([^"]*)"[^>]*x-apple-data-detectors-type="([^"]*)">([^<]*)</g,
      ),
    ].map((match) => match.slice(2));

  it('links phone numbers, dates and addresses', () => {
    assert.deepEqual(links(`<p>${text}</p>`), [
      ['telephone', '555-123-4567'],
      ['calendar-event', 'March 3, 2026 at 5:30 PM'],
      ['address', '1 Infinite Loop Drive, Cupertino, CA 95014'],
    ]);
  });

  it('leaves out what format-detection forbids', () => {
    assert.deepEqual(links(`<meta name="format-detection" content="telephone=no, date=no"><p>${text}</p>`), [
      ['address', '1 Infinite Loop Drive, Cupertino, CA 95014'],
    ]);
    assert.deepEqual(
      links(`<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><p>${text}</p>`),
      [],
    );
  });

  it('leaves prices, years, links and hidden text alone', () => {
    assert.deepEqual(
      links('<p>$1 200.00 in 2026, 30-50 %, 12345</p><a href="#">555-123-4567</a><title>555-123-4567</title>'),
      [],
    );
  });

  it("keeps the message's own styles for detected links in force", () => {
    const { css, body } = shown(
      'iphone16_18',
      styled('a[x-apple-data-detectors]{color:inherit!important}', '<p>555-123-4567</p>'),
    );
    assert.equal(css, 'a[x-apple-data-detectors]{color:inherit!important}');
    assert.match(
      body,
      /<a href="tel:5551234567" dir="ltr" x-apple-data-detectors="true" x-apple-data-detectors-type="telephone">/,
    );
  });
});

describe('fitting the width', () => {
  const zoomOf = (id: string, message: string) => /<html style="zoom:([\d.]+)/.exec(shown(id, message).html)?.[1];

  it('zooms a fixed message out on phones', () => {
    const message = '<body><table width="600"><tr><td>x</td></tr></table></body>';
    assert.equal(zoomOf('iphone16_18', message), (393 / 616).toFixed(4));
    assert.equal(zoomOf('gmail_android', message), (412 / 616).toFixed(4));
    assert.equal(zoomOf('applemail_26', message), undefined);
    assert.match(shown('iphone16_18', message).notes[0]!, /600 px wide .* 64 %/);
  });

  it("leaves a message alone that is fluid at the screen's width", () => {
    for (const message of [
      '<body><table width="100%"><tr><td>x</td></tr></table></body>',
      '<body><div style="width:600px;max-width:100%">x</div></body>',
      '<body><table width="100%"><tr><td width="600" style="width:600px">x</td></tr></table></body>',
      styled(
        '.w{width:600px}@media only screen and (max-width:620px){.w{width:100%!important}}',
        '<table class="w" width="600"></table>',
      ),
      styled('.w{max-width:600px;width:100%}', '<div class="w">x</div>'),
      styled('img{max-width:100%}', '<img width="600" src="x.png">'),
      styled('@media (max-width:620px){.m{display:none}}', '<img class="m" width="600" src="x.png">'),
    ])
      assert.equal(zoomOf('iphone16_18', message), undefined, message);
  });

  it('looks only at media queries that hold on the screen', () => {
    const message = styled(
      '@media (max-width:320px){.w{width:100%!important}}',
      '<table class="w" width="600"></table>',
    );
    assert.ok(zoomOf('iphone16_18', message));
  });

  it('does what x-apple-disable-message-reformatting says', () => {
    assert.equal(
      zoomOf(
        'iphone16_18',
        '<meta name="x-apple-disable-message-reformatting"><body><table width="600"></table></body>',
      ),
      undefined,
    );
  });
});

describe('other clients', () => {
  it("Samsung and Thunderbird put the head's elements beside the content", () => {
    assert.match(
      shown('samsung_s24_14', '<head><meta charset="utf-8"><title>t</title></head><body class="b"><p>x</p></body>')
        .body,
      /^<div id="MessageViewBody"><div class="b"><meta charset="utf-8"><title>t<\/title><p>x<\/p><\/div><\/div>$/,
    );
    const { html, body, css } = shown(
      'thunderbird',
      '<head><meta charset="utf-8"><style>@media print{a{}}.a{color:red}</style></head><body class="b"><p>x</p></body>',
    );
    assert.equal(
      body,
      '<meta charset="utf-8"><style>.a{color:red}</style><div class="moz-text-html" lang="x-unicode"><p>x</p></div>',
    );
    assert.match(html, /^<!DOCTYPE html><html>.*<body class="b">/s, 'HTML5 whatever the message says');
    assert.match(css, /^body\{line-height:initial!important\}/, 'its own sheet comes first');
  });

  it('Proton shows messages in #proton-root and drops the body', () => {
    const { css, body } = shown(
      'proton_chrome',
      '<style>#proton-root .a{color:red}body{color:red}</style><body bgcolor="red"><p class="a">x</p></body>',
    );
    assert.equal(css, '#proton-root .a{color:red}removed-body{color:red}');
    assert.equal(body, '<div id="proton-root"><p class="a">x</p></div>');
  });

  it('Free prefixes names with v1, once', () => {
    const { css, body } = shown('free_chrome', styled('.a{color:red}.v1b{color:red}', '<p class="a b">x</p>'));
    assert.equal(css, '.v1a{color:red}.v1b{color:red}');
    assert.match(body, /<p class="v1a v1b">/);
  });

  it('webmail that removes the body loses its background, webmail that replaces it does not', () => {
    const message = '<body bgcolor="#ff0000"><p>x</p></body>';
    assert.equal(shown('mailru_chrome', message).body, '<div class="message-7301"><p>x</p></div>');
    assert.equal(
      shown('hey_chrome', message).body,
      '<div class="message-7301"><div style="background-color:#ff0000"><p>x</p></div></div>',
    );
  });
});

describe('hostile messages', () => {
  it('are shown by every client', () => {
    const messages = [
      '',
      '<',
      '<style>',
      `${'<div>'.repeat(3_000)}x`,
      '<style>.&{}@media{}a,,b{}*{}</style><body class="  " id="">',
      `<body>${'555-123-4567 '.repeat(3_000)}`,
      `<body>${'a@'.repeat(20_000)}`,
      `<body>${'(1'.repeat(20_000)}`,
    ];
    for (const message of messages)
      for (const client of CLIENTS.filter((one) => !one.id.endsWith('_dm'))) shown(client.id, message);
  });
});

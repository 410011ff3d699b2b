import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, findClient } from './catalog.ts';
import { parseMessage, workOn } from './parse-message.ts';
import { serialize } from './serialize-document.ts';
import { applyDefaults } from './shell.ts';

/** The default style sheet that a client adds. */
function defaultsOf(id: string, html = '<p>a</p>'): string {
  const doc = workOn(parseMessage(html));
  applyDefaults(doc, findClient(id)!);
  return /<head><style>(.*?)<\/style>/s.exec(serialize(doc))![1]!;
}

describe('default styles', () => {
  it('come before everything of the message, without specificity', () => {
    const doc = workOn(parseMessage('<head><meta charset="utf-8"><style>body{margin:9px}</style></head><body>a'));
    applyDefaults(doc, findClient('gmail_chrome')!);
    assert.match(
      serialize(doc),
      /<head><style>:root\{color-scheme:only light\}\n:where\(html\)\{font-family:Arial[^}]*font-size:13px[^}]*\}\n:where\(body\)\{margin:0\}/,
    );
  });

  it('differ between clients', () => {
    assert.match(defaultsOf('ol2021'), /Times New Roman/);
    assert.match(defaultsOf('gmail_chrome'), /:where\(a:any-link\)\{color:#1155cc\}/);
    assert.match(defaultsOf('yahoo_chrome'), /:where\(ul, ol\)\{padding-left:40px\}/);
  });

  it('give way to the attributes of body', () => {
    const css = defaultsOf('gmail_chrome', '<body bgcolor="#eeeeee" text="#333333" link="red">a');
    assert.doesNotMatch(css, /[{;]color:#|background-color/);
  });

  it('exist for every client', () => {
    for (const { id } of CLIENTS) assert.match(defaultsOf(id), /:where\(html\)\{.*color:#/, id);
  });
});

describe('the page in dark mode', () => {
  it('is dark with light text for a message without colors, where colors change', () => {
    assert.match(defaultsOf('outlookcom_chrome_dm'), /color:#dedede;background-color:#2d2d2d/);
    assert.match(defaultsOf('gmail_ios_dm'), /background-color:#141414/);
    assert.match(defaultsOf('ol2021_dm'), /color:#ffffff;background-color:#262626/);
  });

  it('lightens the color of links', () => {
    const link = /a:any-link\)\{color:(#\w+)/.exec(defaultsOf('ol2021_dm'))![1]!;
    assert.notEqual(link, '#0563c1');
  });

  it('stays light where the client leaves messages alone', () => {
    assert.match(defaultsOf('yahoo_chrome_dm'), /background-color:#ffffff/);
    assert.match(defaultsOf('yahoo_chrome_dm'), /color-scheme:only light/);
  });

  it('is dark in Apple Mail for a plain message and for one that asks for it', () => {
    assert.match(defaultsOf('applemail_26_dm', '<p>Hello</p>'), /color:#ffffff;background-color:#221c1c/);
    assert.match(
      defaultsOf('iphone16_18_dm', '<meta name="color-scheme" content="light dark"><p style="color:red">a</p>'),
      /background-color:#1c1c1e/,
    );
    assert.match(
      defaultsOf('iphone16_18_dm', '<style>:root{color-scheme:light dark}</style><p style="color:red">a</p>'),
      /background-color:#1c1c1e/,
    );
  });

  it('stays light in Apple Mail for a message that is styled or has a picture', () => {
    for (const html of [
      '<p style="color:red">a</p>',
      '<table bgcolor="white"></table>',
      '<img src="a.png">',
      '<style>p{background:#fff}</style>',
    ])
      assert.match(defaultsOf('applemail_26_dm', html), /color-scheme:only light\}[^]*background-color:#ffffff/, html);
  });
});

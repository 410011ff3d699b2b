import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, findClient } from './catalog.ts';
import { contrastOf, formatColor, parseColor } from '../color/index.ts';
import { applyDarkMode } from './dark-mode.ts';
import { darkened } from './dark-rule.ts';
import { parseMessage, workOn } from './parse-message.ts';
import { serialize } from './serialize-document.ts';

const full = findClient('ol365_dm')!;
const partial = findClient('outlookcom_chrome_dm')!;
const gmailIos = findClient('gmail_ios_dm')!;

/** The body (or the style sheet) of a message after one client's dark mode. */
function inDark(client: typeof full, body: string): string {
  const doc = workOn(parseMessage(`<!DOCTYPE html><html><head></head><body>${body}</body></html>`));
  applyDarkMode(doc, client);
  return /<body>(.*)<\/body>/s.exec(serialize(doc))![1]!;
}

function sheetInDark(client: typeof full, css: string, body = ''): string {
  const doc = workOn(parseMessage(`<style>${css}</style><body>${body}`));
  applyDarkMode(doc, client);
  return /<style>(.*?)<\/style>/s.exec(serialize(doc))![1]!;
}

describe('the published lightness rule', () => {
  it('makes white the base color and black white', () => {
    const base = parseColor('#333333')!;
    assert.equal(formatColor(darkened(parseColor('#ffffff')!, base)), '#333333');
    assert.equal(formatColor(darkened(parseColor('#000000')!, base)), '#ffffff');
  });

  it('keeps alpha', () => {
    assert.equal(formatColor(darkened(parseColor('rgba(0,0,0,.5)')!, parseColor('#333')!)), 'rgba(255,255,255,0.5)');
  });
});

describe("Thunderbird's dark mode", () => {
  const client = findClient('thunderbird_dm')!;
  const cases: [string, string][] = [
    ['<p style="color:#333">dark text</p>', '<p>dark text</p>'],
    ['<p style="color:#eee">light text</p>', '<p style="color:#eee">light text</p>'],
    ['<p style="background:#fff;color:#111">light ground</p>', '<p>light ground</p>'],
    ['<p style="background:#036;color:#fff">stays</p>', '<p style="background:#036;color:#fff">stays</p>'],
    ['<p style="background:#101010;color:#444">contrast</p>', '<p style="background:#101010;color:#444">contrast</p>'],
    ['<p style="background-color:#777;color:#888">unreadable</p>', '<p>unreadable</p>'],
    ['<p style="background:url(a.png) #05c">picture</p>', '<p style="background-color:rgba(0,85,204,1)">picture</p>'],
    [
      '<div style="background:#036 url(a.png) no-repeat center / cover">place</div>',
      '<div style="background-repeat:no-repeat;background-position:center;background-size:cover;' +
        'background-color:rgba(0,51,102,1)">place</div>',
    ],
    ['<p style="background:linear-gradient(#fff,#000)">gradient</p>', '<p>gradient</p>'],
    ['<table bgcolor="#101010"><tbody></tbody></table>', '<table><tbody></tbody></table>'],
    ['<font color="#00ff00">a</font>', '<font>a</font>'],
    ['<button style="color:#333">b</button>', '<button style="color:#333">b</button>'],
    ['<p style="border:1px solid #ccc">border</p>', '<p style="border:1px solid #ccc">border</p>'],
  ];
  for (const [before, after] of cases) it(before, () => assert.equal(inDark(client, before), after));

  it('stops at the first rule without declarations', () => {
    assert.equal(
      sheetInDark(client, '.a{color:#333;margin:0}@keyframes k{from{width:0}}.b{color:#333}'),
      '.a{margin:0}@keyframes k{from{width:0}}.b{color:#333}',
    );
  });
});

describe('dark mode that changes all colors', () => {
  const cases: [string, string][] = [
    ['<p style="color:#000">a</p>', '<p style="color:#ffffff">a</p>'],
    ['<p style="color:#fff;background:#000">a</p>', '<p style="color:#262626;background:#ffffff">a</p>'],
    ['<table bgcolor="#FFFFFF"></table>', '<table bgcolor="#262626"></table>'],
    ['<font color="black">a</font>', '<font color="#ffffff">a</font>'],
    ['<p style="border:1px solid #000">a</p>', '<p style="border:1px solid #ffffff">a</p>'],
    ['<p style="background:url(a.png) #fff">a</p>', '<p style="background:url(a.png) #262626">a</p>'],
    ['<p style="background-image:url(a.png)">a</p>', '<p style="background-image:url(a.png)">a</p>'],
    [
      '<p style="background:linear-gradient(#fff,#000)">a</p>',
      '<p style="background:linear-gradient(#262626,#ffffff)">a</p>',
    ],
    ['<p style="color:inherit;background:transparent">a</p>', '<p style="color:inherit;background:transparent">a</p>'],
    ['<img src="white.png" alt="red">', '<img src="white.png" alt="red">'],
    ['<p style="font-family:Black">a</p>', '<p style="font-family:Black">a</p>'],
  ];
  for (const [before, after] of cases)
    it(`turns ${before} into ${after}`, () => assert.equal(inDark(full, before), after));

  it('changes style sheets, also in media queries, and keeps what the sender wrote for dark mode', () => {
    assert.equal(
      sheetInDark(
        full,
        'p{color:#000}@media (max-width:9px){p{color:#000}}@media (prefers-color-scheme:dark){p{color:#000}}',
      ),
      'p{color:#ffffff}@media (max-width:9px){p{color:#ffffff}}@media (prefers-color-scheme:dark){p{color:#000}}',
    );
  });

  it('leaves gradients to the Gmail apps as they are', () => {
    assert.equal(
      inDark(gmailIos, '<p style="background:linear-gradient(#fff,#fff)">a</p>'),
      '<p style="background:linear-gradient(#fff,#fff)">a</p>',
    );
    assert.equal(inDark(gmailIos, '<p style="background:#fff">a</p>'), '<p style="background:#141414">a</p>');
  });

  it('changes the colors of the body element', () => {
    const doc = workOn(parseMessage('<body bgcolor="white" text="black" link="black">a'));
    applyDarkMode(doc, full);
    assert.match(serialize(doc), /<body bgcolor="#262626" text="#ffffff" link="#ffffff">/);
  });
});

describe('dark mode that changes light backgrounds and dark text only', () => {
  const cases: [string, string][] = [
    [
      '<p style="color:#000;background:#fff">a</p>',
      '<p style="color:#ffffff;background:#2d2d2d" data-ogsc="#000" data-ogsb="#fff">a</p>',
    ],
    // A dark section that the sender designed stays as designed.
    ['<p style="color:#fff;background:#111">a</p>', '<p style="color:#fff;background:#111">a</p>'],
    // Text is judged on its own background, wherever in the block that is written.
    ['<p style="color:#fff;background:#0050b0">a</p>', '<p style="color:#fff;background:#0050b0">a</p>'],
    ['<font color="#000000">a</font>', '<font color="#ffffff" data-ogac="#000000">a</font>'],
    ['<p style="border:1px solid #ddd">a</p>', '<p style="border:1px solid #ddd">a</p>'],
  ];
  for (const [before, after] of cases) {
    it(`turns ${before} into ${after}`, () => assert.equal(inDark(partial, before), after));
  }

  it('keeps the original color of an attribute in data-ogab', () => {
    assert.equal(
      inDark(partial, '<table bgcolor="#ffffff"></table>'),
      '<table bgcolor="#2d2d2d" data-ogab="#ffffff"></table>',
    );
  });

  it('lightens gray text until it can be read', () => {
    const after = /color:(#\w+)/.exec(inDark(partial, '<p style="color:#808080">a</p>'))![1]!;
    const contrast = contrastOf(parseColor(after)!, parseColor(partial.darkBase)!);
    assert.ok(contrast >= 4.45 && contrast < 4.7, `${after}: ${contrast}`);
  });

  it('marks the elements that a style sheet colors, and leaves rules for data-ogsc alone', () => {
    const doc = workOn(
      parseMessage(
        '<style>.a{color:#000}[data-ogsc] .a{color:#111}</style><body><p class="a b">x</p><p class="b">y</p>',
      ),
    );
    applyDarkMode(doc, partial);
    const html = serialize(doc);
    assert.match(html, /<p class="a b" data-ogsc="#000">x<\/p><p class="b">y<\/p>/);
    assert.match(html, /\.a\{color:#ffffff\}\[data-ogsc\] \.a\{color:#111\}/);
  });

  it('marks nothing outside Outlook', () => {
    assert.equal(
      inDark(findClient('gmail_android_dm')!, '<p style="color:#000">a</p>'),
      '<p style="color:#ffffff">a</p>',
    );
  });
});

describe('dark mode of every client', () => {
  const message = '<table bgcolor="#ffffff"><tr><td style="color:#000000">a</td></tr></table>';

  it('changes the message exactly where the strategy is partial or full', () => {
    for (const client of CLIENTS) {
      const changes = client.darkStrategy === 'partial' || client.darkStrategy === 'full';
      assert.equal(inDark(client, message) !== inDark(findClient('gmail_chrome')!, message), changes, client.id);
    }
  });

  it('changes a dark message only where the strategy is full', () => {
    const dark = '<table><tr><td style="background:#111111;color:#ffffff">a</td></tr></table>';
    for (const client of CLIENTS)
      assert.equal(
        inDark(client, dark) !== inDark(findClient('gmail_chrome')!, dark),
        client.darkStrategy === 'full',
        client.id,
      );
  });

  it('survives a sheet of thousands of rules that name every element', () => {
    const doc = workOn(parseMessage(`<style>${'p{color:#000}'.repeat(3000)}</style>${'<p>'.repeat(3000)}`));
    applyDarkMode(doc, partial);
    assert.match(serialize(doc), /<p data-ogsc="#000">/);
  });
});

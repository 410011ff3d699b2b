// What must differ between clients, over the whole pipeline and the whole catalog; and what must not.

import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, findClient } from './catalog.ts';
import { emulate } from './emulate.ts';
import { parseMessage } from './parse-message.ts';
import type { ClientProfile } from './types.ts';

const message = parseMessage(`<!DOCTYPE html><html><head><meta name="color-scheme" content="light">
<style>.hero{color:#123456}.hero.big{font-size:40px}@media (max-width:480px){.hero{font-size:20px}}
@media (prefers-color-scheme:dark){.hero{color:#fedcba}}a[href]{color:#00aa00}</style></head>
<body bgcolor="#f4f4f4"><table width="600" align="center" bgcolor="#ffffff" style="border-radius:8px"><tr><td class="hero big" style="padding:20px;color:#222222">
<img src="https://cdn.example/logo.png" width="200" height="60" alt="Example Ltd" style="color:#0000ff">
<h1 style="color:#000000">Hello</h1><p style="background:#1a1a1a;color:#eeeeee">Dark part</p>
<p>Call 555-123-4567 or visit <a href="https://example.com">us</a>.</p></td></tr></table></body></html>`);

const htmlOf = (client: ClientProfile, images = true) => emulate(message, client, { images }).html;
const client = (id: string) => findClient(id)!;

describe('over the whole pipeline', () => {
  it('images off differ from images on in every client that can block them', () => {
    for (const one of CLIENTS.filter((profile) => profile.imageBlocking)) {
      const off = htmlOf(one, false);
      assert.notEqual(off, htmlOf(one), one.id);
      assert.doesNotMatch(off, /cdn\.example/, one.id);
      assert.match(off, /<blocked-image/, one.id);
    }
  });

  it('dark differs from light where the client changes colors, and nowhere else but in its page', () => {
    for (const dark of CLIENTS.filter((profile) => profile.colorScheme === 'dark')) {
      const light = client(dark.id.replace(/_dm$/, ''));
      const withoutPage = (html: string) => html.replace(/<head><style>.*?<\/style>/s, '<head>');
      const changed = withoutPage(htmlOf(dark)) !== withoutPage(htmlOf(light));
      assert.equal(changed, dark.darkStrategy === 'partial' || dark.darkStrategy === 'full', dark.id);
    }
  });

  it('a part that the sender made dark stays dark under partial and turns light under full', () => {
    const darkPart = (id: string) => /<p[^>]*background(?:-color)?:(#\w+)[^>]*>Dark part/.exec(htmlOf(client(id)))?.[1];
    assert.equal(darkPart('outlookcom_chrome_dm'), '#1a1a1a');
    assert.equal(darkPart('gmail_android_dm'), '#1a1a1a');
    assert.match(darkPart('ol2021_dm')!, /^#[d-f]/);
    assert.match(darkPart('gmail_ios_dm')!, /^#[d-f]/);
  });

  it('prefers-color-scheme reaches the engine only for clients that honor it', () => {
    const keeps = (id: string) => /prefers-color-scheme/.test(htmlOf(client(id)));
    for (const id of ['applemail_26_dm', 'iphone16_18_dm', 'outlookcom_chrome_dm']) assert.equal(keeps(id), true, id);
    for (const id of ['gmail_chrome', 'gmail_ios_dm', 'ol2021_dm', 'yahoo_chrome_dm'])
      assert.equal(keeps(id), false, id);
  });

  it('Gmail, Outlook.com, Yahoo, Apple Mail and Word each make something else of it', () => {
    const ids = [
      'gmail_chrome',
      'outlookcom_chrome',
      'yahoo_chrome',
      'applemail_26',
      'ol2021',
      'gmail_android_imap',
      'outlook_ios',
      'samsung_s24_14',
      'proton_chrome',
      'hey_chrome',
    ];
    assert.equal(new Set(ids.map((id) => htmlOf(client(id)))).size, ids.length);
  });

  it('a chained class selector works in Gmail and Apple Mail, not in Outlook.com', () => {
    assert.match(htmlOf(client('gmail_chrome')), /\.m_7301hero\.m_7301big\{font-size:40px\}/);
    assert.match(htmlOf(client('applemail_26')), /\.hero\.big\{font-size:40px\}/);
    assert.doesNotMatch(htmlOf(client('outlookcom_chrome')), /\.x_hero\.x_big/);
  });

  it('a browser that shows the same webmail in the same engine gets the same document, so that it is drawn once', () => {
    for (const [one, other] of [
      ['gmail_chrome', 'gmail_edge'],
      ['outlookcom_chrome', 'outlookcom_edge'],
      ['yahoo_chrome', 'yahoo_edge'],
      ['applemail_14', 'applemail_15'],
      ['outlookcom_chrome', 'olnew'],
    ] as const)
      assert.equal(htmlOf(client(one)), htmlOf(client(other)), `${one} and ${other}`);
  });

  it('every client in every state gives a whole document with nothing that runs or loads by itself', () => {
    const hostile = parseMessage(
      '<body onload="x()"><script>x()</script><style>p{color:red}</style><p onclick="x()">a</p>',
    );
    for (const one of CLIENTS) {
      const { html } = emulate(hostile, one, { images: !one.imageBlocking });
      assert.match(html, /<html/, one.id);
      assert.match(html, /a<\/p>/, one.id);
    }
  });
});
